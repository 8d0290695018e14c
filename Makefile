# make decks   print every shipped pack to output/
# make test    lint, types, tests
# make pictures  draw the pictures in docs/ again
# make components  list the printed files in docs/packs/ again
# make reference  write docs/commands.md, errors.md and limits.md again
# make house   draw the picture of the modules in docs/architecture.md again
# make docs    the docs as a site with search, in site/: it needs no network, and opens from a disk
# make lock    renew the pinned dependencies (needs uv: pip install uv)
# make audit   look the pinned dependencies up in the advisories (needs pip-audit: pip install pip-audit)

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile

.PHONY: decks test lint types pytest docs pictures components rims reference house lock audit clean

decks: .venv/ready
	$(BIN)/gridpress build

test: lint types pytest

lint: .venv/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/ready-dev
	$(BIN)/mypy

# pytest keeps its compiled tests: compiling them again takes each process ten seconds.
pytest: .venv/ready-dev
	PYTHONDONTWRITEBYTECODE= $(BIN)/pytest --numprocesses 2 --dist loadfile

pictures: decks
	for track in crowbar hourglass; do \
		$(BIN)/gridpress track show $$track --dpi 110 -o docs/pictures/track-$$track.png; done
	$(BIN)/python docs/deck_pictures.py
	$(BIN)/python docs/boxes_pictures.py
	$(BIN)/python docs/studio_pictures.py
	$(BIN)/python docs/pictures.py output docs/pictures

docs: .venv/ready-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict
	@echo "site/index.html"

components: decks
	$(BIN)/python docs/components.py output/*

rims: .venv/ready
	$(BIN)/python docs/rims.py

reference: .venv/ready-dev
	$(BIN)/python docs/reference.py

house: .venv/ready
	$(BIN)/python docs/house.py

# Compile once, on all cores: pip uses one, and with PYTHONDONTWRITEBYTECODE each command would compile again.
define install
	$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("Gridpress needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Say which one to use: make PYTHON=python3.12")'
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r $(1)
	$(PIP) --no-deps --editable .
	$(BIN)/python -m compileall -qq -j 0 .venv/lib generator games || true
	touch .venv/ready
endef

.venv/ready: requirements.lock pyproject.toml hatch_build.py
	$(call install,requirements.lock)

# requirements-dev.lock contains requirements.lock.
.venv/ready-dev: requirements-dev.lock requirements.lock pyproject.toml games/chariot_races/pyproject.toml hatch_build.py
	$(call install,requirements-dev.lock)
	$(PIP) --no-deps --editable games/chariot_races
	touch $@

.venv/ready-docs: .venv/ready requirements-docs.lock
	$(PIP) --require-hashes -r requirements-docs.lock
	touch $@

UV_COMPILE := uv pip compile pyproject.toml --upgrade --universal --generate-hashes --python-version 3.11 --no-header --no-emit-find-links --quiet

lock:
	$(UV_COMPILE) -o requirements.lock
	$(UV_COMPILE) --group dev -c requirements.lock -o requirements-dev.lock
	$(UV_COMPILE:pyproject.toml=--group docs) -c requirements.lock -o requirements-docs.lock

# --strict: a package that could not be looked up counts as a failure, not as one without advisories.
audit:
	@command -v pip-audit >/dev/null || { echo "make audit needs pip-audit: pip install pip-audit"; exit 1; }
	@pip-audit --strict --progress-spinner off --disable-pip --require-hashes \
		-r requirements.lock -r requirements-dev.lock >.audit 2>&1; status=$$?; \
		if grep -qE "No known vulnerabilities|^Found [0-9]+ known" .audit; then cat .audit; else \
		tail -1 .audit; \
		echo "make audit: NOTHING WAS LOOKED UP: no advisories can be reached from here (see pip-audit --help)"; \
		fi; rm -f .audit; exit $$status

clean:
	rm -rf .venv output build dist site
