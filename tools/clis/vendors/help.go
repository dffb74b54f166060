package main

const usage = `Usage: vendors list [--category NAME] [--search WORDS] [--json]
       vendors describe VENDOR [OPERATION] [--json]
       vendors VENDOR OPERATION [NAME=VALUE...] [options]
       vendors completion bash|zsh|fish
       vendors version | help

Calls the APIs of marketing tools. "vendors list" shows the vendors,
"vendors describe VENDOR" what each can do and which parameters it takes.

  vendors list --search refund
  vendors describe hunter domain-search
  vendors hunter domain-search domain=example.com --csv value,type

List and describe
  --category NAME       vendors of the category, or of those with NAME in them
  --search WORDS        vendors that have all words in their name, category or
                        operations
  --json                for programs

Parameters
  NAME=VALUE            a value; lists have commas between their values
  NAME=@FILE            the value is in a file (@- is standard input)
  NAME==VALUE           the value as it is, even if it begins with @

Output
  --all                 follow the pages, and write all rows
  --limit N             follow the pages until there are N rows; with --all, too
  --csv FIELDS          write CSV with these fields of each row, for example
                        name,company.name; dots go into objects
  --show-secrets        do not mask keys, and do not mask fields of a response
                        such as token or password

Run
  --dry-run             print the request, say whether it would ask first, and
                        stop; nothing is sent, and no key is needed
  --yes                 do not ask before an operation that spends, discounts,
                        sends or deletes; with a test key (Stripe, Paddle), no
                        money moves, and it is not asked about
  --tables DIR          use the tables in DIR, your own, and no others
  --help, --version

Without --all, --limit and --csv, the response is written as it is, as JSON.
With one of them, its rows are: as CSV, or as a JSON array. If a later page
fails, the rows so far are written; a field for CSV that no row has is an empty
column and an error.

Completion: source <(vendors completion bash) in ~/.bashrc, the same with zsh in
~/.zshrc behind compinit; vendors completion fish | source in config.fish.

Environment: each vendor has a variable for its key, which describe names, such
as HUNTER_API_KEY; or HUNTER_API_KEY_FILE, a file with the key. A key is never
an argument, and it is sent to the host of the vendor only.

Data goes to standard output, everything else to standard error.
Exit status: 0 complete, 1 failed, 2 wrong usage, 3 incomplete but written.
`
