// Command bench measures stet and tmux side by side, from outside, and prints one table.
//
//	go run ./tests/bench [-runs N] [-only REGEXP] [-json FILE] [-stet FILE] [-tmux FILE] [-v]
//
// Each multiplexer's client runs on a pseudo-terminal whose other end the bench holds: it counts the
// bytes, answers what a terminal answers, and notes when something arrived. The programs in panes are
// this same binary in another role, ordered over a socket, so that no shell counts. Every server gets a
// socket, a home and directories of its own, and is gone when its measure ends.
//
// Machines are shared and noisy. So the two are measured by turns, the table shows medians with the
// range, and only the ratio means something; where time and CPU seconds disagree, believe the CPU.
// Where tmux is missing there is nothing to compare with, and the figures of stet stand alone.
//
// The measures are called throughput, echo, attach, output, memory, idle and cli, with more words behind
// that -v prints; -only picks some.
//
// What the exact read costs against a plain one is told by other benchmarks: go test ./server/ring -run XXX -bench Read$
//
// Promised: what is printed was measured in this run. Not promised: that a figure can be compared
// with one of another run. It needs Linux, because it reads /proc.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) == 4 && os.Args[1] == paneRole {
		os.Exit(paneMain(os.Args[2], os.Args[3]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// options are the command line.
type options struct {
	runs       int
	only       *regexp.Regexp
	json       string
	stet, tmux string
	tags       string
	verbose    bool
}

func parseFlags(args []string) (options, error) {
	var o options
	var only string
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.IntVar(&o.runs, "runs", 3, "how often each measure is taken of each multiplexer")
	fs.StringVar(&only, "only", "", "take only the measures whose name matches this `regexp`")
	fs.StringVar(&o.json, "json", "", "write every single figure to this `file`, too")
	fs.StringVar(&o.stet, "stet", "", "measure this `file` instead of building ./cmd/stet; - measures none")
	fs.StringVar(&o.tmux, "tmux", "tmux", "compare with this `file`; - compares with none")
	fs.StringVar(&o.tags, "tags", "tcell_minimal", "build tags of stet; the default is what releases are built with")
	fs.BoolVar(&o.verbose, "v", false, "print each figure as it is taken")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, fmt.Errorf("what is %q? There are only flags", fs.Arg(0))
	}
	if o.runs < 1 || o.runs > 1000 {
		return o, fmt.Errorf("-runs %d: 1 to 1000", o.runs)
	}
	re, err := regexp.Compile(only)
	if err != nil {
		return o, fmt.Errorf("-only: %w", err)
	}
	o.only = re
	return o, nil
}

// bench is one run of the whole program.
type bench struct {
	options
	dir    string // everything on disk is below it
	self   string // our own binary, for the programs in panes
	muxes  []*mux
	out    io.Writer
	log    io.Writer
	serial int // numbers the worlds
}

func run(ctx context.Context, args []string, out io.Writer) error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("the figures come from /proc, which %s does not have", runtime.GOOS)
	}
	o, err := parseFlags(args)
	if err != nil {
		return err
	}
	b := &bench{options: o, out: out, log: os.Stderr}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "stb"); err != nil { // short: socket paths are bounded
		return err
	}
	defer os.RemoveAll(b.dir)
	if err := b.find(ctx); err != nil {
		return err
	}
	res := b.measure(ctx)
	b.print(res)
	if o.json != "" {
		if err := res.writeJSON(o.json, b.muxes); err != nil {
			return err
		}
	}
	if len(res.problems) > 0 {
		return fmt.Errorf("%d measures failed", len(res.problems))
	}
	return ctx.Err()
}

// find settles what is measured: tmux first, because it is what the other is compared with.
func (b *bench) find(ctx context.Context) error {
	if b.tmux != "-" {
		if path, err := exec.LookPath(b.tmux); err == nil {
			b.muxes = append(b.muxes, &mux{name: "tmux", bin: path, version: firstLine(path, "-V")})
		} else {
			fmt.Fprintf(b.out, "%s is not installed: there is nothing to compare with.\n", b.tmux)
		}
	}
	switch b.stet {
	case "-":
	case "":
		path := filepath.Join(b.dir, "stet")
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags=-s -w", "-tags="+b.tags, "-o", path, "stet/cmd/stet")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build stet: %w\n%s", err, text)
		}
		b.muxes = append(b.muxes, &mux{name: "stet", bin: path, version: firstLine(path, "-V")})
	default:
		path, err := filepath.Abs(b.stet)
		if err != nil {
			return err
		}
		b.muxes = append(b.muxes, &mux{name: "stet", bin: path, version: firstLine(path, "-V")})
	}
	if len(b.muxes) == 0 {
		return fmt.Errorf("nothing to measure")
	}
	return nil
}

// firstLine is what a program prints first.
func firstLine(bin string, args ...string) string {
	out, err := exec.Command(bin, args...).Output()
	line, _, _ := strings.Cut(string(out), "\n")
	if err != nil {
		line = err.Error()
	}
	return line
}

// measures are taken in this order. A measure yields one figure for each of its rows.
func measures() []measure {
	var all []measure
	for _, list := range [][]measure{
		throughputMeasures(), latencyMeasures(), attachMeasures(), outputMeasures(), memoryMeasures(), idleMeasures(), cliMeasures(), recoveryMeasures(),
	} {
		all = append(all, list...)
	}
	return all
}

// measure is one way to get figures: it has a server to itself.
type measure struct {
	name  string
	rows  []row
	limit time.Duration // it is given up after this
	take  func(w *world) (figures, error)
	alone bool // tmux has nothing of the kind
}

// measure takes everything, the multiplexers by turns, so that a busy minute of the machine hits both.
func (b *bench) measure(ctx context.Context) *results {
	res := newResults()
	for _, m := range measures() {
		if !b.only.MatchString(m.name) {
			continue
		}
		res.add(m)
		for turn := range b.runs {
			for i := range b.muxes {
				if ctx.Err() != nil {
					return res
				}
				x := b.muxes[(i+turn)%len(b.muxes)] // neither is always the first
				if m.alone && x.name == "tmux" {
					continue
				}
				start := time.Now()
				f, err := b.one(ctx, m, x)
				if err != nil {
					res.fail(m.name, x.name, err)
					fmt.Fprintf(b.log, "%s: %s: %v\n", m.name, x.name, err)
				}
				res.take(x.name, f)
				if b.verbose {
					fmt.Fprintf(b.log, "%s: %s: %v (%.1f s)\n", m.name, x.name, f, time.Since(start).Seconds())
				}
			}
		}
	}
	return res
}

func (b *bench) one(ctx context.Context, m measure, x *mux) (f figures, err error) {
	ctx, cancel := context.WithTimeout(ctx, m.limit)
	defer cancel()
	w, err := b.newWorld(ctx, x)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := w.close(); err == nil {
			err = e
		}
	}()
	return m.take(w)
}
