# Everything starts here. `make lab` and `make test` need only Python 3.11–3.14; the first run sets up .venv.

PYTHON ?= python3
BIN := .venv/bin

given = $(filter-out 0 no false,$($(1)))
SETUP = $(PYTHON) tools/setup_env.py \
	$(if $(call given,CORE),--core) $(if $(call given,DEV),--dev) $(if $(TORCH),--torch $(TORCH))

.DEFAULT_GOAL := help
.PHONY: help setup lab test lint notebooks class lock clean

help: ## this list
	@echo "Paged KV cache, from scratch · 从零写分页 KV Cache"
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
	@echo "Then: $(BIN)/python practice/judge.py"

setup: ## .venv with the pinned packages (CORE=1: no PyTorch; TORCH=cpu or cuda; PYTHON=…)
	@$(SETUP)

lab: setup ## JupyterLab on chapter 1 (LANG_EDITION=en or zh, PORT=…, NO_BROWSER=1)
	@$(BIN)/python tools/lab.py $(if $(LANG_EDITION),--lang $(LANG_EDITION)) $(if $(PORT),--port $(PORT)) \
		$(if $(call given,NO_BROWSER),--no-browser)

test: setup ## the tests (ARGS="-k pool"; REQUIRE_ALL=1: the slow ones too, and no tool may be missing)
	@$(BIN)/python -m pytest $(ARGS)

lint: DEV = 1
lint: setup ## ruff: mistakes and formatting; are the built notebooks those of their sources
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/python tools/build_notebooks.py --check

notebooks: setup ## notebooks/en and notebooks/zh from notebooks/src (CHECK=1: only compare)
	@$(BIN)/python tools/build_notebooks.py $(if $(call given,CHECK),--check)

class: setup ## for teachers: an nbgrader course in classroom/course (LANG_EDITION=en or zh)
	@$(BIN)/python tools/build_class.py $(if $(LANG_EDITION),--lang $(LANG_EDITION))

lock: setup ## requirements/*.txt from pyproject.toml
	@$(BIN)/python -m pip install --quiet --group lock
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tools/lock.py

clean: ## remove .venv and caches; your answers in practice/workspace stay
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
