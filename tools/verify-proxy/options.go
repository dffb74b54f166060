package main

import (
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"marketingskills/app/rest"
	"marketingskills/app/text"
	"marketingskills/tools/internal/args"
	"marketingskills/tools/internal/console"
	"marketingskills/tools/internal/verifiers"
)

// usage is the help, with the services there are.
func usage() string { return fmt.Sprintf(help, verifiers.Names(), verifiers.Default) }

const help = `Usage: verify-proxy [options]

Verifies emails for web pages and commands with the API key that only it holds,
no faster than the verifier allows, and serves the site. Without a key it
answers from free checks.

  POST /api/v1/verify_inline?email=EMAIL   verify one email (write + as %%2B)
  POST /api/v1/verify {"emails": [...]}    submit a list to the verifier
  GET  /me                                 whose the key is
  GET  /healthz                            whether it runs, has a key, wants a
                                           token and takes lists
  GET  /debug/vars                         counters, on this machine only

  --addr HOST:PORT   where to listen (default: 127.0.0.1:8080, this machine only)
  --dir DIRECTORY    the generated site (default: build/dist; '': no site)
  --base PATH        the path the site was generated for (default: /)
  --origin URL       pages of this origin may call, for example
                     https://skills.example; repeatable
  --host NAME        a host name under which the proxy is called, for example
                     verify.example; repeatable; other machines' names need
                     PROXY_TOKEN (default: the address itself and localhost)
  --remember TIME    how long answers are remembered, for example 12h
                     (default: 24h; 0: not at all)
  --help, --version

Environment
  VERIFY_URL           the verifier, for example https://api.verifier.example
  VERIFY_SERVICE       which verifier that is: %s
                       (default: %s)
  VERIFY_API_KEY       its key; or VERIFY_API_KEY_FILE, a file that holds it
  PROXY_TOKEN          callers must send it as Authorization: Bearer TOKEN; at
                       least 16 characters
  REDIS_URL            several proxies share one limit and what they remember;
                       this Redis must not evict (maxmemory-policy noeviction)

Only this machine can call it, unless --addr says otherwise; then PROXY_TOKEN and
at least one --origin are needed. A web server in front that passes requests on
lets others in: never without PROXY_TOKEN. README.md shows one.

Exit status: 0 stopped, 1 could not serve, 2 wrong usage.
`

// options are what the arguments and the environment say.
type options struct {
	addr, dir, base string
	origins, hosts  []string
	remember        time.Duration
	help, version   bool

	service                        verifiers.Name
	upstream, apiKey, token, redis string
}

func misused(format string, a ...any) error {
	return console.Refuse(format+"; see verify-proxy --help", a...)
}

// parseOptions reads the arguments, and the environment through getenv.
func parseOptions(arguments []string, getenv func(string) string) (options, error) {
	o := options{addr: "127.0.0.1:8080", dir: "build/dist", base: "/", remember: 24 * time.Hour}
	command := args.Command{Name: "verify-proxy", Hint: hint, Options: []args.Option{
		args.Text("--addr", &o.addr), args.Text("--base", &o.base), args.Flag("--help", &o.help),
		args.Flag("--version", &o.version),
		{Name: "--dir", Blank: true, Set: func(dir string) error { o.dir = dir; return nil }},
		{Name: "--origin", Repeatable: true, Set: o.addOrigin},
		{Name: "--host", Repeatable: true, Set: o.addHost},
		{Name: "--remember", Set: o.setRemember},
	}}
	words, _, err := command.Parse(arguments)
	switch {
	case err != nil:
		return o, console.Usage(err)
	case o.help || o.version:
		return o, nil
	case len(words) > 0:
		return o, misused("unexpected argument %s", text.Quote(words[0]))
	}
	// Proxies that share what they remember may write the same URL in two ways.
	o.upstream, o.redis = strings.TrimRight(strings.TrimSpace(getenv("VERIFY_URL")), "/"), getenv("REDIS_URL")
	o.token = strings.TrimSpace(getenv("PROXY_TOKEN"))
	if o.service, err = verifiers.Find(getenv("VERIFY_SERVICE")); err != nil {
		return o, err
	}
	if o.apiKey, err = console.Secret(getenv, "VERIFY_API_KEY"); err != nil {
		return o, err
	}
	return o, o.check()
}

// nameOf is a host without its port, and an IP address without brackets.
func nameOf(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return strings.Trim(host, "[]")
}

// hint is what is said about an unknown option.
func hint(option string) string {
	if strings.Contains(option, "key") || strings.Contains(option, "token") {
		return "set VERIFY_API_KEY or PROXY_TOKEN in the environment, so that other users of this machine cannot see it"
	}
	return ""
}

// addOrigin takes what a browser sends as Origin: scheme, host and port only.
func (o *options) addOrigin(value string) error {
	u, err := url.Parse(value)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" ||
		!strings.EqualFold(strings.TrimRight(value, "/"), u.Scheme+"://"+u.Host) {
		return misused("--origin is %s; write scheme and host, such as https://skills.example", text.Quote(value))
	}
	// A browser leaves out the usual port.
	host := strings.TrimSuffix(strings.ToLower(u.Host), map[string]string{"https": ":443", "http": ":80"}[u.Scheme])
	o.origins = append(o.origins, u.Scheme+"://"+host)
	return nil
}

func (o *options) addHost(value string) error {
	if strings.ContainsAny(value, "/@ ") {
		return misused("--host is %s; write a name, such as verify.example or verify.example:8443", text.Quote(value))
	}
	o.hosts = append(o.hosts, strings.ToLower(value))
	return nil
}

func (o *options) setRemember(value string) (err error) {
	if o.remember, err = time.ParseDuration(value); err != nil || o.remember != 0 && o.remember < leastRemembered {
		return misused("--remember is %s; write a time such as 12h or 30m, of at least a second, or 0", text.Quote(value))
	}
	return nil
}

// check tells whether the options go together. The key and the URLs are checked
// where they are used.
func (o *options) check() error {
	host, _, err := net.SplitHostPort(o.addr)
	elsewhere := slices.IndexFunc(o.hosts, func(h string) bool { return !rest.ThisMachine(nameOf(h)) })
	switch {
	case err != nil:
		return misused("--addr is %s: write a host and a port, such as 127.0.0.1:8080", text.Quote(o.addr))
	case o.apiKey != "" && o.upstream == "":
		return misused("there is a key for the verifier, but VERIFY_URL does not say where the verifier is")
	case strings.ContainsFunc(o.token, func(r rune) bool { return r <= ' ' || r > '~' }):
		return misused("PROXY_TOKEN holds a space, a line break or another character that cannot stand in a header")
	case o.token != "" && len(o.token) < leastToken:
		return misused("PROXY_TOKEN is shorter than %d characters; use a long random one", leastToken)
	case o.token == "" && elsewhere >= 0:
		return misused("--host %s is not this machine, so others can call; set PROXY_TOKEN, or leave --host out", o.hosts[elsewhere])
	case !rest.ThisMachine(host) && (o.token == "" || len(o.origins) == 0):
		return misused("--addr %s can be called from other machines; set PROXY_TOKEN, and name the pages that may call with --origin, "+
			"or listen on this machine only, such as 127.0.0.1:8080", o.addr)
	}
	return nil
}
