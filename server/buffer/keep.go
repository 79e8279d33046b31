package buffer

import "slices"

// Newest returns the newest buffers that fit into so many bytes, for a place that is smaller than the
// store. One that is larger than most is left out.
func (s *Store) Newest(total, most int) []*Buffer {
	var out []*Buffer
	for _, b := range s.list {
		if n := len(b.Data) + len(b.Name); n <= most && n <= total {
			out, total = append(out, b), total-n
		}
	}
	return out
}

// Saved is Newest without the buffers that are withheld, and how many others did not fit.
func (s *Store) Saved(total, most int) (list []*Buffer, left int) {
	open := Store{list: slices.DeleteFunc(s.All(), func(b *Buffer) bool { return b.Withheld })}
	list = open.Newest(total, most)
	return list, open.Len() - len(list)
}

// Restore makes a list that Newest has given the whole of the store. What does not fit, has no name or
// one that a newer buffer has, is left out.
func (s *Store) Restore(list []*Buffer) {
	*s = Store{}
	s.Join(list)
}

// Join puts a list that Newest has given behind what is there, as older than that. What does not fit, has no
// name or one that is taken, is left out.
func (s *Store) Join(list []*Buffer) {
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
