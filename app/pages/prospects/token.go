package prospects

import (
	"context"
	"errors"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/pages"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/rest"
	"marketingskills/app/ui"
)

// access is how the page reaches GitHub. The visitor's token lives here and in
// the client made of it, in memory, and nowhere else: not in the address, in
// no storage of the browser, in no file, and not in its field either, once it
// was taken out of there.
type access struct {
	page  *extraction
	token rest.Secret
	owner string // whose the token is, in a sentence
	// sample is true when the people come from the page's sample data, which is a
	// finished run: no request is sent.
	sample bool
	// client is kept as long as the token is: it knows about limits.
	client *codehost.Client
}

const tokenField = "token"

// take takes the token out of its field, if one was typed.
func (a *access) take() {
	secret, _ := browser.Value(tokenField)
	if strings.TrimSpace(secret) == "" {
		return
	}
	browser.SetValue(tokenField, "")
	a.token, a.owner, a.client = rest.NewSecret(secret), "", nil
}

func (a *access) drop() {
	a.page.forget()
	browser.SetValue(tokenField, "")
	a.token, a.owner, a.client = rest.Secret{}, "", nil
	a.page.plan.clear()
}

// reject drops a token that does not work, and says so beside its field.
func (a *access) reject(err error) {
	a.drop()
	a.page.refuse(&a.page.source.form, map[string]string{tokenField: sentence(err)})
}

// useSample turns to the sample data, or back to GitHub.
func (a *access) useSample(on bool) { a.sample, a.client = on, nil }

func (a *access) authenticated() bool { return a.sample || a.token.Present() }

func (a *access) connect() (*codehost.Client, error) {
	if a.client != nil {
		return a.client, nil
	}
	config := codehost.Config{Base: pages.Content[Data](a.page.Page).API, Token: a.token, Doer: browser.Doer{}}
	if a.sample {
		config.Base, config.Token = sampleBase, rest.Secret{}
	}
	var err error
	a.client, err = codehost.New(config)
	return a.client, err
}

func (a *access) remove(app.Context, app.Event) {
	a.drop()
	a.page.ctx.Defer(func(app.Context) { browser.FocusOn(tokenField) })
}

func (a *access) check(app.Context, app.Event) {
	x := a.page
	a.take()
	if !a.token.Present() {
		x.refuse(&x.source.form, map[string]string{tokenField: "Enter a token first."})
		return
	}
	delete(x.source.form.Wrong, tokenField)
	client, err := a.connect()
	if err != nil {
		a.reject(err)
		return
	}
	x.operation.Run(x, "Checking the token.", func(ctx context.Context) func() {
		owner, err := client.Self(ctx)
		quota, quotaErr := client.RateLimit(ctx)
		return func() {
			switch {
			case errors.Is(err, codehost.ErrBadToken):
				a.reject(err)
			case err != nil:
				x.says.problem = sentence(err)
			default:
				a.owner = "The token is valid. It belongs to " + owner.Login + "."
				if quotaErr == nil && quota.Known {
					a.owner += " " + quotaText(quota) + "."
				}
			}
		}
	})
}

func (a *access) draw() app.UI {
	note := "Stays in this page’s memory and is sent to GitHub only. Without a token: 60 requests an hour and no email addresses."
	buttons := []app.UI{
		ui.PlainButton("Check token", a.check).DataSet("starting", "Still loading. Check again in a moment."),
	}
	if a.token.Present() {
		note = "A token is set. Leave the field empty to use it."
		buttons = append(buttons, ui.PlainButton("Remove token", a.remove))
	}
	return ui.FormPart(
		// Without a name it is no part of what the form says.
		ui.Field(&a.page.source.form, tokenField, "GitHub token (optional)", note,
			ui.PlainText(app.Input().ID(tokenField).Class("Field-input").Type("password"))),
		ui.Actions(buttons...),
		app.P().Class("Token-owner").Role("status").Text(a.owner),
		ui.MoreFields("How to create a token (no permissions needed)",
			app.Ol().Class("Guide").Body(
				app.Li().Text("On GitHub, open Settings > Developer settings > Personal access tokens > "+
					"Fine-grained tokens and choose Generate new token."),
				app.Li().Text("Give it a name such as “prospects” and let it expire in seven days."),
				app.Li().Text("Repository access: Public repositories. Permissions: none. Public data needs none."),
				app.Li().Text("Generate the token, copy it and paste it above. Delete it on GitHub when you are done."),
			),
			ui.P("Soft", "A token without permissions can fetch public data, 5,000 requests an hour. "+
				"Stars and watchers of a repository need a token of one of its admins or collaborators."),
		),
	)
}
