package example

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/text"
)

// SMS is the text message of an example. Sizes are counted, not taken from what
// the example states.
type SMS struct {
	// Text is the message as written, with its merge fields.
	Text string
	// Message is Text with the sample values filled in, as one person receives it.
	// Message, Size and Worst are zero when a merge line is missing or the message
	// has more parts than a phone can join.
	Message string
	// Size is that of Message; its String is the caption of the example.
	Size Size
	// Worst is the size with the longest values filled in, which is Size when
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

// smsKeys are the keys of the lines after a message, in their order. Each has one
// line, merge one for each merge field; optionalKeys are there only if the message
// has merge fields.
var (
	smsKeys      = []string{"encoding", "length", "segments", "merge", "worst-length", "worst-segments", "consent", "quiet-hours"}
	optionalKeys = []string{"merge", "worst-length", "worst-segments"}
)

// statement is the value of a line after the message.
type statement struct {
	line  int
	value string
}

// smsReader reads an example of a text message.
type smsReader struct {
	block      *block
	sms        SMS
	end        int                  // the line ---
	statements map[string]statement // what is stated, by key; merge lines are in Merges
	fields     []Merge              // the merge fields of the message, by name and line
	samples    map[string]string
	longest    map[string]string
}

// ParseSMS reads an example of kind sms, adds what is wrong with it to into, and
// returns what could be read. The arguments are those of [Check].
func ParseSMS(body string, firstLine int, into *finding.List) SMS {
	r := smsReader{
		block:      newBlock(body, firstLine, into),
		statements: map[string]statement{}, samples: map[string]string{}, longest: map[string]string{},
	}
	defer r.block.report()
	r.end = slices.Index(r.block.lines, "---")
	if r.end < 0 {
		r.block.errorf(r.block.lastIndex(), "sms-order", "end the message with a line ---", "no line --- after the message")
		return r.sms
	}
	r.sms.Text = strings.Join(r.block.lines[:r.end], "\n")
	if strings.TrimSpace(r.sms.Text) == "" {
		r.block.errorf(0, "sms-message", "write the message, then a line ---", "the message is empty")
	}
	r.readStatements()
	r.readFields()
	r.checkWorstLines()
	if r.matchMerges() {
		r.checkSizes()
	}
	r.sms.Consent = r.oneOf("consent", "sms-consent", "marketing", "informational", "none")
	r.sms.QuietHours = r.oneOf("quiet-hours", "sms-quiet-hours", "hold", "exempt")
	return r.sms
}

// readStatements reads the key: value lines.
func (r *smsReader) readStatements() {
	keys := strings.Join(smsKeys, ", ")
	furthest := 0
	for i := r.end + 1; i < len(r.block.lines); i++ {
		key, value, ok := strings.Cut(r.block.lines[i], ": ")
		place := slices.Index(smsKeys, key)
		if !ok || place < 0 {
			r.block.errorf(i, "sms-line", "write key: value, with a key of "+keys,
				"%s is not one of the lines that follow a message", text.Quote(r.block.lines[i]))
			continue
		}
		_, twice := r.statements[key]
		switch {
		case place < furthest:
			r.block.errorf(i, "sms-order", "keep to the order "+keys, "%s stands after %s", key, smsKeys[furthest])
		case twice:
			r.block.errorf(i, "sms-order", "keep to the order "+keys, "%s is given twice", key)
		}
		furthest = max(furthest, place)
		n := statement{i, strings.TrimSpace(value)}
		if key == "merge" {
			r.readMerge(n)
		} else if !twice {
			r.statements[key] = n
		}
	}
	for _, key := range smsKeys {
		if _, given := r.statements[key]; !given && !slices.Contains(optionalKeys, key) {
			r.block.errorf(r.end, "sms-order", "add it, in the order "+keys, "the line %s: is missing", key)
		}
	}
}

func (r *smsReader) readMerge(n statement) {
	name, values, ok := strings.Cut(n.value, "=")
	name = strings.TrimSpace(name)
	if !ok || !slices.Equal(mergeFieldsOf("{"+name+"}"), []string{name}) || strings.Count(values, "|") != 1 {
		r.block.errorf(n.line, "sms-merge", "write merge: field = sample | longest value",
			"%s does not name a field and two values", text.Quote(n.value))
		return
	}
	sample, longest, _ := strings.Cut(values, "|")
	m := Merge{name, strings.TrimSpace(sample), strings.TrimSpace(longest), n.line}
	if m.Sample == "" || m.Longest == "" {
		r.block.errorf(n.line, "sms-merge", "give a sample and the longest value you allow",
			"a value of {%s} is empty", name)
	}
	r.sms.Merges = append(r.sms.Merges, m)
}

// readFields collects the merge fields of the message and warns of braces
// that look like one that went wrong.
func (r *smsReader) readFields() {
	met := map[string]bool{}
	for i, line := range r.block.lines[:r.end] {
		for _, name := range mergeFieldsOf(line) {
			if !met[name] {
				met[name] = true
				r.fields = append(r.fields, Merge{Field: name, line: i})
			}
		}
		if strings.ContainsAny(mergeField.ReplaceAllString(line, ""), "{}") {
			r.block.warnf(i, "sms-merge", "write merge fields as {lower_snake}", "a brace that is sent as it stands, at 2 septets")
		}
	}
}

// checkWorstLines asks for the lines on the worst case if the message has merge
// fields, and only then.
func (r *smsReader) checkWorstLines() {
	for _, key := range []string{"worst-length", "worst-segments"} {
		n, given := r.statements[key]
		switch {
		case len(r.fields) > 0 && !given:
			r.block.errorf(r.end, "sms-order", "state the worst case of a message with merge fields", "the line %s: is missing", key)
		case len(r.fields) == 0 && given:
			r.block.errorf(n.line, "sms-order", "drop the line", "%s: is stated, and there is no merge field", key)
		}
	}
}

// matchMerges matches merge fields and merge lines, and tells whether every field
// has its values.
func (r *smsReader) matchMerges() (complete bool) {
	used := map[string]bool{}
	for _, f := range r.fields {
		used[f.Field] = true
	}
	for _, m := range r.sms.Merges {
		_, twice := r.samples[m.Field]
		switch {
		case twice:
			r.block.errorf(m.line, "sms-merge", "keep one line for each field", "a second merge line for {%s}", m.Field)
			continue
		case !used[m.Field]:
			r.block.errorf(m.line, "sms-merge", "use the field or drop the line", "the message has no field {%s}", m.Field)
		}
		r.samples[m.Field], r.longest[m.Field] = m.Sample, m.Longest
	}
	complete = true
	for _, f := range r.fields {
		if _, ok := r.samples[f.Field]; !ok {
			complete = false
			r.block.errorf(f.line, "sms-merge", "add a line merge: field = sample | longest value",
				"the field {%s} has no merge line", f.Field)
		}
	}
	return complete
}

// checkSizes counts the message with its values and compares the result with what
// the example states.
func (r *smsReader) checkSizes() {
	message, fits := fillIn(r.sms.Text, r.samples)
	worst, worstFits := fillIn(r.sms.Text, r.longest)
	if !fits || !worstFits || SizeOf(message).Segments > maxParts || SizeOf(worst).Segments > maxParts {
		r.block.errorf(0, "sms-length", fmt.Sprintf("stay within %d segments", maxParts),
			"the message is longer than a phone can join")
		return
	}
	r.sms.Message, r.sms.Size, r.sms.Worst = message, SizeOf(message), SizeOf(worst)
	if n, given := r.statements["encoding"]; given && n.value != string(r.sms.Size.Encoding) {
		r.block.errorf(n.line, "sms-encoding", fmt.Sprintf("write %s, or change the message", r.sms.Size.Encoding),
			"encoding: %s is stated, but %s", text.Quote(n.value), encodingReason(message))
	}
	r.checkNumber("length", "sms-length", r.sms.Size.Units)
	r.checkNumber("segments", "sms-segments", r.sms.Size.Segments)
	if len(r.fields) == 0 {
		return
	}
	r.checkNumber("worst-length", "sms-worst", r.sms.Worst.Units)
	r.checkNumber("worst-segments", "sms-worst", r.sms.Worst.Segments)
	for _, m := range r.sms.Merges {
		r.checkWorstCase(m)
	}
}

// checkWorstCase checks that the longest value of a field is longer than its
// sample, in the same encoding.
func (r *smsReader) checkWorstCase(m Merge) {
	encoding := r.sms.Size.Encoding
	_, sampleForeign := notInGSM7(m.Sample)
	_, longestForeign := notInGSM7(m.Longest)
	switch {
	case encoding != r.sms.Worst.Encoding && sampleForeign != longestForeign:
		r.block.errorf(m.line, "sms-encoding", "choose values that need the same encoding",
			"the message is %s with the sample of {%s} and %s with its longest value",
			encoding, m.Field, r.sms.Worst.Encoding)
	case encoding == r.sms.Worst.Encoding && countUnits(m.Longest, encoding) < countUnits(m.Sample, encoding):
		r.block.errorf(m.line, "sms-merge", "give the longest value you allow",
			"the sample of {%s} is longer than its longest value", m.Field)
	}
}

// encodingReason says why a message has its encoding.
func encodingReason(message string) string {
	if r, foreign := notInGSM7(message); foreign {
		return fmt.Sprintf("%q (U+%04X) is not in the GSM-7 alphabet", r, r)
	}
	return "every character is in the GSM-7 alphabet"
}

// checkNumber compares a stated number, as it is spelt, with the true one.
func (r *smsReader) checkNumber(key string, rule finding.Rule, want int) {
	if n, given := r.statements[key]; given && n.value != strconv.Itoa(want) {
		r.block.errorf(n.line, rule, fmt.Sprintf("write %d", want), "%s: %s is stated", key, text.Quote(n.value))
	}
}

// oneOf returns the value of key if it is one of those allowed.
func (r *smsReader) oneOf(key string, rule finding.Rule, allowed ...string) string {
	n, given := r.statements[key]
	if given && !slices.Contains(allowed, n.value) {
		r.block.errorf(n.line, rule, "write one of "+strings.Join(allowed, ", "), "%s: %s is stated", key, text.Quote(n.value))
		return ""
	}
	return n.value
}
