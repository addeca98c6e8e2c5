package report

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// A sketch is an SVG in the making, with the plot's own area inside its margins.
type sketch struct {
	strings.Builder
	left, right, top, bottom float64
}

func newSketch(f format, title string) *sketch {
	s := &sketch{left: 58, right: float64(f.Width) - 14, top: 34, bottom: float64(f.Height) - 44}
	s.WriteString(opened(f, title))
	return s
}

func (s *sketch) done() template.HTML { return template.HTML(s.String() + "</svg>") }

func (s *sketch) add(format string, args ...any) { fmt.Fprintf(s, format, args...) }

// label writes text at a point; anchor is start, middle or end.
func (s *sketch) label(x, y float64, anchor, text string) {
	s.add(`<text x="%s" y="%s" text-anchor="%s">%s</text>`, px(x), px(y), anchor, template.HTMLEscapeString(text))
}

// frame draws the axis of time spent, from bottom to top, and names both.
func (s *sketch) frame(y scale, below string) {
	for _, v := range y.ticks() {
		at := y.at(v)
		s.add(`<path class="grid" d="M%s %sH%s"/>`, px(s.left), px(at), px(s.right))
		s.label(s.left-6, at+4, "end", tick(v))
	}
	s.add(`<path class="axis" d="M%s %sH%s"/>`, px(s.left), px(s.bottom), px(s.right))
	s.label((s.left+s.right)/2, s.bottom+38, "middle", below)
}

// key writes the names of lines above the plot.
func (s *sketch) key(x float64, style, name string) float64 {
	s.add(`<rect x="%s" y="10" width="12" height="12" rx="2" %s/>`, px(x), style)
	s.label(x+17, 20, "start", name)
	return x + 17 + 7*float64(len(name)) + 14
}

// px writes a coordinate as short as it may be.
func px(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64) }

// A scale is a logarithmic axis: from lo to hi, which lie at the coordinates from and to.
type scale struct{ lo, hi, from, to float64 }

func (s scale) at(v float64) float64 {
	part := math.Log10(max(v, s.lo)/s.lo) / math.Log10(s.hi/s.lo)
	return s.from + min(part, 1)*(s.to-s.from)
}

// ticks are the powers of ten, and what is between them where these are few.
func (s scale) ticks() (values []float64) {
	steps := []float64{1}
	if s.hi/s.lo < 150 {
		steps = []float64{1, 2, 5}
	}
	for e := math.Floor(math.Log10(s.lo)); e <= math.Log10(s.hi); e++ {
		for _, step := range steps {
			if v := step * math.Pow(10, e); v >= s.lo*0.999 && v <= s.hi*1.001 {
				values = append(values, v)
			}
		}
	}
	return values
}

// around returns the ends, of the values 1, 2 and 5 times powers of ten, between which lo and hi lie.
func around(lo, hi float64) (below, above float64) {
	lo, hi = max(lo, 1), max(hi, lo, 1)
	decade := math.Pow(10, math.Floor(math.Log10(lo)))
	for _, step := range []float64{1, 2, 5} {
		if step*decade <= lo {
			below = step * decade
		}
	}
	decade = math.Pow(10, math.Floor(math.Log10(hi)))
	for _, step := range []float64{10, 5, 2} {
		if step*decade > hi {
			above = step * decade
		}
	}
	return below, above
}

// tick writes microseconds that are 1, 2 or 5 times a power of ten.
func tick(us float64) string {
	switch {
	case us < 999:
		return fmt.Sprintf("%.3g µs", us)
	case us < 999e3:
		return fmt.Sprintf("%.3g ms", us/1e3)
	}
	return fmt.Sprintf("%.3g s", us/1e6)
}
