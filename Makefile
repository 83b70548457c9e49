# Every target works on a fresh clone: setup makes .venv with everything built and the `saloon` command in it.
PYTHON ?= python3
PROFILE ?= smoke
GAME ?= moon_river
PLAYERS ?= 4
SECONDS_EACH ?= 60
CHAOS_SECONDS ?= 28800
VENV := .venv
BIN := $(VENV)/bin
INSTALL := -m pip install --quiet --disable-pip-version-check
PIP := $(BIN)/python $(INSTALL) -c requirements.lock
# What serving and building need, as the image installs it: each file must have the hash it had when it was chosen.
LOCKS := deploy/building.lock deploy/serving.lock
# What this machine runs is compiled for this machine; see setup.py.
export SALOON_MARCH ?= native

SOURCES := $(shell find engine_cy search learning -name '*.pyx' -o -name '*.px[di]') setup.py

# The debug build lives in a copy of the tree; the sanitizers' run-time libraries must be loaded before Python.
DEBUG := build/debug
SANITIZED = LD_PRELOAD="$$($(CC) -print-file-name=libasan.so) $$($(CC) -print-file-name=libubsan.so)" \
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=.

# pip-compile finds the hashes; in an environment of its own, with the Python of the image.
LOCK := build/lock
LOCK_TOOLS := pip-tools==7.6.2
LOCK_PYTHON ?= python3.11

# The build that later ones are measured against; older setups compile by themselves and in place.
FROZEN_COMMIT := ffb54a7402364a2ad2c9ae6947d10711ece49213
FROZEN := build/frozen
FROZEN_PIP := cd $(FROZEN) && .venv/bin/python -m pip install --quiet --disable-pip-version-check -c requirements.lock

# The contract's tools: generated code must run with the oldest grpc and protobuf supported, so the oldest make it.
PROTO := build/proto
PROTO_TOOLS := grpcio-tools==1.74.0 mypy-protobuf==3.6.0 googleapis-common-protos==1.70.0
BUF := npx --yes @bufbuild/buf@1.74.0

# The page for people, built into the folder that the server sends it from.
PAGE := clients/page

# The client in TypeScript, its tools and the generator of its code: only where there is npm.
TS := clients/typescript
TS_TOOLS := $(if $(shell command -v npm),$(TS)/node_modules/.package-lock.json)

.PHONY: help serve setup dist proto proto-check page page-check page-is-fresh test-browser client-typescript proto-release test test-typescript test-debug test-debug-smoke fuzz test-deep chaos chaos-tables check format bench bench-service load attack scale scale-tables tune train levels ruler calibrate ceiling honest frozen overshoot soak lock clean page-smoke page-pictures puzzles

help:  ## What there is to make
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 18

serve: $(VENV)/.built  ## The service: a page to play on at http://localhost:8080, gRPC on 127.0.0.1:50051
	$(BIN)/saloon serve

setup: $(VENV)/.built $(VENV)/.tools  ## .venv with all that tests and measurements need, too

