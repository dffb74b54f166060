package main

import (
	"fmt"
	"path/filepath"
	"slices"

	"marketingskills/app/text"
	"marketingskills/app/upgrade"
	planning "marketingskills/app/upgrade/plan"
)

// check reports, with a plan for everything that needs attention and may be
// changed.
func (c *command) check() error {
	s, err := c.inspect()
	if err != nil {
		return err
	}
	p, err := s.plan(false)
	if err != nil {
		return err
	}
	fixes, err := s.plan(true)
	if err != nil {
		return err
	}
	if err := c.print(func(out *printer) { out.report(s, p, len(fixes.Moves())) }); err != nil {
		return err
	}
	if err := s.writeJSON(p, nil); err != nil {
		return err
	}
	return s.verdict()
}

// verdict is what the exit status says. A place that could not be read is not
// clean.
func (s *state) verdict() error {
	if s.report.Attention > 0 || slices.ContainsFunc(s.report.Places, func(p upgrade.PlaceSummary) bool { return p.Problem != "" }) {
		return errFindings
	}
	return nil
}

// plan plans for everything that needs attention, or only for what is safe to
// change.
func (s *state) plan(safeOnly bool) (planning.Plan, error) {
	collection := s.command.source.collection
	o := planning.Options{SafeOnly: safeOnly, Here: filepath.Base(s.command.dir), Time: s.command.now, Untouched: map[string]string{}}
	if collection != nil {
		o.Source.Dir = collection.label
	}
	for _, place := range s.places {
		o.Untouched[place.label] = place.untouched
		if collection != nil && sameFile(place.real, collection.skill("")) {
			return planning.Plan{}, fmt.Errorf("%s is the collection to install from; nothing is installed into itself", text.Name(place.label))
		}
	}
	p, err := planning.New(s.report, o)
	if err == nil {
		err = s.checkSource(p)
	}
	return p, err
}

// checkSource makes sure that all that is to be installed is there.
func (s *state) checkSource(p planning.Plan) error {
	for _, step := range p.Steps {
		if step.Action == planning.Fetch {
			row, _ := s.command.source.manifest.Row(step.Skill)
			if err := s.command.source.collection.check(step.Skill, row.Version); err != nil {
				return err
			}
		}
	}
	return nil
}

// placeOf finds a place, which all rows have one of.
func (s *state) placeOf(label string) place {
	return s.places[slices.IndexFunc(s.places, func(p place) bool { return p.label == label })]
}

// fixed is what --fix did, for JSON.
type fixed struct {
	DryRun bool            `json:"dry_run"`
	Done   []planning.Step `json:"done"`
	// Undo is the command that takes it back; empty when nothing was done.
	Undo string `json:"undo"`
	// After is the report afterwards.
	After upgrade.Report `json:"after"`
}

// writeJSON writes the only object that --json prints.
func (s *state) writeJSON(p planning.Plan, f *fixed) error {
	if !s.command.options.json {
		return nil
	}
	type manifest struct {
		Source  string `json:"source"`
		Release string `json:"release"`
		Date    string `json:"date"`
	}
	commands := map[string]string{}
	for _, shell := range planning.Shells {
		commands[shell.ID] = shell.Script(p)
	}
	_, err := s.command.stdout.Write(upgrade.JSON(struct {
		Schema   int               `json:"schema"`
		Manifest manifest          `json:"manifest"`
		Report   upgrade.Report    `json:"report"`
		Missing  []string          `json:"not_found"`
		Backups  []foundBackup     `json:"backups"`
		Plan     planning.Plan     `json:"plan"`
		Commands map[string]string `json:"commands"`
		Fix      *fixed            `json:"fix,omitempty"`
	}{
		2, manifest{s.command.source.name, s.report.Release, s.report.Date}, s.report, append([]string{}, s.missing...),
		append([]foundBackup{}, s.backups...), p, commands, f,
	}))
	if err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
