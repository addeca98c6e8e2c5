package lab

import (
	"math"
	"strconv"

	"github.com/go-analyze/charts"

	"github.com/dnsq/dnsq/internal/bench/stat"
)

// A Plot has one group of bars for each label: a distribution of one or several things.
type Plot struct {
	Title  string
	Axis   string // what the labels are, with its unit
	Labels []string
	Series []Series
}

// A Series is one thing's bars, one for each label, as parts of one.
type Series struct {
	Name   string
	Values []float64
}

// bins is in how many parts a histogram has the range of its values.
const bins = 24

// Histogram shows how the values of samples are distributed.
func Histogram(title, axis string, samples ...stat.Sample) Plot {
	low, high := math.Inf(1), math.Inf(-1)
	for _, s := range samples {
		for _, v := range s.Values {
			low, high = min(low, v), max(high, v)
		}
	}
	p := Plot{Title: title, Axis: axis}
	width := (high - low) / bins
	for i := range bins {
		p.Labels = append(p.Labels, label(low+(float64(i)+0.5)*width, width))
	}
	for _, s := range samples {
		bars := make([]float64, bins)
		for _, v := range s.Values {
			i := 0
			if width > 0 {
				i = min(int((v-low)/width), bins-1)
			}
			bars[i] += 1 / float64(len(s.Values))
		}
		p.Series = append(p.Series, Series{s.Name, bars})
	}
	return p
}

// label writes a value with as many decimals as tell bins of a width apart.
func label(v, width float64) string {
	if width <= 0 {
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return strconv.FormatFloat(v, 'f', max(1-int(math.Floor(math.Log10(width))), 0), 64)
}

// Size of a plot, in pixels.
const (
	plotWidth  = 900
	plotHeight = 360
)

// SVG draws plots below each other.
func SVG(plots []Plot) ([]byte, error) {
	all := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: plotWidth, Height: plotHeight * max(len(plots), 1)})
	for i, p := range plots {
		box := charts.NewBox(0, i*plotHeight, plotWidth, (i+1)*plotHeight)
		if err := all.Child(charts.PainterBoxOption(box)).BarChart(p.bars()); err != nil {
			return nil, err
		}
	}
	return all.Bytes()
}

func (p Plot) bars() charts.BarChartOption {
	var values [][]float64
	var names []string
	for _, s := range p.Series {
		values, names = append(values, s.Values), append(names, s.Name)
	}
	o := charts.NewBarChartOptionWithData(values)
	o.Title.Text = p.Title
	o.Legend.SeriesNames = names
	o.Legend.Offset = charts.OffsetRight
	o.CategoryAxis.Labels, o.CategoryAxis.Title = p.Labels, p.Axis
	return o
}
