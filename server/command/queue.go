package command

import (
	"fmt"
	"strings"

	"stet/config/option"
	"stet/config/syntax"
	"stet/server/model"
)

// Queue runs commands, those of one client one after the other. A command that waits holds up its
// client's commands and nobody else's. The queue belongs to the core loop.
type Queue struct {
	host  Host
	table *Table
	lists map[ClientID]*list

	channels map[string]*channel // of wait-for
}

// maxQueued bounds the commands waiting for one client. More are refused; a person or a script that
// gets there has a command waiting in front.
const maxQueued = 10000

// NewQueue returns an empty queue.
func NewQueue(h Host) *Queue {
	return &Queue{host: h, table: Commands(), lists: map[ClientID]*list{}, channels: map[string]*channel{}}
}

// Request asks for commands to be run.
type Request struct {
	Client   ClientID // who asks, and gets the output; 0 nobody
	Commands []syntax.Command
	// Mouse is the mouse event of the binding that runs them, if any; the place where it happened is
	// then what commands without a target are about.
	Mouse *MouseEvent
	// Pane is what commands without a target are about when HasPane; otherwise what the client shows.
	Pane    model.PaneID
	HasPane bool
	// Key says that an attached client's key or mouse has asked: what is closed so can come back.
	Key bool
	// Hook is the event that runs them, if any: see Hook.
	Hook *Hook
	// Current is what commands without a target are about, before Pane, when it is Valid.
	Current Target
	// Done is called when all have run or been given up, with whether one failed. It may be nil, and is
	// not called when the client goes before.
	Done func(failed bool)
}

// run is a request under way.
type run struct {
	Request
	current Target
	left    int // commands not yet done
	failed  bool
}

// list is what waits for one client.
type list struct {
	client  ClientID
	items   []item
	running bool // an item is being executed: those it adds are not begun inside of it
	parked  bool // an item waits
	gone    bool
}

type item struct {
	parsed
	run   *run
	group *group
	from  origin
}

// origin is what a command comes from; the commands that it adds have the same one.
type origin struct {
	hook  *Hook
	files int // read by each other
}

// group is a sequence of commands that one error ends.
type group struct{ stopped bool }

// Run queues a request and starts it, if nothing waits in front of it. When something is wrong with a
// command none of them runs.
func (q *Queue) Run(r Request) {
	all, err := q.parse(r.Commands)
	l := q.list(r.Client)
	if err == nil && len(l.items)+len(all) > maxQueued {
		err = errorString("too many commands are waiting")
	}
	if err != nil {
		q.host.Fail(r.Client, err.Error())
		if r.Done != nil {
			r.Done(true)
		}
		q.forget(l)
		return
	}
	if len(all) == 0 {
		if r.Done != nil {
			r.Done(false)
		}
		q.forget(l)
		return
	}
	state := &run{Request: r, current: r.Current, left: len(all)}
	l.items = append(l.items, items(all, state, origin{hook: r.Hook})...)
	q.work(l)
}

// Beside runs commands at once although the client's queue waits: for a prompt that is still open, say.
// What of them takes time is begun and not waited for.
func (q *Queue) Beside(r Request) {
	l := q.list(r.Client)
	all, err := q.parse(r.Commands)
	if err != nil {
		q.host.Fail(r.Client, err.Error())
		return
	}
	state := &run{Request: r, left: len(all)}
	side := &list{client: r.Client, items: items(all, state, origin{hook: r.Hook})}
	q.work(side)
	q.forget(l)
}

// RunArgv runs a command line. Without words it runs what bare stet does: attach, or create.
func (q *Queue) RunArgv(client ClientID, argv []string, done func(failed bool)) {
	if len(argv) == 0 {
		argv = []string{attachOrNew}
	}
	list, err := syntax.ParseArgv(argv)
	q.runParsed(Request{Client: client, Commands: list, Done: done}, err)
}

// RunText runs text in the command language, as bindings and prompts hold it. mouse may be nil.
func (q *Queue) RunText(client ClientID, text string, mouse *MouseEvent, done func(failed bool)) {
	list, err := syntax.Parse(text, "")
	q.runParsed(Request{Client: client, Commands: list, Mouse: mouse, Done: done}, err)
}

// RunKey runs the commands of a binding, for the client whose key or mouse it was.
func (q *Queue) RunKey(client ClientID, text string, mouse *MouseEvent) {
	list, err := syntax.Parse(text, "")
	q.runParsed(Request{Client: client, Commands: list, Mouse: mouse, Key: true}, err)
}

func (q *Queue) runParsed(r Request, err error) {
	if err == nil {
		q.Run(r)
		return
	}
	q.host.Fail(r.Client, err.Error())
	if r.Done != nil {
		r.Done(true)
	}
}

// Waiting tells whether a client's commands wait for something.
func (q *Queue) Waiting(client ClientID) bool {
	l := q.lists[client]
	return l != nil && l.parked
}

