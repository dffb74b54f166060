//go:build !js

package main_test

import (
	"testing"
)

// The news are filtered by channel, country and skill, by the page's script alone
// and under the application; the address follows, and leads back to the same.
func TestFilterTheNews(t *testing.T) {
	s := theSite(t)
	const (
		shown  = `[...document.querySelectorAll(".Chapter .Fact")].filter(f => f.offsetParent)`
		places = `f.dataset.where.split(" ").includes("germany") && f.dataset.channel === "email"`
	)
	for name, query := range map[string]string{"script": "?wasm=false", "application": ""} {
		t.Run(name, func(t *testing.T) {
			b := open(t)
			b.visit(s.address + "news/" + query)
			if query == "" {
				b.run(`document.querySelector(".Header-find").focus()`) // a sign that more is wanted
				b.takenOver()
			}
			choose := func(list, value string) {
				b.run(`(s => { s.value = "` + value + `"; s.dispatchEvent(new Event("change", {bubbles: true})) })(document.getElementById("` + list + `"))`)
			}
			all := eval[float64](b, shown+".length")
			choose("where", "germany")
			choose("channel", "email")
			b.until("the address follows", `location.search.includes("channel=email") && location.search.includes("where=germany")`)
			if n := eval[float64](b, shown+".length"); n == 0 || n >= all || !eval[bool](b, shown+".every(f => "+places+")") {
				t.Errorf("of %v facts %v are shown", all, n)
			}
			if empty := eval[float64](b, `[...document.querySelectorAll(".Chapter")].filter(c => c.offsetParent && !c.querySelector(".Fact:not([hidden])")).length`); empty > 0 {
				t.Errorf("%v chapters have a heading and nothing else", empty)
			}
			found := eval[string](b, `document.getElementById("summary").innerText`)
			b.run(`location.reload()`)
			b.until("a reload shows the same", `document.getElementById("summary")?.innerText === "`+found+`" && document.getElementById("where").value === "germany"`)
		})
	}
}

// A skill's page leads to its own news, and each fact to its place there.
func TestFromASkillToItsNews(t *testing.T) {
	b := open(t)
	b.visit(theSite(t).address + "skills/sms/")
	b.takenOver()
	b.run(`document.querySelector('.Part a[href$="news/?skill=sms"]').click()`)
	b.until("the news of the skill show", `document.querySelector("h1")?.innerText === "What changed in marketing" && document.getElementById("skill")?.value === "sms"`)
	if others := eval[float64](b, `[...document.querySelectorAll(".Chapter .Fact")].filter(f => f.offsetParent && !f.dataset.skill.split(" ").includes("sms")).length`); others > 0 {
		t.Errorf("%v facts of other skills are shown", others)
	}
	b.run(`history.back()`)
	b.until("the skill is back", `document.querySelector("h1")?.innerText === "SMS & MMS"`)
	b.run(`document.querySelector('.Part .Fact a[href*="news/#"]').click()`)
	b.until("the fact is in view", `location.hash && document.querySelector(location.hash)?.matches(".Chapter .Fact") && Math.abs(document.querySelector(location.hash).getBoundingClientRect().top) < innerHeight`)
}
