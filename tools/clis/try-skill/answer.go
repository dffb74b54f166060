package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"marketingskills/app/text"
	"marketingskills/tools/internal/console"
)

func (c *command) answer(ctx context.Context, dir string, o *options) error {
	if o.agent == "" {
		return console.Refuse("--agent is missing; write the command that answers, as in --agent 'claude -p'")
	}
	p, err := openPlan(dir)
	if err != nil {
		return err
	}
	release, err := lock(filepath.Join(dir, planFile))
	if err != nil {
		return err
	}
	defer release()
	todo, err := p.unanswered()
	if err != nil {
		return err
	}
	if len(todo) > 0 {
		err := c.confirm(ctx, len(todo), "answer", p.cost(len(todo)), o)
		if err == nil {
			err = c.each(ctx, o, len(todo), "answered", func(ctx context.Context, i int) error { return p.ask(ctx, todo[i], o) })
		}
		if err != nil {
			return err
		}
	}
	c.say("All %s are answered. Next: try-skill judge %s", text.Count(len(p.Folders), "folder"), console.ShellWord(dir))
	return nil
}

// unanswered lists the folders without an answer, a request after the other.
func (p *plan) unanswered() (todo []folder, err error) {
	for _, r := range p.Requests {
		for _, f := range p.Folders {
			if f.Request != r.ID {
				continue
			}
			if answer, err := p.answer(f.ID); err != nil {
				return nil, err
			} else if answer == "" {
				todo = append(todo, f)
			}
		}
	}
	return todo, nil
}

// ask runs the agent in a folder. Its answer is the file it wrote, else its
// standard output; of an agent that failed, neither is kept.
func (p *plan) ask(ctx context.Context, f folder, o *options) error {
	full, err := filepath.Abs(p.path(f.ID, "."))
	if err != nil {
		return err
	}
	hidden, _ := filepath.Abs(p.dir)
	out, err := o.shell(ctx, o.agent, full, p.prompt(f.Request), hidden)
	if err != nil {
		_ = os.Remove(p.path(f.ID, answerFile)) // half an answer is none
		return err
	}
	if answer, err := p.answer(f.ID); err != nil || answer != "" {
		return err
	}
	if out = tidy(out); out == "" {
		return errors.New("it wrote nothing")
	}
	return save(p.path(f.ID, answerFile), out+"\n")
}
