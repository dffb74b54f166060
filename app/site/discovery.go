package site

// discoveryFile is where installers look for a list of a site's skills, such
// as npx skills add. Source: agent skills discovery 0.2.0, a draft, August 2026.
const (
	discoveryFile   = ".well-known/agent-skills/index.json"
	discoverySchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json"
)

// discovery lists every skill with its archive and the digest that an installer
// compares. URLs are relative to the list, so that they are right under whatever
// name the site is reached.
func (g *generator) discovery() ([]byte, error) {
	type entry struct {
		Name        string `json:"name"`
		Type        string `json:"type"`
		Description string `json:"description"`
		URL         string `json:"url"`
		Digest      string `json:"digest"`
	}
	entries := make([]entry, 0, len(g.collection.Skills))
	for _, s := range g.collection.Skills {
		entries = append(entries, entry{
			Name: s.Dir, Type: "archive", Description: s.Description,
			URL: "../../" + archivePath(s.Dir), Digest: "sha256:" + g.archiveSum(s.Dir),
		})
	}
	return readableJSON(struct {
		Schema string  `json:"$schema"`
		Skills []entry `json:"skills"`
	}{discoverySchema, entries})
}

// installer is the command of the installer, in the version that tests use.
// Without a version, npx would run whatever was published last.
const installer = "npx skills@1.5.14"

// installFromSite returns the command that installs a skill from this site, or,
// without a name, those that one chooses from its list. The URL ends in a slash:
// without it, the installer takes a path of two segments for a repository on
// GitHub.
func (g *generator) installFromSite(name string) string { return installFrom(g.absolute(""), name) }

func installFrom(source, skill string) string {
	command := installer + " add " + source
	if skill != "" {
		command += " --skill " + skill
	}
	return command
}
