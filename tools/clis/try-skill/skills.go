package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"marketingskills/app/collection/skill"
	"marketingskills/app/text"
	"marketingskills/app/tryout"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/outfile"
)

// source returns the files of a skill, by their paths in a folder of skills.
type source func(skill string) (map[string][]byte, error)

const mainFile = "SKILL.md"

// folderOf is a folder of skills, or of one, which then stands for any.
func folderOf(dir string) (source, error) {
	if _, err := os.ReadDir(dir); err != nil {
		return nil, err
	}
	one := false
	if _, err := os.Stat(filepath.Join(dir, mainFile)); err == nil {
		one = true
	}
	return func(skill string) (map[string][]byte, error) {
		at := dir
		if !one {
			at = filepath.Join(dir, skill)
		}
		if !text.IsSkillName(skill) {
			return nil, errors.New("not the name of a skill; name the file of requests after one")
		}
		if _, err := os.Stat(filepath.Join(at, mainFile)); err != nil {
			return nil, fmt.Errorf("%s: %w; name the file of requests after a skill, or mark the request with skill: NAME",
				console.ShellWord(filepath.Join(at, mainFile)), outfile.Bare(err))
		}
		return readFiles(os.DirFS(at), skill)
	}, nil
}

// forPeople tells whether a file of a skill, by its path in a folder of skills, is
// kept from agents: requests with their answers, or with what is asked of them.
func forPeople(name string) bool {
	_, file, _ := strings.Cut(path.Clean(name), "/")
	return file == skill.TwoAnswers || strings.HasPrefix(file, "evals/")
}

func readFiles(fsys fs.FS, below string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || forPeople(path.Join(below, name)) {
			return err
		}
		files[path.Join(below, name)], err = fs.ReadFile(fsys, name)
		return err
	})
	return files, err
}

// revisionOf is a folder of skills as it was in a revision of its Git
// repository.
func revisionOf(ctx context.Context, skills, revision string) (source, error) {
	git := func(arguments ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", skills}, arguments...)...)
		out, err := cmd.Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			err = errors.New(text.Line(string(exit.Stderr), 300))
		}
		return out, err
	}
	commit, err := git("rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("neither none, look, a folder, nor a revision of %s; check the spelling", console.ShellWord(skills))
	}
	known := map[string]map[string][]byte{}
	return func(skill string) (map[string][]byte, error) {
		if known[skill] == nil {
			archive, err := git("archive", "--format=tar", strings.TrimSpace(string(commit)), "--", skill)
			if err != nil {
				return nil, err
			}
			if known[skill], err = untar(archive); err != nil {
				return nil, err
			}
		}
		return known[skill], nil
	}, nil
}

func untar(archive []byte) (map[string][]byte, error) {
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if header.Typeflag != tar.TypeReg || !filepath.IsLocal(header.Name) || forPeople(header.Name) {
			continue
		}
		if files[header.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}

// lookOf is a skill that holds the second look and no word about a subject.
func lookOf(skills string) (source, error) {
	data, err := os.ReadFile(filepath.Join(skills, "LOOK.md"))
	if err != nil {
		return nil, fmt.Errorf("reading LOOK.md in %s: %w", console.ShellWord(skills), outfile.Bare(err))
	}
	_, look, ok := strings.Cut(string(data), "\n## ")
	if !ok {
		return nil, errors.New("LOOK.md has no section")
	}
	page := map[string][]byte{"second-look/" + mainFile: []byte(lookHead + look)}
	return func(string) (map[string][]byte, error) { return page, nil }, nil
}

const lookHead = `---
name: second-look
description: "Read an answer once more as the person who asked, before it is given. Use for every request."
---

# A second look

## `

// chooseLines puts the skill with the lines on trial against the skill without
// them.
func (p *preparation) chooseLines(skills source) error {
	var more []string
	for _, file := range p.with {
		data, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("--with %s: %w", console.ShellWord(file), outfile.Bare(err))
		}
		more = append(more, strings.TrimSpace(string(data)))
	}
	p.key.Lines = append([]string{}, more...)
	for _, words := range p.without {
		var found []string
		for _, r := range p.Requests {
			content, err := skills(r.Skill)
			if err != nil {
				return fmt.Errorf("%s: %w", r.ID, err)
			}
			found = append(found, linesWith(content, words)...)
		}
		slices.Sort(found)
		switch found = slices.Compact(found); len(found) {
		case 0:
			return fmt.Errorf("--without %s: no skill of the requests has a line with these words; write words of the line, not its number",
				text.Quote(words))
		case 1:
			p.key.Lines = append(p.key.Lines, found[0])
		default:
			return fmt.Errorf("--without %s: %d lines have these words, %s and %s among them; write more words of the one that is meant",
				text.Quote(words), len(found), text.Quote(found[0]), text.Quote(found[1]))
		}
	}
	p.on = condition{conditionLines, change(skills, nil, more)}
	p.against = []condition{{conditionNoLines, change(skills, p.without, nil)}}
	return nil
}

// linesWith returns the lines of a skill that have some words.
func linesWith(content map[string][]byte, words string) (lines []string) {
	for _, data := range content {
		for line := range strings.Lines(string(data)) {
			if strings.Contains(line, words) {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	return lines
}

// change leaves lines out of a skill, and puts texts in above its references.
func change(skills source, without, with []string) source {
	return func(skill string) (map[string][]byte, error) {
		content, err := skills(skill)
		changed := map[string][]byte{}
		for file, data := range content {
			var b strings.Builder
			for line := range strings.Lines(string(data)) {
				if !containsAny(line, without) {
					b.WriteString(line)
				}
			}
			s := b.String()
			if path.Base(file) == mainFile && len(with) > 0 {
				above, _, _ := strings.Cut(s, "\n## References")
				s = above + "\n" + strings.Join(with, "\n\n") + "\n" + strings.TrimPrefix(s, above)
			}
			changed[file] = []byte(s)
		}
		return changed, err
	}
}

func containsAny(s string, words []string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// applies tells whether a line on trial can apply to a request: the request has
// a mark with words of it, and its skill has the line.
func (p *preparation) applies(r tryout.Request) bool {
	content, err := p.on.skills(r.Skill)
	if err != nil {
		return true // which is told as what is missing
	}
	for _, line := range p.key.Lines {
		for _, data := range content {
			if containsAny(line, r.Lines) && strings.Contains(string(data), line) {
				return true
			}
		}
	}
	return false
}
