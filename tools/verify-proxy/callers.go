package main

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"

	"marketingskills/app/rest"
)

// callers decides who may call the interface. A call spends somebody's credits,
// and one without a body needs no permission of a browser (it is a simple
// request of CORS): another site's page must be refused, not only kept from
// reading the answer.
type callers struct {
	hosts   []string // by which the proxy may be called, in small letters
	origins []string // pages that may call
	token   string   // "": none is asked for
}

// newCallers makes the rules for a proxy that listens at an address. The pages
// of the proxy's own site are on its origin; where only this machine can call
// they need not be named.
func newCallers(address net.Addr, o options) *callers {
	c := &callers{hosts: o.hosts, origins: o.origins, token: o.token}
	host, port, _ := net.SplitHostPort(address.String()) // a listener's address has both
	if len(c.hosts) == 0 {
		c.hosts = []string{net.JoinHostPort(host, port), "localhost:" + port}
		if rest.ThisMachine(host) {
			c.hosts = append(c.hosts, "127.0.0.1:"+port, "[::1]:"+port)
		}
	}
	if port == "80" { // which browsers leave out
		for _, h := range c.hosts {
			c.hosts = append(c.hosts, strings.TrimSuffix(h, ":80"))
		}
	}
	if rest.ThisMachine(host) {
		for _, h := range c.hosts {
			c.origins = append(c.origins, "http://"+h)
			if _, _, err := net.SplitHostPort(h); err != nil { // it has no port
				c.origins = append(c.origins, "http://"+h+":"+port)
			}
		}
	}
	return c
}

// judge returns why a request is refused, nil if it is not. Of preflights only
// host and origin count: a browser sends them without the token.
func (c *callers) judge(r *http.Request) *apiError {
	origins := r.Header.Values("Origin")
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch {
	case !c.knowsHost(r.Host):
		return refuse(http.StatusForbidden, "this host name is not allowed; allow it with --host when starting verify-proxy")
	case len(origins) > 0 && !c.knowsOrigin(r):
		return refuse(http.StatusForbidden, "pages of this origin are not allowed; allow it with --origin when starting verify-proxy")
	case len(origins) == 0 && strings.HasSuffix(r.Header.Get("Sec-Fetch-Site"), "-site"):
		// A browser names no origin when a page embeds something.
		return refuse(http.StatusForbidden, "another site's page may not call")
	case c.token == "" && passedOn(r):
		return refuse(http.StatusForbidden, "a server in front passed this on, so it may come from anywhere; "+
			"set PROXY_TOKEN when starting verify-proxy")
	case r.Method == http.MethodOptions, c.token == "":
		return nil
	case given == "":
		return refuse(http.StatusUnauthorized, "a token is needed; send it as Authorization: Bearer TOKEN")
	case !strings.EqualFold(scheme, "Bearer") || !equalSecrets(strings.TrimSpace(given), c.token):
		return refuse(http.StatusUnauthorized, "the token is wrong")
	}
	return nil
}

// knowsHost compares the name under which the proxy was called, with its port
// where the rule has one. A page that had its own name lead here (DNS
// rebinding) calls under that name.
func (c *callers) knowsHost(host string) bool {
	host = strings.ToLower(host)
	name, _, err := net.SplitHostPort(host)
	return slices.Contains(c.hosts, host) || err == nil && slices.Contains(c.hosts, name)
}

func (c *callers) knowsOrigin(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	return len(origins) == 1 && slices.Contains(c.origins, origins[0])
}

// equalSecrets takes equally long for all wrong tokens.
func equalSecrets(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// setCORS sets what a browser wants to know before it lets a page read the
// answer, refusals included.
func (c *callers) setCORS(header http.Header, r *http.Request, method string) {
	header.Add("Vary", "Origin")
	if !c.knowsOrigin(r) {
		return
	}
	header.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
	header.Set("Access-Control-Expose-Headers", "Retry-After, Verification-Source")
	if r.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", method)
		header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
		header.Set("Access-Control-Max-Age", "600")
	}
}

// fromThisMachine tells whether a request that may be answered came straight from
// a program on this machine.
func (c *callers) fromThisMachine(r *http.Request) bool {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	return err == nil && rest.ThisMachine(host) && !passedOn(r) && r.Header.Get("Origin") == "" && c.judge(r) == nil
}

// passedOn tells whether another server shows that it passed a request on. One
// that hides it looks like a program on this machine.
func passedOn(r *http.Request) bool {
	for name := range r.Header {
		if strings.HasPrefix(name, "X-Forwarded") || slices.Contains(forwarding, name) {
			return true
		}
	}
	return r.ProtoMajor == 1 && r.ProtoMinor == 0 // as most releases of nginx ask, unless told otherwise
}

// forwarding are headers of servers that pass requests on, beside X-Forwarded….
// Sources: RFC 7239, RFC 9110; the manuals of nginx, Cloudflare, Akamai, Fastly.
var forwarding = []string{"Forwarded", "Via", "X-Real-Ip", "X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-Forwarded-For",
	"Cf-Connecting-Ip", "True-Client-Ip", "Fastly-Client-Ip"}
