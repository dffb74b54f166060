package example

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// SMS is a text message as an example shows it. Sizes are counted here, never
// taken from what the example states.
type SMS struct {
	// Text is the message as written, with its merge fields.
	Text string
	// Message is Text with the samples filled in, as one person receives it.
	// It, Size and Worst are zero when a merge line is missing or the message
	// is longer than a phone can join.
	Message string
	// Size is that of Message; its String is the caption of the example.
	Size Size
	// Worst is the size with the longest values filled in: Size itself when
	// there are no merge fields.
	Worst Size
	// Merges has one entry for each merge line, in their order.
	Merges []Merge
	// Consent is marketing, informational or none (no prior consent needed).
	Consent string
	// QuietHours is hold (wait for the morning) or exempt (send at once).
	QuietHours string
}

// Merge is a merge field, {lower_snake} in the message, and its values.
type Merge struct {
	Field, Sample, Longest string

	line int
}

// smsKeys are the lines after a message, in their order, each once but merge.
// Those of optionalKeys come with merge fields only.
var (
	smsKeys      = []string{"encoding", "length", "segments", "merge", "worst-length", "worst-segments", "consent", "quiet-hours"}
	optionalKeys = []string{"merge", "worst-length", "worst-segments"}
)

// note is a value from the lines after the message.
type note struct {
	line  int
	value string
}

// smsReader is an SMS in the making.
type smsReader struct {
	*block
	SMS
	end     int             // the line ---
	notes   map[string]note // what is stated, by key; merge lines are in Merges
	fields  []Merge         // the merge fields of the message, by name and line
	samples map[string]string
	longest map[string]string
}

// ParseSMS reads an example of kind sms and adds what is wrong with it to
// into. It returns what could be read, whatever was wrong. The arguments are
// those of [Check].
func ParseSMS(body string, firstLine int, into *finding.List) SMS {
	r := smsReader{
		block: newBlock(body, firstLine, into),
		notes: map[string]note{}, samples: map[string]string{}, longest: map[string]string{},
	}
	defer r.close()
	r.end = slices.Index(r.lines, "---")
	if r.end < 0 {
		r.errorf(r.last(), "sms-order", "end the message with a line ---", "no line --- after the message")
		return r.SMS
	}
	r.Text = strings.Join(r.lines[:r.end], "\n")
	if strings.TrimSpace(r.Text) == "" {
		r.errorf(0, "sms-message", "write the message, then a line ---", "the message is empty")
	}
	r.readNotes()
	r.readFields()
	r.checkWorstLines()
	if r.matchMerges() {
		r.checkSizes()
	}
	r.Consent = r.oneOf("consent", "sms-consent", "marketing", "informational", "none")
	r.QuietHours = r.oneOf("quiet-hours", "sms-quiet-hours", "hold", "exempt")
	return r.SMS
}

// readNotes reads the key: value lines.
func (r *smsReader) readNotes() {
	keys := strings.Join(smsKeys, ", ")
	furthest := 0
	for i := r.end + 1; i < len(r.lines); i++ {
		key, value, ok := strings.Cut(r.lines[i], ": ")
		place := slices.Index(smsKeys, key)
		if !ok || place < 0 {
			r.errorf(i, "sms-line", "write key: value, with a key of "+keys,
				"%s is not one of the lines that follow a message", text.Quote(r.lines[i]))
			continue
		}
		_, twice := r.notes[key]
		switch {
		case place < furthest:
			r.errorf(i, "sms-order", "keep to the order "+keys, "%s stands after %s", key, smsKeys[furthest])
		case twice:
			r.errorf(i, "sms-order", "keep to the order "+keys, "%s is given twice", key)
		}
		furthest = max(furthest, place)
		n := note{i, strings.TrimSpace(value)}
		if key == "merge" {
			r.readMerge(n)
		} else if !twice {
			r.notes[key] = n
		}
	}
	for _, key := range smsKeys {
		if _, given := r.notes[key]; !given && !slices.Contains(optionalKeys, key) {
			r.errorf(r.end, "sms-order", "add it, in the order "+keys, "the line %s: is missing", key)
		}
	}
}

func (r *smsReader) readMerge(n note) {
	name, values, ok := strings.Cut(n.value, "=")
	name = strings.TrimSpace(name)
	if !ok || !slices.Equal(fieldsOf("{"+name+"}"), []string{name}) || strings.Count(values, "|") != 1 {
		r.errorf(n.line, "sms-merge", "write merge: field = sample | longest value",
			"%s does not name a field and two values", text.Quote(n.value))
		return
	}
	sample, longest, _ := strings.Cut(values, "|")
	m := Merge{name, strings.TrimSpace(sample), strings.TrimSpace(longest), n.line}
	if m.Sample == "" || m.Longest == "" {
		r.errorf(n.line, "sms-merge", "give a sample and the longest value you allow",
			"a value of {%s} is empty", name)
	}
	r.Merges = append(r.Merges, m)
}

