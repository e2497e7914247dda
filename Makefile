# Every task sets up what it needs in .venv by itself. The tasks are in tools/dev.py; make.bat calls
# the same file on Windows. Options go in ARGS: make html ARGS="-W -n", make test ARGS="-k song"
PYTHON ?= python3
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help html test serve catalogs linkcheck format lock clean

help html test serve catalogs linkcheck format lock clean:
	@"$(PYTHON)" tools/dev.py $@ $(ARGS)
