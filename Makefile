# make run     fuses a sample log and prints what came out
# make test    runs every test
# The first of either installs the missing system packages (Debian, Ubuntu, macOS) and says so.

SAMPLE := Notebooks-data/logs/walk.csv
FUSED := $(or $(TMPDIR),/tmp)/inertial-walk.fused.csv

# Compressed sound is read where libsndfile is there. Asked for anew by each recipe, as setup may have installed it.
export INERTIAL_SNDFILE = $(shell pkg-config --exists sndfile 2>/dev/null && echo 1)

# One configuration for the command, the tests, the scripts and the benchmarks, in one folder, so that nothing is compiled
# twice. Release keeps the checks of overflow, bounds and exclusive access. CONFIGURATION=debug for a debugger.
CONFIGURATION := release
# make NATIVE=1 builds for the CPU of this machine (AVX2, AVX-512, ...). The program may not run on another.
NATIVE_FLAGS := $(if $(NATIVE),-Xswiftc -target-cpu -Xswiftc native -Xcc -march=native)
# The plan of a build is made anew each time: all packages share one folder, and a saved plan may be another package's.
BUILD := -c $(CONFIGURATION) --disable-build-manifest-caching -Xswiftc -enable-testing $(if $(filter release,$(CONFIGURATION)),-debug-info-format none) \
	$(NATIVE_FLAGS)
IN_PACKAGE = --package-path $(1) --scratch-path .build $(BUILD)

.PHONY: help setup run build-all test test-alone test-recordings test-scripts build-benchmarks build-times test-times bench bench-compare bench-baseline compare-c blas-calls compare-accuracy \
	compare-flagship consistency altered-logs figures python-library wheel test-wheel test-python test-python-here test-without-hdf5 test-hostile test-hostile-address test-spark test-notebooks bench-python compare-shakes cross-validate-shakes compare-steps recogniser-study recogniser-limits recogniser-cards compare-tracks compare-peers datasets check-datasets fuzz soak kills check-formats lint docs drawings gallery script install

