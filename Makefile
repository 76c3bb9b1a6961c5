# Two commands do everything: `make` runs the workflow, `make test` runs the tests.
# Both first make an isolated environment in .venv from requirements.lock; a second call reuses it.

PYTHON ?= python3
CORES ?= all
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Notebook kernels and scripts find their programs in the environment first..
export PATH := $(CURDIR)/$(BIN):$(PATH)
export PYTHONHASHSEED := 0

.DEFAULT_GOAL := run
.PHONY: run quick data mirror test lint format lock clean

# `make DATA=real` refuses surrogates: data that no source has is an error then.
DATA ?= auto
WITH_DATA = $(if $(filter auto,$(DATA)),,--config 'data={source: $(DATA)}')

run: data
	snakemake --cores $(CORES) $(WITH_DATA) $(ARGS)

quick: $(READY)
	snakemake --cores $(CORES) --configfile config/quick.yaml $(ARGS)

# Fetch what is missing, and try again what no source had last time; a table says what served.
data: $(READY)
	python -m reproduction data --source $(DATA)

# Copy all files into a portable mirror with checksums, for machines without network.
MIRROR ?= data/mirror
mirror: $(READY)
	python -m reproduction data --source $(DATA) --mirror $(MIRROR)

test: $(READY)
	pytest -n auto --dist loadgroup --no-loadscope-reorder $(ARGS)

lint: $(READY)
	ruff format --check .
	ruff check .
	snakefmt --check Snakefile workflow
	mypy

format: $(READY)
	ruff format .
	ruff check --fix .
	snakefmt Snakefile workflow

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "this project needs Python 3.11 or later; call make PYTHON=python3.11")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --require-hashes --prefer-binary -r requirements.lock
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@# files that packages carry for other versions of Python may fail to compile: no matter
	-$(BIN)/python -m compileall -q -j 0 $(VENV)/lib src
	touch $(READY)

# Pin again from the ranges in pyproject.toml; environment.yml takes its versions from the new pins.
lock: $(READY)
	uv pip compile pyproject.toml --extra reproduce --extra dev --universal --python-version 3.11 --generate-hashes \
	    --no-emit-index-url --no-annotate --no-header --upgrade --output-file requirements.lock
	python -m reproduction.workflow.packaging environment.yml

clean:
	rm -rf $(VENV)
