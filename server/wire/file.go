package wire

// FileChunk is how much of a file goes into one message.
const FileChunk = 256 << 10

// File asks a client to read or write a file: it knows its own directory, its standard input and the
// descriptors that a shell has opened for it. Path comes with the first message about an ID; "-" is
// standard input. To write, the text follows in pieces up to the one that is Last.
type File struct {
	ID     int    `cbor:",omitempty"`
	Path   string `cbor:",omitempty"`
	Write  bool   `cbor:",omitempty"`
	Append bool   `cbor:",omitempty"`
	Data   []byte `cbor:",omitempty"`
	Last   bool   `cbor:",omitempty"`
}

// FileData answers a File: the text in pieces up to the one that is Last, or how writing went. Err is
// what the system has said against it, in words.
type FileData struct {
	ID   int    `cbor:",omitempty"`
	Data []byte `cbor:",omitempty"`
	Last bool   `cbor:",omitempty"`
	Err  string `cbor:",omitempty"`
}
