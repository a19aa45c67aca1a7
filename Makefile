# Everything sets itself up: python3 (>= 3.11) and make are all it takes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# What nobody imports need not be made into bytecode
PIP_INSTALL := $(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt
# Two processes; conftest.py says what goes first
PYTEST := $(BIN)/python -m pytest -n 2 --dist loadgroup --no-loadscope-reorder
QUICK := "not peers and not slow and not browser"

# Laws of nature, both spacecraft, what protects hardware, what is known in flight
MUTANTS_IN_CI := core/ physics/ plant/ guard/ navigation/

.PHONY: help demo test test-all checks warm browser bench mutants coverage fuzz docs site wheel clean

help:
	@echo "make demo      set up, capture a tumbling satellite, show the result"
	@echo "make test      set up, check the code, run the tests"
	@echo "make test-all  the same with live peer simulators, a browser and the mutants of MUTANTS_IN_CI"
	@echo "make bench     compare speed with MuJoCo, Pinocchio, Basilisk and Drake"
	@echo "make mutants   break each law on purpose: its test must go red"
	@echo "make coverage  the tests of make test, and which lines outside of compiled code they miss"
	@echo "make fuzz      break scenarios, facilities and recordings at random: none may crash"
	@echo "make site      build the documentation's site, which opens offline: build/site/index.html"
	@echo "make wheel     build sdist and wheel, install the wheel on every Python at hand, try it"
	@echo "make docs      make the figures and pictures of README and docs from real runs"

demo: $(VENV)/.core
	@rm -rf out/demo
	$(BIN)/proxops run envisat-capture --out out/demo
	@echo "next: $(BIN)/proxops rehearse envisat-capture --facility oos-sim   # the same on two robots"
	@echo "      $(BIN)/proxops report out/demo                               # a page with plots"
	@echo "      $(BIN)/proxops view out/demo                                 # in the browser (extra: viewer)"

test: $(VENV)/.test
	@$(MAKE) --jobs 2 checks warm
	$(PYTEST) -m $(QUICK)

test-all: $(VENV)/.made
	@$(MAKE) --jobs 2 $(VENV)/.peers browser
	@$(MAKE) --jobs 2 checks warm site
	$(PYTEST)
	$(BIN)/python -m tests.mutants $(MUTANTS_IN_CI)

checks: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

warm: $(VENV)/.test
	$(BIN)/proxops warmup

browser:
	@command -v chromium >/dev/null || \
	  { if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	      echo "installing chromium"; \
	      apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium >/dev/null; \
	    else \
	      echo "no chromium: its tests are left out; on Debian: apt-get install chromium"; \
	    fi; }

bench: $(VENV)/.peers
	$(BIN)/python -m benchmarks.bench

fuzz: $(VENV)/.test
	$(BIN)/python tests/fuzz.py

coverage: $(VENV)/.test warm
	$(PYTEST) -m $(QUICK) --cov=proxops --cov-report=term:skip-covered

mutants: $(VENV)/.test
	$(BIN)/python -m tests.mutants

site: $(VENV)/.site
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

docs: $(VENV)/.core browser
	@$(PIP_INSTALL) --editable '.[docs]'
	$(BIN)/python docs/measure.py
	$(BIN)/python docs/draw.py
	$(BIN)/python docs/gallery.py
	$(BIN)/python docs/robots_picture.py
	$(BIN)/python docs/tutorials.py

wheel: $(VENV)/.core
	$(BIN)/python -m tests.install

clean:
	rm -rf $(VENV) build out runs

$(VENV)/.core: $(VENV)/.made pyproject.toml constraints.txt
	@echo "installing proxops into $(VENV)"
	@$(PIP_INSTALL) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.made pyproject.toml constraints.txt
	@echo "installing proxops and its test tools into $(VENV) (some 400 MB)"
	@$(PIP_INSTALL) --editable '.[test]'
	@touch $@ $(VENV)/.core

$(VENV)/.peers: $(VENV)/.made pyproject.toml constraints.txt
	@echo "installing proxops, its test tools, the peer simulators and public robots into $(VENV) (some 1.5 GB)"
	@$(PIP_INSTALL) --editable '.[test,peers,site]'
	@touch $@ $(VENV)/.test $(VENV)/.site $(VENV)/.core

$(VENV)/.site: $(VENV)/.made pyproject.toml constraints.txt
	@echo "installing proxops and what builds its site into $(VENV)"
	@$(PIP_INSTALL) --editable '.[site]'
	@touch $@ $(VENV)/.core

$(VENV)/.made:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "proxops needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) --version 2>&1)"; \
	    echo "try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 2; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	      apt-get update -qq && apt-get install -qq -y python3-venv; \
	    else \
	      echo "python3 lacks venv; on Debian: apt-get install python3-venv"; exit 2; \
	    fi; }
	@$(PYTHON) -m venv $(VENV)
	@touch $@
