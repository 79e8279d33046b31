package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// paneRole is the first argument of this binary when it is the program in a pane.
const paneRole = "__pane"

// program is the program in a pane. It sets its terminal to hand over every key at once, unechoed,
// while the output keeps its newline translation, and obeys:
//
//	cat FILE             /bin/cat writes the file; ok: nanoseconds until all of it was interpreted
//	fill plain|rgb N     write N lines of the full width but one column; ok: 0 when interpreted
//	mark TEXT            fill the screen with text, TEXT last; ok: 0
//	echo                 from now on write back every key; ok: 0
//	flood, stop          write lines without end, until stop; ok of stop: bytes written
//	redraw N MS          draw the same full screen N times, MS apart; ok: bytes written
//	spinner N MS         change one character N times, MS apart; ok: bytes written
//	lines N MS           write N lines, MS apart, 0: as fast as it goes; ok: bytes written
//
// It ends when its socket does, so that nothing is left of a bench that was killed.
type program struct {
	conn     net.Conn
	out      *os.File
	flooding atomic.Bool
	flooded  chan int64
}

func paneMain(socket, id string) int {
	if err := rawInput(0); err != nil {
		fmt.Fprintln(os.Stderr, "set the terminal:", err)
		return 1
	}
	c, err := net.Dial("unix", socket)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer c.Close()
	p := &program{conn: c, out: os.Stdout, flooded: make(chan int64, 1)}
	fmt.Fprintln(c, "hello", id, os.Getpid())
	sc := bufio.NewScanner(c)
	for sc.Scan() {
		if n, err := p.obey(strings.Fields(sc.Text())); err != nil {
			fmt.Fprintln(c, "error", strings.ReplaceAll(err.Error(), "\n", " "))
		} else {
			fmt.Fprintln(c, "ok", n)
		}
	}
	return 0
}

// rawInput takes canonical mode, echo and signals from the terminal.
func rawInput(fd int) error {
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return err
	}
	t.Lflag &^= unix.ICANON | unix.ECHO | unix.ISIG | unix.IEXTEN
	t.Iflag &^= unix.IXON | unix.ICRNL
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	return unix.IoctlSetTermios(fd, setTermios, t)
}

func (p *program) obey(f []string) (int64, error) {
	if len(f) == 0 {
		return 0, fmt.Errorf("no order")
	}
	number := func(i int) int {
		if i >= len(f) {
			return 0
		}
		n, _ := strconv.Atoi(f[i]) // the bench is the only caller
		return n
	}
	pause := time.Duration(number(2)) * time.Millisecond
	switch f[0] {
	case "cat":
		return p.cat(f[1])
	case "fill":
		return 0, p.fill(f[1] == "rgb", number(2))
	case "mark":
		return 0, p.mark(f[1])
	case "echo":
		go p.echo()
		return 0, nil
	case "flood":
		p.flooding.Store(true)
		go p.flood()
		return 0, nil
	case "stop":
		p.flooding.Store(false)
		return <-p.flooded, nil
	case "redraw":
		screen := p.screen()
		return p.paced(number(1), pause, func(int) []byte { return screen })
	case "spinner":
		return p.paced(number(1), pause, func(i int) []byte { return fmt.Appendf(nil, "\r%c working", `|/-\`[i%4]) })
	case "lines":
		width, _ := p.size()
		return p.paced(number(1), pause, func(i int) []byte { return numbered(i, min(138, width-2)) })
	}
	return 0, fmt.Errorf("unknown order %q", f[0])
}

// size is the size of the pane.
func (p *program) size() (width, height int) {
	ws, err := unix.IoctlGetWinsize(0, unix.TIOCGWINSZ)
	if err != nil || ws.Col == 0 || ws.Row == 0 {
		return 80, 24
	}
	return int(ws.Col), int(ws.Row)
}

// cat times a real cat until everything behind it was interpreted.
func (p *program) cat(file string) (int64, error) {
	start := time.Now()
	cmd := exec.Command("cat", file)
	cmd.Stdout, cmd.Stderr = p.out, p.out
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	err := p.interpreted()
	return int64(time.Since(start)), err
}

// interpreted asks where the cursor is. The answer comes when everything before the question was
// interpreted.
func (p *program) interpreted() error {
	if _, err := p.out.WriteString("\x1b[6n"); err != nil {
		return err
	}
	var got []byte
	buf := make([]byte, 256)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); {
		n, err := unix.Poll([]unix.PollFd{{Fd: 0, Events: unix.POLLIN}}, 1000)
		if n <= 0 {
			if err != nil && err != unix.EINTR {
				return err
			}
			continue
		}
		if n, err = unix.Read(0, buf); err != nil {
			return err
		}
		got = append(got, buf[:n]...)
		if bytes.HasSuffix(got, []byte("R")) {
			return nil
		}
	}
	return fmt.Errorf("the cursor's position is not answered; got %q", got)
}

// numbered is a line of a log: no two are alike for long, so that scrolling is worth its bytes.
func numbered(i, width int) []byte {
	line := fmt.Appendf(nil, "%08d ", i)
	for x := uint32(i)*2654435761 + 1; len(line) < width; x = x*1664525 + 1013904223 {
		line = append(line, byte('a'+x>>24%26))
	}
	return append(line[:width], '\n')
}

func (p *program) fill(rgb bool, n int) error {
	width, _ := p.size()
	w := bufio.NewWriterSize(p.out, 64<<10)
	for i := range n {
		line := numbered(i, width-1)
		if !rgb {
			w.Write(line)
			continue
		}
		for x := 0; x < width-1; x += 10 { // runs of ten columns
			fmt.Fprintf(w, "\x1b[38;2;%d;%d;%dm%s", (i*7+x)%256, (i*3+x*2)%256, (i+x*5)%256, line[x:min(x+10, width-1)])
		}
		io.WriteString(w, "\x1b[m\n")
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return p.interpreted()
}

// screen fills the pane with text, from the top left corner.
func (p *program) screen() []byte {
	width, height := p.size()
	b := []byte("\x1b[H")
	for y := range height {
		line := numbered(y, width)
		if y == height-1 {
			line = line[:width-1] // neither the last cell nor a newline may scroll
		}
		b = append(b, line...)
	}
	return b
}

func (p *program) mark(text string) error {
	_, height := p.size()
	b := fmt.Appendf(p.screen(), "\x1b[%d;1H\x1b[K%s", height, text)
	if _, err := p.out.Write(b); err != nil {
		return err
	}
	return p.interpreted()
}

// echo writes back what it reads, by the barest calls, as cat would with a terminal set so.
func (p *program) echo() {
	buf := make([]byte, 256)
	for {
		n, err := unix.Read(0, buf)
		if err == unix.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return
		}
		unix.Write(1, buf[:n])
	}
}

func (p *program) flood() {
	var block []byte
	for i := 0; len(block) < 32<<10; i++ {
		block = append(block, numbered(i, 70)...)
	}
	var sum int64
	for p.flooding.Load() {
		n, err := p.out.Write(block)
		sum += int64(n)
		if err != nil {
			break
		}
	}
	p.flooded <- sum
}

// paced writes n pieces. Each is due at its own time: one that comes late does not delay the others.
func (p *program) paced(n int, pause time.Duration, piece func(i int) []byte) (int64, error) {
	start := time.Now()
	var sum int64
	for i := range n {
		time.Sleep(time.Until(start.Add(time.Duration(i) * pause)))
		k, err := p.out.Write(piece(i))
		sum += int64(k)
		if err != nil {
			return sum, err
		}
	}
	return sum, p.interpreted()
}