help:
	@echo "make run     fuse a sample log and print a summary"
	@echo "make test    every test; those on real recordings where INERTIAL_DATA names their folder; ONLY=Recognition for one target"
	@echo "make bench   the benchmarks (the first build takes some minutes); TARGET=FilterCosts for one of them"
	@echo "make bench-compare    the same, compared with the baseline in Benchmarks/.benchmarkBaselines"
	@echo "make bench-baseline   writes that baseline anew"
	@echo "make compare-c        mahony and madgwick beside plain C in single precision, by turns"
	@echo "make compare-accuracy BROAD=folder   our filters and the peers on the BROAD trials of a folder (HDF5)"
	@echo "make compare-flagship BROAD=folder TYREX=folder   every figure of the filter kalman (about 20 minutes)"
	@echo "make consistency BROAD=folder TYREX=folder   what filters make of their measurements: docs/results/consistency.md"
	@echo "make altered-logs INERTIAL_DATA=folder   what fuse and inspect say of altered copies of recordings, and of the recordings"
	@echo "make compare-shakes SHAKE=folder [OTHERS=folder]   shake detectors on labelled windows, and where nobody shakes"
	@echo "make cross-validate-shakes SHAKE=folder OTHERS=folder   the weights of ours, fitted on one person and judged on the other"
	@echo "make compare-steps STEPS=folder   steps counted by us and by the peers, against foot switches"
	@echo "make recogniser-study INERTIAL_DATA=folder   what activity and steps tell of all labelled recordings, and contradictions"
	@echo "make recogniser-cards INERTIAL_DATA=folder   the figures of the detectors' cards, with intervals"
	@echo "make recogniser-limits INERTIAL_DATA=folder   their limits, each chosen without what it is judged on"
	@echo "make compare-peers   speed beside the peers in one run: filters, and a log to a dataset (about 10 minutes)"
	@echo "make datasets         the sample logs, their datasets and manifest anew; check-datasets: whether they are the same bytes"
	@echo "make fuzz READER=zip SECONDS=600   a reader under libFuzzer; inertial formats lists them, and any and wav"
	@echo "make soak RUNS=100000 [SLICE=3 SLICES=100] [SECONDS=600] [BINARY=path]   damaged logs of every format through every command"
	@echo "make kills RUNS=1000 [SECONDS=600]   a batch ended at random moments by signals, and gone on with by --resume"
	@echo "make check-formats    datasets given to the tools of those who use them (PyPI): NumPy, polars, evo, mcap, a BIDS validator ..."
	@echo "make build-times      what each module of a clean build takes; make test-times: the longest tests"
	@echo "make blas-calls   how often each subcommand and filter calls BLAS and LAPACK"
	@echo "make lint    format, layers and documents"
	@echo "NATIVE=1     behind run, bench and compare-*: for the CPU of this machine only"
	@echo "make docs    the documentation as a web site, in .build/documentation"
	@echo "make drawings         the drawings of the documents, in docs"
	@echo "make figures          the figures of the documents, by the commands that stand beside them"
	@echo "make gallery          the report in the documents, docs/gallery, of a simulated outing"
	@echo "make script NAME=ReadALog ARGUMENTS=LOG   a script of Notebooks-data"
	@echo "make wheel   the Python package with the library and the command in it, in .build/wheels (SMALL=1); make test-python its tests"
	@echo "make test-python-here   the package's tests, notebooks and Spark with the library as make builds it, without a wheel"
	@echo "make test-wheel [SUITES=bookworm]   the wheel installed into empty systems, and every bit compared (root, debootstrap)"
	@echo "make test-hostile CALLS=10000   random calls of the C interface; test-hostile-address: under the address sanitiser"
	@echo "make bench-python ROWS=1000000   what the package costs, beside its peers"
	@echo "make install PREFIX=folder   the command, its manual pages and completions (default /usr/local); HDF5=0 without HDF5"

setup:
	@.ci/install-dependencies

run: setup
	swift build $(BUILD) --product inertial
	.build/$(CONFIGURATION)/inertial fuse $(SAMPLE) -o $(FUSED) --force

# All tests are one bundle: tests of real recordings are in it, enabled where INERTIAL_DATA names their folder.
build-all: setup
	swift build $(BUILD) --build-tests $(CHECKS)

TESTS := InertialPackageTests
SWIFT_TEST := .ci/swift-test $(BUILD) --skip-build
# Tests that run by themselves: test-alone, soak and, for root, .ci/test-nonroot.
APART := --skip '/alone' --skip SoakSubjectsTests $(if $(filter 0,$(shell id -u)),--skip '/nonroot')

