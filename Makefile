# `make demo` and `make test` are all that a fresh clone needs; both do nothing twice.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.DEFAULT_GOAL := help
.PHONY: help demo test lint format types contract tests bench docs reproduce-quick clean

help: ## show these lines
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/ -/'

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.user: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[cli,data,report]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.user

demo: $(VENV)/.user ## install the package, fit a tagger on embedded data, show what it does, write a report
	@$(BIN)/skfactor demo

test: lint types contract tests ## everything that CI checks

lint: $(VENV)/.dev ## style and format, as a check
	$(BIN)/ruff check
	$(BIN)/ruff format --check

format: $(VENV)/.dev ## mend style and format
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

types: $(VENV)/.dev ## mypy --strict on src
	$(BIN)/mypy

contract: $(VENV)/.dev ## the import contract
	$(BIN)/lint-imports

# One BLAS thread for each worker: two workers on two cores, and no thread waits for another.
tests: $(VENV)/.dev ## tests, doctests, coverage
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses auto --cov --cov-report term $(PYTEST_ARGS)

# From nothing, so that it is really run. It needs the benchmark data in the folder that SKFACTOR_DATA names.
reproduce-quick: $(VENV)/.user ## a slice of the papers' tables, checked against its bands
	rm -rf build/reproduce-quick
	$(BIN)/skfactor reproduce all --quick --out build/reproduce-quick

docs: $(VENV)/.user ## the documentation as HTML, in docs/site
	$(BIN)/python -m docs

bench: $(VENV)/.dev ## speed and memory, as ratios
	$(BIN)/python -m benchmarks

clean: ## remove what was made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .coverage build dist docs/site
