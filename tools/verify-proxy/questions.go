package main

import (
	"context"
	"errors"
	"sync"
)

// questions are those to the verifier that are under way, by name: equal ones
// are asked once, whoever asks. Package singleflight does not notice that nobody
// waits for an answer any more.
type questions[T any] struct {
	mu       sync.Mutex
	underWay map[string]*question[T]
}

type question[T any] struct {
	callers int // who wait for the answer
	ctx     context.Context
	giveUp  context.CancelFunc // ends ctx
	ended   chan struct{}      // closed when answer and err are set
	answer  T
	err     error
}

// ask returns the answer to a question. The first caller finds it, and stays for
// the others even if he leaves. When all have left, the context of find ends,
// which keeps a request from being written, but not from being answered: see
// [pace.Trace].
func (q *questions[T]) ask(ctx context.Context, name string, find func(context.Context) (T, error)) (T, error) {
	one, first := q.join(ctx, name)
	leave := sync.OnceFunc(func() { q.leave(one) })
	defer leave()
	defer context.AfterFunc(ctx, leave)()
	if first {
		defer q.end(name, one)
		one.answer, one.err = find(one.ctx)
	} else {
		select {
		case <-one.ended:
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
	}
	switch givenUp := errors.Is(one.err, context.Canceled); {
	case givenUp && ctx.Err() != nil:
		return one.answer, ctx.Err()
	case givenUp && !first: // just before this caller came
		return q.ask(ctx, name, find)
	}
	return one.answer, one.err
}

func (q *questions[T]) join(ctx context.Context, name string) (one *question[T], first bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	one = q.underWay[name]
	if first = one == nil; first {
		one = &question[T]{ended: make(chan struct{}), err: errors.New("it ended without an answer")}
		one.ctx, one.giveUp = context.WithCancel(context.WithoutCancel(ctx))
		if q.underWay == nil {
			q.underWay = map[string]*question[T]{}
		}
		q.underWay[name] = one
	}
	one.callers++
	return one, first
}

func (q *questions[T]) leave(one *question[T]) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if one.callers--; one.callers == 0 {
		one.giveUp()
	}
}

func (q *questions[T]) end(name string, one *question[T]) {
	q.mu.Lock()
	delete(q.underWay, name)
	q.mu.Unlock()
	one.giveUp()
	close(one.ended)
}
