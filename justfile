# Stalhof. `just dev` builds everything and serves the demo, `just test` passes all tests.

set shell := ["bash", "-euo", "pipefail", "-c"]

target := env("CARGO_TARGET_DIR", justfile_directory() / "target")
debug := target / "debug/stalhof"

# Here `scripts/provide` puts Node where the installed one is too old
export PATH := target / "node/node_modules/node/bin" + ":" + env("PATH")

_list:
    @just --list --unsorted

# Build everything and serve the demo: http://127.0.0.1:8080
dev: _frontend
    cargo run --locked --bin stalhof -- serve --demo

# Serve what is in the database, without demo data
serve *arguments: _frontend
    cargo run --locked --bin stalhof -- serve {{ arguments }}

# Serve the UI with hot reload, beside a `just dev` in another terminal
ui: _packages
    cd frontend && npm run dev

# Build the release binary, the whole product in one file
build: _frontend
    cargo build --locked --release --bin stalhof
    @ls -l {{ target }}/release/stalhof

# Everything that must hold, as CI runs it. The compiler, and a server that is attacked, leave processors idle
test: (_took "start") _prerequisites (_took "prerequisites") licences (_took "licences") (_beside "test-frontend" "lint" "test-rust") (_took "= lint, Rust on SQLite, frontend") (test-pg "turn") (_took "Rust on PostgreSQL") (_beside "clients-short" "chaos --short") (_took "= chaos, clients") e2e (_took "browser") _steps

# `just test`, and whatever takes turns in it: all tests on PostgreSQL, every page in all looks (an hour)
test-all: test test-pg
    STALHOF_SWEEP=all {{ just_executable() }} e2e

# Runs a recipe while the others run one after the other, and shows what it said after them
[positional-arguments]
_beside aside +recipes:
    #!/usr/bin/env bash
    set -euo pipefail
    began=$SECONDS
    log="{{ target }}/$1.log"
    mkdir -p "{{ target }}"
    {{ just_executable() }} "$1" >"$log" 2>&1 &
    aside=$!
    trap 'kill $aside 2>/dev/null || true' EXIT
    for recipe in "${@:2}"; do
      before=$SECONDS
      {{ just_executable() }} $recipe
      scripts/steps add $((SECONDS - before)) "  $recipe"
    done
    status=0
    wait "$aside" || status=$?
    trap - EXIT
    cat "$log"
    scripts/steps add $((SECONDS - began)) "  $1 (beside)"
    exit "$status"

# The model of rights at length: ten times as many random sequences as in `just test`
rights:
    STALHOF_SEQUENCES=10000 cargo test --locked -p stalhof --test it rights_model

# The search for arrivals at length: a hundred times as many questions as in `just test`, each also simulated minute by minute
itineraries:
    STALHOF_SEQUENCES=100000 cargo test --locked -p logistics --lib shipping::tests::generated

# Price books that are brought up to date over 10,000 random changes, each compared with a fresh one
price-books:
    STALHOF_SEQUENCES=10000 cargo test --locked -p pricing --lib quote::load::tests::incremental

# A test waits for a quarter of its time, for its database or for what it is about: one more at once than processors
threads := "RUST_TEST_THREADS=$(($(nproc) + 1))"

# The Rust tests on SQLite
test-rust *arguments:
    env -u TEST_DATABASE_URL {{ threads }} cargo test --locked --workspace {{ arguments }}

# The same test binaries on a private PostgreSQL; `just test-pg turn`: those that are due by the commit
test-pg *arguments:
    {{ threads }} scripts/postgres cargo test --locked --workspace \
      {{ if arguments == "turn" { "--config 'target.\"cfg(all())\".runner=\"" + justfile_directory() + "/scripts/postgres-turn\"'" } else { arguments } }}

# The frontend's lints, types, tests and build, the lints of the contract, and its list of changes
test-frontend: _frontend
    scripts/changelog --check
    cd frontend && npm run budget && npm run check && npm run openapi:check && npm run openapi:lint && npm run test

