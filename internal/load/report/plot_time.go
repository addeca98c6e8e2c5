package report

import (
	"html/template"

	"github.com/dnsq/dnsq/internal/load/result"
)

// rates draws what was sent and answered a second.
func rates(r *result.Result) (template.HTML, error) {
	return overTime(r, "Queries sent and answered a second, over time", func(c []column) []series {
		s := []series{
			{"sent", "--sent", take(c, func(c *column) float64 { return c.Sent })},
			{"answered", "--answered", take(c, func(c *column) float64 { return c.Completed })},
		}
		if target := take(c, func(c *column) float64 { return c.Target }); positive(target) {
			return append([]series{{"target", "--target", target}}, s...)
		}
		return s
	})
}

// losses draws what was lost and not sent a second; nothing where there was none.
func losses(r *result.Result) (template.HTML, error) {
	return overTime(r, "Queries lost and not sent a second, over time", func(c []column) (some []series) {
		for _, s := range []series{
			{"lost", "--bad", take(c, func(c *column) float64 { return c.Lost })},
			{"not sent", "--unsent", take(c, func(c *column) float64 { return c.Unsent })},
		} {
			if positive(s.Values) {
				some = append(some, s)
			}
		}
		return some
	})
}

func overTime(r *result.Result, title string, of func([]column) []series) (template.HTML, error) {
	return each(func(f format) (template.HTML, error) {
		c := columns(r.BySecond, f.Columns)
		all := of(c)
		if len(c) == 0 || len(all) == 0 {
			return "", nil
		}
		return lines(f, title, times(c, f.Labels), all)
	})
}

func take(all []column, of func(*column) float64) []float64 {
	values := make([]float64, len(all))
	for i := range all {
		values[i] = of(&all[i])
	}
	return values
}

func positive(values []float64) bool {
	for _, v := range values {
		if v > 0 {
			return true
		}
	}
	return false
}
