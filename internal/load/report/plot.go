package report

import (
	"bytes"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-analyze/charts"
)

// A format is the size that a plot is drawn in: a small one is not a large one made smaller, whose letters nobody could read.
type format struct {
	Class         string
	Width, Height int
	Columns       int // of seconds, at most
	Labels        int // of the time axis, about
}

// formats are those for a wide window and for a telephone's; the page's style shows one of them.
func formats() []format {
	return []format{{"wide", 960, 300, 180, 10}, {"narrow", 400, 280, 60, 4}}
}

// each draws a plot in all formats.
func each(draw func(f format) (template.HTML, error)) (all template.HTML, err error) {
	for _, f := range formats() {
		one, err := draw(f)
		if err != nil {
			return "", err
		}
		all += one
	}
	return all, nil
}

// series are lines over the same columns.
type series struct {
	Name   string
	Color  string // a variable of the page's style
	Values []float64
}

// lines draws series over time.
func lines(f format, title string, labels []string, all []series) (template.HTML, error) {
	o := charts.NewLineChartOptionWithData(nil)
	var values [][]float64
	for _, s := range all {
		values, o.Legend.SeriesNames = append(values, s.Values), append(o.Legend.SeriesNames, s.Name)
	}
	o.SeriesList = charts.NewSeriesListLine(values)
	o.Theme = theme(len(all))
	o.Padding = charts.NewBox(4, 8, 16, 4)
	o.Legend.FontStyle.FontSize, o.Legend.Offset, o.Legend.Symbol = 9, charts.OffsetLeft, charts.SymbolSquare
	o.XAxis.Labels, o.XAxis.LabelCount, o.XAxis.LabelFontStyle.FontSize = labels, len(labels), 9
	top, steps := above(all)
	o.YAxis = []charts.YAxisOption{{Min: charts.Ptr(0.0), Max: &top, RangeValuePaddingScale: charts.Ptr(0.0), LabelCount: steps + 1}}
	o.YAxis[0].LabelFontStyle.FontSize = 9
	o.ValueFormatter = few
	o.XAxis.BoundaryGap = charts.Ptr(false)
	if len(labels) > 1 {
		o.Symbol.Shape = charts.SymbolNone
	}
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: f.Width, Height: f.Height})
	if err := p.LineChart(o); err != nil {
		return "", err
	}
	svg, err := p.Bytes()
	return restyle(f, title, svg, all), err
}

// above returns where an axis from 0 ends that has room for all, and in how many steps it is divided.
func above(all []series) (top float64, steps int) {
	most := 0.0
	for _, s := range all {
		most = max(most, slices.Max(s.Values))
	}
	step := math.Pow(10, math.Floor(math.Log10(max(most, 1e-6)/4)))
	for _, wider := range []float64{2, 2.5, 2} { // 1, 2, 5, 10 times a power of ten
		if most > 5*step {
			step *= wider
		}
	}
	steps = int(math.Floor(most/step)) + 1
	return step * float64(steps), steps
}

// few writes a rate, which may be below one.
func few(v float64) string {
	if v < 10 {
		return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64)
	}
	return big(v)
}

// Colors that stand for the page's variables until restyle puts these in their place: the library knows no variables.
const (
	inkMark = iota + 1
	axisMark
	gridMark
	seriesMark
)

func mark(n int) charts.Color { return charts.ColorRGB(1, 2, uint8(n)) }

func theme(lines int) charts.ColorPalette {
	colors := make([]charts.Color, lines)
	for i := range colors {
		colors[i] = mark(seriesMark + i)
	}
	return charts.MakeTheme(charts.ThemeOption{
		TextColor: mark(inkMark), AxisStrokeColor: mark(axisMark), AxisSplitLineColor: mark(gridMark),
		BackgroundColor: charts.ColorTransparent, SeriesColors: colors,
	})
}

// restyle makes of the library's SVG a part of the page: its colors, its letters, and a name for those who hear it.
func restyle(f format, title string, svg []byte, all []series) template.HTML {
	pairs := []string{"'Roboto Medium',sans-serif", "inherit", color(inkMark), "var(--soft)", color(axisMark), "var(--grid)", color(gridMark), "var(--grid)"}
	for i, s := range all {
		pairs = append(pairs, color(seriesMark+i), "var("+s.Color+")")
	}
	if i := bytes.IndexByte(svg, '>'); i >= 0 {
		svg = svg[i+1:]
	}
	return template.HTML(opened(f, title) + strings.NewReplacer(pairs...).Replace(string(svg)))
}

func color(n int) string { return "rgb(1,2," + strconv.Itoa(n) + ")" }

// opened begins an SVG of a format.
func opened(f format, title string) string {
	title = template.HTMLEscapeString(title)
	return `<svg xmlns="http://www.w3.org/2000/svg" class="` + f.Class + `" viewBox="0 0 ` + strconv.Itoa(f.Width) + " " + strconv.Itoa(f.Height) +
		`" role="img" aria-label="` + title + `"><title>` + title + `</title>`
}
