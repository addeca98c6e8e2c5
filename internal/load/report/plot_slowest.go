package report

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/dnsq/dnsq/internal/load/result"
)

// points is how many a curve has.
const points = 160

// A curve is the time that all but one in so many take at most.
type curve struct {
	Name, Color string
	slowest, us []float64 // one in slowest[i] takes more than us[i]
}

// slowest draws latency by percentile, the slowest to the right on a logarithmic axis: the tail gets as much room as the middle.
func slowest(r *result.Result) (template.HTML, error) {
	curves, err := curvesOf(r)
	if err != nil || len(curves) == 0 {
		return "", err
	}
	return each(func(f format) (template.HTML, error) { return drawSlowest(f, curves), nil })
}

func curvesOf(r *result.Result) (curves []curve, err error) {
	for _, c := range []struct{ name, color, text string }{
		{"with timeouts", "--bad", r.Histograms.ResponseTimeout}, {"service", "--sent", r.Histograms.Service}, {"response", "--answered", r.Histograms.Response},
	} {
		h, err := result.Decode(c.text)
		if err != nil {
			return nil, fmt.Errorf("%s time: %w", c.name, err)
		}
		if h.TotalCount() > 0 && (c.color != "--bad" || r.ResponseTimeout.Count > r.Response.Count) {
			curves = append(curves, curveOf(c.name, c.color, h))
		}
	}
	return curves, nil
}

func curveOf(name, color string, h *hdrhistogram.Histogram) curve {
	c := curve{Name: name, Color: color}
	percents := make([]float64, points+1)
	most := max(math.Log10(float64(h.TotalCount())), 0.5)
	for i := range percents {
		c.slowest = append(c.slowest, math.Pow(10, most*float64(i)/points))
		percents[i] = 100 * (1 - 1/c.slowest[i])
	}
	percents[points] = 100
	for _, ns := range h.ValueAtPercentilesSlice(percents) {
		c.us = append(c.us, max(float64(ns)/1e3, 1))
	}
	return c
}

func drawSlowest(f format, curves []curve) template.HTML {
	s := newSketch(f, "Latency by percentile, the slowest to the right")
	lo, hi, most := math.Inf(1), 0.0, 10.0
	for _, c := range curves {
		lo, hi, most = min(lo, c.us[0]), max(hi, c.us[points]), max(most, c.slowest[points])
	}
	lo, hi = around(lo, hi)
	x, y := scale{1, most, s.left, s.right}, scale{lo, hi, s.bottom, s.top}
	s.frame(y, "percentile")
	s.percents(x)
	at := s.left
	for _, c := range curves {
		var path strings.Builder
		for i := range c.us {
			path.WriteString("L" + px(x.at(c.slowest[i])) + " " + px(y.at(c.us[i])))
		}
		s.add(`<path class="curve %s" style="stroke:var(%s)" d="M%s"/>`, c.Name, c.Color, path.String()[1:])
		at = s.key(at, `style="fill:var(`+c.Color+`)"`, c.Name)
	}
	return s.done()
}

// percents labels the axis of 1/(1-p).
func (s *sketch) percents(x scale) {
	free := math.Inf(-1)
	for _, v := range append([]float64{1, 2}, x.ticks()...) {
		at := x.at(v)
		name := strconv.FormatFloat(100*(1-1/v), 'f', -1, 64)
		if nines := int(math.Round(math.Log10(v))); nines > 2 {
			name = "99." + strings.Repeat("9", nines-2)
		}
		half := 4 * float64(len(name)+1)
		if at-half < free || math.Log10(v) != math.Round(math.Log10(v)) && v != 2 {
			continue
		}
		free = at + half + 4
		s.add(`<path class="grid" d="M%s %sV%s"/>`, px(at), px(s.top), px(s.bottom))
		s.label(min(at, s.right-half/2), s.bottom+18, "middle", name+"%")
	}
}