// Drop gives up what waits for a client that has gone. A command that is waiting for an answer still
// does its part when that comes.
func (q *Queue) Drop(client ClientID) {
	if l := q.lists[client]; l != nil {
		l.gone, l.items = true, nil
		delete(q.lists, client)
	}
}

// parse makes commands of a sequence, with the aliases of the option command-alias replaced.
func (q *Queue) parse(list []syntax.Command) ([]parsed, error) {
	return q.table.parseAliased(list, q.host.OptionSet(OptionTarget{Scope: ScopeServer}).List("command-alias"))
}

func (t *Table) parseAliased(list []syntax.Command, aliases []option.Item) ([]parsed, error) {
	var whole []syntax.Command
	for _, c := range list {
		meant, err := unalias(c, aliases)
		if err != nil {
			return nil, err
		}
		whole = append(whole, meant...)
	}
	return t.parseAll(whole)
}

// Check reads a sequence without running it and tells what is wrong with it.
func (q *Queue) Check(list []syntax.Command) error {
	_, err := q.parse(list)
	return err
}

// Check does the same without a server. aliases are those of the option
// command-alias; nil are the usual ones. It may be called in any goroutine.
func Check(list []syntax.Command, aliases []string) error {
	items := make([]option.Item, len(aliases))
	for i, a := range aliases {
		items[i] = option.Item{Index: i, Value: a}
	}
	if aliases == nil {
		items = option.New(option.Server, nil).List("command-alias")
	}
	_, err := Commands().parseAliased(list, items)
	return err
}

// unalias replaces a command that is an alias by what it stands for, with its arguments behind. What
// comes of it is not looked up again.
func unalias(c syntax.Command, aliases []option.Item) ([]syntax.Command, error) {
	for _, a := range aliases {
		name, text, ok := strings.Cut(a.Value, "=")
		if !ok || name != c.Name {
			continue
		}
		list, err := syntax.Parse(text, "")
		if err != nil {
			return nil, fmt.Errorf("command-alias %s: %w", name, err)
		}
		if len(list) == 0 {
			continue
		}
		for i := range list {
			list[i].File, list[i].Line, list[i].Col, list[i].Group = c.File, c.Line, c.Col, c.Group
		}
		last := &list[len(list)-1]
		last.Args = append(last.Args, c.Args...)
		return list, nil
	}
	return []syntax.Command{c}, nil
}

func (q *Queue) list(client ClientID) *list {
	l := q.lists[client]
	if l == nil {
		l = &list{client: client}
		q.lists[client] = l
	}
	return l
}

// forget drops a list that has nothing to do.
func (q *Queue) forget(l *list) {
	if len(l.items) == 0 && !l.parked && !l.running && q.lists[l.client] == l {
		delete(q.lists, l.client)
	}
}

// items gives a sequence its groups: one for each group number.
func items(all []parsed, r *run, from origin) []item {
	list := make([]item, len(all))
	g := &group{}
	for i, p := range all {
		if i > 0 && p.source.Group != all[i-1].source.Group {
			g = &group{}
		}
		list[i] = item{p, r, g, from}
	}
	return list
}

// work runs a list until it is empty or something waits.
func (q *Queue) work(l *list) {
	if l.running {
		return
	}
	l.running = true
	for len(l.items) > 0 && !l.parked && !l.gone {
		it := l.items[0]
		l.items = l.items[1:]
		if it.group.stopped {
			q.finished(l, it, nil)
			continue
		}
		q.execute(l, it)
	}
	l.running = false
	q.forget(l)
}

// execute runs one command, up to its end or to where it waits.
func (q *Queue) execute(l *list, it item) {
	c := &Context{
		Host: q.host, Model: q.host.Model(), Row: it.row, Args: it.args, Client: l.client, Mouse: it.run.Mouse,
		queue: q, list: l, item: it,
	}
	if it.from.hook != nil {
		q.host.BeginHook()
		defer q.host.EndHook()
	}
	if l.client != 0 && it.from.hook == nil && it.told() {
		q.host.Remember(l.client, "command", syntax.Text([]syntax.Command{it.source}))
	}
	err := c.prepare()
	if err == nil {
		err = it.row.Exec(c)
	}
	if err == nil && c.awaiting {
		return // The continuation finishes it.
	}
	c.done(err)
}

// told says whether show-messages tells of a command. What the mouse does, and each step in copy mode, would leave
// no room for anything that somebody looks for.
func (it *item) told() bool {
	steps := it.row.Name == "send-keys" && (it.args.Has("X") || it.args.Has("M"))
	return !it.row.Unlogged && it.run.Mouse == nil && !steps
}

// done ends a command: its output leaves, and what is hooked to it comes next.
func (c *Context) done(err error) {
	c.flush()
	if err == nil {
		c.afterHook()
	}
	c.queue.finished(c.list, c.item, err)
}

