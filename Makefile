# Needs make and Python >= 3.11, nothing else. `make` alone lists the targets.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
USER   := $(VENV)/.ready-user
READY  := $(VENV)/.ready
TOOLS  := $(CURDIR)/$(VENV)/tools
OUT    := out
SITE   := docs/_build/html

export UV_PROJECT_ENVIRONMENT := $(VENV)
export UV_PYTHON_DOWNLOADS := never
unexport VIRTUAL_ENV
unexport PYTHONDONTWRITEBYTECODE # else every command that a test starts compiles the package anew
uv := PATH="$$PATH:$(TOOLS)/bin" uv
install = $(uv) sync --locked --quiet --offline $(1) 2>/dev/null || $(uv) sync --locked --quiet $(1)

.DEFAULT_GOAL := help
.PHONY: help setup demo test lint fix docs page bench spark against sweep vectors torture mutants r dist lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY) ## Create .venv with everything needed to work here (offline afterwards)

$(READY): $(USER)
	@echo "Adding to $(VENV) what tests, gates and the site need"
	@$(call install)
	@touch $@

$(USER): uv.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and \
	  "$(PYTHON) is Python %d.%d, but dprisk needs 3.11 or newer. Try: make PYTHON=python3.12" % v)'
	@echo "Setting up $(VENV)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@PATH="$$PATH:$(TOOLS)/bin" command -v uv >/dev/null || { $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install --quiet --target $(TOOLS) uv; }
	@$(call install,--no-default-groups --inexact)
	@touch $@

demo: $(USER) ## Assess the shipped deployments; leaves text and JSON in out/
	@mkdir -p $(OUT)
	$(BIN)/dprisk deployments > $(OUT)/deployments.txt
	$(BIN)/dprisk deployments --json > $(OUT)/deployments.json
	$(BIN)/dprisk assess examples/*.* > $(OUT)/assessment.txt
	$(BIN)/dprisk assess examples/*.* --json > $(OUT)/assessment.json
	@cat $(OUT)/assessment.txt
	@printf '\nWritten:\n'; ls -1 $(OUT)/*

test: setup lint docs ## Every gate: format, lint, types, layers, docstrings, site, tests
	$(BIN)/pytest --numprocesses auto --dist worksteal

lint: setup ## The gates that only read the source
	$(BIN)/ruff format --check
	$(BIN)/ruff check --output-format concise
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/numpydoc lint $$(find src -name '*.py')

fix: setup ## Format, repair what ruff can, and write the command-line reference again
	$(BIN)/ruff check --fix-only --quiet
	$(BIN)/ruff format
	$(BIN)/python scripts/generate_cli_docs.py

docs: setup ## Build the site; any warning, and any link a browser would fetch, fails
	$(BIN)/sphinx-build -W --keep-going -q -b html docs $(SITE)
	$(BIN)/python scripts/check_offline_site.py $(SITE)

page: setup ## Ask the page DRAWS=10000 random questions and hold it against Python
	DPRISK_DRAWS=$(or $(DRAWS),10000) $(BIN)/pytest -q -s -k 'unsafe or looser' tests/web

against: setup ## Compare with other libraries, which it installs first; writes docs/accountants.md
	$(uv) sync --locked --quiet --group against
	$(BIN)/pytest tests/against
	$(BIN)/python -m bench.accountants
	$(BIN)/python -m bench.flags

bench: setup ## Measure side by side with other libraries
	$(uv) sync --locked --quiet --group against
	$(BIN)/python -m bench

spark: setup ## Tables on a Spark cluster of its own that loses a worker: ROWS=600 SEED=5 SCALE=1 (0: not measured)
	@command -v java >/dev/null || { echo "make spark needs Java 17, such as openjdk-17-jre-headless"; exit 1; }
	@$(uv) sync --locked --quiet --extra spark || { echo "make spark could not install PySpark, about half a gigabyte"; exit 1; }
	DPRISK_SPARK=required DPRISK_SPARK_ROWS=$(or $(ROWS),600) DPRISK_SPARK_SEED=$(or $(SEED),5) \
	  $(BIN)/pytest -q --durations 0 tests/tables/test_spark.py
	@test "$(SCALE)" = 0 || $(BIN)/python -m bench.spark --scale $(or $(SCALE),1)

sweep: setup ## Random questions held against truths made without the package: MINUTES=1 SEED=
	$(BIN)/python -m sweep --minutes $(or $(MINUTES),1) --processes $(or $(PROCESSES),2) \
	  $(if $(SEED),--seed $(SEED))

vectors: setup ## Make the known answers again, in two ways; check 200 certificates and refuse 200
	$(BIN)/python -m vectors.make
	DPRISK_CERTIFICATES=200 $(BIN)/pytest -q -s tests/vectors/test_certificates.py

torture: setup ## Kill, cut, fill and flip what a ledger stands on: MINUTES=0 SEED= SCALE=1
	$(BIN)/python -m torture --minutes $(or $(MINUTES),0) --scale $(or $(SCALE),1) \
	  $(if $(SEED),--seed $(SEED)) $(if $(ONLY),--only $(ONLY))

mutants: setup ## Terms and formulas made wrong one by one: something has to notice each
	$(BIN)/python -m sweep.mutants --processes $(or $(PROCESSES),2) $(if $(ONLY),--only $(ONLY))

r: $(USER) ## Build and check the R package; needs R with reticulate, testthat and rmarkdown
	@mkdir -p $(OUT)/r && cd $(OUT)/r && export RETICULATE_PYTHON=$(CURDIR)/$(BIN)/python && \
	  R CMD build $(CURDIR)/r && R CMD check --no-manual dprisk_*.tar.gz

dist: setup ## Wheel and source, built twice and alike, and the bill of what they stand on; into dist/
	@rm -rf dist && mkdir dist
	@$(uv) build --quiet --out-dir dist && $(uv) build --quiet --out-dir dist/again
	@for file in dist/dprisk-*; do cmp $$file dist/again/$$(basename $$file) || exit 1; done
	@rm -r dist/again dist/.gitignore 2>/dev/null; $(BIN)/python scripts/bill_of_materials.py dist/dprisk.cdx.json
	@ls -1 dist/*

lock: setup ## Resolve the dependencies again after an edit of pyproject.toml
	$(uv) lock

clean: ## Remove everything that was made here
	rm -rf $(VENV) $(OUT) docs/_build dist .*_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
