# Overworlds. `make help` lists what there is; a fresh machine needs Python 3.11 or newer and make.
#
# An active virtual environment is used as it is; otherwise one is made in .venv. Installing happens once, and again
# when pyproject.toml or constraints.txt change.

ifdef VIRTUAL_ENV
VENV := $(VIRTUAL_ENV)
else
VENV := .venv
endif
BIN := $(VENV)/bin
STAMP := $(VENV)/.overworlds
PIP_INSTALL := $(BIN)/python -m pip install --disable-pip-version-check --quiet -c constraints.txt
FOLDERS := envs agents training benchmarks
SCENARIOS := tests/homeworlds/test_rules.py tests/homeworlds/test_endings.py tests/homeworlds/test_options.py \
  tests/overpower
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help demo test lint types check-all bench docs format clean

help: ## list these targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1|/' \
	  | awk -F'|' '{ printf "  make %-10s %s\n", $$1, $$2 }'

demo: $(STAMP)-demo ## show a game, measure rollouts per second, train a small player and let it meet the others
	@echo "==> compiling the games (once a version)"
	@$(BIN)/overworlds warmup
	@echo "==> a game, and how many of them fit into a second"
	@mkdir -p runs
	@$(BIN)/overworlds demo --picture runs/demo.png
	@if [ -f runs/demo/network.npz ]; then \
	  echo "==> a small player was trained before: runs/demo (remove that folder to train another)"; \
	elif [ -f runs/demo/config.toml ]; then \
	  echo "==> going on with the small player that was interrupted"; \
	  $(BIN)/overworlds train --resume runs/demo; \
	else \
	  echo "==> training a small player for two minutes"; \
	  $(BIN)/overworlds train homeworlds_v0 --players 2 --minutes 2 --out runs/demo \
	    --set evaluate_seconds=15; \
	fi
	@echo "==> how strong it is (its learning curve: runs/demo/curves.png)"
	@for opponent in random scripted; do \
	  $(BIN)/overworlds evaluate homeworlds_v0 trained:runs/demo/network.npz $$opponent --players 2 --games 400 || exit 1; \
	done
	@echo "==> and the one that comes with the package, trained in the same way for 40 minutes"
	@$(BIN)/overworlds evaluate homeworlds_v0 trained scripted --players 2 --games 400

test: lint types ## lint, types and all quick tests
	@echo "==> compiling the games (once a version)"
	@$(BIN)/python -c 'from overworlds.envs.core.registry import GAMES; print(*GAMES)' \
	  | xargs -n 1 -P $(JOBS) $(BIN)/overworlds warmup
	@echo "==> tests"
	@$(BIN)/python -m pytest -n $(JOBS) -m "not slow"

lint: $(STAMP)-test
	@echo "==> ruff: style and format"
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: $(STAMP)-test build/typing
	@echo "==> mypy: types"
	@$(BIN)/mypy

check-all: lint types ## everything: the slow tests too, bounds checks, and the kernels as plain Python
	@echo "==> all tests"
	@$(BIN)/python -m pytest -n $(JOBS)
	@echo "==> kernels with bounds checks"
	@NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(JOBS) -m "not slow" tests/core tests/homeworlds tests/overpower
	@echo "==> kernels as plain Python"
	@NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(JOBS) -m "not slow" $(SCENARIOS)
	@echo "==> the RLlib example, in an environment of its own (build/rllib)"
	@$(BIN)/python tests/examples/check_rllib.py build/rllib

bench: $(STAMP)-bench ## steps per second beside other libraries, into bench.json and bench.png
	@$(BIN)/overworlds bench --json bench.json --picture bench.png

docs: $(STAMP)-test ## write the generated tables of the READMEs, and the picture, anew
	@$(BIN)/python -m overworlds.training.documentation
	@$(BIN)/overworlds demo --players 4 --seed 0 --turns 58 --seconds 0 --picture docs/homeworlds.png > /dev/null
	@echo "docs/homeworlds.png: written"
	@$(BIN)/overworlds demo overpower_v0 --rule deck0=xaviers_dream --rule deck1=justice_league --seed 1 --turns 64 \
	  --viewer 0 --seconds 0 --picture docs/overpower.png > /dev/null
	@echo "docs/overpower.png: written"

format: $(STAMP)-test ## let ruff put the code into shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

clean: ## remove what was built here; the environment and the compiled code stay
	rm -rf build dist runs *.egg-info .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find $(FOLDERS) tests -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -f $(STAMP)-*

# ---------------------------------------------------------------- what the targets stand on

$(VENV)/bin/python:
ifdef VIRTUAL_ENV
	@echo "VIRTUAL_ENV is $(VIRTUAL_ENV), but there is no Python: deactivate it, or activate another one" >&2; exit 1
else
	@for python in $(PYTHON) python3 python3.14 python3.13 python3.12 python3.11; do \
	  if $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	    echo "==> making an environment in $(VENV) with $$python"; \
	    exec $$python -m venv $(VENV); \
	  fi; \
	done; \
	echo "Overworlds needs Python 3.11 or newer; if it is not on the PATH: make PYTHON=/path/to/python" >&2; exit 1
endif

$(STAMP)-demo: EXTRAS := render,train
$(STAMP)-test: EXTRAS := dev,train
$(STAMP)-bench: EXTRAS := bench
$(STAMP)-%: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo "==> installing overworlds[$(EXTRAS)] into $(VENV); takes a minute or two the first time"
	@$(PIP_INSTALL) -e ".[$(EXTRAS)]"
	@touch $@

# Type checkers do not follow an editable install's mapping, so they get the folders where the package has them.
build/typing:
	@mkdir -p $@/overworlds
	@for folder in $(FOLDERS); do ln -sfn ../../../$$folder $@/overworlds/$$folder; done
