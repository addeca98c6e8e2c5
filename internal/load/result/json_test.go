package result_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dnsq/dnsq/internal/load/result"
)

// filled returns a Result no field of which is zero, each number another one.
func filled() *result.Result {
	r := new(result.Result)
	n := 0
	fill(reflect.ValueOf(r).Elem(), &n)
	r.Schema = result.Schema
	return r
}

func fill(v reflect.Value, n *int) {
	*n++
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Date(2026, 3, 1, 12, 0, 0, 5e8, time.UTC)))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), n)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]uint64{"NOERROR": math.MaxUint64}))
	case reflect.String:
		v.SetString(strings.Repeat("<", *n%7+1))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(float64(*n) + 0.25)
	case reflect.Int:
		v.SetInt(int64(*n))
	case reflect.Uint64:
		v.SetUint(math.MaxUint64 - uint64(*n)) // more than a float64 holds exactly
	default:
		panic(v.Kind().String())
	}
}

func TestWriteRead(t *testing.T) {
	for name, r := range map[string]*result.Result{"filled": filled(), "empty": {Schema: result.Schema}} {
		var b bytes.Buffer
		if err := result.Write(&b, r); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if strings.Contains(b.String(), "null") {
			t.Errorf("%s: a null in %s", name, &b)
		}
		got, err := result.Read(&b, "x.json")
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if name == "empty" {
			*r = result.Result{Schema: result.Schema, Command: []string{}, Plan: result.Plan{Servers: []string{}}, Reasons: []result.Reason{}, Types: []result.TypeRow{}, Targets: []result.Target{},
				Shards: []result.ShardRow{}, BySecond: []result.Second{}}
		}
		if diff := cmp.Diff(r, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// What is written stays as it was.
func TestWriteLeavesResult(t *testing.T) {
	r := &result.Result{Types: []result.TypeRow{{Type: "A"}}}
	var b bytes.Buffer
	if err := result.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"schema": "dnsq-load/1"`) || !strings.Contains(b.String(), `"rcodes": {}`) {
		t.Errorf("%s", &b)
	}
	if diff := cmp.Diff(&result.Result{Types: []result.TypeRow{{Type: "A"}}}, r); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWriteNaN(t *testing.T) {
	err := result.Write(&bytes.Buffer{}, &result.Result{QPS: math.NaN()})
	if err == nil || !strings.Contains(err.Error(), "dnsq-load/1") {
		t.Errorf("%v, want an error that names the schema", err)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{`{"schema": "dnsq-load/2"}`, `x.json: schema "dnsq-load/2", want "dnsq-load/1"`},
		{`{"schema": 1}`, `x.json: schema "1", want "dnsq-load/1"`},
		{`{"schema": {"a": []}}`, `x.json: schema "map[a:[]]", want "dnsq-load/1"`},
		{`{"sent": 1}`, `x.json: no schema is named, want "dnsq-load/1"`},
		{`dnsperf`, `x.json: not the JSON of a load run (schema "dnsq-load/1"): invalid character 'd' looking for beginning of value`},
		{`[]`, `x.json: not the JSON of a load run (schema "dnsq-load/1"): json: cannot unmarshal array into Go value of type struct { Schema interface {} }`},
		{``, `x.json: not the JSON of a load run (schema "dnsq-load/1"): unexpected end of JSON input`},
		{`{"schema": "dnsq-load/1"} {}`, `x.json: not the JSON of a load run (schema "dnsq-load/1"): invalid character '{' after top-level value`},
		{`{"schema": "dnsq-load/1", "sent": -1}`, `x.json: not as schema "dnsq-load/1" has it: json: cannot unmarshal number -1 into Go struct field Result.sent of type uint64`},
	} {
		_, err := result.Read(strings.NewReader(tt.text), "x.json")
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.text, err, tt.want)
		}
	}
}

func TestReadFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "run.json")
	if _, err := result.ReadFile(path); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("no file: %v", err)
	}
	var b bytes.Buffer
	if err := result.Write(&b, filled()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := result.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(filled(), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
