# Dominium: every target sets up its own .venv first, and again only when pyproject.toml, requirements.txt or
# constraints.txt has changed. Every library is checked against the checksums in those two.
# Works with GNU make 3.81 (macOS) and later; needs Python 3.11 or newer, its venv module, and a network once.

SHELL := /bin/bash
VENV := .venv
PY := $(VENV)/bin/python
RUN_READY := $(VENV)/.ready-run
DEV_READY := $(VENV)/.ready-dev
PYTHON ?=
ARGS ?=
SHARE ?= 1/1
QUICK := not slow and not browser and not process
# Without bytecode on the disk each process of a test run compiles everything again.
unexport PYTHONDONTWRITEBYTECODE

# One line for each package while pip works; pip's own errors are left as they are.
SHOW := awk '/^Collecting /{printf "  %s\n", $$2; fflush()}'

# What a bot is installed with; constraints.txt has what its tests want as well.
RUN_EXTRAS := sandbox postgres build
LOCK := .lock/bin/uv pip compile --quiet --universal --python-version 3.11 --no-annotate --generate-hashes \
  --custom-compile-command "make lock"
INSTALL := -m pip install --require-hashes
OURSELVES := -m pip install --no-deps --no-build-isolation --editable .

.DEFAULT_GOAL := help
.PHONY: help run test check soak mutants machines bench doctor format pictures lock clean style formatted types \
  contracts collected browser docs figures

help: ## List the targets
	@echo "Dominium. The targets (each prepares what it needs):"
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "  make %-9s %s\n", $$1, $$2}' Makefile

run: $(RUN_READY) ## Run the bot: on Discord with a token in .env, otherwise on a local Discord in the browser
	@$(PY) -m dominium run $(ARGS)

test: $(DEV_READY) browser ## Check everything: style, types, contracts, all tests (minutes)
	@$(MAKE) --no-print-directory -j 2 style collected
	@$(PY) -m pytest -q -n 4 --dist worksteal $(ARGS) # four workers for two cores, since many tests wait

check: $(DEV_READY) ## Run the checks that take about a minute: no browser, no processes
	@$(MAKE) --no-print-directory -j 2 style
	@$(if $(ARGS),,DOMINIUM_QUICK=1) $(PY) -m pytest -q -n 2 --dist worksteal -m "$(QUICK)" $(ARGS)

soak: $(DEV_READY) style browser ## Check everything whole: every option of every game, more examples, other seeds (hours)
	@seed=$${DOMINIUM_SEED:-$$RANDOM}; echo "DOMINIUM_SEED=$$seed"; \
	DOMINIUM_SOAK=1 DOMINIUM_SEED=$$seed DOMINIUM_SHARE=$(SHARE) $(PY) -m pytest -q -n 2 --dist worksteal --timeout 1800 $(ARGS)

mutants: $(DEV_READY) ## Plant faults in one room, in a copy, and list those that no test notices (minutes)
	@$(PY) -m tests.mutants $(ARGS)

machines: ## Try run, check and test on bare Debian 12, 13 and testing; as root (hours)
	@python3 -m tests.machines $(ARGS)

bench: $(DEV_READY) ## Measure speed and memory, as ratios within one run
	@status=0; $(PY) -m dominium bench $(ARGS) || status=1; \
	$(PY) -m tests.bench.path || status=1; $(PY) -m tests.bench.lag || status=1; \
	$(PY) -m tests.bench.many || status=1; $(PY) -m tests.bench.standing || status=1; \
	$(PY) -m tests.bench.starts || status=1; \
	$(PY) -m tests.bench.processes || status=1; exit $$status

doctor: $(RUN_READY) ## Check token, permissions, disk and database, and say what to do
	@$(PY) -m dominium doctor $(ARGS)

format: $(DEV_READY) ## Format the sources
	@$(PY) -m ruff format .
	@$(PY) -m ruff check --fix .

docs: $(DEV_READY) ## Write the tables in the documents again, from the program
	@$(PY) -m tests.documents

