package scene

// Of gives the keyboard modes in force for a program that has asked for these: the flags of kitty's
// protocol, and the level of modifyOtherKeys.
func (k Keys) Of(kitty, modify int) (int, int) {
	switch k {
	case KeysPlain:
		return 0, 0
	case KeysAlways:
		return kitty, max(modify, 1)
	}
	return kitty, modify
}
