package torture

import (
	"os/exec"
	"strconv"
	"strings"
	"time"

	"stet/tests/harness"
)

// slowDisk: each sync of the server's takes long. Nobody who types waits for it, commands are answered, the status line says that it is not saved yet,
// and what is saved in the end is what there is.
func slowDisk(r *rig) {
	if !r.has("strace") {
		r.t.Skip("strace makes the disk slow")
	}
	r.start(1000)
	r.open("work", 80, 24, "cat")
	id := r.pane("work", 0).id
	c := r.attach(100, 25, "work")
	r.ask("flush")
	const each = 8 * time.Second
	delay := "delay_enter=" + strconv.Itoa(int(each/time.Microsecond))
	tracer := exec.Command("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:"+delay, "-p", strconv.Itoa(r.serverPid()))
	r.must(tracer.Start())
	ended := make(chan error, 1)
	go func() { ended <- tracer.Wait() }()
	stop := func() {
		if tracer != nil {
			tracer.Process.Kill()
			<-ended
			tracer = nil
		}
	}
	r.t.Cleanup(stop)
	r.wait("the tracer", func() bool {
		select {
		case err := <-ended:
			ended <- err
			tracer = nil
			r.t.Skipf("strace cannot trace here: %v", err)
		default:
		}
		return harness.Traced(r.serverPid())
	})
	r.ask("rename-window", "-t", "work:", "renamed")
	flush := r.Cmd("flush")
	r.must(flush.Start())
	for i := range 20 {
		line := "typed while the disk sleeps " + strconv.Itoa(i)
		c.Type(line + "\r")
		r.waitFor(id, line+"\n"+line)
	}
	r.ask("split-window", "-d", "-t", "work:", "exec sleep 1000")
	c.WaitFor("the disk is slow")
	if flush.ProcessState != nil {
		r.t.Error("flush has not waited for the disk")
	}
	stop() // the syncs under way end
	if err := flush.Wait(); err != nil {
		r.t.Errorf("flush: %v", err)
	}
	c.WaitGone("the disk is slow")
	r.ask("flush")
	loseAll(r)
	r.ask("start-server")
	r.wait("the workspace", func() bool {
		return strings.Contains(r.Try("list-windows", "-t", "work", "-F", "#{window_name} #{window_panes}").Out, "renamed 2")
	})
	if text := r.ask("capture-pane", "-p", "-S", "-", "-t", id); !strings.Contains(text, "typed while the disk sleeps 19") {
		r.t.Errorf("what was typed last is not there:\n%s", text)
	}
}
