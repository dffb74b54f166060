package fakehost

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Account is a person or an organisation of the host. Empty fields are null
// in answers.
type Account struct {
	Login, Name, Company, Email, Blog, Location, Bio, Twitter string

	Type      string // User if empty
	Gone      bool   // listings show null, the profile answers 404
	Deleted   bool   // still listed; the profile answers 404
	StarredAt time.Time

	URL              string // of the profile; if empty, one at codehost.test
	Repos, Followers int
	CreatedAt        time.Time // if unknown it is 1 April 2015, with 3 repositories and 12 followers
}

// Crowd is n ordinary people: every 5th shows an address, every 3rd a
// company, every 4th a website, every 10th is an organisation. The first
// starred on 1 January 2026, each next an hour later.
func Crowd(n int) []Account {
	people := make([]Account, n)
	for i := range people {
		a := Account{Login: fmt.Sprintf("person-%05d", i), Name: fmt.Sprintf("Person Number %d", i), Location: "Lisbon",
			StarredAt: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)}
		if i%5 == 4 {
			a.Email = fmt.Sprintf("p%d@mail.example", i)
		}
		if i%3 == 2 {
			a.Company = "@acme"
		}
		if i%4 == 3 {
			a.Blog = fmt.Sprintf("https://p%d.example", i)
		}
		if i%10 == 9 {
			a.Type = "Organization"
		}
		people[i] = a
	}
	return people
}

// Hostile are people whose profiles attack whoever shows or opens them.
func Hostile() []Account {
	long := strings.Repeat("0123456789abcdef", 64<<10/16)
	people := []Account{
		{Name: `=cmd|' /C calc'!A0`, Company: "@acme", Bio: "+1+1"},
		{Name: `-2+3+cmd|' /C calc'!A0`, Company: "\t=1+1", Bio: "\r=1+1"},
		{Name: "\uff1d1+1", Company: "\uff0b1", Bio: "\uff0d1", Location: "\uff20SUM(1)"},
		{Name: `Jo "the" Quote`, Company: `a,b;c`, Bio: "two\r\nlines\nand\rthree", Location: " =1+1"},
		{Name: "\u202egnp.exe", Company: "\u2066x\u2069", Bio: "\u200f=1+1", Location: "\ufeff=1"},
		{Name: "<script>alert(1)</script>", Company: "<img src=x onerror=alert(1)>", Blog: "javascript:alert(1)"},
		{Name: "\x1b]0;owned\x07\x1b[31mred", Company: "nul\x00l", Bio: "\x1b[2J\x9b31m"},
		{Name: "Long Bio", Bio: long},
		{Name: "=" + long},
		{Name: "@SUM(1+1)*cmd|' /C calc'!A0", Twitter: "=x", Email: "=1+1@mail.example"},
		{Login: "dependabot[bot]", Name: "A Bot", Type: "Bot"},
		{Gone: true},
		{Name: "Was Here", Deleted: true},
		{Name: "Zoë 日本 👩‍💻", Company: "@acme, @beta", Email: "zoe@mail.example", Blog: "zoe.example"},
	}
	for i := range people {
		if people[i].Login == "" && !people[i].Gone {
			people[i].Login = fmt.Sprintf("hostile-%d", i)
		}
		people[i].StarredAt = time.Date(2026, 2, 1, i, 0, 0, 0, time.UTC)
	}
	return people
}

func (a Account) simple() map[string]any {
	if a.Gone {
		return nil
	}
	return map[string]any{"login": a.Login, "id": 7, "avatar_url": "https://avatars.codehost.test/u/7", "type": cmp.Or(a.Type, "User"),
		"html_url": cmp.Or(a.URL, "https://codehost.test/"+url.PathEscape(a.Login)), "site_admin": false}
}

func (a Account) entry(r *http.Request, kind string, place int) any {
	var user any // null
	if simple := a.simple(); simple != nil {
		simple["contributions"] = 1 + 400/(place+1)
		user = simple
	}
	switch {
	case kind == "forks":
		return map[string]any{"id": 100 + place, "full_name": a.Login + "/tool", "owner": user, "fork": true}
	case kind == "stargazers" && strings.Contains(r.Header.Get("Accept"), "star+json"):
		return map[string]any{"starred_at": a.StarredAt.UTC().Format(time.RFC3339), "user": user}
	}
	return user
}

// find is the answer to /users/{login}.
func (h *Host) find(login string, known bool) reply {
	if h.byLogin == nil {
		h.byLogin = map[string]int{}
		for i, a := range h.People {
			h.byLogin[strings.ToLower(a.Login)] = i
		}
	}
	if i, ok := h.byLogin[strings.ToLower(login)]; ok && login != "" && !h.People[i].Deleted {
		return h.People[i].profile(known)
	}
	return refusal(http.StatusNotFound, "Not Found")
}

// profile shows the address to those who have a token only.
func (a Account) profile(known bool) reply {
	if a.CreatedAt.IsZero() {
		a.Repos, a.Followers, a.CreatedAt = 3, 12, time.Date(2015, 4, 1, 10, 0, 0, 0, time.UTC)
	}
	body := a.simple()
	if !known {
		a.Email = ""
	}
	for key, value := range map[string]string{"name": a.Name, "company": a.Company, "email": a.Email,
		"location": a.Location, "bio": a.Bio, "twitter_username": a.Twitter} {
		body[key] = nil
		if value != "" {
			body[key] = value
		}
	}
	body["blog"], body["public_repos"], body["followers"], body["created_at"] = a.Blog, a.Repos, a.Followers, a.CreatedAt
	return reply{status: 200, body: body}
}
