# The site's settings, all of them fixed when it is generated. Set them on the
# command line: make site SITE_URL=https://skills.example BASE_PATH=/marketing/
ADDR ?= 127.0.0.1:8080
# An address without a host, or for all hosts, is reached as this machine.
SITE_URL ?= http://$(patsubst 0.0.0.0:%,127.0.0.1:%,$(patsubst :%,127.0.0.1:%,$(ADDR)))
BASE_PATH ?= /
REPO_URL ?=
GITHUB_API_URL ?= https://api.github.com
PROXY_URL ?=
# Options for verify-proxy, such as --origin; its secrets come from the environment.
PROXY_FLAGS ?=
export SITE_URL BASE_PATH REPO_URL GITHUB_API_URL PROXY_URL

FUZZTIME ?= 60s

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help run site test check sync release bench fuzz clean go

# Without Go, and with one so old that it cannot read go.mod, the shell and the
# Go tool say nothing that helps.
run site test check sync release bench fuzz: go
go:
	@go list -m >/dev/null || { echo "This project is built with Go 1.26 or newer: https://go.dev/dl/" >&2; exit 1; }

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-7s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Programs that run once on this machine are not worth optimising: without, a
# first build takes half as long.
UNOPTIMISED = CGO_ENABLED=0 go run -gcflags='all=-N -l' -ldflags=-w

run: ## build everything and serve the site on this machine
	$(UNOPTIMISED) ./build/site -local
	$(UNOPTIMISED) ./tools/verify-proxy --addr='$(ADDR)' --base='$(BASE_PATH)' $(PROXY_FLAGS)

site: ## write the static site to build/dist
	go run ./build/site

test: ## run every test: units, content, commands, browser
	@build/test.sh

check: ## format, static analysis, known vulnerabilities, workflows, import rules, content, size budgets
	@unformatted=$$("$$(go env GOROOT)/bin/gofmt" -l app build tools wasm *.go) || exit; \
	test -z "$$unformatted" || { echo "gofmt would change: $$unformatted"; exit 1; }
	go vet ./...
	GOOS=js GOARCH=wasm go vet ./wasm/...
	go tool staticcheck ./...
	build/vulnerabilities.sh
	go tool actionlint -shellcheck= -pyflakes=
	go test ./app
	go run ./tools/validate-skills
	go run ./tools/sync-skills --check
	go run ./build/site

sync: ## write the table of skills, their facts, the plugin manifests and the report on tries anew
	go run ./tools/sync-skills
	go run ./tools/clis/try-skill report skills/tryouts --into skills/TRYOUTS.md

release: ## make a release of what VERSIONS.md collects: make release VERSION=2.3.0
	@test -n '$(VERSION)' || { echo 'Name the version of the release: make release VERSION=2.3.0'; exit 2; }
	@go run ./tools/sync-skills --release='$(VERSION)'

bench: ## measure: generation, search, reading, a large table in the browser
	go test -run '^$$' -bench . -benchmem ./app/... ./wasm

fuzz: ## fuzz every law for FUZZTIME each (60s)
	@build/fuzz.sh $(FUZZTIME)

clean: ## remove what was built
	rm -rf build/dist build/cache build/release
