package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	yamlFile = "testdata/openapi.yaml"
	jsonFile = "testdata/swagger.json"
)

// check runs the command with the table sample, and returns what it prints.
func check(t *testing.T, files ...string) (out, errs string, err error) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	err = run(append([]string{"--tables", "testdata", "sample"}, files...), &stdout, &stderr)
	return stdout.String(), stderr.String(), err
}

func TestNoDifference(t *testing.T) {
	for _, file := range []string{yamlFile, jsonFile} {
		out, errs, err := check(t, file)
		if out != "" || err != nil || errs != "sample: 3 of 3 operations found, 0 differences\n" {
			t.Errorf("%s: %v, %s%s", file, err, out, errs)
		}
	}
}

// TestDifferences changes one thing in a description that the table agrees with.
func TestDifferences(t *testing.T) {
	for _, c := range []struct{ file, old, new, want string }{
		{yamlFile, "/lists/{list_id}/people:", "/lists/people:", "people: /lists/{list}/people is not described"},
		{yamlFile, "example.com/v2/", "example.com/v3/", "people: /lists/{list}/people is not described\ncreate: /people is not described\n" +
			"pay: /people/me/pay is not described"},
		{yamlFile, "    get:", "    put:", "people: /lists/{list}/people is described, but not with GET"},
		{yamlFile, "    get:", "    get:\n      deprecated: true", "people: it is deprecated"},
		{yamlFile, "/people/me/pay:", "/people/me/paid:", "pay: no form is described that is sent as form"},
		{yamlFile, "x-www-form-urlencoded", "json", "pay: no form is described that is sent as form"},
		{yamlFile, "vnd.api+json", "xml", "create: no body is described that is sent as json"},
		{yamlFile, "name: fields", "name: field", "people: fields is not described"},
		{yamlFile, "name: fields, in: query", "name: fields, in: header", "people: fields is not described"},
		{yamlFile, "{coupon:", "{code:", "pay: promotion[coupon] is not described"},
		{yamlFile, "name: skip", "name: offset", "people: skip is not described"},
		{yamlFile, "name: fields, in: query", "name: fields, in: query, required: true", "people: fields is required"},
		{yamlFile, "name: active, in: query, schema: {type: boolean}", "name: active, in: query, schema: {type: integer}",
			"people: active is true or false, and described as integer"},
		{yamlFile, "tags: {type: array, items: {type: string}}\n", "tags: {type: string}\n",
			"create: tags is values with commas between them, and described as string"},
		{yamlFile, "raw: {type: object}", "raw: {type: integer}", "create: raw is JSON, and described as integer"},
		{yamlFile, "enum: [active, gone]", "enum: [active, left]", "people: status cannot be gone, but active or left\npeople: status can be left, too"},
		{yamlFile, "enum: [mon, tue]", "enum: [mon]", "create: days cannot be tue, but mon"},
		{yamlFile, "default: active}", "default: gone}", "people: the default of status is gone, not active"},
		{yamlFile, "maximum: 100", "maximum: 250", "people: the maximum of page[size] is 250, not 100"},
		{yamlFile, "enum: [web, app]", "enum: [app]", "people: engine is always web, which is not one of app"},
		{yamlFile, "name: engine", "name: motor", "people: engine, which is always web, is not described\npeople: motor is required, and the table does not have it"},
		{yamlFile, "required: [amount]\n              properties:", "required: [amount, unit]\n              properties:\n                unit: {type: string}",
			"pay: unit is required, and the table does not have it"},
		{yamlFile, "amount: {type: integer}", "amount: {type: integer}\n                note: {type: string}", ""},
		{yamlFile, "required: [properties]", "required: [properties, score]", "create: score is required"},
		{yamlFile, "required: [email]", "required: [email, name]", "create: properties.name is required"},
		{yamlFile, "required: [phone]", "required: [phone]\n                      additionalProperties: true", ""},
		{jsonFile, `"telex": {`, `"fax": {`, "create: telex is not described"},
		{jsonFile, `"in": "body"`, `"in": "query"`, "create: no body is described that is sent as json"},
		{jsonFile, `"/v2"`, `"/v1"`, "people: /lists/{list}/people is not described\ncreate: /people is not described\npay: /people/me/pay is not described"},
		{jsonFile, `"#/definitions/nowhere"`, `"#/definitions/a~1person"`, "create: extra.any is not described"},
	} {
		source, err := os.ReadFile(c.file)
		if err != nil || !strings.Contains(string(source), c.old) {
			t.Fatalf("%s: %q is not in it: %v", c.file, c.old, err)
		}
		changed := filepath.Join(t.TempDir(), "changed")
		if err := os.WriteFile(changed, []byte(strings.Replace(string(source), c.old, c.new, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
		out, _, err := check(t, changed)
		if strings.TrimSpace(out) != c.want || errors.Is(err, errDifferences) != (c.want != "") {
			t.Errorf("%s: %v\ngot  %s\nwant %s", c.new, err, out, c.want)
		}
	}
}

// TestSeveral takes an operation from whichever file describes it.
func TestSeveral(t *testing.T) {
	part := filepath.Join(t.TempDir(), "part.json")
	if err := os.WriteFile(part, []byte(`{"basePath": "/v2", "paths": {"/people": {"get": {}}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, _, err := check(t, part, jsonFile); out != "" || err != nil {
		t.Errorf("%v, %s", err, out)
	}
}

func TestArguments(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("a: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for given, want := range map[string]string{
		"":                                                    "name a vendor and the file of its description; see check-openapi --help",
		"sample":                                              "name a vendor and the file of its description; see check-openapi --help",
		"--tables testdata sample nowhere":                    "reading the description nowhere: no such file or directory",
		"--tables testdata sample main.go":                    "reading the description main.go: ",
		"--tables testdata sample " + broken:                  "reading the description ",
		"--tables testdata stripe " + yamlFile:                "reading the table testdata/stripe.json: no such file or directory; check the vendor, or name the folder of its table with --tables",
		"--tables testdata swagger " + yamlFile:               "reading the table: testdata/swagger.json:3: vendor-table: ",
		"--tables testdata sample testdata/sample.json":       "reading the description testdata/sample.json: there are no paths in it; download the vendor's OpenAPI description",
		"--table testdata sample " + yamlFile:                 "unknown option --table; did you mean --tables?",
		"--tables testdata sample testdata":                   "reading the description testdata: is a directory",
		"--tables ../clis/vendors/tables hubspot " + yamlFile: "differences",
	} {
		err := run(strings.Fields(given), new(bytes.Buffer), new(bytes.Buffer))
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%q: %v, want %s", given, err, want)
		}
	}
	for _, word := range []string{"--help", "--version"} {
		var out bytes.Buffer
		if err := run([]string{word}, &out, new(bytes.Buffer)); err != nil || !strings.Contains(out.String(), "check-openapi") {
			t.Errorf("%s: %v, %s", word, err, &out)
		}
	}
}
