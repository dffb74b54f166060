package collection

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"marketingskills/app/collection/registry"
	"marketingskills/app/collection/vendor"
	"marketingskills/app/text"
)

// vendorTables is the folder of the tables of the command vendors.
const vendorTables = registry.Dir + "/clis/vendors/tables"

// readVendors reads the tables of the command vendors, and checks that they and
// the guides of the tools agree.
func (l *loader) readVendors(fsys fs.FS) {
	entries, err := fs.ReadDir(fsys, vendorTables)
	if err != nil {
		entries = nil // there are no tables, and guides that name the command are reported
	}
	l.collection.Vendors = map[string]*vendor.Table{}
	for _, e := range entries {
		file := path.Join(vendorTables, e.Name())
		list := l.report.On(file)
		id, isTable := strings.CutSuffix(e.Name(), ".json")
		tool := l.collection.Tools.Tool(id)
		if !isTable || tool == nil {
			list.Errorf(0, "vendor-without-guide", "write tools/integrations/"+id+".md, or remove it",
				"no tool of the registry is called %s", text.Quote(id))
			continue
		}
		source, ok := list.ReadText(fsys, "add it")
		if !ok {
			continue
		}
		table, _ := vendor.Parse([]byte(source), list)
		if table == nil {
			continue
		}
		l.collection.Vendors[id] = table
		if table.Name != tool.Name {
			list.Errorf(0, "vendor-differs", "write the name as the vendor does, in both", "its name is %s, that of its guide %s",
				text.Quote(table.Name), text.Quote(tool.Name))
		}
		if table.Category != tool.Category {
			list.Errorf(0, "vendor-differs", "write the category as the registry does", "its category is %s, that of the registry %s",
				text.Quote(table.Category), text.Quote(tool.Category))
		}
		if !namesCommand(tool.Guide, "vendors "+id) {
			list.Errorf(0, "vendor-differs", "name `vendors "+id+"` in the row CLI of its guide", "the guide does not say that there is a command")
		}
	}
	for _, tool := range l.collection.Tools.Tools {
		checkGuideCode(tool.Guide, l.collection.Vendors, l.report.On(tool.Guide.File))
	}
}

// namesCommand tells whether the row CLI of a guide names a command, installed or
// run from a clone.
func namesCommand(g registry.Guide, command string) bool {
	return slices.ContainsFunc(g.Access, func(a registry.Access) bool {
		details := strings.ReplaceAll(a.Details, "`go run ./tools/clis/", "`")
		return a.Way == "CLI" && a.Supported && strings.Contains(details, "`"+command+"`")
	})
}

// whyRefused says why the command vendors would refuse these arguments, "" if it
// would not.
func whyRefused(words []string, tables map[string]*vendor.Table) string {
	table := tables[words[0]]
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
				values[name] = placeholderValue(operation, name)
			}
		}
	}
	if err := operation.Check(values); err != nil {
		return err.Error()
	}
	return ""
}

// placeholderValue returns a value of the right kind for a parameter whose real
// value comes from a shell variable or a file.
func placeholderValue(o *vendor.Operation, name string) string {
	i := slices.IndexFunc(o.Params, func(p vendor.Param) bool { return p.Name == name })
	if i < 0 {
		return ""
	}
	return o.Params[i].Sample()
}
