package fakehost

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

func (h *Host) list(r *http.Request, kind string) reply {
	if kind == "stargazers" || kind == "subscribers" {
		switch h.Restriction {
		case RestrictedUnauthorized:
			return refusal(http.StatusUnauthorized, "Requires authentication")
		case RestrictedForbidden:
			rep := refusal(http.StatusForbidden, "Resource not accessible by personal access token")
			rep.header = map[string]string{"X-Accepted-Github-Permissions": "metadata=read; contents=write"}
			return rep
		case RestrictedNotFound:
			return refusal(http.StatusNotFound, "Not Found")
		case RestrictedEmpty:
			return reply{status: 200, body: []any{}}
		}
	}
	people, query := h.People, r.URL.Query()
	size, _ := strconv.Atoi(query.Get("per_page"))
	size = min(max(cmp.Or(size, 100), 1), 100)
	page, _ := strconv.Atoi(query.Get("page"))
	page = max(page, 1)
	limit := cmp.Or(h.PageLimit, 400)
	if page > limit {
		return refusal(http.StatusUnprocessableEntity, "In order to keep the API fast for everyone, pagination is limited for this resource.")
	}
	if kind == "contributors" && len(people) == 0 {
		return reply{status: http.StatusNoContent}
	}
	step := max(size-h.Drift, 1)
	start := min((page-1)*step, len(people))
	end := min(start+size, len(people))
	entries := make([]any, 0, size)
	for i, p := range people[start:end] {
		entries = append(entries, p.entry(r, kind, start+i))
	}
	rep := reply{status: 200, body: entries}
	if link := h.link(r, kind, page, size, end < len(people), 1+(max(len(people)-size, 0)+step-1)/step); link != "" {
		rep.header = map[string]string{"Link": link}
	}
	return rep
}

func (h *Host) link(r *http.Request, kind string, page, size int, more bool, last int) string {
	base := "/repos/" + name + "/" + kind
	if h.NumericLinks {
		base = "/repositories/1/" + kind
	}
	at := func(page int, rel string) string {
		return fmt.Sprintf(`<%s>; rel="%s"`, h.url(r, "%s?per_page=%d&page=%d", base, size, page), rel)
	}
	var links []string
	if page > 1 {
		links = append(links, at(page-1, "prev"))
	}
	switch {
	case more && h.ForeignLink:
		links = append(links, `<https://evil.codehost.example/repos/o/r/forks?page=2>; rel="next"`)
	case more && h.LoopingLink && page == 2:
		links = append(links, fmt.Sprintf(`<%s>; rel="next"`, h.url(r, "%s?per_page=%d&page=%d", base, size, 2)))
	case more:
		links = append(links, at(page+1, "next"), at(min(last, cmp.Or(h.PageLimit, 400)), "last"))
	}
	if page > 1 {
		links = append(links, at(1, "first"))
	}
	return strings.Join(links, ", ")
}
