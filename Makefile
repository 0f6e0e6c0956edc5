# A thin facade over CMake; `make help` lists the targets.

PREFIX ?= /usr/local
DESTDIR ?=
FUZZ_SECONDS ?= 600
JOBS ?= $(shell nproc)

CONFIGURE = cmake -S . -DCOBLOC_WERROR=ON
OPTIMISED = -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$(abspath $(PREFIX))"
SANITIZED = -B build-sanitize -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
            -DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DCOBLOC_SANITIZE=ON -DCOBLOC_FUZZ=ON

THREADED = -B build-threads -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Debug \
           -DCMAKE_C_FLAGS_DEBUG="-O1 -g" -DCOBLOC_THREAD_SANITIZE=ON

# The leak checker stumbles over the thread storage of OpenMP's library, and over what that keeps.
SANITIZERS = ASAN_OPTIONS=intercept_tls_get_addr=0 \
             LSAN_OPTIONS=suppressions=$(CURDIR)/tests/lsan.supp:print_suppressions=0

# Tests run side by side, with more threads than cores: one that waits must not keep others from work.
PATIENT = OMP_WAIT_POLICY=passive

.DEFAULT_GOAL := build
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory
.PHONY: build demo test bench quality papers fuzz lint docs deb release install uninstall format clean help build-packages \
        test-packages bench-packages docs-packages packaging-packages optimised \
        sanitized threaded

build: build-packages ## the library and the command line, optimised, in build/
	@echo "== Building build/cobloc"
	@$(CONFIGURE) $(OPTIMISED) -DCOBLOC_TESTS=OFF
	@cmake --build build --parallel $(JOBS)

demo: build ## a first look: the commands on a small example
	@scripts/demo

test: optimised sanitized threaded ## all tests: optimised, with sanitizers, and threads alone
	@echo "== Testing the optimised build"
	@$(PATIENT) ctest --test-dir build --parallel $(JOBS) --output-on-failure
	@echo "== Testing the build with sanitizers"
	@$(PATIENT) $(SANITIZERS) ctest --test-dir build-sanitize --parallel $(JOBS) --output-on-failure
	@echo "== Testing threads with ThreadSanitizer"
	@$(PATIENT) OMP_NUM_THREADS=4 TSAN_OPTIONS=ignore_noninstrumented_modules=1 \
	    ctest --test-dir build-threads --parallel $(JOBS) --output-on-failure

bench: test-packages build ## the benchmarks, beside other programs; rewrites docs/benchmarks.md
	@echo "== Benchmarks"
	@cmake --build build --parallel $(JOBS) --target bench_programs
	@bench/io build --write docs/benchmarks.md
	@bench/fit build --write docs/benchmarks.md
	@bench/speed build --write docs/benchmarks.md --picture docs/speed.svg
	@bench/cores build --write docs/benchmarks.md --timeline docs/performance.md
	@bench/ranks build --write docs/benchmarks.md
	@bench/schedule build --write docs/scale.md
	@bench/starts build --write docs/performance.md
	@bench/spectral build --write docs/benchmarks.md
	@bench/methods build --write docs/benchmarks.md
	@bench/ensemble build --write docs/benchmarks.md
	@bench/sizes build --write docs/choosing.md
	@bench/text build --write docs/benchmarks.md
	@bench/python build --write docs/benchmarks.md
	@bench/r build --write docs/benchmarks.md

quality: bench-packages build ## other programs on the same data, some hours; rewrites docs/benchmarks.md
	@echo "== Other programs on the same data"
	@bench/quality build --write docs/benchmarks.md --readme README.md --picture docs/quality.svg

papers: test-packages build ## the papers' numbers beside ours, an hour; rewrites docs/reproduction.md
	@echo "== The papers' numbers"
	@bench/papers/run build --write docs/reproduction.md

fuzz: sanitized ## every fuzz target for FUZZ_SECONDS (600) each
	@scripts/fuzz $(FUZZ_SECONDS)

lint: optimised ## clang-tidy and clang's static analyzer on the sources; `make test` runs the former
	@echo "== Linting"
	@scripts/lint build --analyze

docs: docs-packages build ## the documentation as web pages, in build/site/
	@echo "== Documentation"
	@scripts/docs-site build/cobloc build/site

deb: packaging-packages ## the Debian packages of what is committed, in build/debian/
	@packaging/debian-packages build/debian

release: packaging-packages ## all that a release holds, from a clean tag, in build/release/
	@packaging/release build/release

install: build ## into PREFIX (/usr/local), below DESTDIR if that is set
	@echo "== Installing into $(DESTDIR)$(PREFIX)"
	@DESTDIR="$(DESTDIR)" cmake --install build

uninstall: ## removes what make install put there, from the same PREFIX and DESTDIR
	@echo "== Removing cobloc from $(DESTDIR)$(PREFIX)"
	@DESTDIR="$(DESTDIR)" scripts/uninstall build "$(abspath $(PREFIX))"

format: ## clang-format on all C files
	@echo "== Formatting"
	@find $(wildcard src include tests bench examples bindings) -name '*.[ch]' -exec clang-format -i {} +

clean: ## removes the build folders
	@echo "== Removing build/, build-sanitize/ and build-threads/"
	@rm -rf build build-sanitize build-threads

help: ## this list
	@sed -n 's/^\([a-z]*\):[^#]*## /make \1\t/p' Makefile | expand -t 16

build-packages:
	@scripts/install-packages build

test-packages:
	@scripts/install-packages build test mpi python r docs

bench-packages:
	@scripts/install-packages build bench

packaging-packages:
	@scripts/install-packages build mpi python r docs packaging

docs-packages:
	@scripts/install-packages build docs

optimised: test-packages
	@echo "== Building with optimisation in build/"
	@$(CONFIGURE) $(OPTIMISED) -DCOBLOC_TESTS=ON
	@cmake --build build --parallel $(JOBS)

sanitized: test-packages
	@echo "== Building with sanitizers in build-sanitize/"
	@$(CONFIGURE) $(SANITIZED)
	@cmake --build build-sanitize --parallel $(JOBS)

threaded: test-packages
	@echo "== Building with ThreadSanitizer in build-threads/"
	@$(CONFIGURE) $(THREADED)
	@cmake --build build-threads --parallel $(JOBS) --target threaded_tests
