# make run     fuses a sample log and prints a summary
# make test    builds and runs every test
# The first build installs missing system packages (Debian, Ubuntu, macOS) and reports them.

SAMPLE := Notebooks-data/logs/walk.csv
FUSED := $(or $(TMPDIR),/tmp)/inertial-walk.fused.csv

# The folder with the recordings, for tests and studies: each data set is a folder in it.
DATA ?= $(INERTIAL_DATA)
ifneq ($(DATA),)
export INERTIAL_DATA := $(DATA)
endif

# The command, the tests, the scripts and the benchmarks are built in one configuration and one folder.
CONFIGURATION := release
export CONFIGURATION NATIVE
BUILD := $(shell CONFIGURATION=$(CONFIGURATION) NATIVE=$(NATIVE) .ci/gate/build-flags)

# NAME=VALUE for each of the given variables that is set.
options = $(foreach name,$(1),$(if $($(name)),'$(name)=$($(name))'))

.PHONY: help setup run install install-serve python dist script build test lint docs bench gate update check stress study claims train-activity

help:
	@echo "Use"
	@echo "  make run                      fuse a sample log and print a summary"
	@echo "  make install PREFIX=folder    the command, its manual pages and completions (default /usr/local); HDF5=0 without HDF5"
	@echo "  make install-serve PREFIX=folder    the server of 'inertial serve'"
	@echo "  make python                   the wheel with the library and the command, in .build/wheels"
	@echo "  make dist                     the wheel, an archive and a Debian package of the command, in .build/dist"
	@echo "  make script NAME=ReadALog ARGUMENTS=LOG   a script of Notebooks-data; without NAME, their names"
	@echo "Contribute"
	@echo "  make build                    everything, with the tests"
	@echo "  make test                     every test; DATA=folder for tests on recordings, ONLY=Recognition for one target,"
	@echo "                                FILTER=Recordings for matching names"
	@echo "  make lint                     format, layers, documents, English and commit subjects"
	@echo "  make docs                     the documentation as a web site, in .build/documentation"
	@echo "  make bench                    benchmarks; TARGET=FilterCosts for one, BesideC or python; COMPARE=1 with the baseline"
	@echo "  make gate                     all checks that a change must pass (.ci/run)"
	@echo "  make update WHAT=datasets     files that programs write; without WHAT, their list"
	@echo "  make check WHAT=formats       one check or several; without WHAT, their list"
	@echo "  make stress WHAT=soak         fuzz, soak, kills, faults, hostile ...; without WHAT, their list and options"
	@echo "Research"
	@echo "  make study NAME=accuracy DATA=folder ARGUMENTS=\"...\"   tables of docs/results; without NAME, the studies"
	@echo "  make claims DATA=folder       compare the published figures with those that their commands give; ARGUMENTS=--write"
	@echo "  make train-activity DATA=folder   the built-in activity model, from its recordings"
	@echo "CONFIGURATION=debug builds for a debugger, NATIVE=1 for the CPU of this machine only."

setup:
	@.ci/packaging/install-dependencies

# MARK: Use

run: setup
	swift build $(BUILD) --product inertial
	.build/$(CONFIGURATION)/inertial fuse $(SAMPLE) -o $(FUSED) --force

# Optimised, without testability, and on Linux with the Swift library in it, so that a copy runs without a toolchain.
# HDF5=0 omits HDF5 and its thirty libraries; STATIC=0 the Swift library.
PREFIX := /usr/local
INSTALLED = -c release --scratch-path .build/installed -debug-info-format none --disable-build-manifest-caching \
	$(shell NATIVE=$(NATIVE) .ci/gate/build-flags native) -Xswiftc -DWITHOUT_RUN_LOOP \
	$(if $(filter 0,$(STATIC)),,$(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib))
install: setup
	swift build $(INSTALLED) --product inertial $(if $(filter 0,$(HDF5)),--disable-default-traits)
	.ci/packaging/install .build/installed/release/inertial "$(PREFIX)"

# In the same folder as the command, which starts it.
install-serve:
	@.ci/packaging/install-dependencies serve
	swift build --package-path Serve $(INSTALLED) --product inertial-serve
	.ci/packaging/install .build/installed/release/inertial-serve "$(PREFIX)"

python:
	.ci/packaging/build-python-library
	.ci/packaging/make-wheel

dist: python
	.ci/packaging/make-dist

SCRIPTS = $(patsubst Notebooks-data/Sources/%/,%,$(wildcard Notebooks-data/Sources/*/))
script: setup
	@test -n "$(filter $(NAME),$(SCRIPTS))" || { echo "error: there is no script '$(NAME)'; NAME is one of: $(SCRIPTS)" >&2; exit 2; }
	swift run --package-path Notebooks-data --scratch-path .build $(BUILD) $(NAME) $(ARGUMENTS)

# MARK: Contribute

# CHECKS are more flags of the build.
build:
	@.ci/packaging/install-dependencies serve
	swift build $(BUILD) --build-tests $(CHECKS)
	swift build --package-path Serve --scratch-path .build $(BUILD) --build-tests $(CHECKS)

test:
	@.ci/gate/test $(call options,ONLY FILTER CHECKS)

lint:
	.ci/gate/lint

docs: setup
	swift build $(BUILD)
	.ci/docs/make-documentation .build/documentation .build/$(CONFIGURATION)

bench:
	@.ci/gate/bench $(call options,TARGET COMPARE ROWS TURNS)

gate:
	.ci/run

update:
	@.ci/gate/update "$(WHAT)" $(call options,TARGET)

check:
	@.ci/gate/check "$(WHAT)" $(call options,SUITES AGAINST)

stress:
	@.ci/gate/stress "$(WHAT)" $(call options,READER SECONDS FUZZ_OPTIONS RUNS SLICE SLICES SEED BINARY CALLS ARGUMENTS)

# MARK: Research

# The built-in activity model, from its recordings, bit for bit.
train-activity:
	@$(MAKE) study NAME=activity-model ARGUMENTS=Sources/Shims/CInertialResources/Data/activity-model.json

# The published figures of docs/results/claims.json.
claims: setup
	@test -n "$(DATA)" || { echo "error: DATA=folder is missing, the folder with the recordings" >&2; exit 2; }
	swift build $(BUILD) --product inertial
	python3 Notebooks-data/studies/claims.py "$(DATA)" $(ARGUMENTS)

study: $(if $(NAME),setup)
	@Notebooks-data/studies/study $(if $(DATA),--data "$(DATA)") $(NAME) $(ARGUMENTS)
