package skill

import (
	"strings"

	"marketingskills/app/collection/markdown"
)

// TwoAnswers is the reference with two requests and what an agent with the
// skill answered.
const TwoAnswers = "references/two-answers.md"

// AnsweredRequest is a request and its answer. Both are Markdown.
type AnsweredRequest struct {
	// Heading is that of the section, "Thin request" or "Rich request".
	Heading         string
	Request, Answer string
}

// AnsweredRequests returns what [TwoAnswers] holds, in its order. A section that
// does not begin with a quotation, the request, is left out.
func (s *Skill) AnsweredRequests() []AnsweredRequest {
	t, ok := s.Text(TwoAnswers)
	if !ok {
		return nil
	}
	var all []AnsweredRequest
	lines := strings.Split(t.Body, "\n")
	from := 0
	for _, h := range append(t.Doc.Headings, markdown.Heading{Level: 2, Line: len(lines) + 1}) {
		if h.Level != 2 {
			continue
		}
		if from > 0 {
			heading := strings.TrimSpace(strings.TrimLeft(lines[from-1], "# "))
			if a, ok := cutQuotation(lines[from : h.Line-1]); ok {
				a.Heading = heading
				all = append(all, a)
			}
		}
		from = h.Line
	}
	return all
}

// cutQuotation cuts a section into the quotation it begins with and the rest; ok
// is false if one of them is empty.
func cutQuotation(lines []string) (a AnsweredRequest, ok bool) {
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	n := 0
	var request strings.Builder
	for n < len(lines) && strings.HasPrefix(lines[n], ">") {
		request.WriteString(strings.TrimPrefix(strings.TrimPrefix(lines[n], ">"), " ") + "\n")
		n++
	}
	a.Request = strings.TrimSpace(request.String())
	a.Answer = strings.TrimSpace(strings.Join(lines[n:], "\n"))
	return a, a.Request != "" && a.Answer != ""
}