# What serving needs; what is compiled is compiled by the rule for .built.
$(VENV)/.installed: pyproject.toml clients/python/pyproject.toml requirements.lock $(LOCKS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Saloon needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python $(INSTALL) --require-hashes $(addprefix -r ,$(LOCKS))
	SALOON_COMPILE=0 $(PIP) --no-build-isolation -e clients/python -e .
	touch $@

# The rest: pip adds what the extra asks for and leaves the installed project as it is.
$(VENV)/.tools: $(VENV)/.installed
	$(PIP) 'saloon-server[dev]'
	touch $@

$(VENV)/.built: $(VENV)/.installed $(SOURCES)
	$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

$(VENV)/.debug: $(VENV)/.built $(VENV)/.tools $(shell git ls-files -co --exclude-standard 2>/dev/null)
	mkdir -p $(DEBUG)
	git ls-files -co --exclude-standard -z | xargs -0 cp --parents -pt $(DEBUG)
	cd $(DEBUG) && SALOON_DEBUG=1 $(CURDIR)/$(BIN)/python setup.py --quiet build_ext --inplace
	touch $@

$(TS)/node_modules/.package-lock.json: $(TS)/package-lock.json
	cd $(TS) && npm ci --no-audit --no-fund
	touch $@

$(TS)/dist/.built: $(TS)/node_modules/.package-lock.json $(TS)/tsconfig.json $(TS)/package.json $(shell find $(TS)/src -name '*.ts')
	cd $(TS) && npm run --silent build
	touch $@

$(PROTO)/.installed: Makefile
	$(PYTHON) -m venv $(PROTO)
	$(PROTO)/bin/python $(INSTALL) $(PROTO_TOOLS)
	touch $@

proto: $(PROTO)/.installed $(TS_TOOLS)  ## The Python and TypeScript code of the contract, from proto/
	PATH="$(CURDIR)/$(PROTO)/bin:$$PATH" $(PROTO)/bin/python proto/generate.py

proto-check: $(PROTO)/.installed $(TS_TOOLS)  ## Is that code up to date, is the contract well-formed, does it break no client?
	PATH="$(CURDIR)/$(PROTO)/bin:$$PATH" $(PROTO)/bin/python proto/generate.py --check
	@if command -v npx >/dev/null; then set -x; $(BUF) lint proto && $(BUF) format --diff --exit-code proto \
		&& $(BUF) breaking proto --against proto/released.binpb; \
	else echo 'SKIPPED: lint of the contract needs npx (Node.js)'; fi

$(PAGE)/node_modules/.package-lock.json: $(PAGE)/package-lock.json
	cd $(PAGE) && npm ci --no-audit --no-fund
	touch $@

page: $(PAGE)/node_modules/.package-lock.json $(TS)/dist/.built  ## The page for people, into server/page/assets
	cd $(PAGE) && node build.mjs

page-check:  ## Is what is there what clients/page makes?
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory page-is-fresh; \
	else echo 'SKIPPED: checking the page needs npm (Node.js)'; fi

page-is-fresh: $(PAGE)/node_modules/.package-lock.json $(TS)/dist/.built
	cd $(PAGE) && npx tsc -p . && node build.mjs --check

page-smoke: setup  ## A few turns in a browser, clicked
	@if command -v npm >/dev/null; then $(MAKE) --no-print-directory $(PAGE)/node_modules/.package-lock.json && \
		cd $(PAGE) && node --test --test-reporter=spec test/smoke.test.mjs; \
	else echo 'SKIPPED: the page in a browser needs npm (Node.js)'; fi

test-browser: setup $(PAGE)/node_modules/.package-lock.json  ## Whole games in a browser, clicked; ARGS='--test-name-pattern=keys'
	cd $(PAGE) && node --test --test-reporter=spec $(ARGS) test/*.test.mjs

page-pictures: setup $(PAGE)/node_modules/.package-lock.json  ## The pictures of docs/page.md
	cd $(PAGE) && node test/pictures.mjs

client-typescript: $(TS)/dist/.built  ## @saloon/client, into clients/typescript/dist

proto-release:  ## Make the contract as it is now what later versions must not break
	$(BUF) build proto -o proto/released.binpb

test: check proto-check page-check page-smoke test-typescript  ## Every test that gates a change
	$(BIN)/python -m pytest -n auto --dist loadgroup

test-typescript: $(VENV)/.built $(if $(TS_TOOLS),$(TS)/dist/.built)  ## ... and those of @saloon/client alone: form, lint, types, tests in Node and Chromium
	@if [ -n '$(TS_TOOLS)' ]; then set -x; cd $(TS) && npm run --silent check && npm run --silent test; \
	else echo 'SKIPPED: the tests of @saloon/client need npm (Node.js 20 or newer)'; fi

test-debug: $(VENV)/.debug  ## The same suite on a build with bounds checks, AddressSanitizer and UBSan
	cd $(DEBUG) && $(SANITIZED) $(CURDIR)/$(BIN)/python -m pytest -n auto --dist loadgroup

test-debug-smoke: $(VENV)/.debug  ## ... and a part of it for the gate
	cd $(DEBUG) && $(SANITIZED) $(CURDIR)/$(BIN)/python -m pytest -n auto --dist loadgroup tests/contract tests/perft tests/golden tests/unit \
		tests/property/test_fuzz.py tests/fuzz

fuzz: $(VENV)/.debug  ## Hostile input, by coverage, on that build (four minutes): SECONDS_EACH=300, ARGS='codec records'
	cd $(DEBUG) && $(SANITIZED) $(CURDIR)/$(BIN)/python -m tests.fuzz --out $(CURDIR)/build/fuzz \
		--seconds $(SECONDS_EACH) $(ARGS)

test-deep: setup  ## The same suite with ten times the games against the oracle and many more random examples
	SALOON_TEST_SCALE=10 HYPOTHESIS_PROFILE=deep $(BIN)/python -m pytest -n auto --dist loadgroup tests/oracle tests/property

chaos: setup  ## Servers that are frozen, killed, flooded, cut off, without a disk (five minutes)
	$(BIN)/python -m pytest -m "" tests/chaos

chaos-tables: setup  ## Tables on two PostgreSQLs while all is killed, cut off or full (a night; CHAOS_SECONDS=600, KILLS=1000)
	$(BIN)/python -m tests.chaos.tables --seconds $(CHAOS_SECONDS) $(if $(KILLS),--kills $(KILLS)) $(ARGS)

check: setup  ## Formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/cython-lint engine_cy search learning
	$(BIN)/codespell
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest --allowlist tests/stubtest_allowlist.txt --ignore-unused-allowlist \
		$(subst /,.,$(basename $(shell find engine_cy search learning -name '*.pyi')))

format: setup  ## Put the sources in form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	@if [ -d $(TS)/node_modules ]; then set -x; cd $(TS) && npm run --silent format; fi

bench: $(VENV)/.built  ## How fast engine and search are on this machine
	$(BIN)/saloon bench engine
	$(BIN)/saloon bench search

bench-service: $(VENV)/.built  ## Does the service keep its promises on this machine (25 minutes; add ARGS=--short for a tenth)
	$(BIN)/python -m benchmarks.service $(ARGS)

load: setup  ## A load test: make load PROFILE=steady (gate, smoke, steady, spike, overload, soak)
	$(BIN)/python -m load.run $(PROFILE)

attack: setup  ## Hostile clients beside a good one, which must keep its time (eight minutes); ARGS='--ways big hogs --seconds 5'
	$(BIN)/python -m load.attack $(ARGS)

scale: setup  ## How the service grows with workers and clients, into docs/performance.md (five minutes)
	$(BIN)/python -m load.scale --docs docs

scale-tables: setup  ## How hosted tables grow on SQLite and PostgreSQL, into docs/performance.md (seven minutes)
	$(BIN)/python -m load.tables --docs docs $(ARGS)
	$(BIN)/python -m load.stored --docs docs

tune: $(VENV)/.built  ## Find better weights for the quick judgement (ten minutes): make tune GAME=goldgraeber
	$(BIN)/python -m search.tune --game $(GAME)

train: setup  ## Learn to judge a game from nothing (an hour and a half for Moon River; ARGS='--ray ADDRESS'): make train GAME=moon_river
	$(BIN)/python -m learning.train --game $(GAME) $(ARGS)

levels: setup  ## Measure every level against the one below (an hour; on many machines: ARGS='--ray ADDRESS')
	$(BIN)/python -m search.levels $(ARGS)

ruler: $(VENV)/.built  ## Decisions with the worth of every move, for saloon regret (ten minutes): make ruler GAME=goldgraeber PLAYERS=3 ARGS='--jobs 4'
	$(BIN)/python -m benchmarks.ruler --game $(GAME) --players $(PLAYERS) $(ARGS)

calibrate: $(VENV)/.built  ## Do the figures of answers come true (ten minutes): make calibrate PLAYERS=2 ARGS='--jobs 2'
	$(BIN)/python -m benchmarks.calibration --game $(GAME) --players $(PLAYERS) $(ARGS)

honest: $(VENV)/.built  ## Is luck nothing on average, does better play look better: 2,800 games reviewed (an hour; goes on where it stopped)
	$(BIN)/python -m benchmarks.honest $(ARGS)

puzzles: $(VENV)/.built  ## The page's puzzles anew, from games of bots (some minutes; then make page)
	$(BIN)/python -m benchmarks.puzzle_making $(ARGS)

ceiling: $(VENV)/.built  ## How much bots could win that know what is hidden, or think to the end (half an hour): make ceiling GAME=goldgraeber
	$(BIN)/python -m benchmarks.ceiling --game $(GAME) --players $(PLAYERS) $(ARGS)

frozen: $(FROZEN)/bot  ## The build that matches measure against: saloon arena --b 'exec:build/frozen/bot mce:time=100ms'

$(FROZEN)/.built:
	@git cat-file -e $(FROZEN_COMMIT)^{commit} 2>/dev/null || { \
		echo 'make frozen: expected commit $(FROZEN_COMMIT) in this clone, got none; git fetch --unshallow brings it' >&2; exit 2; }
	rm -rf $(FROZEN)
	mkdir -p $(FROZEN)
	git archive $(FROZEN_COMMIT) | tar -x -C $(FROZEN)
	$(PYTHON) -m venv $(FROZEN)/.venv
	$(FROZEN_PIP) 'setuptools>=77' 'cython>=3.1'
	$(FROZEN_PIP) --no-build-isolation -e clients/python -e .
	touch $@

$(FROZEN)/bot: $(FROZEN)/.built
	printf '%s\n' '#!/bin/sh' 'here=$$(dirname "$$0")' 'exec "$$here/.venv/bin/python" -P "$$here/../../benchmarks/bridge.py" "$$@"' > $@
	chmod +x $@

overshoot: $(VENV)/.built  ## How late answers come, by budget; on an idle machine
	$(BIN)/python -m benchmarks.overshoot

soak: setup  ## Ten million games, then 15 minutes of clients (or SOAK_SECONDS=7200): the memory must stay flat
	$(BIN)/python -m benchmarks.soak --games 10000000
	$(BIN)/python -m load.run soak $(if $(SOAK_SECONDS),--seconds $(SOAK_SECONDS))

dist: setup  ## Wheels and source distributions of server and client, into dist/; for any processor
	rm -rf dist
	SALOON_MARCH= $(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m build --no-isolation --outdir dist clients/python

$(LOCK)/.installed:
	$(LOCK_PYTHON) -m venv $(LOCK)
	$(LOCK)/bin/python $(INSTALL) $(LOCK_TOOLS)
	touch $@

lock: setup $(LOCK)/.installed  ## Pin what is installed now; what serving and building need with hashes, for the image and CI
	$(BIN)/python -m pip freeze --all --exclude-editable | grep -v '^pip=' > requirements.lock
	$(LOCK)/bin/python deploy/lock.py

clean:  ## Remove everything that was made
	rm -rf $(VENV) dist $(foreach folder,dist build node_modules,$(TS)/$(folder)) $(foreach folder,. clients/python,$(folder)/build $(folder)/*.egg-info)
	find . -name '*.so' -delete
