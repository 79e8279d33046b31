package harness

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// modelStub plays the models that real agents talk to, on loopback: Anthropic's messages, OpenAI's responses
// and chat completions, Gemini's content. To a message with a word like heron-417 in it, it answers "I note
// heron-417". It keeps what it was asked.
type modelStub struct {
	*httptest.Server
	t testing.TB

	mu       sync.Mutex
	requests []modelRequest
	strange  []string // paths that are no model's
}

// modelRequest is one question to the model.
type modelRequest struct {
	path string
	body string
	last string // the text of the last message that the user has given
}

// maxModelBody bounds a question.
const maxModelBody = 16 << 20

func newModelStub(t testing.TB) *modelStub {
	m := &modelStub{t: t}
	m.Server = httptest.NewServer(http.HandlerFunc(m.serve))
	t.Cleanup(m.Close)
	return m
}

var noted = regexp.MustCompile(`(?:heron|egret)-[0-9]{3}`)

func (m *modelStub) serve(w http.ResponseWriter, r *http.Request) {
	b, _ := io.ReadAll(io.LimitReader(r.Body, maxModelBody))
	var q struct {
		Stream   bool
		Messages []json.RawMessage
		Input    []json.RawMessage
		Contents []json.RawMessage
	}
	_ = json.Unmarshal(b, &q)
	speak := m.dialect(r, q.Stream)
	if speak == nil {
		m.mu.Lock()
		m.strange = append(m.strange, r.Method+" "+r.URL.Path)
		m.mu.Unlock()
		http.Error(w, `{"error":{"message":"not here"}}`, http.StatusNotFound)
		return
	}
	req := modelRequest{path: r.URL.Path, body: string(b)}
	for _, list := range [][]json.RawMessage{q.Messages, q.Input, q.Contents} {
		for _, one := range list {
			var who struct{ Role string }
			if json.Unmarshal(one, &who) == nil && who.Role == "user" {
				req.last = string(one)
			}
		}
	}
	m.mu.Lock()
	m.requests = append(m.requests, req)
	n := len(m.requests)
	m.mu.Unlock()
	answer := "Nothing to note."
	if word := noted.FindString(req.last); word != "" {
		answer = "I note " + word + "."
	}
	speak(w, fmt.Sprintf("stub%d", n), answer)
}

type obj = map[string]any
type list = []any

// dialect is how a request is answered, nil where it is none to a model.
func (m *modelStub) dialect(r *http.Request, stream bool) func(w http.ResponseWriter, id, text string) {
	switch p := r.URL.Path; {
	case r.Method == "GET" && strings.HasSuffix(p, "/models"):
		return func(w http.ResponseWriter, _, _ string) {
			plain(w, obj{"object": "list", "data": list{obj{"id": "stub", "object": "model", "owned_by": "stub"}}})
		}
	case strings.HasSuffix(p, "/count_tokens"):
		return func(w http.ResponseWriter, _, _ string) { plain(w, obj{"input_tokens": 1}) }
	case strings.HasSuffix(p, "/messages") && stream:
		return anthropicStream
	case strings.HasSuffix(p, "/messages"):
		return func(w http.ResponseWriter, id, text string) {
			plain(w, obj{"id": id, "type": "message", "role": "assistant", "model": "stub", "content": list{obj{"type": "text", "text": text}}, "stop_reason": "end_turn", "usage": obj{"input_tokens": 1, "output_tokens": 1}})
		}
	case strings.HasSuffix(p, "/responses"):
		return responsesStream
	case strings.HasSuffix(p, "/chat/completions") && stream:
		return chatStream
	case strings.HasSuffix(p, "/chat/completions"):
		return func(w http.ResponseWriter, id, text string) {
			plain(w, obj{"id": id, "object": "chat.completion", "model": "stub", "choices": list{obj{"index": 0, "finish_reason": "stop", "message": obj{"role": "assistant", "content": text}}}, "usage": obj{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
		}
	case strings.HasSuffix(p, ":streamGenerateContent"):
		return func(w http.ResponseWriter, _, text string) { event(w, "", geminiAnswer(text)) }
	case strings.HasSuffix(p, ":generateContent"):
		return func(w http.ResponseWriter, _, text string) { plain(w, geminiAnswer(text)) }
	case strings.HasSuffix(p, ":countTokens"):
		return func(w http.ResponseWriter, _, _ string) { plain(w, obj{"totalTokens": 1}) }
	}
	return nil
}

func plain(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// event is one of a stream of server-sent events.
func event(w http.ResponseWriter, name string, v any) {
	w.Header().Set("Content-Type", "text/event-stream")
	if name != "" {
		fmt.Fprintf(w, "event: %s\n", name)
	}
	b, _ := json.Marshal(v)
	fmt.Fprintf(w, "data: %s\n\n", b)
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

func anthropicStream(w http.ResponseWriter, id, text string) {
	usage := obj{"input_tokens": 1, "output_tokens": 1}
	for _, e := range []obj{
		{"type": "message_start", "message": obj{"id": id, "type": "message", "role": "assistant", "model": "stub", "content": list{}, "stop_reason": nil, "usage": usage}},
		{"type": "content_block_start", "index": 0, "content_block": obj{"type": "text", "text": ""}},
		{"type": "content_block_delta", "index": 0, "delta": obj{"type": "text_delta", "text": text}},
		{"type": "content_block_stop", "index": 0},
		{"type": "message_delta", "delta": obj{"stop_reason": "end_turn", "stop_sequence": nil}, "usage": usage},
		{"type": "message_stop"},
	} {
		event(w, e["type"].(string), e)
	}
}

func responsesStream(w http.ResponseWriter, id, text string) {
	item := obj{"type": "message", "role": "assistant", "id": "msg_" + id, "status": "completed", "content": list{obj{"type": "output_text", "text": text, "annotations": list{}}}}
	for _, e := range []obj{
		{"type": "response.created", "response": obj{"id": id, "status": "in_progress"}},
		{"type": "response.output_item.done", "output_index": 0, "item": item},
		{"type": "response.completed", "response": obj{"id": id, "status": "completed", "output": list{item}, "usage": obj{"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}}},
	} {
		event(w, e["type"].(string), e)
	}
}

func chatStream(w http.ResponseWriter, id, text string) {
	chunk := func(delta obj, finish any) obj {
		return obj{"id": id, "object": "chat.completion.chunk", "created": 1, "model": "stub", "choices": list{obj{"index": 0, "delta": delta, "finish_reason": finish}}}
	}
	event(w, "", chunk(obj{"role": "assistant", "content": text}, nil))
	last := chunk(obj{}, "stop")
	last["usage"] = obj{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
	event(w, "", last)
	fmt.Fprint(w, "data: [DONE]\n\n")
}

func geminiAnswer(text string) obj {
	return obj{
		"candidates":    list{obj{"index": 0, "finishReason": "STOP", "content": obj{"role": "model", "parts": list{obj{"text": text}}}}},
		"usageMetadata": obj{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
	}
}

// with are the questions in which all these words stand.
func (m *modelStub) with(words ...string) (out []modelRequest) {
	m.mu.Lock()
	defer m.mu.Unlock()
next:
	for _, r := range m.requests {
		for _, w := range words {
			if !strings.Contains(r.body, w) {
				continue next
			}
		}
		out = append(out, r)
	}
	return out
}