// readFields collects the merge fields of the message and warns of braces
// that look like one that went wrong.
func (r *smsReader) readFields() {
	met := map[string]bool{}
	for i, line := range r.lines[:r.end] {
		for _, name := range fieldsOf(line) {
			if !met[name] {
				met[name] = true
				r.fields = append(r.fields, Merge{Field: name, line: i})
			}
		}
		if strings.ContainsAny(field.ReplaceAllString(line, ""), "{}") {
			r.warnf(i, "sms-merge", "write merge fields as {lower_snake}", "a brace that is sent as it stands, at 2 septets")
		}
	}
}

// checkWorstLines demands the worst case exactly when there are merge fields.
func (r *smsReader) checkWorstLines() {
	for _, key := range []string{"worst-length", "worst-segments"} {
		n, given := r.notes[key]
		switch {
		case len(r.fields) > 0 && !given:
			r.errorf(r.end, "sms-order", "state the worst case of a message with merge fields", "the line %s: is missing", key)
		case len(r.fields) == 0 && given:
			r.errorf(n.line, "sms-order", "drop the line", "%s: is stated, and there is no merge field", key)
		}
	}
}

// matchMerges pairs fields and merge lines, and returns whether every field
// has its values.
func (r *smsReader) matchMerges() (complete bool) {
	used := map[string]bool{}
	for _, f := range r.fields {
		used[f.Field] = true
	}
	for _, m := range r.Merges {
		_, twice := r.samples[m.Field]
		switch {
		case twice:
			r.errorf(m.line, "sms-merge", "keep one line for each field", "a second merge line for {%s}", m.Field)
			continue
		case !used[m.Field]:
			r.errorf(m.line, "sms-merge", "use the field or drop the line", "the message has no field {%s}", m.Field)
		}
		r.samples[m.Field], r.longest[m.Field] = m.Sample, m.Longest
	}
	complete = true
	for _, f := range r.fields {
		if _, ok := r.samples[f.Field]; !ok {
			complete = false
			r.errorf(f.line, "sms-merge", "add a line merge: field = sample | longest value",
				"the field {%s} has no merge line", f.Field)
		}
	}
	return complete
}

// checkSizes fills in the values and compares what the example states.
func (r *smsReader) checkSizes() {
	message, fits := fill(r.Text, r.samples)
	worst, worstFits := fill(r.Text, r.longest)
	if !fits || !worstFits || SizeOf(message).Segments > maxParts || SizeOf(worst).Segments > maxParts {
		r.errorf(0, "sms-length", fmt.Sprintf("stay within %d segments", maxParts),
			"the message is longer than a phone can join")
		return
	}
	r.Message, r.Size, r.Worst = message, SizeOf(message), SizeOf(worst)
	if n, given := r.notes["encoding"]; given && n.value != string(r.Size.Encoding) {
		r.errorf(n.line, "sms-encoding", fmt.Sprintf("write %s, or change the message", r.Size.Encoding),
			"encoding: %s is stated, but %s", text.Quote(n.value), because(message))
	}
	r.number("length", "sms-length", r.Size.Units)
	r.number("segments", "sms-segments", r.Size.Segments)
	if len(r.fields) == 0 {
		return
	}
	r.number("worst-length", "sms-worst", r.Worst.Units)
	r.number("worst-segments", "sms-worst", r.Worst.Segments)
	for _, m := range r.Merges {
		r.checkWorstCase(m)
	}
}

// checkWorstCase asks whether the longest value of a field is one.
func (r *smsReader) checkWorstCase(m Merge) {
	encoding := r.Size.Encoding
	_, sampleForeign := beyondGSM7(m.Sample)
	_, longestForeign := beyondGSM7(m.Longest)
	switch {
	case encoding != r.Worst.Encoding && sampleForeign != longestForeign:
		r.errorf(m.line, "sms-encoding", "choose values that need the same encoding",
			"the message is %s with the sample of {%s} and %s with its longest value",
			encoding, m.Field, r.Worst.Encoding)
	case encoding == r.Worst.Encoding && count(m.Longest, encoding) < count(m.Sample, encoding):
		r.errorf(m.line, "sms-merge", "give the longest value you allow",
			"the sample of {%s} is longer than its longest value", m.Field)
	}
}

// because says what decides the encoding of a message.
func because(message string) string {
	if r, foreign := beyondGSM7(message); foreign {
		return fmt.Sprintf("%q (U+%04X) is not in the GSM-7 alphabet", r, r)
	}
	return "every character is in the GSM-7 alphabet"
}

// number compares a stated number, as it is spelt, with the true one.
func (r *smsReader) number(key string, rule finding.Rule, want int) {
	if n, given := r.notes[key]; given && n.value != strconv.Itoa(want) {
		r.errorf(n.line, rule, fmt.Sprintf("write %d", want), "%s: %s is stated", key, text.Quote(n.value))
	}
}

// oneOf returns the value of key if it is one of those allowed.
func (r *smsReader) oneOf(key string, rule finding.Rule, allowed ...string) string {
	n, given := r.notes[key]
	if given && !slices.Contains(allowed, n.value) {
		r.errorf(n.line, rule, "write one of "+strings.Join(allowed, ", "), "%s: %s is stated", key, text.Quote(n.value))
		return ""
	}
	return n.value
}
