package http

import "errors"

// This file is only for the compiler: go-app has handlers for servers, which are
// never called in the browser.

// ResponseWriter is what a handler writes its response to.
type ResponseWriter interface {
	Header() Header
	Write([]byte) (int, error)
	WriteHeader(status int)
}

// Handler answers requests.
type Handler interface {
	ServeHTTP(ResponseWriter, *Request)
}

// Dir is a directory to serve. It serves nothing.
type Dir string

// FileServer returns no handler.
func FileServer(Dir) Handler { return nil }

// NotFound writes nothing.
func NotFound(ResponseWriter, *Request) {}

var errServer = errors.New("net/http: not in the browser")

// Get sends nothing.
func Get(string) (*Response, error) { return nil, errServer }
