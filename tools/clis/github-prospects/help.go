package main

const usage = `Usage: github-prospects stargazers|forks|watchers|contributors REPO [options]
       github-prospects user USERNAME [options]
       github-prospects rate-limit

Lists people who starred, forked, watch or contribute to a GitHub repository.
REPO is owner/repository or its URL. Forks and contributors are public lists;
since July 2026, GitHub shows stars and watchers only to the repository's
admins and collaborators.

Filters
  --enrich              fetch each person's profile (one request each)
  --with-email, --with-company, --with-blog
                        keep only people whose profile has an email, a company
                        or a website; each implies --enrich, and --with-email
                        needs a token
  --type User|Organization
                        keep only people, or only organisations
  --starred-since DATE  keep only people who starred it on DATE or later, for
                        example 2026-01-31; stargazers only
  --suppress FILE       leave out these people; one username, email or domain
                        per line
  --limit N             check at most N people
  --target N            stop after N matches

Output
  --format csv|json     default: csv
  --preset hubspot|salesforce
                        CSV with the column names of that CRM's import
  --output FILE         write to FILE when the run ends
                        (default: standard output)
  --overwrite           let an incomplete run replace an older FILE (default:
                        keep the older FILE, for example found.csv, and write
                        found.incomplete.csv)
  --purpose TEXT        what the data is for; goes into JSON, into presets, and
                        for CSV into FILE.about.json
  --countries LIST      countries of the people you want to reach, for example
                        "Germany, France"; saved with the purpose, not a filter

Run
  --dry-run             print the plan (people, requests, time) and stop;
                        fetches one page at most
  --resume FILE         resume a saved run; fetched profiles are not fetched
                        again; the output contains all matches
  --wait                wait until the API quota resets (waits of up to two
                        minutes always happen)
  --concurrency N       requests at once, 1 to 100 (default: 10)
  --points-per-minute N most requests per minute (default: 900, the maximum on
                        GitHub)
  --quiet               no progress and no summary
  --help, --version

If a run ends early (quota, Ctrl-C, network), its results are written, the run
is saved, and the command to resume it is printed. The saved run is beside the
output, as FILE.run.json or github-prospects-COMMAND-OWNER-REPO.run.json. Only
one run at a time can use it. A second Ctrl-C ends the command at once.

Environment: GITHUB_TOKEN, a token (no permissions needed; 5,000 requests an
hour instead of 60); GITHUB_API_URL (default: https://api.github.com).

Data goes to standard output, everything else to standard error.
Exit status: 0 complete, 1 failed, 2 wrong usage, 3 incomplete but saved.

What the data may be used for
  GitHub's acceptable-use policy does not allow its data to be used for spam,
  including unsolicited email, or for selling personal information. You can
  use the list to know your own community, to find profiles of people who asked
  to hear from you, and to see which companies use a project. It is personal
  data: have a lawful purpose, say where it came from, keep a list of people
  who objected and give it with --suppress, and delete what you no longer need.
  There is no preset for cold-email tools, because the policy forbids that use.
`
