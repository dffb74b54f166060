package main

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestQuestionOutlivesItsFirstCaller: the first one leaves, and the others have
// the answer; once it is there, the same question is a new one.
func TestQuestionOutlivesItsFirstCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q questions[int]
		asked := 0
		find := func(ctx context.Context) (int, error) {
			asked++
			time.Sleep(time.Second)
			return asked, ctx.Err()
		}
		ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
		defer leave()
		var all sync.WaitGroup
		for i := range 5 {
			all.Go(func() {
				if i > 0 {
					ctx = t.Context()
				}
				if n, err := q.ask(ctx, "a", find); n != 1 || err != nil {
					t.Errorf("%d, %v", n, err)
				}
			})
			synctest.Wait()
		}
		all.Go(func() {
			if n, err := q.ask(t.Context(), "b", func(context.Context) (int, error) { return 7, nil }); n != 7 || err != nil {
				t.Errorf("another question: %d, %v", n, err)
			}
		})
		all.Wait()
		if n, err := q.ask(t.Context(), "a", find); n != 2 || err != nil || len(q.underWay) > 0 {
			t.Errorf("%d, %v, %d under way", n, err, len(q.underWay))
		}
	})
}

// TestQuestionIsGivenUp: when all have left; who comes just then asks anew.
func TestQuestionIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q questions[int]
		asked := 0
		find := func(ctx context.Context) (int, error) {
			asked++
			select {
			case <-ctx.Done():
				time.Sleep(time.Second) // it takes a while to notice
				return 0, ctx.Err()
			case <-time.After(time.Minute):
				return asked, nil
			}
		}
		ctx, leave := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() {
				if _, err := q.ask(ctx, "a", find); !errors.Is(err, context.Canceled) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		leave()
		synctest.Wait()
		if n, err := q.ask(t.Context(), "a", find); n != 2 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		all.Wait()
	})
}

// TestQuestionThatPanics: nobody waits for an answer that does not come.
func TestQuestionThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var q questions[int]
		go func() {
			defer func() { _ = recover() }()
			_, _ = q.ask(t.Context(), "a", func(context.Context) (int, error) {
				time.Sleep(time.Second)
				panic("a mistake")
			})
		}()
		synctest.Wait()
		if _, err := q.ask(t.Context(), "a", nil); err == nil || len(q.underWay) > 0 {
			t.Errorf("%v, %d under way", err, len(q.underWay))
		}
	})
}
