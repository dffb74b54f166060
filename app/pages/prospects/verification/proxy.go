package verification

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/rest"
	"marketingskills/app/ui"
	"marketingskills/app/verify"
	"marketingskills/app/verify/truelist"
)

const tokenField = "proxy-token"

// proxy is the way to the verifier, by a verify-proxy. That speaks the interface
// of Truelist whatever verifier it asks, so the client is package truelist's. The visitor's token lives here and in the
// client made of it, in memory, and nowhere else.
type proxy struct {
	panel *Panel
	form  ui.Form
	token rest.Secret
	state proxyState
	err   error // why it cannot be used
	// health is what it told of itself when it was asked last.
	health verify.Health
	// account is whose the verifier's key is, in a sentence.
	account   string
	operation pages.Operation
}

type proxyState int

const (
	unasked proxyState = iota // how it is, or it has not answered yet
	away                      // there is none, or it does not answer
	keyless                   // it makes free checks only
	open                      // it asks a verifier
	guarded                   // it asks a verifier for those who have its token
)

// base is the proxy's URL: the site's own host, unless the site was generated
// for another one.
func (p *proxy) base() string {
	if p.panel.config.Proxy != "" {
		return p.panel.config.Proxy
	}
	return browser.Origin()
}

func (p *proxy) host() string {
	if u, err := url.Parse(p.base()); err == nil {
		return u.Host
	}
	return p.base()
}

// open asks the proxy how it is, unless that is known.
func (p *proxy) open() {
	if p.state == unasked {
		p.check()
	}
}

// check asks the proxy how it is.
func (p *proxy) check() {
	client, err := truelist.New(rest.Config{Base: p.base(), Doer: browser.Doer{}})
	if err != nil {
		p.state, p.err = away, err
		return
	}
	p.state, p.err = unasked, nil
	p.operation.Run(p.panel.page, "", func(ctx context.Context) func() {
		health, err := client.Health(ctx)
		return func() { p.state, p.health, p.err = stateOf(health, err), health, err }
	})
}

func (p *proxy) recheck(app.Context, app.Event) { p.check() }

func stateOf(h verify.Health, err error) proxyState {
	switch {
	case err != nil:
		return away
	case !h.Key:
		return keyless
	case h.Token:
		return guarded
	}
	return open
}

// timeFor is about how long so many emails take, a little below the limit of the
// proxy's verifier. Without a key there is none, and the proxy's own checks are
// about as fast as the usual one allows.
func (p *proxy) timeFor(emails int) time.Duration {
	perSecond := 0.97 * float64(cmp.Or(p.health.Limit, truelist.Limit))
	return time.Duration(float64(emails) / perSecond * float64(time.Second))
}

// take takes the token out of its field, if one was typed.
func (p *proxy) take() {
	typed, _ := browser.Value(tokenField)
	if strings.TrimSpace(typed) != "" {
		p.token, p.account = rest.NewSecret(typed), ""
	}
	browser.SetValue(tokenField, "")
}

// connect is the way to the verifier; ok is false where something is missing
// that only the visitor can give.
func (p *proxy) connect() (client *truelist.Client, ok bool) {
	p.take()
	if p.state == guarded && !p.token.Present() {
		p.refuse("Enter the proxy’s token first.")
		return nil, false
	}
	client, err := truelist.New(rest.Config{Base: p.base(), Secret: p.token, Doer: browser.Doer{}})
	if err != nil {
		p.refuse(sentenceOf(err))
		return nil, false
	}
	p.form.Wrong = nil
	return client, true
}

// refuse says what is wrong with the token, beside its field.
func (p *proxy) refuse(words string) {
	p.form.Wrong = map[string]string{tokenField: words}
	p.panel.page.UI().Defer(func(app.Context) { browser.FocusOn(tokenField) })
}

// reject drops a token that was not accepted, and asks for another one.
func (p *proxy) reject(err error) {
	t := p.trouble(err)
	p.token, p.account, p.state = rest.Secret{}, "", guarded
	p.refuse(t.what + " " + t.next)
}

func (p *proxy) trouble(err error) trouble { return troubleOf(err, p.host(), p.token.Present()) }

// showAccount asks whose the verifier's key is, which also tries the token.
func (p *proxy) showAccount(app.Context, app.Event) {
	client, ok := p.connect()
	if !ok {
		return
	}
	p.operation.Run(p.panel.page, "Asking for the account.", func(ctx context.Context) func() {
		account, err := client.Account(ctx)
		return func() {
			switch {
			case errors.Is(err, verify.ErrKey):
				p.reject(err)
			case err != nil:
				t := p.trouble(err)
				p.panel.page.Tell("", t.what+" "+t.next)
			default:
				p.account = accountText(account)
			}
		}
	})
}
