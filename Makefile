# Every target installs what it needs: a bare Debian machine with Python 3.11 is enough.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
COVERAGE_FLOOR ?= 93
SECONDS ?= 600
MCPB := @anthropic-ai/mcpb@2.1.2

.PHONY: screenshots help run demo demo-picture test coverage setup check format generate docs dist mcpb programs lock clean conformance attack fuzz fuzz-documents client-matrix browser \
        bench-start bench-cli bench-call bench-http bench-search bench-index bench-sessions bench-read bench-crawl bench-guided \
        bench-extract bench-changes bench-docs bench-pdf bench-ocr bench-bundle bench-compat compat-table train-extractor eval-extract eval-ranking eval-trust \
        eval-check

run: $(VENV)/.run  ## start the HTTP server with embedded storage
	@$(BIN)/webquarry serve --http $(ARGS)

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/.run  ## a research session on a sample web, offline and without keys
	@$(BIN)/webquarry demo $(ARGS)

setup: $(VENV)/.run  ## create the virtual environment

browser: $(VENV)/.run  ## also install what renders pages in Chromium, the driver for Postgres, and all citation styles
	@./scripts/install.sh $(BIN) requirements-full.lock

test: $(VENV)/.dev programs check  ## everything CI runs
	$(BIN)/python -m pytest -n 2 $(ARGS)

coverage: $(VENV)/.dev programs  ## run the tests with coverage and enforce the floor
	@mkdir -p .cache/coverage
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term --cov-fail-under=$(COVERAGE_FLOOR) $(ARGS)

check: $(VENV)/.dev  ## format, lint, types, generated files
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/basedpyright --warnings
	$(BIN)/python -m webquarry_build.generate --check

format: $(VENV)/.dev  ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

generate: $(VENV)/.dev  ## regenerate the files derived from the code
	$(BIN)/python -m webquarry_build.generate --write

docs: $(VENV)/.dev  ## the documentation as a site, in build/site
	@./scripts/mermaid.sh .cache/mermaid.min.js
	$(BIN)/sphinx-build -q -W --keep-going -c scripts/site -d .cache/doctrees docs build/site
	@echo "build/site/index.html"

demo-picture: $(VENV)/.dev  ## the picture of the demo in the README, from a real run
	$(BIN)/python scripts/demo_svg.py

screenshots: $(VENV)/.dev  ## the pictures of the console in docs/images (needs Chromium)
	$(BIN)/python scripts/screenshots.py $(ARGS)

dist: $(VENV)/.dev  ## wheel and sdist in dist/, without network
	rm -rf dist
	$(BIN)/uv build --quiet --offline --no-build-isolation --python $(BIN)/python --out-dir dist
	@ls -l dist

mcpb: dist  ## the bundle for desktop clients, in dist/ (needs npm)
	$(BIN)/python -m webquarry_build.distribution.bundle dist/webquarry-*.whl build/mcpb
	npx --yes $(MCPB) pack build/mcpb dist/webquarry.mcpb

programs:  ## install the programs that tests use (needs root)
	@./scripts/programs.sh curl:curl redis-server:redis-server psql:postgresql chromium:chromium searx-run:searx \
		zsh:zsh fish:fish

bench-start: $(VENV)/.dev  ## start-up against the Go reference
	$(BIN)/python -m bench.start $(ARGS)

bench-cli: $(VENV)/.dev  ## CPU seconds of twelve commands
	$(BIN)/python -m bench.cli_commands $(ARGS)

bench-http: $(VENV)/.dev programs  ## two servers on one Redis: no lost or mixed-up responses, exact limits
	$(BIN)/python -m bench.http $(ARGS)

compat-table: $(VENV)/.dev  ## the tables of the clients' methods in docs/compat.md, from runs
	$(BIN)/python -m tests.server.compat.firecrawl_table
	WRITE_CLIENT_TABLES=1 $(BIN)/python -m pytest -q tests/server/compat/test_tavily_client.py \
		tests/server/compat/test_exa_client.py -k every_method

bench-compat: $(VENV)/.dev  ## CPU of a page through a drop-in API beside /v1
	$(BIN)/python -m bench.compat $(ARGS)

bench-call: $(VENV)/.dev  ## cost of one call, over stdio and HTTP
	$(BIN)/python -m bench.call $(ARGS)

attack: $(VENV)/.dev  ## hostile servers against the network layer (root; skipped otherwise), hostile content
	$(BIN)/python -m bench.attack $(ARGS)
	$(BIN)/python -m bench.attack_browser $(ARGS)
	$(BIN)/python -m bench.freeze

fuzz: $(VENV)/.dev  ## every parser on random inputs: 10 minutes, or SECONDS=60; findings in .cache/fuzz
	$(BIN)/python -m bench.fuzz --seconds $(SECONDS) $(ARGS)

fuzz-documents: $(VENV)/.dev  ## 2,000 changed documents of every kind to the sandboxed workers; findings in .cache/fuzz
	$(BIN)/python -m bench.fuzz_documents $(ARGS)

bench-search: $(VENV)/.dev  ## cost of a search, beside the Go reference
	$(BIN)/python -m bench.search $(ARGS)

bench-index: $(VENV)/.dev  ## ranking of the local index on Vaswani, beside bm25s
	@$(BIN)/pip install -q --disable-pip-version-check bm25s
	$(BIN)/python ../shared/bench/index/vaswani.py $(ARGS)

