# Two commands do everything: `make` runs the workflow, `make test` runs the tests.
# Both first make an isolated environment in .venv from requirements.lock; a second call reuses it.

PYTHON ?= python3
CORES ?= all
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Notebook kernels and jobs find their programs in the environment first.
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONHASHSEED := 0
# Written bytecode is what makes the second start of a program fast; here it stays in this folder.
unexport PYTHONDONTWRITEBYTECODE

# An environment that was moved with its folder, or whose Python is gone, is made anew.
ifneq ($(shell cat $(READY) 2>/dev/null && $(BIN)/python -c '' 2>/dev/null || echo stale),$(CURDIR))
.PHONY: $(READY)
CLEAR := --clear
endif

.DEFAULT_GOAL := run
.PHONY: run quick then_and_now data test mutants chaos slurm rsync browser lint format lock clean help

# `make DATA=real` refuses surrogates: data that no source has is an error then.
DATA ?= auto
WITH_DATA = $(if $(filter auto,$(DATA)),,--config 'data={source: $(DATA)}')

run: data ## the whole reproduction at the papers' settings -> reports/index.html
	python -m snakemake $(WITH_DATA) --cores $(CORES) $(ARGS)

quick: data ## the same workflow in minutes -> build/quick/reports/index.html
	python -m snakemake $(WITH_DATA) --cores $(CORES) --configfile=config/quick.yaml $(ARGS)

# Not part of a run: what today's plain methods reach on the same data.
then_and_now: data ## today's plain methods beside the papers' -> reports/then_and_now.html
	python -m snakemake $(WITH_DATA) --cores $(CORES) then_and_now $(ARGS)

# Fetch what is missing, and try again what no source had last time; a table says what served.
data: $(READY) ## fetch all data sets; ends in a table
	python -m reproduction data --source $(DATA)


test: $(READY) ## the tests; those of the pages are skipped where there is no browser
	python -m pytest -n auto --dist loadgroup --no-loadscope-reorder $(ARGS)

mutants: $(READY) ## change places of the sources at random; do the tests notice? -> tests/evidence/
	python tests/mutants/run_mutants.py $(ARGS)

chaos: $(READY) ## kills, forgeries, damaged files -> tests/evidence/
	python tests/chaos/run_chaos.py $(ARGS)

slurm: $(READY) ## the quick workflow through Slurm -> tests/evidence/slurm.json
	python tests/chaos/run_chaos.py slurm

rsync: ## get rsync for the test of a storage plugin
	@command -v rsync || { apt-get update -qq && apt-get install -qq --yes rsync; } >/dev/null 2>&1 || \
		echo "no rsync to be had: its test is skipped"

# A package manager that says "already installed" is no browser: every way ends with one that starts.
STARTS = PYTHONPATH=tests/reproduction python -c "import browser; raise SystemExit(browser.problem() or None)"
browser: $(READY) ## get a browser for the tests of the pages
	$(STARTS) || { apt-get update -qq && apt-get install -qq --yes --reinstall --no-install-recommends chromium >/dev/null \
		&& $(STARTS); } || { python -m playwright install chromium-headless-shell && $(STARTS); }

lint: $(READY) ## check style and types
	python -m ruff format --check .
	python -m ruff check .
	python -m snakefmt --check Snakefile workflow
	python -m mypy

format: $(READY) ## mend style where a tool can
	python -m ruff format .
	python -m ruff check --fix .
	python -m snakefmt Snakefile workflow

lock: $(READY) ## pin again from the ranges in pyproject.toml
	python -m uv pip compile pyproject.toml --extra reproduce --extra dev --extra docs --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --no-annotate --no-header --upgrade --output-file requirements.lock

clean: ## remove the environment and what quick runs wrote
	rm -rf $(VENV) build

help: ## this list
	@echo "make [target] [CORES=2] [ARGS='further arguments, such as a target of the workflow']"
	@awk -F ':.*## ' '/^[a-z_]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' Makefile

