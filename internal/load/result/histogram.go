package result

import (
	"fmt"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Encode returns h as text for [Histograms]; "" where it is nil or counted nothing.
func Encode(h *hdrhistogram.Histogram) (string, error) {
	if h == nil || h.TotalCount() == 0 {
		return "", nil
	}
	text, err := h.Encode(hdrhistogram.V2CompressedEncodingCookieBase)
	return string(text), err
}

// Decode returns the distribution that a text of [Histograms] holds; an empty one for "".
func Decode(text string) (*hdrhistogram.Histogram, error) {
	if text == "" {
		return NewHistogram(), nil
	}
	h, err := hdrhistogram.Decode([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("a histogram, want HdrHistogram's V2 form in base64: %w", err)
	}
	return h, nil
}
