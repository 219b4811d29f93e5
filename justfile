# Stalhof. `just dev` builds everything and serves the demo, `just test` passes all tests.

set shell := ["bash", "-euo", "pipefail", "-c"]

target := env("CARGO_TARGET_DIR", justfile_directory() / "target")
debug := target / "debug/stalhof"

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
test: (_took "start") _prerequisites (_took "what is installed") (_beside "test-frontend" "lint" "test-rust") (_took "lint, Rust on SQLite, frontend") test-pg (_took "Rust on PostgreSQL") (_beside "clients" "chaos --short") (_took "chaos, clients") e2e (_took "browser")

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
      {{ just_executable() }} $recipe
      echo "== $recipe: $((SECONDS - began)) s after the start"
    done
    status=0
    wait "$aside" || status=$?
    trap - EXIT
    cat "$log"
    echo "== $1: $((SECONDS - began)) s after the start"
    exit "$status"

# The model of rights at length: ten times as many random sequences as in `just test`
rights:
    STALHOF_SEQUENCES=10000 cargo test --locked -p api --test it rights_model

# A test waits for a quarter of its time, for its database or for what it is about: one more at once than processors
threads := "RUST_TEST_THREADS=$(($(nproc) + 1))"

# The Rust tests on SQLite
test-rust *arguments:
    env -u TEST_DATABASE_URL {{ threads }} cargo test --locked --workspace {{ arguments }}

# The same test binaries on a private PostgreSQL
test-pg *arguments:
    {{ threads }} scripts/postgres cargo test --locked --workspace {{ arguments }}

# The frontend's lints, types, tests and build
test-frontend: _frontend
    cd frontend && npm run budget && npm run check && npm run openapi:check && npm run test

# Clients generated from the contract, and the examples of docs/integrators.md, against the real binary
clients: _packages _test-binaries
    scripts/clients {{ debug }}

# The browser tests against the real binary. What the page was like when one failed is told at the end
e2e *arguments: _frontend _test-binaries
    cd frontend && STALHOF_CHROMIUM="$(../scripts/provide chromium)" STALHOF_BIN={{ debug }} npm run e2e -- {{ arguments }} \
      || { cat test-results/*/error-context.md; exit 1; }

# Formats and lints of the Rust code; CI's compiler lints by itself
lint:
    cargo fmt --all --check
    if [ -n "${RUSTC_WORKSPACE_WRAPPER:-}" ]; then cargo test --no-run --quiet --locked --workspace; \
      else cargo clippy --all-targets --quiet --locked --workspace -- -D warnings; fi

# What can be said without running anything: formats, lints, types, documentation, licences
check: lint _packages
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --workspace --no-deps --document-private-items
    cd frontend && npm run check
    @if cargo deny --version >/dev/null 2>&1; then cargo deny --locked check licenses bans sources; else echo "cargo-deny is not installed: licences are not checked."; fi

# Format and mend everything that can be mended by itself
fmt: _packages
    cargo fmt --all
    cd frontend && npm run fix

# Write the API's contract anew: openapi/*, and the UI's types from it
openapi: _packages
    cargo run --locked --bin stalhof -- openapi openapi
    cd frontend && npm run openapi

# Call every operation of a demo server with made-up input, as each of two administrators
fuzz *arguments: _test-binaries
    scripts/fuzz {{ debug }} {{ arguments }}

# Attack the real server: disks that fill up or fail, databases that freeze, processes that die. `--short` is what CI runs
chaos *arguments: _test-binaries
    @scripts/provide postgres
    chaos/run --program {{ debug }} {{ arguments }}

# Measure the release build beside bare SQL on both databases
bench *arguments: build
    bench/run {{ arguments }}

# The seconds since the step before
_took step:
    @mkdir -p "{{ target }}"; now=$(date +%s); began=$(cat "{{ target }}/step-began" 2>/dev/null || echo "$now"); \
      [ "{{ step }}" = start ] || echo "== {{ step }}: $((now - began)) s"; echo "$now" >"{{ target }}/step-began"

_prerequisites:
    @scripts/provide chromium
    @test -n "${TEST_DATABASE_URL:-}" || scripts/provide postgres

_packages:
    @cd frontend && if [ ! node_modules/.package-lock.json -nt package-lock.json ]; then npm ci; fi

_frontend: _packages
    cd frontend && npm run build

# One set of binaries for all steps: what `cargo test` builds.
_test-binaries:
    @cargo test --locked --workspace --no-run --quiet
