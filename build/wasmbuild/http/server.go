package http

import "errors"

// What follows is here for the compiler only: go-app and the fake code host
// have handlers for servers, and the browser calls none of them.

// ResponseWriter is what a handler answers with.
type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(status int)
}

// Handler answers requests.
type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}

// Dir would be a directory to serve.
type Dir string

// FileServer has no handler to offer.
func FileServer(Dir) Handler { return nil }

// NotFound answers nothing.
func NotFound(ResponseWriter, *Request) {}

var errServer = errors.New("net/http: not in the browser")

// ErrAbortHandler ends a handler.
var ErrAbortHandler = errors.New("net/http: abort Handler")

// Get sends nothing.
func Get(string) (*Response, error) { return nil, errServer }

// ResponseController controls nothing.
type ResponseController struct{}

// NewResponseController makes one.
func NewResponseController(ResponseWriter) ResponseController { return ResponseController{} }

// Flush flushes nothing.
func (ResponseController) Flush() error { return errServer }
