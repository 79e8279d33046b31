package copymode

// jump is the last jump to a character, for jump-again.
type jump struct {
	kind jumpKind
	char string
}

type jumpKind uint8

const (
	noJump jumpKind = iota
	jumpForward
	jumpBackward
	jumpToForward
	jumpToBackward
)

// reversed is the jump in the other direction.
var reversed = [...]jumpKind{noJump, jumpBackward, jumpForward, jumpToBackward, jumpToForward}

// jumpOnce goes to a character of the line, or to the cell before it.
func (m *Mode) jumpOnce(kind jumpKind) {
	r := m.reader()
	switch kind {
	case jumpForward:
		r.x++
		if r.jumpTo(m.jump.char) {
			m.acquireDown(r.position, false)
		}
	case jumpToForward:
		r.x += 2
		if r.jumpTo(m.jump.char) {
			r.left(true)
			m.acquireDown(r.position, false)
		}
	case jumpBackward:
		r.left(false)
		if r.jumpBack(m.jump.char) {
			m.acquireUp(r.position)
		}
	case jumpToBackward:
		r.left(false)
		r.left(false)
		if r.jumpBack(m.jump.char) {
			r.right(true, false)
			m.acquireUp(r.position)
		}
	}
}