bench-sessions: $(VENV)/.dev programs  ## cost of a research step; two servers, one killed
	$(BIN)/python -m bench.sessions $(ARGS)
	$(BIN)/python -m bench.session_servers

bench-read: $(VENV)/.dev  ## pages a second and CPU per page against the Go reference
	$(BIN)/python -m bench.read $(ARGS)

bench-crawl: $(VENV)/.dev  ## pages per CPU second beside Scrapy, Crawlee and Crawl4AI
	@./scripts/programs.sh nginx:nginx-light redis-server:redis-server psql:postgresql
	$(BIN)/python -m bench.crawl $(ARGS)
	$(BIN)/python -m bench.crawl_workers
	$(BIN)/python -m bench.batch

bench-bundle: $(VENV)/.dev  ## CPU of capturing, size of a bundle and memory of an export
	$(BIN)/python -m bench.bundles $(ARGS)

bench-guided: $(VENV)/.dev  ## answers that guided crawls of Debian's manuals find
	$(BIN)/python -m bench.guided_crawl $(ARGS)

bench-changes: $(VENV)/.dev  ## changes found and false alarms on 60 pairs of page versions
	$(BIN)/python -m bench.changes $(ARGS)

bench-pdf: $(VENV)/.dev  ## tables and facts of PDFs beside peers, words beside pdftotext
	$(BIN)/python -m bench.pdf $(ARGS)
	$(BIN)/python -m bench.pdf_words

bench-ocr: $(VENV)/.dev  ## wrong characters of text recognition on rendered pages of Debian's manuals
	$(BIN)/python -m bench.ocr $(ARGS)

bench-extract: $(VENV)/.dev  ## compare extractors on annotated pages
	@$(BIN)/pip install -q --disable-pip-version-check trafilatura resiliparse
	@# not with the others: pip stumbles over the extra of lxml that two of them ask for
	@$(BIN)/pip install -q --disable-pip-version-check readability-lxml
	$(BIN)/python -m bench.extract ../shared/bench/extract $(ARGS)

bench-docs: $(VENV)/.dev  ## compare extractors on the pages of HTML manuals
	@$(BIN)/pip install -q --disable-pip-version-check trafilatura
	@$(BIN)/pip install -q --disable-pip-version-check readability-lxml
	$(BIN)/python -m bench.extract_docs $(ARGS)

eval-extract: $(VENV)/.dev  ## score structured extraction: correct, null, wrong; invented values
	$(BIN)/python -m bench.extract_fields $(ARGS)
	$(BIN)/python -m bench.extract_hallucinations

eval-ranking: $(VENV)/.dev  ## score the source ranking against the Go reference
	$(BIN)/python -m bench.ranking $(ARGS)

eval-trust: $(VENV)/.dev  ## score citation checks on invented references, against the Go reference
	$(BIN)/python -m bench.eval_trust $(ARGS)
	$(BIN)/python -m bench.audit_speed
	@./scripts/csl_suite.sh .cache/csl
	$(BIN)/python -m bench.csl_suite
	$(BIN)/python ../shared/bench/evidence/hallmark.py
	$(BIN)/python ../shared/bench/evidence/hallmark.py --records exact
	$(BIN)/python ../shared/bench/evidence/wice.py

eval-check: $(VENV)/.dev  ## score the reader of manuscripts: fields of references, markers in PDF files
	@./scripts/csl_suite.sh .cache/csl
	$(BIN)/python -m bench.reference_fields $(ARGS)
	$(BIN)/python -m bench.manuscript_pdfs
	$(BIN)/python -m bench.check_speed
	$(BIN)/python -m bench.check_evidence

train-extractor: $(VENV)/.dev  ## train the main-content model (30 minutes)
	@$(BIN)/uv pip install -q --python $(BIN)/python --group train
	OPENBLAS_NUM_THREADS=1 $(BIN)/python scripts/train_extractor.py ../shared/bench/extract $(ARGS)

conformance: $(VENV)/.dev  ## the MCP conformance suites and the Inspector
	$(BIN)/python -m pytest tests/conformance $(ARGS)

client-matrix: $(VENV)/.dev  ## real clients against the server; writes docs/clients.md
	$(BIN)/python -m bench.client_matrix $(ARGS)

lock: $(VENV)/.dev  ## update the locked dependencies
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --no-header \
		--generate-hashes pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --no-header \
		--generate-hashes --group build -o requirements-build.lock
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --no-header \
		--generate-hashes --extra browser --extra postgres --extra styles --group build pyproject.toml \
		-o requirements-full.lock
	$(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --no-header \
		--generate-hashes --extra browser --extra ocr --extra postgres --extra styles --group dev pyproject.toml \
		-o requirements-dev.lock

clean:  ## remove build output and caches
	rm -rf $(VENV) .cache build

$(VENV)/bin/python:
	@./scripts/venv.sh $(PYTHON) $(VENV)

$(VENV)/.run: requirements.lock requirements-build.lock pyproject.toml | $(VENV)/bin/python
	@./scripts/install.sh $(BIN) requirements.lock
	@touch $@

$(VENV)/.dev: requirements-dev.lock requirements-build.lock pyproject.toml | $(VENV)/bin/python
	@./scripts/install.sh $(BIN) requirements-dev.lock
	@touch $@ $(VENV)/.run
