package queries

import (
	"fmt"
	"strconv"
	"strings"
)

// GeneratorHelp lists what Generate takes.
const GeneratorHelp = `  unique:BASE          a label below BASE that is never repeated in a run
  random:BASE[,LEN]    a random label of LEN letters (12) below BASE
  nxdomain:BASE        names below BASE that do not exist: random labels of 20 letters
  numbers:BASE,N       h0.BASE to h(N-1).BASE, one after the other

and over what stands before, a file or another generator:

  zipf:S               picks from a list by Zipf's law with exponent S; its first line is the most frequent
  uniform              picks from a list at random, each line as often as any other
  hit:PERCENT          puts a label never repeated before the names of all others, which no cache then has
  case                 letters of names in random case (0x20)
`

// generators lists their names for errors.
const generators = "unique, random, nxdomain, numbers, zipf, uniform, hit or case"

// randomLen and nxdomainLen are letters of labels, five bits each: nobody guesses a name by twenty.
const (
	randomLen   = 12
	nxdomainLen = 20
)

// Generate makes the set that spec names, as GeneratorHelp has it, over another one: a file's, or what the generator before it made; nil where there
// is none. A spec over nothing takes nothing else, one from nothing takes no other set.
func Generate(spec string, over Set, o Options) (Set, error) {
	kind, args, _ := strings.Cut(spec, ":")
	set, err := wrap(kind, args, over)
	if set == nil && err == nil {
		if set, err = fresh(kind, args, spec, &o); err == nil && set != nil && over != nil {
			err = fmt.Errorf("it makes names of its own and nothing of %s; leave one of them out", over)
		}
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("generator %.80q: %w", spec, err)
	case set == nil:
		return nil, fmt.Errorf("generator %.80q is unknown; there are %s", spec, generators)
	}
	return set, nil
}

// wrap makes those that stand over others; neither a set nor an error if kind is none of them.
func wrap(kind, args string, over Set) (Set, error) {
	switch kind {
	case "zipf", "uniform", "hit", "case":
	default:
		return nil, nil
	}
	if over == nil {
		return nil, fmt.Errorf("it needs queries to work on; give a file or a generator such as numbers:example.com,1000 before it")
	}
	if kind == "hit" || kind == "case" {
		return wrapAny(kind, args, over)
	}
	list, ok := over.(*List)
	if !ok {
		return nil, fmt.Errorf("it picks from a list, a file or numbers:BASE,N, and there is %s", over)
	}
	if kind == "uniform" {
		return Uniform(list), noArgs(args)
	}
	s, err := strconv.ParseFloat(args, 64)
	if err != nil {
		return nil, fmt.Errorf("%.40q is no exponent; write one such as zipf:1.0", args)
	}
	return Zipf(list, s)
}

func wrapAny(kind, args string, over Set) (Set, error) {
	if kind == "case" {
		return Case(over), noArgs(args)
	}
	percent, err := strconv.ParseFloat(strings.TrimSuffix(args, "%"), 64)
	if err != nil {
		return nil, fmt.Errorf("%.40q is no percentage; write one such as hit:90", args)
	}
	return HitRate(over, percent)
}

func noArgs(args string) error {
	if args == "" {
		return nil
	}
	return fmt.Errorf("it takes nothing behind its name, not %.40q", args)
}

// fresh makes those that need no other set; neither a set nor an error if kind is none of them.
func fresh(kind, args, spec string, o *Options) (Set, error) {
	base, arg, given := strings.Cut(args, ",")
	switch kind {
	case "unique", "random", "nxdomain", "numbers":
	default:
		return nil, nil
	}
	if base == "" {
		return nil, fmt.Errorf("a base is missing; write such as %s:example.com", kind)
	}
	if given && (kind == "unique" || kind == "nxdomain") {
		return nil, fmt.Errorf("it takes a base alone: %s:%s", kind, base)
	}
	switch kind {
	case "unique":
		return newUnique(spec, base, o)
	case "nxdomain":
		return newRandom(spec, base, nxdomainLen, o)
	case "random":
		n, err := number(arg, given, randomLen, 63, "letters of a label")
		if err != nil {
			return nil, err
		}
		return newRandom(spec, base, n, o)
	}
	n, err := number(arg, given, 0, maxNumbers, "names")
	if err != nil {
		return nil, err
	}
	return newNumbers(spec, base, n, o)
}

// number reads one from 1 to most, or takes the default where none is given.
func number(s string, given bool, byDefault, most int, of string) (int, error) {
	if !given && byDefault > 0 {
		return byDefault, nil
	}
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%.40q is no number of %s; it is from 1 to %d", s, of, most)
	}
	return n, nil
}
