package report_test

import (
	"context"
	"encoding/json"
	"html/template"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dnsq/dnsq/internal/require"
)

// browser returns a Chromium.
func browser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.Skip(t, "no chromium and no google-chrome here")
	return ""
}

// A proxy notes what a browser asks for, and answers nothing of it.
type proxy struct {
	mu    sync.Mutex
	hosts []string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hosts = append(p.hosts, r.Host)
	w.WriteHeader(http.StatusNotFound)
}

// start returns the proxy's address.
func (p *proxy) start(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: p}
	done := make(chan struct{})
	go func() {
		defer close(done)
		server.Serve(l)
	}()
	t.Cleanup(func() {
		server.Close()
		<-done
	})
	return l.Addr().String()
}

// asked are the hosts that were asked for, those that the browser itself has business with apart.
func (p *proxy) asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.hosts), regexp.MustCompile(`(^|\.)(google|googleapis|gvt1|gstatic)\.com(:\d+)?$`).MatchString)
}

// shown is what the probe found out about one page in one width.
type shown struct {
	Page     string
	Width    int
	Scroll   int      // of the whole page: no more than Width
	Wider    []string // elements that stick out and are in nothing that scrolls
	Charts   int      // visible
	Points   []int    // of each of them
	Readable float64  // the least letters of a visible chart, in pixels
}

// probe looks at each page in a frame of each width, once all of them are there.
const probe = `
const found = [];
for (const frame of document.querySelectorAll('iframe')) {
  const doc = frame.contentDocument, width = doc.documentElement.clientWidth, wider = [];
  for (const e of doc.querySelectorAll('body *')) {
    if (e.getBoundingClientRect().right > width + 0.5 && !e.closest('.scroll table')) wider.push(e.tagName + ' ' + e.textContent.slice(0, 40));
  }
  const charts = [...doc.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width > 0);
  const points = charts.map(s => [...s.querySelectorAll('path')].reduce((n, p) => n + (p.getAttribute('d').match(/[A-Za-z]/g) || []).length, 0));
  const letters = charts.flatMap(s => [...s.querySelectorAll('text')].map(t =>
    parseFloat(frame.contentWindow.getComputedStyle(t).fontSize) * s.getBoundingClientRect().width / s.viewBox.baseVal.width));
  found.push({Page: frame.title, Width: width, Scroll: doc.documentElement.scrollWidth, Wider: wider, Charts: charts.length, Points: points, Readable: Math.min(...letters, 99)});
}
document.getElementById('found').textContent = JSON.stringify(found);`

// look shows pages in a browser in each width and returns what they look like. The last picture asks the network for itself.
func look(t *testing.T, pages map[string]string, widths []string, through string) (all []shown) {
	t.Helper()
	var b strings.Builder
	b.WriteString("<!DOCTYPE html><body>")
	for name, text := range pages {
		for _, width := range widths {
			b.WriteString(`<iframe title="` + name + `" style="border:0;height:900px;width:` + width + `px" srcdoc="` + template.HTMLEscapeString(text) + `"></iframe>`)
		}
	}
	b.WriteString(`<img src="http://canary.test/"><pre id="found"></pre><script>onload = () => {` + probe + `}</script>`)
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir) // the browser's processes may still be writing: nobody asks for its success
	file := filepath.Join(dir, "frames.html")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	dom := dump(t, dir, file, through)
	_, rest, _ := strings.Cut(dom, `<pre id="found">`)
	found, _, _ := strings.Cut(rest, "</pre>")
	found = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(found)
	if err := json.Unmarshal([]byte(found), &all); err != nil {
		t.Fatalf("%v in %q", err, found)
	}
	return all
}

// dump runs the browser and returns the page that it has in the end.
func dump(t *testing.T, dir, file, through string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
		"--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-sync", "--disable-breakpad",
		"--user-data-dir="+filepath.Join(dir, "profile"), "--proxy-server=http://"+through, "--window-size=1400,1000", "--dump-dom", "file://"+file)
	cmd.WaitDelay = 5 * time.Second
	var errs strings.Builder
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	return string(out)
}

// In a browser the charts have their points, at 1280 and at 400 pixels nothing is wider than the page or too small to read, and the page asks the
// network for nothing: what watches it sees what does ask.
func TestInBrowser(t *testing.T) {
	browser(t)
	long := strings.Repeat("averylongname", 20)
	some, _ := run{seconds: 30, rate: 500, stall: 12}.result(t)
	hour, _ := run{seconds: 3600, rate: 20, stall: 1200, weight: 1e9}.result(t)
	full(t, hour)
	hour.Plan.Servers[0], hour.Command, hour.Reasons[0].Text, hour.Host.CPU = long, []string{"dnsq", long}, long, long
	hour.Targets[0].Server, hour.Types[0].Type = long, long
	empty := named()
	p := new(proxy)
	found := look(t, map[string]string{"some": page(t, some), "hour": page(t, hour), "empty": page(t, empty)}, []string{"1280", "400"}, p.start(t))
	if len(found) != 6 {
		t.Fatalf("%+v", found)
	}
	for _, f := range found {
		f.check(t)
	}
	if asked := p.asked(); !slices.Equal(asked, []string{"canary.test"}) {
		t.Errorf("asked for: %q, want canary.test alone", asked)
	}
}

func (f *shown) check(t *testing.T) {
	t.Helper()
	if (f.Width != 1280 && f.Width != 400) || f.Scroll > f.Width || len(f.Wider) > 0 {
		t.Errorf("%s at %d pixels: it is %d wide, for %q", f.Page, f.Width, f.Scroll, f.Wider)
	}
	if f.Page == "empty" {
		if f.Charts != 0 {
			t.Errorf("%d charts of nothing", f.Charts)
		}
		return
	}
	if f.Charts != 4 || f.Readable < 9 {
		t.Errorf("%s at %d pixels: %d charts are seen, want 4; letters of %.1f pixels, want 9", f.Page, f.Width, f.Charts, f.Readable)
	}
	for i, n := range f.Points {
		if n < 30 {
			t.Errorf("%s at %d pixels: chart %d has %d points", f.Page, f.Width, i, n)
		}
	}
}
