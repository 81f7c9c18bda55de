# Two commands do all set-up on a machine with Python (with venv) and make: `make certify` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
EXAMPLE := examples/paper-1-jsr.toml
CERTIFICATE := paper-1-jsr.certificate.json
CHECKED := --doctest-modules queueproof verify proofs tests README.md docs --doctest-glob='*.md'

.PHONY: certify test lint types tests coverage benchmark clean

certify: $(READY)
	$(BIN)/queueproof certify $(EXAMPLE) --method explicit -o $(CERTIFICATE)
	@echo
	$(BIN)/queueproof regimes $(EXAMPLE)
	@echo
	$(BIN)/queueproof check $(CERTIFICATE) $(EXAMPLE)

test: lint types tests

lint: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(READY)
	$(BIN)/mypy

tests: $(READY)
	$(BIN)/pytest -n auto --dist loadfile $(CHECKED)

# Lines that no test runs, subprocesses included: to look at, not a number to reach.
coverage: $(READY)
	$(BIN)/pytest -n auto --dist loadfile --cov --cov-report=term-missing $(CHECKED)

benchmark: $(READY)
	$(BIN)/python benchmarks/commands.py

$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "queueproof needs Python 3.11 or newer; '$(PYTHON)' is: $$($(PYTHON) --version 2>&1). Try: make PYTHON=python3.11"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || \
	  { echo "'$(PYTHON)' lacks the venv module (on Debian: apt install python3-venv)."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) $(CERTIFICATE)