figures: $(DEV_READY) ## Run the figures of a page again, and print what has changed: PAGE=measured
	@$(PY) -m tests.documents.figures $(PAGE) $(ARGS)

pictures: $(DEV_READY) ## Draw the pictures in the documents again
	@$(PY) docs/pictures/make.py
	@$(PY) -m tests.browser.phone_pictures

lock: ## Write new requirements.txt and constraints.txt, with the newest releases that pyproject.toml allows
	@$(MAKE) -s .lock/pyvenv.cfg
	@.lock/bin/python -m pip install --quiet uv
	@$(LOCK) --upgrade --all-extras --output-file constraints.txt pyproject.toml
	@$(LOCK) --upgrade $(RUN_EXTRAS:%=--extra %) -c constraints.txt --output-file requirements.txt pyproject.toml
	@rm -rf .lock
	@echo "constraints.txt: $$(grep -c == constraints.txt) packages"

clean: ## Remove the environment, caches and builds; data/ and .env stay
	@rm -rf $(VENV) .lock dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -not -path './data/*' -prune -exec rm -rf {} +

style: types formatted contracts

formatted: $(DEV_READY)
	@$(PY) -m ruff format --check --quiet . || { echo "Run 'make format'."; exit 1; }
	@$(PY) -m ruff check --quiet .

types: $(DEV_READY)
	@$(PY) -m mypy --no-error-summary

contracts: $(DEV_READY)
	@$(VENV)/bin/lint-imports --no-logo > $(VENV)/contracts.txt || { cat $(VENV)/contracts.txt; exit 1; }

# All tests compiled once, while the types are checked: else each worker of a first run would do it for itself.
collected: $(DEV_READY)
	@$(PY) -m pytest -q --collect-only > $(VENV)/collected.txt 2>&1 || { tail -n 50 $(VENV)/collected.txt; exit 1; }

browser: $(DEV_READY) ## Find or set up a browser for the tests; as root, with apt
	@PYTHONDONTWRITEBYTECODE=1 $(PY) -m tests.browser.chromium

$(RUN_READY): $(VENV)/pyvenv.cfg pyproject.toml requirements.txt
	@echo "Installing what the bot needs:"
	@set -o pipefail; $(PY) $(INSTALL) -r requirements.txt | $(SHOW)
	@$(PY) $(OURSELVES) --quiet
	@touch $@

$(DEV_READY): $(VENV)/pyvenv.cfg pyproject.toml constraints.txt
	@echo "Installing what the bot and its tests need:"
	@set -o pipefail; $(PY) $(INSTALL) -r constraints.txt | $(SHOW)
	@$(PY) $(OURSELVES) --quiet
	@touch $(RUN_READY) $@

# The newest Python that is tested and can make environments, else any that is new enough.
# A command may exist and still not run (version managers).
%/pyvenv.cfg:
	@found=; partial=; \
	set -- $(if $(PYTHON),"$(PYTHON)",python3.15 python3.14 python3.13 python3.12 python3.11 python3 python); \
	for python in "$$@"; do \
	  "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' > /dev/null 2>&1 || continue; \
	  "$$python" -c 'import ensurepip, venv' > /dev/null 2>&1 && { found=$$python; break; }; \
	  partial=$${partial:-$$python}; done; \
	test -n "$$found$$partial" || { \
	  echo "Dominium needs Python 3.11 or newer, and none was found."; \
	  echo "  Debian 12, Ubuntu 24.04 or newer:  sudo apt-get install python3 python3-venv"; \
	  echo "  macOS:                             brew install python@3.14"; \
	  echo "Elsewhere: make PYTHON=/path/to/python3 ..."; exit 1; }; \
	test -n "$$found" || { \
	  version=$$("$$partial" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	  echo "$$partial is new enough, but can't create environments: its venv module is incomplete."; \
	  echo "  Debian, Ubuntu:  sudo apt-get install python$$version-venv"; exit 1; }; \
	echo "Setting up $(@D) with $$("$$found" --version)"; rm -rf $(@D); "$$found" -m venv $(@D)
