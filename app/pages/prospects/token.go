package prospects

import (
	"errors"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"marketingskills/app/browser"
	"marketingskills/app/prospect/codehost"
	"marketingskills/app/prospect/sample"
)

// theClient is the one client for the present token.
func (x *extraction) theClient() (*codehost.Client, error) {
	if x.client != nil {
		return x.client, nil
	}
	config := codehost.Config{Base: x.Page.Prospects.API, Token: x.token, Doer: browser.Doer{}}
	if x.sample {
		config = codehost.Config{Base: sample.Base, Token: codehost.NewToken(sample.Token), Doer: sample.New(sample.Sleep)}
	}
	var err error
	x.client, err = codehost.New(config)
	return x.client, err
}

// readToken takes the token out of its field, if one was typed.
func (x *extraction) readToken() {
	secret, _ := browser.Value(tokenField)
	if strings.TrimSpace(secret) == "" {
		return
	}
	browser.SetValue(tokenField, "")
	x.token, x.owner, x.client = codehost.NewToken(secret), "", nil
}

func (x *extraction) forgetToken(app.Context, app.Event) {
	x.dropToken()
	x.ctx.Defer(func(app.Context) { browser.FocusOn(tokenField) })
}

// dropToken forgets the token, and what was asked or planned with it.
func (x *extraction) dropToken() {
	x.forget()
	browser.SetValue(tokenField, "")
	x.token, x.owner, x.client = codehost.Token{}, "", nil
	x.job, x.planned = nil, false
}

// badToken forgets a token that is none, and says so beside its field.
func (x *extraction) badToken(err error) {
	x.dropToken()
	x.refuse(map[string]string{tokenField: sentence(err)}, sourceOrder)
}

// checkToken finds out whose the token is and what is left of its quota.
func (x *extraction) checkToken(app.Context, app.Event) {
	x.readToken()
	if !x.token.Present() {
		x.refuse(map[string]string{tokenField: "Paste a token first."}, []string{tokenField})
		return
	}
	delete(x.wrong, tokenField)
	client, err := x.theClient()
	if err != nil {
		x.badToken(err)
		return
	}
	asked, request := x.ask("Asking whose the token is.")
	x.ctx.Async(func() {
		owner, err := client.Self(asked)
		quota, quotaErr := client.RateLimit(asked)
		x.ctx.Dispatch(func(app.Context) {
			switch {
			case x.request != request:
				return
			case errors.Is(err, codehost.ErrBadToken):
				x.badToken(err)
			case err != nil:
				x.status, x.problem = "", sentence(err)
			default:
				x.status = ""
				x.owner = "The token is " + owner.Login + "’s."
				if quotaErr == nil && quota.Known {
					x.owner += " " + quotaText(quota) + "."
				}
			}
		})
	})
}

// tokenPart is the token, how to make one, and whose it is.
func (x *extraction) tokenPart() app.UI {
	note := "Kept in this page’s memory only, and sent to the code host only. Without one: 60 requests an hour, and no addresses."
	held := []app.UI{
		plainButton("Check the token", x.checkToken).DataSet("starting", "The page is starting. Check again in a moment."),
	}
	if x.token.Present() {
		note = "A token is held in this page’s memory. Leave the field empty to use it."
		held = append(held, plainButton("Forget it", x.forgetToken))
	}
	return app.Div().Class("Form-part").Body(
		// Without a name it is no part of what a form says.
		field(x, tokenField, "Token", note,
			app.Input().ID(tokenField).Class("Field-input").Type("password").Attr("autocomplete", "off").Attr("autocapitalize", "off").Spellcheck(false)),
		app.Div().Class("Actions").Body(held...),
		app.P().Class("Token-owner").Role("status").Text(x.owner),
		app.Details().Class("More-fields").Body(
			app.Summary().Text("How to make one, without any permission"),
			app.Ol().Class("Guide").Body(
				app.Li().Text("Open GitHub’s settings: Developer settings, Personal access tokens, Fine-grained tokens, Generate new token."),
				app.Li().Text("Give it a name such as “prospects” and let it expire in seven days."),
				app.Li().Text("Repository access: Public repositories. Permissions: none. Public data needs none."),
				app.Li().Text("Generate it, copy it, paste it above. Delete it in the same place when you are done."),
			),
			app.P().Class("Soft").Text("A token without permissions reads what everybody can see, 5,000 times an hour. Only your own repositories’ stars and watchers need one of yours with access to them."),
		),
	)
}
