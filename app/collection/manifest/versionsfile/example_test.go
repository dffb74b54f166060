package versionsfile_test

import (
	"fmt"

	"marketingskills/app/collection/manifest"
	"marketingskills/app/collection/manifest/versionsfile"
)

func ExampleParse() {
	m, findings := versionsfile.Parse([]byte("# Versions\n\n" +
		"| Skill | Version | Last Updated |\n|---|---|---|\n| ads | 2.0.1 | 2026-05-26 |\n"))
	row, _ := m.Row("ads")
	fmt.Println(row.Version, row.Updated, manifest.Compare("2.0.0", row.Version) < 0)
	fmt.Println(findings[0])
	// Output:
	// 2.0.1 2026-05-26 true
	// VERSIONS.md: manifest-no-changes: there is no section on releases; write a section ## Recent Changes
}
