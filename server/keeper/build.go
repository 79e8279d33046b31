package keeper

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"sync"
)

// build names this build where whoever builds it sets it: -ldflags "-X stet/server/keeper.build=…".
var build string

// Build names the build of this binary: version and revision, as the Go toolchain recorded them, unless a name was set when it was built. What is built
// of changed or unknown sources has the beginning of its content's digest beside: two of those would have the same name otherwise, and an
// upgrade from one to the other would seem to be none.
var Build = sync.OnceValue(func() string {
	if build != "" {
		return build
	}
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	name, exact := versionOf(b)
	if id := buildID(); !exact && id != "" {
		name += " " + id
	}
	return name
})

// versionOf is what a build's sources are called, and whether that says which they are.
func versionOf(b *debug.BuildInfo) (name string, exact bool) {
	name = b.Main.Version
	exact = name != "" && name != "(devel)"
	for _, v := range b.Settings {
		switch {
		case v.Key == "vcs.revision":
			exact = true
			if !strings.Contains(name, v.Value[:min(12, len(v.Value))]) { // a version that Go made up ends with it
				name += " " + v.Value[:min(12, len(v.Value))]
			}
		}
	}
	for _, v := range b.Settings {
		if v.Key == "vcs.modified" && v.Value == "true" {
			name, exact = name+"+", false
		}
	}
	return name, exact
}

// buildID is the beginning of the digest that Go's linker has made of this binary's content; "" if there is none to be found.
func buildID() string {
	f, err := os.Open("/proc/self/exe") // another build may stand at our path by now
	if err != nil {
		path, e := os.Executable()
		if e != nil {
			return ""
		}
		if f, err = os.Open(path); err != nil {
			return ""
		}
	}
	defer f.Close()
	head := make([]byte, 32<<10) // it is near the beginning, as Go's own tools expect
	n, _ := io.ReadFull(f, head)
	return contentID(head[:n])
}

// contentID finds the id: in ELF files it is a note of type 4 by "Go", in others text between marks. It has four parts, of which the last is about
// the content of the binary.
func contentID(head []byte) string {
	id := ""
	note := []byte("\x04\x00\x00\x00Go\x00\x00")
	if i := bytes.Index(head, note); i >= 8 {
		rest := head[i+len(note):]
		id = string(rest[:min(uint64(len(rest)), uint64(binary.LittleEndian.Uint32(head[i-4:])))])
	} else if _, rest, ok := bytes.Cut(head, []byte("\xff Go build ID: \"")); ok {
		text, _, _ := bytes.Cut(rest, []byte("\"\n \xff"))
		id = string(text)
	}
	i := strings.LastIndexByte(id, '/')
	if i < 0 || len(id)-i-1 < 8 {
		return ""
	}
	for _, c := range id[i+1:][:8] {
		if c <= ' ' || c >= 0x7f {
			return ""
		}
	}
	return id[i+1:][:8]
}