# Names every 25th package as pip gets to it; the status of pip, not of awk, decides.
COUNTED = awk '/^(Collecting|Processing)/ {n += 1; if (n % 25 == 0) print "    " n " packages"} \
    /^Installing/ {print "    " n " packages are here, unpacking them"} /^ERROR/ {print} {fflush()}'

# uv unpacks many packages at a time; it is one of those in requirements.lock, and takes a minute and a half less.
WITH_UV = awk '/^[^ ]/ {own = /^uv==/} own' requirements.lock > $(VENV)/uv.lock \
    && $(BIN)/python -m pip install --quiet --require-hashes -r $(VENV)/uv.lock \
    && UV_HTTP_TIMEOUT=20 $(BIN)/python -m uv pip install --quiet --python $(BIN)/python --require-hashes -r requirements.lock
WITH_PIP = { $(BIN)/python -m pip install --no-compile --require-hashes --prefer-binary --progress-bar off \
    -r requirements.lock 2>&1; echo $$? > $(VENV)/.status; } | $(COUNTED); exit $$(cat $(VENV)/.status)

ITSELF = --no-deps --no-build-isolation --editable .

$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "this project needs Python 3.11 or later; call make PYTHON=python3.11")'
	@echo "first call: an environment of its own in $(VENV)"
	@$(PYTHON) -m venv $(CLEAR) $(VENV)
	@rm -f $(READY)
	@echo "  1 of 2: the packages of requirements.lock"
	@$(WITH_UV) || { echo "    uv does not get them here; pip does, in about two minutes"; $(WITH_PIP); }
	@echo "  2 of 2: this project"
	@$(BIN)/python -m uv pip install --quiet --python $(BIN)/python $(ITSELF) || $(BIN)/python -m pip install --quiet $(ITSELF)
	@echo $(CURDIR) > $(READY)

# For the public (docs/release.md).
.PHONY: release licences archive audit docs site

# Each of wheel and source archive is tried where nothing but it and its requirements is installed.
TRIED = build/release
release: lint ## build the library's release and try it in clean environments -> dist/
	rm -rf dist $(TRIED) && mkdir -p $(TRIED)
	python -m hatchling build --directory dist
	tar -xzf dist/*.tar.gz -C $(TRIED) --strip-components 1 && rm -r $(TRIED)/src
	for file in dist/*; do (cd $(TRIED) && python -m uv run --isolated --no-project --python $(PYTHON) \
	    --with "manyviews[test] @ file://$(CURDIR)/$$file" python -m pytest -q tests/library) || exit 1; done
	cd dist && sha256sum * > SHA256SUMS

licences: $(READY) ## write the licences of all installed packages -> docs/licences.csv
	uvx pip-licenses --python $(BIN)/python --format csv --output-file docs/licences.csv

# Sources and reports of the commit; reports/MANIFEST.json has the digests of data sets, settings and results.
archive: $(READY) ## bundle the last full run, as it was committed -> dist/
	mkdir -p dist && git archive --format zip --output "dist/manyviews-$$(python -c 'import manyviews; print(manyviews.__version__)')-run.zip" HEAD

# Asks a public service; --strict makes a service that does not answer an error, not a pass.
audit: $(READY) ## look for known vulnerabilities in the locked packages
	@uvx pip-audit --strict --disable-pip --require-hashes --requirement requirements.lock || { echo \
	    "audit: no clean bill. The lines above name known vulnerabilities (then raise the pin: make lock) or a" \
	    "package the service did not answer for (then nothing is known: try where pypi.org answers)." >&2; exit 1; }

docs: $(READY) ## the documentation -> build/docs/index.html
	python -m reproduction.workflow.site --docs-only --output build/docs

site: $(READY) ## pages and documentation together -> build/site/index.html
	python -m reproduction.workflow.site $(ARGS)
