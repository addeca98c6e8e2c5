package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"github.com/dnsq/dnsq/internal/load/result"
)

// levels of the heat map: one path each, so that an hour's map is not a hundred thousand rectangles.
const levels = 9

// heat draws how many were answered when and after how long.
func heat(r *result.Result) (template.HTML, error) {
	return each(func(f format) (template.HTML, error) {
		m, ok := heatOf(columns(r.BySecond, f.Columns))
		if !ok {
			return "", nil
		}
		return m.draw(f), nil
	})
}

// A heatMap has the columns and the range of buckets that anything is in.
type heatMap struct {
	columns   []column
	low, high int // buckets, the last one included
	most      float64
}

func heatOf(c []column) (m heatMap, any bool) {
	m = heatMap{columns: c, low: result.HeatBuckets, high: -1}
	for i := range c {
		for b, n := range c[i].Heat {
			if n > 0 {
				m.low, m.high = min(m.low, b), max(m.high, b)
				m.most = max(m.most, float64(n)/float64(c[i].Seconds))
			}
		}
	}
	for m.high >= 0 && m.high-m.low < 9 { // a power of ten at least, or a cell is as high as the plot
		m.low, m.high = max(m.low-1, 0), min(m.high+1, result.HeatBuckets-1)
	}
	return m, m.high >= 0
}

// level is 0 for none up to levels for the most, on a logarithmic scale: the few that are slow are what is looked for.
func (m *heatMap) level(i, bucket int) int {
	n := float64(m.columns[i].Heat[bucket]) / float64(m.columns[i].Seconds)
	if n == 0 {
		return 0
	}
	return min(1+int((levels-1)*math.Log1p(n)/math.Log1p(m.most)+1e-9), levels)
}

func (m *heatMap) draw(f format) template.HTML {
	s := newSketch(f, "Response time by second: the darker, the more answers")
	y := scale{math.Pow(10, float64(m.low)/10), math.Pow(10, float64(m.high+1)/10), s.bottom, s.top + 12}
	s.frame(y, "seconds")
	width := (s.right - s.left) / float64(len(m.columns))
	for level, path := range m.paths(s.left, width, y) {
		if path != "" {
			s.add(`<path class="heat" fill-opacity="%.2f" d="%s"/>`, opacity(level), path)
		}
	}
	s.lostStrip(m.columns, width)
	for i, name := range times(m.columns, f.Labels) {
		s.label(s.left+width*float64(i), s.bottom+18, "middle", name)
	}
	at := s.key(s.left, fmt.Sprintf(`class="heat" fill-opacity="%.2f"`, opacity(1)), "few")
	at = s.key(at, `class="heat"`, "many answers")
	s.key(at, `style="fill:var(--bad)"`, "lost")
	return s.done()
}

func opacity(level int) float64 { return 0.12 + 0.88*float64(level-1)/(levels-1) }

// paths draws the cells of each level, those of one bucket that are side by side as one.
func (m *heatMap) paths(left, width float64, y scale) []string {
	paths := make([]strings.Builder, levels+1)
	for b := m.low; b <= m.high; b++ {
		top, bottom := y.at(math.Pow(10, float64(b+1)/10)), y.at(math.Pow(10, float64(b)/10))
		for i := 0; i < len(m.columns); {
			level, from := m.level(i, b), i
			for i < len(m.columns) && m.level(i, b) == level {
				i++
			}
			if level > 0 {
				x := left + width*float64(from)
				fmt.Fprintf(&paths[level], "M%s %sh%sv%sh-%[3]sz", px(x), px(top), px(width*float64(i-from)), px(bottom-top))
			}
		}
	}
	drawn := make([]string, len(paths))
	for level := range paths {
		drawn[level] = paths[level].String()
	}
	return drawn
}

// lostStrip marks, above the map, where queries were lost: they have no response time.
func (s *sketch) lostStrip(c []column, width float64) {
	for i := range c {
		if c[i].Lost > 0 {
			strong := 0.35 + 0.65*min(part(c[i].Lost, c[i].Lost+c[i].Completed), 1)
			s.add(`<rect class="lost" fill-opacity="%.2f" x="%s" y="%s" width="%s" height="7"/>`, strong, px(s.left+width*float64(i)), px(s.top), px(max(width, 1)))
		}
	}
}
