package collection

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"marketingskills/app/collection/finding"
	"marketingskills/app/collection/registry"
	"marketingskills/app/collection/skill"
	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
)

// tables holds the tables of the command vendors.
const tables = registry.Dir + "/clis/vendors/tables"

// vendors reads the tables of the command vendors, and holds them and the guides
// against each other.
func (c *checks) vendors(fsys fs.FS) {
	entries, err := fs.ReadDir(fsys, tables)
	if err != nil {
		// Without tables there is no command, and guides that name it will tell.
		entries = nil
	}
	known := map[string]*vendor.Table{}
	for _, e := range entries {
		file := path.Join(tables, e.Name())
		list := c.On(file)
		id, isTable := strings.CutSuffix(e.Name(), ".json")
		tool := c.Tools.Tool(id)
		if !isTable || tool == nil {
			list.Errorf(0, "vendor-without-guide", "write tools/integrations/"+id+".md, or remove it",
				"no tool of the registry is called %s", text.Quote(id))
			continue
		}
		source, ok := skill.ReadText(fsys, file, list)
		if !ok {
			continue
		}
		table, _ := vendor.Parse([]byte(source), list)
		if table == nil {
			continue
		}
		known[id] = table
		if table.Name != tool.Name {
			list.Errorf(0, "vendor-differs", "write the name as the vendor does, in both", "its name is %s, that of its guide %s",
				text.Quote(table.Name), text.Quote(tool.Name))
		}
		if !namesCommand(tool.Guide, "vendors "+id) {
			list.Errorf(0, "vendor-differs", "name `vendors "+id+"` in the row CLI of its guide", "the guide does not say that there is a command")
		}
	}
	for _, tool := range c.Tools.Tools {
		checkCommands(tool.Guide, known, c.On(tool.Guide.File))
	}
}

// namesCommand tells whether the row CLI of a guide names a command.
func namesCommand(g registry.Guide, command string) bool {
	return slices.ContainsFunc(g.Access, func(a registry.Access) bool {
		return a.Way == "CLI" && a.Supported && strings.Contains(a.Details, "`"+command+"`")
	})
}

// checkCommands reports calls of vendors in a guide's code that the command
// would refuse.
func checkCommands(g registry.Guide, known map[string]*vendor.Table, list *finding.List) {
	if g.Doc == nil {
		return
	}
	for _, f := range g.Doc.Fences {
		if f.Info != "sh" {
			continue
		}
		for _, words := range commands(f.Body) {
			if len(words) < 2 || words[0] != "vendors" || words[1] == "list" || words[1] == "describe" {
				continue
			}
			if wrong := refused(words[1:], known); wrong != "" {
				list.Errorf(f.Line, "guide-command", "correct it, or the table in "+tables, "vendors would refuse %s: %s",
					text.Quote(strings.Join(words, " ")), wrong)
			}
		}
	}
}

// refused says why vendors would not make a call, "" if it would.
func refused(words []string, known map[string]*vendor.Table) string {
	table := known[words[0]]
	if table == nil {
		return "there is no table " + words[0] + ".json"
	}
	if len(words) == 1 {
		return ""
	}
	operation := table.Operation(words[1])
	if operation == nil {
		return "there is no operation " + words[1]
	}
	values := map[string]string{}
	for i := 2; i < len(words); i++ {
		name, value, isParameter := strings.Cut(words[i], "=")
		switch {
		case words[i] == "--limit" || words[i] == "--csv":
			i++ // its value
		case strings.HasPrefix(words[i], "-"):
		case !isParameter:
			return "there is no = in " + words[i]
		default:
			values[name] = value
			if strings.ContainsAny(value, "$`@") {
				values[name] = anyValue(operation, name)
			}
		}
	}
	if err := operation.Check(values); err != nil {
		return err.Error()
	}
	return ""
}

// anyValue stands for a value that a shell or a file would give.
func anyValue(o *vendor.Operation, name string) string {
	i := slices.IndexFunc(o.Params, func(p vendor.Param) bool { return p.Name == name })
	if i < 0 {
		return ""
	}
	return cmp.Or(map[string]string{"integer": "1", "number": "1", "boolean": "true", "json": "{}"}[o.Params[i].Kind], "x")
}

// shellWord is a word of a shell command, quotes included, or what stands
// between two commands.
var shellWord = regexp.MustCompile(`(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\|;&<>()])+|\$\(|[|;&<>()\n]+`)

var (
	assignment = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*=`)
	quoted     = regexp.MustCompile(`'[^']*'|"(?:\\.|[^"\\])*"|\\.`)
	escaped    = regexp.MustCompile(`\\(["$\\` + "`" + `])`)
)

// unquoted is a word of a shell without its quotes.
func unquoted(word string) string {
	return quoted.ReplaceAllStringFunc(word, func(s string) string {
		switch s[0] {
		case '\\':
			return s[1:]
		case '"':
			return escaped.ReplaceAllString(s[1:len(s)-1], "$1")
		}
		return s[1 : len(s)-1]
	})
}

// commands splits a script for a shell into its commands and these into words,
// without quotes, as far as the code of a guide asks for it.
func commands(script string) [][]string {
	var all [][]string
	var words []string
	next := func() {
		if len(words) > 0 {
			all = append(all, words)
		}
		words = nil
	}
	for _, word := range shellWord.FindAllString(strings.ReplaceAll(script, "\\\n", " "), -1) {
		switch {
		case strings.ContainsAny(word[:1], "|;&<>()\n") || word == "$(":
			next()
		case len(words) == 0 && (word == "do" || word == "then" || assignment.MatchString(word)):
			// The command follows.
		default:
			words = append(words, unquoted(word))
		}
	}
	next()
	return all
}