test: setup
ifdef ONLY
	@test -d Tests/$(ONLY)Tests || { echo "there is no Tests/$(ONLY)Tests; ONLY is one of:" $(patsubst Tests/%Tests/,%,$(wildcard Tests/*Tests/)) >&2; exit 2; }
	INERTIAL_ONLY_TESTS=$(ONLY) swift build $(BUILD) --product $(TESTS)
	$(if $(filter InertialCommand,$(ONLY)),swift build $(BUILD) --product inertial)
	$(if $(filter CoreMotionCompatibility,$(ONLY)),swift build $(BUILD) --product MainQueueApp)
	INERTIAL_ONLY_TESTS=$(ONLY) $(SWIFT_TEST)
else
	@$(MAKE) --no-print-directory build-all
	$(SWIFT_TEST) $(APART)
	@.ci/test-nonroot .build/$(CONFIGURATION)
	@$(MAKE) --no-print-directory test-alone test-scripts
endif

# What measures real time has the machine for itself.
test-alone:
	INERTIAL_TESTS_ALONE=1 $(SWIFT_TEST) --filter '/alone'

# The figures that tests of recordings print.
test-recordings: setup
ifndef INERTIAL_DATA
	@echo "usage: make test-recordings INERTIAL_DATA=folder" >&2; exit 2
endif
	@$(MAKE) --no-print-directory build-all
	$(SWIFT_TEST) --filter Recordings
	@$(MAKE) --no-print-directory test-alone

# Scripts and programs as a reader runs them: they import the products from outside.
test-scripts:
	swift run $(call IN_PACKAGE,Notebooks-data) ReadALog
	swift run $(call IN_PACKAGE,Notebooks-data) RunFilters
	swift run $(call IN_PACKAGE,Notebooks-data) TrackACompass
	swift run $(call IN_PACKAGE,Notebooks-data) DrawAFigure .build/past-iron.svg
	INERTIAL_BIN=.build/$(CONFIGURATION) swift run $(call IN_PACKAGE,Notebooks-data) PhonePrograms

build-benchmarks:
	swift build $(call IN_PACKAGE,Benchmarks)

# One thread for BLAS: for what takes microseconds it would start others.
BENCHMARK := OPENBLAS_NUM_THREADS=1 swift package --package-path Benchmarks --disable-sandbox $(NATIVE_FLAGS)
BENCHMARK_TARGET := $(if $(TARGET),--target $(TARGET))

bench: setup
	$(BENCHMARK) benchmark $(BENCHMARK_TARGET) --no-progress

# Absolute times are those of one machine: write a baseline of your own before a change, and compare after it.
bench-compare: setup
	$(BENCHMARK) benchmark baseline compare main $(BENCHMARK_TARGET) --no-progress

bench-baseline: setup
	$(BENCHMARK) --allow-writing-to-package-directory benchmark baseline update main $(BENCHMARK_TARGET) --no-progress

compare-c: setup
	swift run $(call IN_PACKAGE,Benchmarks) BesideC

# The peers are Python packages; they are installed into .venv.
compare-accuracy: setup
ifndef BROAD
	@echo "usage: make compare-accuracy BROAD=folder, the folder with BROAD's .hdf5 files" >&2; exit 2
endif
	swift build $(BUILD) --product inertial
	Notebooks-data/scripts/compare-accuracy "$(BROAD)"

# ROWS=1,2 for some of the rows, JSON=file for all that was measured, DETAILS=1 for a row for each recording.
# Writes docs/results/consistency.md.
consistency: setup
	@test -n "$(BROAD)" -a -n "$(TYREX)" || { echo "usage: make consistency BROAD=folder TYREX=folder" >&2; exit 2; }
	swift build $(BUILD) --product inertial
	INERTIAL_BIN=.build/$(CONFIGURATION) python3 Notebooks-data/scripts/consistency.py "$(BROAD)" "$(TYREX)"

compare-flagship: setup
ifndef BROAD
	@echo "usage: make compare-flagship BROAD=folder TYREX=folder [ROWS=1,2] [JSON=file] [DETAILS=1]" >&2; exit 2
endif
ifndef TYREX
	@echo "usage: make compare-flagship BROAD=folder TYREX=folder [ROWS=1,2] [JSON=file] [DETAILS=1]" >&2; exit 2
endif
	swift build $(BUILD) --product inertial
	Notebooks-data/scripts/compare-flagship "$(BROAD)" "$(TYREX)" $(if $(ROWS),--rows $(ROWS)) $(if $(JSON),--json "$(JSON)") $(if $(DETAILS),--details)

# ONLY=words for the alterations with these words, JSON=file for all that was said. About 20 minutes.
altered-logs: setup
ifndef INERTIAL_DATA
	@echo "usage: make altered-logs INERTIAL_DATA=folder [ONLY=words] [JSON=file]" >&2; exit 2
endif
	swift build $(BUILD) --product inertial
	python3 Notebooks-data/scripts/altered_logs.py "$(INERTIAL_DATA)" $(if $(ONLY),--only "$(ONLY)") $(if $(JSON),--json "$(JSON)")

# SHAKE has labelled device motion, OTHERS recordings in which nobody shakes, in folders as the script names them.
compare-shakes: setup
ifndef SHAKE
	@echo "usage: make compare-shakes SHAKE=folder [OTHERS=folder]" >&2; exit 2
endif
	swift build $(BUILD) --product inertial
	python3 Notebooks-data/scripts/compare_shakes.py "$(SHAKE)" $(if $(OTHERS),"$(OTHERS)")

# Both folders as for compare-shakes.
cross-validate-shakes: setup
ifndef SHAKE
	@echo "usage: make cross-validate-shakes SHAKE=folder OTHERS=folder" >&2; exit 2
endif
ifndef OTHERS
	@echo "usage: make cross-validate-shakes SHAKE=folder OTHERS=folder" >&2; exit 2
endif
	python3 Notebooks-data/scripts/cross_validate_shakes.py "$(SHAKE)" "$(OTHERS)"

# TURNS=7, ROWS=1000000, ONLY=filters, jobs or many, JSON=file for all that was measured. The peers are installed into .venv.
compare-peers: setup
	swift build $(BUILD) --product inertial
	Notebooks-data/scripts/compare-peers $(if $(TURNS),--turns $(TURNS)) $(if $(ROWS),--rows $(ROWS)) $(if $(ONLY),--only $(ONLY)) $(if $(JSON),--json "$(JSON)")

# STEPS is a folder with recordings of the Oxford step counter's data set. The peers are installed into .venv.
compare-steps: setup
ifndef STEPS
	@echo "usage: make compare-steps STEPS=folder, with recordings of github.com/Oxford-step-counter/DataSet" >&2; exit 2
endif
	swift build $(BUILD) --product inertial
	Notebooks-data/scripts/compare-steps "$(STEPS)"

# ONLY=word for some of the recordings, DETAILS=1 for every person and walk, JSON=file for all that was told. About 10 minutes.
recogniser-study: setup
ifndef INERTIAL_DATA
	@echo "usage: make recogniser-study INERTIAL_DATA=folder [ONLY=word] [DETAILS=1] [JSON=file]" >&2; exit 2
endif
	swift build $(BUILD) --product inertial
	Notebooks-data/scripts/recogniser-study "$(INERTIAL_DATA)" $(if $(ONLY),--only "$(ONLY)") $(if $(DETAILS),--details) $(if $(JSON),--json "$(JSON)")

# About 10 minutes.
recogniser-limits: setup
ifndef INERTIAL_DATA
	@echo "usage: make recogniser-limits INERTIAL_DATA=folder" >&2; exit 2
endif
	Notebooks-data/scripts/recogniser-study --limits "$(INERTIAL_DATA)"

# ONLY=steps,falls for some of the detectors. About 5 minutes.
recogniser-cards: setup
ifndef INERTIAL_DATA
	@echo "usage: make recogniser-cards INERTIAL_DATA=folder [ONLY=activities,steps,falls,posture,floors]" >&2; exit 2
endif
	swift build $(BUILD) --product inertial
	Notebooks-data/scripts/recogniser-study --cards "$(INERTIAL_DATA)" $(if $(ONLY),--only "$(ONLY)")

# What is in Notebooks-data/logs, made anew byte for byte.
datasets check-datasets: setup
	swift build $(BUILD) --product inertial
	swift build $(call IN_PACKAGE,Notebooks-data) --product MakeLogs
	INERTIAL_BIN=.build/$(CONFIGURATION) Notebooks-data/scripts/make-datasets $(if $(filter check-%,$@),--check)

# The inputs that reach something new are kept in FUZZ/READER, so that the next run goes on from there. One that breaks
# the reader is written beside it; `swift run --package-path Benchmarks FuzzReaders READER FILE` reads it again.
FUZZ := Benchmarks/.build/fuzz
FUZZ_BUILD := swift build --package-path Benchmarks --scratch-path $(FUZZ)/build -c release --product FuzzReaders \
	-Xswiftc -sanitize=fuzzer,address -Xswiftc -DFUZZING $(if $(filter Linux,$(shell uname -s)),-Xswiftc -use-ld=lld)

fuzz: setup
ifndef READER
	@echo "usage: make fuzz READER=zip [SECONDS=60] [FUZZ_OPTIONS=...]" >&2; exit 2
endif
	$(FUZZ_BUILD)
	mkdir -p $(FUZZ)/$(READER)
	export ASAN_OPTIONS=detect_leaks=0; \
	fuzzer=$$($(FUZZ_BUILD) --show-bin-path)/FuzzReaders; \
	$$fuzzer $(READER) --seed $(FUZZ)/$(READER)/seed && $$fuzzer $(READER) --fuzz $(FUZZ)/$(READER) \
		-max_total_time=$(or $(SECONDS),60) -timeout=10 -rss_limit_mb=1024 -max_len=16384 \
		-artifact_prefix=$(FUZZ)/$(READER)- $(FUZZ_OPTIONS)

TESTED = $(or $(BINARY),.build/$(CONFIGURATION)/inertial)

# Damaged logs of every format through every command. SLICE=3 SLICES=100 for a part of the RUNS; what broke is kept in
# .build/soak. BINARY=.build/installed/release/inertial, as make install builds it, starts with a third less of processor time.
soak: setup
	@test -x $(TESTED) || $(MAKE) --no-print-directory build-all
	@test -d .build/subjects || INERTIAL_SUBJECTS=$(CURDIR)/.build/subjects $(SWIFT_TEST) --filter SoakSubjectsTests
	python3 Notebooks-data/scripts/soak.py $(TESTED) .build/subjects --runs $(or $(RUNS),1000) \
		--slice $(or $(SLICE),0) --of $(or $(SLICES),1) --keep .build/soak $(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

# A batch in every format, ended at random moments and gone on with.
kills: setup
	@test -x $(TESTED) || swift build $(BUILD) --product inertial
	python3 Notebooks-data/scripts/kills.py $(TESTED) --runs $(or $(RUNS),1000) \
		$(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

# Paths against landmarks, closed loops and withheld fixes: the tables of docs/results/position.md.
compare-tracks: setup
	@test -x $(TESTED) || swift build $(BUILD) --product inertial
	python3 Notebooks-data/scripts/compare-tracks.py $(TESTED) "$(INERTIAL_DATA)"

# Every number of a dataset in each format, as others read it.
check-formats: setup
	@test -x .build/$(CONFIGURATION)/inertial || swift build $(BUILD) --product inertial
	Notebooks-data/scripts/check-formats .build/$(CONFIGURATION)/inertial

# Where the time goes: processor seconds of each module of a clean build, and the longest tests.
build-times: setup
	.ci/build-times $(BUILD)

test-times: setup
	@$(MAKE) --no-print-directory build-all
	.ci/test-times $(BUILD)

# What the command calls of BLAS and LAPACK, counted by what stands before them (Linux).
blas-calls: setup
	swift build $(BUILD) --product inertial
	.ci/blas-calls .build/$(CONFIGURATION)/inertial

lint:
	.ci/lint

docs: setup
	swift build $(BUILD)
	.ci/make-documentation .build/documentation .build/$(CONFIGURATION)

# The commands are those of the article "Figures for a paper" and of the detectors' cards, so that what they show is what the
# commands give.
figures: setup
	swift build $(BUILD) --product inertial
	Notebooks-data/scripts/make-figures .build/$(CONFIGURATION)/inertial

# Python draws them: the sample from the simulated log, the targets from the manifest.
drawings: setup
	swift build $(BUILD) --product inertial
	python3 Notebooks-data/scripts/draw_sample.py .build/$(CONFIGURATION)/inertial docs/sample.svg
	swift package dump-package | python3 Notebooks-data/scripts/draw_targets.py docs

# From the logs' folder, so that the page names its log as everybody does.
gallery: setup
	swift build $(BUILD) --product inertial
	mkdir -p docs/gallery
	cd Notebooks-data/logs && ../../.build/$(CONFIGURATION)/inertial report outing.csv -o ../../docs/gallery/outing.report.html \
		--reference outing.truth.csv --reference-frame nwu --align yaw --filters kalman,vqf --no-cost --force

# The library for other languages, without Swift's own, and the Python package with it. Its tests run in an environment of
# their own, from the wheel.
python-library:
	.ci/build-python-library

# SMALL=1 deflates it harder, which takes a minute: for what others download.
wheel: python-library
	$(if $(SMALL),INERTIAL_SMALL_WHEEL=1) .ci/make-wheel

test-python: wheel
	.ci/test-python

# With the library as everything else was built: nothing is compiled again. HDF5 is in it, and no library is static.
test-python-here: setup
	swift build $(BUILD) --product CInertial
	for tests in test-python test-notebooks test-spark; do \
		INERTIAL_PYTHON_LIBRARY=$(CURDIR)/.build/$(CONFIGURATION)/libCInertial.so .ci/$$tests || exit; \
	done

# The readers and writers without the trait HDF5; the wheel's tests cover the rest.
WITHOUT_HDF5 := -c $(CONFIGURATION) --disable-build-manifest-caching -Xswiftc -enable-testing -debug-info-format none \
	--scratch-path .build/without-hdf5 --disable-default-traits
test-without-hdf5: setup
	INERTIAL_ONLY_TESTS=MotionLogs INERTIAL_SNDFILE= swift build $(WITHOUT_HDF5) --product $(TESTS)
	INERTIAL_ONLY_TESTS=MotionLogs INERTIAL_SNDFILE= .ci/swift-test $(WITHOUT_HDF5) --skip-build $(APART)

test-wheel: wheel
	.ci/test-wheel-in-root $(SUITES)

test-hostile-address: setup
	INERTIAL_HOSTILE_CALLS=$(or $(CALLS),10000) $(if $(SEED),INERTIAL_HOSTILE_SEED=$(SEED)) .ci/test-hostile-address

test-hostile: wheel
	INERTIAL_HOSTILE_CALLS=$(or $(CALLS),10000) $(if $(SEED),INERTIAL_HOSTILE_SEED=$(SEED)) .ci/test-python test_hostile.py -s

test-notebooks: wheel
	.ci/test-notebooks

test-spark: wheel
	.ci/test-spark

bench-python: wheel
	.ci/bench-python $(if $(ROWS),--rows $(ROWS)) $(if $(TURNS),--turns $(TURNS))

NAME := ReadALog
script: setup
	@test -d Notebooks-data/Sources/$(NAME) || { echo "there is no script $(NAME); NAME is one of:" $(patsubst Notebooks-data/Sources/%/,%,$(wildcard Notebooks-data/Sources/*/)) >&2; exit 2; }
	swift run $(call IN_PACKAGE,Notebooks-data) $(NAME) $(ARGUMENTS)

# Built for use, in a folder of its own: nothing of it is for tests, and on Linux the Swift library is in it, so that a copy runs
# where there is no toolchain. HDF5=0 leaves out HDF5, and the thirty libraries that come with it;
# STATIC=0 the Swift library.
PREFIX := /usr/local
INSTALL_BUILD := -c release --scratch-path .build/installed -debug-info-format none $(NATIVE_FLAGS) \
	$(if $(filter 0,$(STATIC)),,$(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)) $(if $(filter 0,$(HDF5)),--disable-default-traits)
install: setup
	INERTIAL_FOR_USE=1 swift build $(INSTALL_BUILD) --product inertial
	.ci/install .build/installed/release/inertial "$(PREFIX)"
