package skill

import (
	"reflect"
	"testing"
)

func TestAnswered(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []AnsweredRequest
	}{
		{"two", "# Two\n\nWords.\n\n## Thin request\n\n> price?\n\nTen.\n\n### Why\n\n> quoted\n\n## Rich request\n\n> We sell\n>\n> - a\n\nNo.\n\n```\n## code\n```\n", []AnsweredRequest{
			{"Thin request", "price?", "Ten.\n\n### Why\n\n> quoted"},
			{"Rich request", "We sell\n\n- a", "No.\n\n```\n## code\n```"},
		}},
		{"no request", "# Two\n\n## Thin request\n\nTen.\n", nil},
		{"no answer", "# Two\n\n## Thin request\n\n> price?\n", nil},
		{"nothing", "", nil},
	} {
		s := &Skill{Texts: []Text{NewText(TwoAnswers, c.text, 1)}}
		if got := s.AnsweredRequests(); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
	if got := new(Skill).AnsweredRequests(); got != nil {
		t.Errorf("no file: got %q", got)
	}
}
