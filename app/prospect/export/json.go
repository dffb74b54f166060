package export

import (
	"encoding/json"
	"io"
	"time"

	"marketingskills/app/prospect"
)

// JSON writes one object, streamed: each record as it is found. A file that
// was cut off is no valid JSON, so that it cannot pass for a whole one. The
// fields, in order:
//
//	format      "prospects"
//	version     1
//	query       the settings: source, repo ("owner/name"), enrich,
//	            with_email, with_company, with_blog, type, starred_since,
//	            target, limit, purpose, lawful_basis, countries (array of
//	            names; those of the people to be reached)
//	users       array of matches, in the order of the listing; the fields
//	            are those of the CSV, see [prospect.Record]; public_repos and followers
//	            are null where the profile was not fetched, times are RFC 3339
//	            in UTC and left out where unknown
//	counts      listed = kept + filtered + suppressed + failed, each by cause
//	            in filtered_by, suppressed_by, failed_by; duplicates; unreached
//	requests    sent by this run
//	rate_limit  limit, remaining, reset: the quota as last heard of, or null
//	complete    whether everybody was checked or the target reached
//	incomplete  null, or reason (quota, penalty, interrupted, network, host,
//	            token, restricted, list-limit, paging, output, error), message,
//	            retry_at, resumable
//	started_at, finished_at
type JSON struct {
	w       io.Writer
	query   prospect.Query
	started bool
	any     bool
	err     error
}

// NewJSON starts an object.
func NewJSON(w io.Writer, q prospect.Query) *JSON { return &JSON{w: w, query: q} }

func (j *JSON) put(text string, value any) {
	if j.err != nil {
		return
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		j.err = err
		return
	}
	_, j.err = io.WriteString(j.w, text+string(encoded))
}

func (j *JSON) start() {
	if !j.started {
		j.started = true
		j.put(`{"format":`, "prospects")
		j.put(`,"version":`, 1)
		j.put(",\n\"query\":", j.query)
		if j.err == nil {
			_, j.err = io.WriteString(j.w, ",\n\"users\":[")
		}
	}
}

// Write appends a record.
func (j *JSON) Write(r prospect.Record) error {
	j.start()
	separator := "\n"
	if j.any {
		separator = ",\n"
	}
	j.any = true
	j.put(separator, r)
	return j.err
}

// Close ends the object with what is known at the end.
func (j *JSON) Close(r prospect.Report) error {
	j.start()
	j.put("],\n\"counts\":", r.Counts)
	j.put(",\n\"requests\":", r.Requests)
	j.put(",\n\"rate_limit\":", r.Quota)
	j.put(",\n\"complete\":", r.Complete)
	j.put(",\n\"incomplete\":", r.Stop)
	j.put(",\n\"started_at\":", r.Started.UTC().Truncate(time.Second))
	j.put(",\n\"finished_at\":", r.Finished.UTC().Truncate(time.Second))
	if j.err == nil {
		_, j.err = io.WriteString(j.w, "}\n")
	}
	return j.err
}

// Writer is what the two formats have in common.
type Writer interface {
	Write(prospect.Record) error
	Close(prospect.Report) error
}

var _, _ Writer = (*CSV)(nil), (*JSON)(nil)

// About writes the object of [JSON] without people: what a CSV file has no
// place for (purpose, lawful basis, countries, counts, completeness), to be
// kept beside it.
func About(w io.Writer, r prospect.Report) error { return NewJSON(w, r.Query).Close(r) }