// finished takes note of how a command ended.
func (q *Queue) finished(l *list, it item, err error) {
	if err != nil {
		it.group.stopped, it.run.failed = true, true
		if msg := err.Error(); msg != "" && !l.gone {
			if it.source.File != "" {
				msg = fmt.Sprintf("%s:%d: %s", it.source.File, it.source.Line, msg)
			}
			q.host.Fail(l.client, msg)
		}
	}
	it.run.left--
	if it.run.left == 0 && it.run.Done != nil && !l.gone {
		it.run.Done(it.run.failed)
	}
}

// Context is what one command runs with.
type Context struct {
	Host  Host
	Model *model.Model
	Row   *Command
	Args  *Args

	// Client is who runs it, Info its facts; 0 and the zero value for nobody.
	Client ClientID
	Info   ClientInfo

	// Target and Source are what -t and -s name, or what is meant without them.
	Target Target
	Source Target
	// TargetClient is the client the command is about, where the row asks for one.
	TargetClient ClientInfo
	HasClient    bool

	Mouse *MouseEvent

	queue    *Queue
	list     *list
	item     item
	awaiting bool
	output   []string
	verbatim bool // the output is what was asked for, whatever a terminal makes of it
}

// prepare finds the client and the targets of a command.
func (c *Context) prepare() error {
	c.Info, _ = c.Host.Client(c.Client)
	if c.Client == 0 {
		c.Info.Session = -1
	}
	if c.Info.Attached() && c.Info.ReadOnly && !c.Row.ReadOnly {
		return errorString("client is read-only")
	}
	if flag := c.Row.ClientFlag; flag != "" {
		if name := c.Args.Get(flag); name != "" {
			if c.TargetClient, c.HasClient = findClient(c.Host, name); !c.HasClient && c.Row.NeedClient {
				return c.noClient()
			}
		} else if c.TargetClient, c.HasClient = c.finder().currentClient(); !c.HasClient && c.Row.NeedClient {
			return c.noClient()
		}
	}
	var err error
	if c.Row.Source != NoTarget {
		if c.Source, err = c.Find(c.Args.Get("s"), c.Row.Source, c.Row.Options&^WindowIndex); err != nil {
			return err
		}
	}
	if c.Row.Target != NoTarget {
		c.Target, err = c.Find(c.Args.Get("t"), c.Row.Target, c.Row.Options&^DefaultMarked)
		if err != nil && c.Row.Options&CanFail == 0 {
			return err
		}
	}
	return nil
}

func (c *Context) finder() *finder {
	f := &finder{host: c.Host, model: c.Model, client: c.Client, current: c.item.run.current, mouse: c.Mouse}
	if f.alive(f.current) {
		return f
	}
	if r := c.item.run; r.HasPane {
		f.current, _ = f.ofPane(r.Pane, nil)
	} else if c.Mouse != nil {
		f.current, _ = f.fromMouse(PaneTarget)
	}
	return f
}

// Find resolves a target; "" is the current one.
func (c *Context) Find(text string, kind Kind, o TargetOptions) (Target, error) {
	return c.finder().find(text, kind, o)
}

// SetCurrent makes a place the one that later commands of the request mean without being told.
func (c *Context) SetCurrent(t Target) { c.item.run.current = t }

// At returns a pane as a target, in a session that shows it.
func (c *Context) At(id model.PaneID, in *model.Session) (Target, bool) {
	return c.finder().ofPane(id, in)
}

// Print adds a line to the command's output, which the client gets as one text at the command's end.
func (c *Context) Print(line string) { c.output = append(c.output, line) }

func (c *Context) flush() {
	if text := strings.Join(c.output, "\n"); len(c.output) > 0 && !c.list.gone {
		if c.verbatim {
			c.Host.Write(c.Client, []byte(text+"\n"))
		} else {
			c.Host.Print(c.Client, text)
		}
	}
	c.output = nil
}

// Await makes the command wait: start begins what takes time and calls done later, in the core loop,
// with how it went. The client's next commands run after that. It returns nil, for Exec to return.
func (c *Context) Await(start func(done func(error))) error {
	c.awaiting, c.list.parked = true, true
	called := false
	start(func(err error) {
		if called {
			return // A host that calls twice must not finish a command twice.
		}
		called = true
		c.list.parked = false
		c.done(err)
		c.queue.work(c.list)
	})
	return nil
}

// Insert runs commands next, before those that wait; an error among them does not stop what follows
// the command that has inserted them.
func (c *Context) Insert(commands []syntax.Command) error {
	all, err := c.queue.parse(commands)
	if err != nil {
		return err
	}
	if len(c.list.items)+len(all) > maxQueued {
		return errorString("too many commands are waiting")
	}
	if c.list.gone {
		return nil
	}
	c.item.run.left += len(all)
	c.list.items = append(items(all, c.item.run, c.item.from), c.list.items...)
	return nil
}
