package buffer

// Newest returns the newest buffers that fit into so many bytes, for a place that is smaller than the
// store: the checkpoint, or the saved workspace. One that is larger than most is left out.
func (s *Store) Newest(total, most int) []*Buffer {
	var out []*Buffer
	for _, b := range s.list {
		if n := len(b.Data) + len(b.Name); n <= most && n <= total {
			out, total = append(out, b), total-n
		}
	}
	return out
}

// Restore makes a list that Newest has given the whole of the store. What does not fit, has no name or
// one that a newer buffer has, is left out.
func (s *Store) Restore(list []*Buffer) {
	*s = Store{}
	for _, b := range list {
		n := 0
		if b != nil {
			n = len(b.Data)
		}
		if n == 0 || n > MaxBytes || s.bytes+n > MaxTotal || len(s.list) >= MaxCount || b.Name == "" || len(b.Name) > MaxName || s.Get(b.Name) != nil {
			continue
		}
		kept := *b
		s.list = append(s.list, &kept)
		s.bytes += n
	}
}

// Sample is the beginning of a buffer in one line, with its control characters written out as tmux does
// for #{buffer_sample}.
func (b *Buffer) Sample() string { return sample(b.Data) }
