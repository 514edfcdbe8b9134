# Commands that do all of their own set-up: `make demo`, `make check` and `make test`.

PYTHON ?= python3
VENV := .venv
CODE := azul_env baselines benchmarks cant_stop_env docs game_core icecool_env tests
BIN := $(VENV)/bin
CLIENTS := torchrl tianshou rllib agilerl
CLIENT_VENVS := .venv-clients
PYTEST := $(BIN)/python -m pytest --numprocesses logical --maxprocesses 4 --dist worksteal
# Two parts at once; each shows what it prints in one piece, where make can do that.
SYNC := $(if $(filter output-sync,$(.FEATURES)),--output-sync)
PARTS := $(MAKE) --no-print-directory --jobs 2 $(SYNC)
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo check test thorough lint format typecheck test-quick test-nojit test-bounds \
	test-compiled test-browser docs test-clients $(CLIENTS:%=test-client-%) bench golden tables pictures clean

help:  ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/demo  ## Let bots play a tournament of Can't Stop
	@$(BIN)/tabletop tournament cant_stop --agents random rule_of_28 fifty_percent --games 200 --seed 0

check: $(VENV)/dev  ## Check style and types and run the quick tests: a few minutes
	@$(PARTS) typecheck lint test-quick

# The compiled tests come last, on their own: some of them measure time.
test: $(VENV)/dev  ## Run everything that CI runs: 13 minutes the first time
	@$(PARTS) typecheck lint docs test-nojit test-bounds
	@$(MAKE) --no-print-directory test-compiled

thorough: export THOROUGH := 20
thorough: test-nojit test-bounds test-compiled  ## Test with 20 times as many games: an hour

lint: $(VENV)/dev  ## Check style and common mistakes
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)

typecheck: $(VENV)/dev  ## Check types
	$(BIN)/pyright --pythonpath $(BIN)/python

# A part of `make test`, about 20 s of one core. A broken link, table or docstring is an
# error. It needs no network, and no page does. What pages show is run by
# tests/test_pages.py, which also compares their tables with the code.
docs: $(VENV)/dev  ## Make the documentation, in build/docs/index.html
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -d build/doctrees docs build/docs

test-quick: $(VENV)/dev
	$(PYTEST) -m "not slow"

# Rules in plain Python: their coverage, and overflow as an error.
test-nojit: $(VENV)/dev
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m nojit --cov --cov-report term-missing

# Out-of-range reads raise instead of returning garbage. This code has a folder of its
# own, or it and the code without these checks would replace each other in every run.
test-bounds: $(VENV)/dev
	NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR="$(CURDIR)/$(VENV)/bounds" $(PYTEST) -m bounds

test-compiled: $(VENV)/dev
	$(PYTEST)

# Debian: apt install chromium chromium-driver
test-browser: $(VENV)/dev  ## Play in the page of `tabletop play`, in a headless Chromium
	$(PIP_INSTALL) selenium
	$(BIN)/python -m pytest tests/browser/play_games.py tests/browser/step_through.py

# Each library has an environment of its own, as they want different versions of
# Gymnasium and PettingZoo. Not a part of `make test`: about 6 GB and 20 minutes.
test-clients: $(CLIENTS:%=test-client-%)  ## Train with TorchRL, Tianshou, RLlib and AgileRL

$(CLIENTS:%=test-client-%): test-client-%: $(CLIENT_VENVS)/%/ready
	$(CLIENT_VENVS)/$*/bin/python -m tests.clients $*

$(CLIENT_VENVS)/%/ready: docs/clients/requirements-%.txt pyproject.toml
	@echo "Installing $* into $(@D); this takes a minute or more"
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check \
		--requirement $< --editable .
	@touch $@

format: $(VENV)/dev  ## Format the code and fix what can be fixed
	$(BIN)/ruff format $(CODE)
	$(BIN)/ruff check --fix $(CODE)

bench: $(VENV)/dev  ## Measure speed against PettingZoo's environments and bare physics
	$(BIN)/python -m benchmarks.speed
	$(BIN)/python -m benchmarks.speed.physics

golden: $(VENV)/dev  ## Write the golden games anew, after a change of rules
	$(BIN)/python -m tests.golden

tables: $(VENV)/dev  ## Write the tables of the documentation anew, from the code
	$(BIN)/python docs/tables.py

pictures: $(VENV)/dev  ## Draw the pictures of the documentation anew
	$(BIN)/python docs/pictures.py

clean:  ## Remove the virtual environments and all that was built
	rm -rf $(VENV) $(CLIENT_VENVS) build dist *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed; try: make PYTHON=python3.11 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "No virtual environment; on Debian or Ubuntu: sudo apt install python3-venv"; exit 1; }

$(VENV)/demo: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing into $(VENV), once; this takes about a minute"
	$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "Installing into $(VENV), once; this takes about a minute"
	$(PIP_INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/demo
