package pane

// Leave is Close for a server that makes room for another: what the reader has moved into the ring is parsed first, and the state is
// checkpointed. What comes from the program afterwards is for the next server. An error means that this one replays from an earlier
// checkpoint, as after a crash. input is what the program has not read yet.
func (p *Pane) Leave() (input []byte, err error) {
	p.once.Do(func() { close(p.quit); p.read.Close() })
	p.wg.Wait()
	p.ask(func() {
		for p.parse() {
		}
		err = p.checkpoint()
		p.over = true
	})
	p.in.close()
	return p.in.rest(), err
}

// Copy gives a copy of the emulator as a checkpoint has it: the state, and the blocks of its scrollback out of an arena of so many bytes, for
// [vt.Load]. Where that would be more than most bytes, blocks is nil and state only its beginning, for [vt.Readable].
func (p *Pane) Copy(most int) (state []byte, arena int, blocks map[int][]byte) {
	p.ask(func() {
		b, err := p.term.AppendState(nil)
		if err != nil {
			return
		}
		state = b
		if arena, blocks = p.term.CopyBlocks(most - len(b)); blocks == nil {
			state = b[:1]
		}
	})
	return state, arena, blocks
}

// Settle checkpoints the present state. An error says that it cannot be kept for another server.
func (p *Pane) Settle() (err error) {
	p.ask(func() { err = p.checkpoint() })
	return err
}
