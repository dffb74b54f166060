package export

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"marketingskills/app/prospect"
)

// jsonObject writes one object, streamed: each record as it is found. A file that
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
//	            in UTC and left out where unknown; verification, if the email
//	            was checked: email_state, email_sub_state, did_you_mean,
//	            verified_at, source (verifier or free-checks). Then the array
//	            may lack people whose email was not chosen
//	counts      listed = kept + filtered + suppressed + failed, each by cause
//	            in filtered_by, suppressed_by, failed_by; duplicates; unreached
//	requests    sent by this run
//	rate_limit  limit, remaining, reset: the quota as last heard of, or null
//	complete    whether everybody was checked or the target reached
//	incomplete  null, or reason (quota, penalty, interrupted, network, host,
//	            token, restricted, list-limit, paging, output, error), message,
//	            retry_at, resumable
//	started_at, finished_at
type jsonObject struct {
	w       io.Writer
	query   prospect.Query
	between string // what stands before the next record; empty: nothing was written
}

func (j *jsonObject) start() error {
	if j.between != "" {
		return nil
	}
	j.between = "\n"
	return j.put(`{"format":"prospects","version":1,`+"\n\"query\":", j.query, ",\n\"users\":[")
}

func (j *jsonObject) Write(r prospect.Record) error {
	if err := j.start(); err != nil {
		return err
	}
	err := j.put(j.between, r, "")
	j.between = ",\n"
	return err
}

func (j *jsonObject) Close(r prospect.Report) error {
	if err := j.start(); err != nil {
		return err
	}
	r.Started, r.Finished = r.Started.UTC().Truncate(time.Second), r.Finished.UTC().Truncate(time.Second)
	end, err := json.Marshal(r)
	if err == nil {
		_, err = io.WriteString(j.w, "],\n"+strings.TrimPrefix(string(end), "{")+"\n")
	}
	return err
}

func (j *jsonObject) put(before string, value any, after string) error {
	encoded, err := json.Marshal(value)
	if err == nil {
		_, err = io.WriteString(j.w, before+string(encoded)+after)
	}
	return err
}

// About writes the object of the JSON format without people: what a CSV file has no
// place for (purpose, lawful basis, countries, counts, completeness), to be
// kept beside it.
func About(w io.Writer, r prospect.Report) error { return (&jsonObject{w: w, query: r.Query}).Close(r) }
