package main

import (
	"fmt"

	"marketingskills/tools/internal/verifiers"
)

// usage is the help, with the services there are.
func usage() string { return fmt.Sprintf(help, verifiers.Names(), verifiers.Default) }

const help = `Usage: verify-emails EMAIL... [options]
       verify-emails [-] [options] < FILE
       verify-emails --csv FILE [--column NAME] [options]

Checks whether email addresses can be written to. Free checks come first: how
the email is written, disposable domains, role emails such as info@, mail
servers (DNS). What they cannot decide, a verifier is asked about, at one credit
per email. Duplicates are checked once.

Input
  EMAIL...              emails as arguments
  -                     one email per line on standard input (default without
                        an argument)
  --csv FILE            a CSV file (- is standard input); the output is the same
                        file with four columns appended
  --column NAME         the column with the emails, by heading or number
                        (default: found by heading, such as email, or content)

Checks
  --local               make only the free checks; no verifier is asked
  --no-dns              do not ask DNS for mail servers
  --dry-run             print the plan (emails, credits, time) and stop; nothing
                        is sent
  --resume FILE         FILE is an earlier output (CSV); emails that have a
                        result in it are not asked about again, unless it is
                        unknown

Output
  --output FILE         write to FILE when the run ends
                        (default: standard output)
  --overwrite           let FILE be the input, and let an incomplete run replace
                        an older FILE
  --json                one JSON object with counts and results, not CSV
  --quiet               no progress and no summary
  --help, --version

CSV columns: email (in a list), email_state, email_sub_state, did_you_mean,
verified_at.
  ok                    the mailbox exists
  accept_all            the server accepts every email of the domain
  risky                 for example is_disposable, is_role
  unknown               could not be found out
  email_invalid         cannot be written to

If a run ends early (credits, limit, Ctrl-C, network), its results are written
and the command to resume it is printed; emails without a result have empty
cells. The first Ctrl-C waits for requests under way, a second one ends the
command at once. A verifier is sent no more requests a second than it allows. A
request that got no answer may have cost a credit, and is sent again only by a
run that resumes.

Environment
  VERIFY_URL            the URL of a verifier or of a verify-proxy (needed
                        without --local and --dry-run)
  VERIFY_SERVICE        which verifier that is: %s
                        (default: %s, whose interface a verify-proxy has)
  VERIFY_API_KEY        the verifier's key or the proxy's token; or
                        VERIFY_API_KEY_FILE, a file that holds it

Data goes to standard output, everything else to standard error.
Exit status: 0 complete, 1 failed, 2 wrong usage, 3 incomplete but saved.

Emails are personal data: check only those that you have a lawful purpose for.
With a verifier or a proxy, each email that is asked about is sent to it.
`
