package verifytest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/verify"
)

// checkWords: each of the service's words becomes a state of ours, and one that
// nobody has heard of is kept.
func (r *report) checkWords() {
	words := map[string]verify.State{"never_heard_of": "never_heard_of"}
	maps.Copy(words, r.Words)
	for word, want := range words {
		got, err := r.says(r.Result(address, word))
		switch {
		case err != nil:
			r.add("Verify: the service says %q: %w", word, err)
			continue
		case got.State != want:
			r.add("Verify: the service says %q, which became the state %q; it must be %q", word, got.State, want)
		case !verify.SameAddress(got.Address, address):
			r.add("Verify: the result about %s is about %q", address, got.Address)
		}
		if _, err := time.Parse(time.RFC3339, got.VerifiedAt); err != nil && got.VerifiedAt != "" {
			r.add("Verify: VerifiedAt is %q; it must be RFC 3339 or empty", got.VerifiedAt)
		}
	}
}

// checkNoState: what does not say what is known of the email is no answer.
func (r *report) checkNoState() {
	word := slices.Sorted(maps.Keys(r.Words))[0]
	answers := []string{r.Result(address, ""), "null", "{}"}
	if about := r.Result("stranger@elsewhere.example", word); about != r.Result(address, word) { // the service tells about whom it speaks
		answers = append(answers, about)
	}
	for _, body := range answers {
		got, err := r.says(body)
		r.checkFailure(verifying, err, verify.ErrServer, "the service says "+body)
		if err == nil {
			r.add("Verify: the result has the state %q", got.State)
		}
	}
}

// kindOf is what a status means, as [verify.JSONClient] says.
func (r *report) kindOf(status int) *rest.Kind {
	if kind := r.Kinds[status]; kind != nil {
		return kind
	}
	kind := map[int]*rest.Kind{302: verify.ErrAbsent, 400: verify.ErrRequest, 401: verify.ErrKey, 402: verify.ErrPayment,
		403: verify.ErrRefused, 404: verify.ErrAbsent, 405: verify.ErrAbsent, 422: verify.ErrRequest, 429: verify.ErrLimit}[status]
	return cmp.Or(kind, verify.ErrServer)
}

// checkStatuses: each status is of its kind, whatever comes with it.
func (r *report) checkStatuses(c call) {
	statuses := []int{302, 400, 401, 402, 403, 404, 405, 422, 429, 500, 501, 502, 503, 504}
	for status := range r.Kinds {
		if !slices.Contains(statuses, status) {
			statuses = append(statuses, status)
		}
	}
	for _, status := range statuses {
		if status == http.StatusMethodNotAllowed && c.method == submitting.method {
			continue // of a proxy, it says that no lists are taken
		}
		kind := r.kindOf(status)
		for body, header := range map[string]http.Header{
			"": nil, "<h1>down</h1>": nil, r.Failure(strings.Repeat("é", 5000)): nil,
			r.Failure(strings.Repeat("x", 290) + address):            nil, // where a message may be cut
			r.Failure("no " + key + " for " + address + "\x1b[2J\n"): {"Retry-After": {"7"}, "Location": {"https://elsewhere.example/"}},
		} {
			_, err := r.play(context.Background(), c, answers(status, header, body))
			about := fmt.Sprintf("the service answers %d %.30q, %v", status, body, header)
			r.checkFailure(c, err, kind, about)
			r.checkWait(c, err, kind, header != nil, about)
		}
	}
	_, err := r.play(context.Background(), c, answers(500, nil, r.Failure("no "+key+" here")))
	if said := rest.Message(err); said != "no [secret] here" {
		r.add("%s: the service's words %q became %q; they must be repeated, without the key", c.method, "no "+key+" here", said)
	}
}

// checkWait: only too many requests have a wait, which is the service's.
func (r *report) checkWait(c call, err error, kind *rest.Kind, told bool, about string) {
	limit, ok := errors.AsType[*verify.LimitError](err)
	want := time.Second
	if told {
		want = 7 * time.Second
	}
	switch {
	case ok != (kind == verify.ErrLimit):
		r.add("%s: %s: it is a LimitError: %v", c.method, about, ok)
	case ok && (limit.Wait < want || told && limit.Wait != want):
		r.add("%s: %s: the wait is %v; it must be %v", c.method, about, limit.Wait, want)
	case kind == verify.ErrServer && !told && !verify.MayHaveCost(err):
		r.add("%s: %s: nobody knows that this cost nothing", c.method, about)
	}
}