# Clients generated from the contract, and the examples of docs/integrators.md, against the real binary
clients: _packages _test-binaries
    scripts/clients {{ debug }}

# The same without those for PHP and Go, as CI runs it
clients-short: _packages _test-binaries
    scripts/clients {{ debug }} --short

# The browser tests against the real binary. Prints the page of each failed test; its picture and trace are in frontend/test-results
e2e *arguments: _frontend _test-binaries
    cd frontend && STALHOF_CHROMIUM="$(../scripts/provide chromium)" STALHOF_BIN={{ debug }} npm run e2e -- {{ arguments }} \
      || { cat test-results/*/error-context.md; exit 1; }

# Take the handbook's pictures anew: docs/handbook/pictures
handbook-pictures: _packages _test-binaries
    cd frontend && npx vite build && STALHOF_CHROMIUM="$(../scripts/provide chromium)" STALHOF_BIN={{ debug }} \
      STALHOF_HANDBOOK_PICTURES="{{ justfile_directory() }}/docs/handbook/pictures" npm run e2e -- handbook-pictures

# Formats and lints of the Rust code; CI's compiler lints by itself, and leaves processors to the tests beside it
lint:
    cargo fmt --all --check
    if [ -n "${RUSTC_WORKSPACE_WRAPPER:-}" ]; then nice -n 19 cargo test --no-run --quiet --locked --workspace; \
      else cargo clippy --all-targets --quiet --locked --workspace -- -D warnings; fi

# What can be said without running anything: formats, lints, types, documentation, licences
check: lint licences _packages
    python3 scripts/contract_changes_test.py
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items
    cd frontend && npm run check

# Licences, forbidden crates and sources of everything that is built in; CI demands it
licences:
    @if deny=$(scripts/provide cargo-deny); then "$deny" --locked --log-level error check licenses bans sources; \
      else test -z "${CI:-}"; fi

# Known vulnerabilities of everything that is built in, by RustSec's database on GitHub: before each release
advisories:
    @"$(scripts/provide cargo-deny)" --locked check advisories

# Format and mend everything that can be mended by itself
fmt: _packages
    cargo fmt --all
    cd frontend && npm run fix

# Write the API's contract anew: openapi/*, and the UI's types from it
openapi: _packages
    cargo run --locked --bin stalhof -- openapi openapi
    cd frontend && npm run openapi
    scripts/changelog

# Write the unreleased changes of the contract anew
changelog:
    scripts/changelog

# Call every operation of a demo server with made-up input, as each of two administrators
fuzz *arguments: _test-binaries
    scripts/fuzz {{ debug }} {{ arguments }}

# Attack the real server: disks that fill up or fail, databases that freeze, processes that die. `--short` is what CI runs
chaos *arguments: _test-binaries
    @scripts/provide postgres
    @scripts/provide haproxy || true
    chaos/run --program {{ debug }} {{ arguments }}

# Measure the release build beside bare SQL on both databases
bench *arguments: build
    bench/run {{ arguments }}

# Notes the seconds since the step before; "start" begins the table
_took step:
    @mkdir -p "{{ target }}"; now=$(date +%s); began=$(cat "{{ target }}/step-began" 2>/dev/null || echo "$now"); \
      if [ "{{ step }}" = start ]; then scripts/steps begin; else scripts/steps add $((now - began)) "{{ step }}"; fi; echo "$now" >"{{ target }}/step-began"

_steps:
    @scripts/steps table

_prerequisites:
    @scripts/provide chromium
    @test -n "${TEST_DATABASE_URL:-}" || scripts/provide postgres
    @scripts/provide sshd || true
    @scripts/provide vsftpd || true
    @scripts/provide openssl || true
    @scripts/provide haproxy || true

_packages:
    @scripts/provide node >/dev/null
    @cd frontend && if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then npm ci; fi

_frontend: _packages
    cd frontend && npm run build

# One set of binaries for all steps: what `cargo test` builds.
_test-binaries:
    @cargo test --locked --workspace --no-run --quiet
