package main

const usage = `Usage: github-prospects stargazers|forks|watchers|contributors REPO [options]
       github-prospects user LOGIN [options]
       github-prospects rate-limit

Lists the people around a repository from GitHub's public API. REPO is
owner/repository or its address. Forks and contributors are listed to everyone;
stars and watchers, since July 2026, to the repository's admins and
collaborators only.

Who is kept
  --enrich              fetch each person's profile (one request each)
  --with-email, --with-company, --with-blog
                        keep only who shows one; each implies --enrich, and
                        --with-email needs a token
  --type User|Organization
  --starred-since DATE  2026-01-31; stargazers only
  --suppress FILE       leave out these: a login, address or domain a line
  --limit N             list at most N people
  --target N            stop as soon as N are kept

What is written
  --format csv|json     csv if not said
  --preset hubspot|salesforce
                        CSV with the column names of that CRM's import
  --output FILE         written when the run ends, whole or not at all
  --purpose TEXT        what the data is for; goes into JSON, into presets, and
                        for CSV into FILE.about.json
  --countries LIST      those you mean to reach, as in "Germany, France"; they
                        go where the purpose goes and filter nobody

How it runs
  --dry-run             print what it would cost; reads one page at most
  --resume FILE         go on with a saved run, without asking again for what
                        it has; the output is whole again
  --wait                sleep until the hour's quota is there again (waits up
                        to two minutes are always taken)
  --concurrency N       requests at once, 1 to 100 (10)
  --points-per-minute N pace (900, which is what GitHub allows)
  --quiet               no progress and no summary
  --help, --version

A run that ends early (quota, Ctrl-C, network) keeps what it found and saves
itself beside the output, as FILE.run.json or
github-prospects-COMMAND-OWNER-REPO.run.json; it says how to go on. A second
Ctrl-C ends at once.

Environment: GITHUB_TOKEN, a token without any permission (5,000 requests an
hour instead of 60); GITHUB_API_URL (https://api.github.com).

Data goes to standard output, everything else to standard error.
Exit status: 0 complete, 1 failed, 2 wrong usage, 3 incomplete but saved.

What the data may be used for
  GitHub's acceptable-use policy forbids to use information from the service,
  however obtained, the API included, for spam, which includes unsolicited
  email to its users, and forbids to sell personal information. Use the data to
  learn which companies work with a technology, to know your own contributors,
  and to speak with people who asked you to. It is personal data: have a lawful
  purpose, say where it came from, keep a list of those who objected and give
  it with --suppress, and delete what you no longer need.
  There is no preset for senders of cold mail, on purpose: that is the use the
  policy forbids, and a file made ready for it would be an invitation.
`