// checkFailure looks at the kind of an error, and at how it reads.
func (r *report) checkFailure(c call, err error, kind *rest.Kind, about string) {
	if !errors.Is(err, kind) {
		r.add("%s: %s: the error is %v; its kind must be %q", c.method, about, err, kind)
		return
	}
	f, ok := errors.AsType[*rest.Failure](err)
	if !ok || f.Next != "" {
		r.add("%s: %s: the error %v must be a rest.Failure, without Next", c.method, about, err)
	}
	for _, said := range []string{err.Error(), fmt.Sprintf("%v %+v %#v", err, err, err)} {
		if strings.Contains(said, key) || c.method == verifying.method && strings.Contains(said, local) {
			r.add("%s: %s: the key or the email is in the error %s", c.method, about, said)
		}
	}
	if said := err.Error(); len(said) > 600 || strings.ContainsAny(said, "\n\r\x1b") || !strings.HasPrefix(said, "could not ") {
		r.add("%s: %s: the error is %q; it must be one short line that begins with what was attempted", c.method, about, said)
	}
}

// checkGarbage: what is not the JSON that was asked for.
func (r *report) checkGarbage(c call) {
	for body, kind := range map[string]*rest.Kind{
		"": verify.ErrServer, `{"a":`: verify.ErrServer, "nonsense": verify.ErrServer, "7": verify.ErrServer,
		" <!doctype html><p>Welcome": verify.ErrAbsent, strings.Repeat(" ", 2<<20): verify.ErrServer,
	} {
		_, err := r.play(context.Background(), c, answers(http.StatusOK, nil, body))
		r.checkFailure(c, err, kind, fmt.Sprintf("the service answers 200 %.30q", body))
	}
}

// checkConnections: no answer, or a part of one.
func (r *report) checkConnections(c call) {
	drops := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	breaks := answers(http.StatusOK, http.Header{"Content-Length": {"100"}}, "{")
	for about, service := range map[string]http.HandlerFunc{"it drops the request": drops, "its answer breaks off": breaks} {
		_, err := r.play(context.Background(), c, service)
		r.checkNoAnswer(c, err, rest.ErrUnreachable, about)
	}
	ctx, end := context.WithCancelCause(context.Background())
	_, err := r.play(ctx, c, hangs(func() { end(context.DeadlineExceeded) }, ""))
	r.checkNoAnswer(c, err, rest.ErrTimeout, "it does not answer in time")
	ctx, end = context.WithCancelCause(context.Background())
	_, err = r.play(ctx, c, hangs(func() { end(context.DeadlineExceeded) }, "{"))
	r.checkNoAnswer(c, err, rest.ErrTimeout, "it does not end its answer in time")
	ctx, leave := context.WithCancel(context.Background())
	_, err = r.play(ctx, c, hangs(leave, ""))
	r.checkFailure(c, err, rest.ErrInterrupted, "the caller leaves")
	if !errors.Is(err, context.Canceled) || verify.Temporary(err) {
		r.add("%s: the caller leaves: the error %w must be that of his context, too, and is not temporary", c.method, err)
	}
}

// hangs plays a service that writes a part of an answer and no more. then is
// called when it has.
func hangs(then func(), part string) http.HandlerFunc {
	return func(w http.ResponseWriter, q *http.Request) {
		if part != "" {
			_, _ = io.WriteString(w, part)
			_ = http.NewResponseController(w).Flush()
		}
		then()
		<-q.Context().Done()
	}
}

func (r *report) checkNoAnswer(c call, err error, kind *rest.Kind, about string) {
	r.checkFailure(c, err, kind, about)
	if !verify.MayHaveCost(err) {
		r.add("%s: %s: nobody knows that this cost nothing", c.method, about)
	}
}

// checkSecrets: a service that repeats the key in all it says.
func (r *report) checkSecrets(c call) {
	body := r.Account
	if c.method == verifying.method {
		body = r.Result(address, slices.Sorted(maps.Keys(r.Words))[0])
	}
	var said any
	if err := json.Unmarshal([]byte(body), &said); err != nil {
		r.add("%s: the answer of the service is no JSON: %w", c.method, err)
		return
	}
	repeated, err := json.Marshal(withKey(said))
	if err != nil {
		r.add("%s: %w", c.method, err)
		return
	}
	result, err := r.play(context.Background(), c, answers(http.StatusOK, nil, string(repeated)))
	if printed := fmt.Sprintf("%+v %v", result, err); strings.Contains(printed, key) || !strings.Contains(printed, "[secret]") {
		r.add("%s: the service repeats the key; the result must have [secret] in its place, and is %s", c.method, printed)
	}
}

// withKey adds the key to all strings of a JSON value but the address.
func withKey(of any) any {
	switch of := of.(type) {
	case string:
		if of != address {
			return of + key
		}
	case []any:
		for i := range of {
			of[i] = withKey(of[i])
		}
	case map[string]any:
		for name := range of {
			of[name] = withKey(of[name])
		}
	}
	return of
}
