package main

import (
	"time"

	"marketingskills/tools/internal/pace"
)

// How long things may take. The pace of the requests to the verifier is in
// package pace.
const (
	headerTimeout = 10 * time.Second // the header of a request arrives
	readTimeout   = 30 * time.Second // all of a request arrives
	// An answer is written, also the one to a body that broke off. Calls and
	// files of the site have their own limits.
	writeTimeout = readTimeout + 10*time.Second
	idleTimeout  = 2 * time.Minute // the next request of a connection arrives

	// A call waits until a pause that the verifier wants is over, then for the
	// requests before it, then for a connection to the verifier, and then for the
	// verifier, which takes up to 30 s.
	longestPause    = 30 * time.Second
	queueTimeout    = 20 * time.Second // what waits at most, at ten a second; with a slower verifier, the last ask again
	verifierTimeout = pace.Lease + 30*time.Second
	callTimeout     = longestPause + queueTimeout + verifierTimeout
	// answerTimeout is how long a call takes with the writing of its answer. Who
	// ends the proxy waits as long: the answer is paid for, or will be.
	answerTimeout = callTimeout + 10*time.Second

	// unavailable is when to ask again if Redis or the verifier is away.
	unavailable = 5 * time.Second

	// claimed is when to look again whether another proxy has an answer.
	claimed = 100 * time.Millisecond

	redisTimeout = time.Second // each step: to connect, to write, to read
	// sharedLease is how long a request may take to be written that has a slot in
	// Redis. A Redis that has lost its slots gives none for so long, since those
	// may still be used. Whoever has no connection by then takes another slot.
	sharedLease = 2 * time.Second
	// Calls wait for a Redis that is away for so long, and ask for it so often.
	redisPatience = 5 * time.Second
	redisAgain    = 100 * time.Millisecond

	leastRemembered = time.Second // unless nothing is
)

// How much there may be.
const (
	// mostConnections is how many visitors are served at once; half of them at one
	// address.
	mostConnections = 1000
	mostWaiting     = 200 // requests for one endpoint
	mostPerCaller   = mostWaiting / 2
	mostBulk        = 10_000 // emails in a list
	mostRemembered  = 20_000 // answers, in a process

	maxHeader     = 64 << 10 // bytes
	maxBody       = 64 << 10
	maxBulkBody   = 1 << 20
	longestAnswer = 2 << 10 // that is remembered; usual ones have 300 bytes

	leastToken    = 16 // characters
	longestMethod = 20 // that is logged, in bytes
)
