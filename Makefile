# The two commands of the README: `make demo` runs the main job, `make test` checks everything.
# Needs Python 3.11 or newer, make and the package index.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
OUT    ?= out

.PHONY: demo fleet-demo test fast long lint types check docs bench browser wheel clean

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip

$(VENV)/.base: $(BIN)/python pyproject.toml
	$(BIN)/python -m pip install --quiet -e .
	$(BIN)/python -m compileall -q src
	touch $@

$(VENV)/.test: $(VENV)/.base
	$(BIN)/python -m pip install --quiet -e ".[test]"
	# ROSCO's library alone, not its toolbox; where there is no wheel for this machine its tests are skipped
	-$(BIN)/python -m pip install --quiet --no-deps rosco
	touch $@

$(VENV)/.docs: $(VENV)/.base
	$(BIN)/python -m pip install --quiet -e ".[docs]"
	touch $@

# A browser is a Debian package; where neither it nor apt-get exists the page tests say so and skip.
browser:
	@command -v chromium >/dev/null || command -v apt-get >/dev/null && \
	  (command -v chromium >/dev/null || (apt-get update -qq && apt-get install -y -qq chromium >/dev/null)) || \
	  echo "no chromium and no apt-get: page tests will be skipped"

demo: $(VENV)/.base
	@mkdir -p $(OUT)
	$(BIN)/gearwright run nrel-5mw-nejad --case recorded-18ms -o $(OUT)/nrel-5mw-nejad.nc
	$(BIN)/gearwright report $(OUT)/nrel-5mw-nejad.nc -o $(OUT)/nrel-5mw-nejad.html

lint: $(VENV)/.test
	$(BIN)/ruff check src tests benchmarks release docs/*.py docs/gallery
	$(BIN)/ruff format --check src tests benchmarks release docs/*.py docs/gallery

types: $(VENV)/.test
	$(BIN)/mypy

check: $(VENV)/.test
	$(BIN)/python -m pytest -n 2

# What a change in one room breaks, in a minute once its machine code is made; and what sweeps, in an hour.
fast: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow and not long" tests/unit tests/analytic

long: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -m long
	$(BIN)/python -m tests.fuzz 10000
	$(BIN)/python -m tests.mutate --seed 2 50
	$(BIN)/python -m tests.counting
	$(BIN)/python -m benchmarks.tolerance
	$(BIN)/python -m tests.pins

# Types and the site are made beside the tests, so that no processor waits; what they all need is installed before.
test: browser lint $(VENV)/.docs
	$(MAKE) --no-print-directory -j 3 check types docs

docs: $(VENV)/.docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# A wheel with the machine code of this system: installed anywhere, its first run is a warm one.
wheel: $(VENV)/.base
	rm -rf src/gearwright/kernels/objects dist
	GEARWRIGHT_OBJECTS=src/gearwright/kernels/objects $(BIN)/python release/objects.py
	$(BIN)/python -m pip wheel --quiet --no-deps -w dist .
	rm -rf src/gearwright/kernels/objects
	ls -l dist

# A fleet page from two public extracts and ten simulated turbines, in $(OUT)/fleet-demo.
fleet-demo: $(VENV)/.test
	$(BIN)/python benchmarks/fleet_demo.py $(OUT)/fleet-demo

bench: $(VENV)/.base
	$(BIN)/python -m pip install --quiet -e ".[bench]"
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) $(OUT) site
