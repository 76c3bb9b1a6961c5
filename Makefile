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
.PHONY: run quick test lint format lock clean

run: $(READY)
	snakemake --cores $(CORES) $(ARGS)

quick: $(READY)
	snakemake --cores $(CORES) --configfile config/quick.yaml $(ARGS)

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
