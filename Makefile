# Terrarium.
#
#   make run      install what is missing, build, serve until Ctrl-C
#   make test     install what is missing, build, test everything
#   make help     the rest

CC      ?= gcc
PYTHON  := /usr/bin/python3
VERSION := 0.1.0
BUILD   ?= build
JOBS    ?= $(shell nproc)
prefix  ?= /usr/local
sysconfdir ?= /etc

PKGS := python3-embed libseccomp libcjson INIReader
# --- flags ---------------------------------------------------------------
WARNINGS := \
	-Wall \
	-Wextra \
	-Wshadow \
	-Wstrict-prototypes \
	-Wmissing-prototypes \
	-Wconversion \
	-Werror
HARDENING := \
	-fPIE \
	-fstack-protector-strong \
	-fstack-clash-protection \
	-D_FORTIFY_SOURCE=2
# The build id tells a kept trace of another build (sandbox/layout).
HARDENING_LD := -Wl,--build-id -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack
ifeq ($(shell uname -m),x86_64)
HARDENING += -fcf-protection
endif
OPTIMIZE ?= -O2
PYTHON_CFLAGS := $(shell pkg-config --cflags python3-embed 2>/dev/null)
PYTHON_LIBS   := $(shell pkg-config --libs python3-embed 2>/dev/null)
# DEBUG=1: the kernel's log names each system call that is refused.
ifdef DEBUG
CPPFLAGS += -DTERRARIUM_DEBUG
endif
CPPFLAGS += -I. -D_GNU_SOURCE -DTERRARIUM_VERSION='"$(VERSION)"'
CFLAGS   += -std=gnu17 $(OPTIMIZE) -g $(WARNINGS) $(HARDENING) $(SANITIZE)
LDFLAGS  += $(HARDENING_LD) $(SANITIZE)

# --- what is made of what ------------------------------------------------
# The sandbox proper; it knows nothing of JSON, FastCGI or configuration.
# LAYOUT=no leaves the room out that groups what guests write (guest.layout).
LAYOUT ?= $(if $(wildcard sandbox/layout/*.c),yes,no)
SANDBOX_ROOMS := base filesystem walls ipc python prefork \
	$(if $(filter yes,$(LAYOUT)),layout) guest
SANDBOX := $(foreach room,$(SANDBOX_ROOMS),$(wildcard sandbox/$(room)/*.c))
CONF    := $(wildcard conf/*.c)
TEXT    := $(wildcard sandbox/text/*.c)
SOLVER  := $(wildcard sandbox/solver/*.c)
FCGI    := $(wildcard fcgi/*/*.c)
CLI     := $(wildcard sandbox/cli/*.c)
SOURCES := $(SANDBOX) $(CONF) $(TEXT) $(SOLVER) $(FCGI) $(CLI)
HEADERS := $(wildcard sandbox/*/*.h conf/*.h fcgi/*/*.h)
object   = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
OBJECTS := $(call object,$(SANDBOX) $(CONF) $(TEXT) $(SOLVER) $(FCGI) $(EXTRA))
CLI_OBJECTS := $(call object,$(SANDBOX) $(CONF) $(TEXT) $(SOLVER) $(CLI) \
	$(EXTRA))
# Without FastCGI and HTTP: that the sandbox links alone is its proof.
SANDBOX_LIBS := $(PYTHON_LIBS) -lseccomp
CLI_LIBS     := $(SANDBOX_LIBS) -lcjson -linih
ALL_LIBS     := $(CLI_LIBS) -lfcgi

all: $(BUILD)/terrariumd $(BUILD)/terrarium $(BUILD)/terrarium.conf.5 \
	$(BUILD)/floors

# Who may include what, and the one door of each dangerous header.
$(BUILD)/floors: $(SOURCES) $(HEADERS) tests/check-floors
	@mkdir -p $(@D)
	@tests/check-floors
	@touch $@

$(BUILD)/terrariumd: $(OBJECTS)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

# The local command: no FastCGI is linked.
$(BUILD)/terrarium: $(CLI_OBJECTS)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(CLI_LIBS)

# The manual page of the options, from their table.
$(BUILD)/terrarium.conf.5: $(BUILD)/terrariumd
	@echo "  manual  $@"
	@$< --print-manual >$@

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  compile $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(PYTHON_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/obj/sandbox/python/interpreter.o: \
		$(wildcard sandbox/python/runner/*.py)

-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/*/*/*.d)

# --- run -----------------------------------------------------------------
run: packages
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@tools/local run

start: packages
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@tools/local start

stop:
	@tools/local stop

packages:
	@tools/install-packages

# --- test ----------------------------------------------------------------
# Each cmocka program links the sandbox, the options and the FastCGI side
# without main().
LAYOUT_UNITS := test_block_layout test_block_map test_trace_file \
	test_write_tracer
UNITS := $(filter-out $(if $(filter yes,$(LAYOUT)),,$(LAYOUT_UNITS)),\
	$(patsubst tests/unit/%.c,%,$(wildcard tests/unit/test_*.c)))
UNIT_PROGRAMS := $(UNITS:%=$(BUILD)/tests/%)
UNIT_HELPERS := $(filter-out tests/unit/test_%,$(wildcard tests/unit/*.c))
UNIT_OBJECTS := $(call object,\
	$(filter-out fcgi/server/main.c sandbox/cli/main.c,$(SOURCES)))
PYTEST := $(PYTHON) -m pytest -q -p no:cacheprovider

# An archive: of the helpers a program links those that it needs, and what
# these need.
UNIT_SUPPORT := $(BUILD)/obj/tests/unit/support.a
$(UNIT_SUPPORT): $(call object,$(UNIT_HELPERS))
	@rm -f $@
	@$(AR) rcs $@ $^

# These link the sandbox alone: that it needs no FastCGI is shown so.
SANDBOX_UNITS := test_run test_run_tasks test_run_walls test_session test_init
$(SANDBOX_UNITS:%=$(BUILD)/tests/%): $(BUILD)/tests/%: \
		$(BUILD)/obj/tests/unit/%.o $(call object,$(SANDBOX)) \
		$(UNIT_SUPPORT)
	@mkdir -p $(@D)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(SANDBOX_LIBS) -lcmocka

$(BUILD)/tests/%: $(BUILD)/obj/tests/unit/%.o $(UNIT_OBJECTS) $(UNIT_SUPPORT)
	@mkdir -p $(@D)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(ALL_LIBS) -lcmocka

units: $(UNIT_PROGRAMS)

# What is asked of one server, of a server in each of its walls, of servers
# that the tests start themselves.
e2e = $(1:%=tests/e2e/test_%.py)
SERVED := $(call e2e,requests bodies programs isolation limits processes \
	pace soak ragflow job sessions code_interpreter) \
	tests/e2e/test_nginx.py::test_real_server
ODD    := $(call e2e,fastcgi fastcgi_peers fastcgi_same malformed \
	malformed_http)
IMPATIENT := CONF_EXTRA="server.header_timeout_ms=500;server.send_timeout_ms=1000"
WALLED := $(call e2e,programs isolation limits processes pace sessions \
	code_interpreter)
ALONE  := $(call e2e,run add_token nginx nginx_limits local check doors cli \
	archive packages overload generations options counts large_bodies \
	sessions_pool sessions_reload slow_start standby groups stopped \
	full_disk files two_servers fair slow_readers own_memory layout)
BESIDE := tests/with-server
AS_NOBODY := $(BESIDE) --as nobody
ASAN := DAEMON=$(BUILD)/asan/terrariumd CONF_EXTRA=guest.freeze=no
SUITE_LIMITS = $(shell tests/suites/run --limits)
ifeq ($(shell id -u),0)
UNPRIVILEGED := "unprivileged.pytest=$(AS_NOBODY) $(PYTEST) $(WALLED)" \
	"hostile-unprivileged.pytest=$(AS_NOBODY) \
		CONF_EXTRA=walls.cgroups=off $(PYTEST) tests/hostile"
endif

test: test-packages
	@$(MAKE) --no-print-directory -j$(JOBS) all units asan
	@tests/run \
		"floors.check=tests/check-floors" \
		"lint.check=$(MAKE) --no-print-directory -j$(JOBS) lint" \
		"clang.check=$(MAKE) --no-print-directory CC=clang \
			BUILD=$(BUILD)/clang all" \
		"unit.tap=$(MAKE) --no-print-directory run-units" \
		"runner.pytest=$(PYTEST) tests/unit tests/suites" \
		"alone.pytest=$(PYTEST) $(ALONE)" \
		"server.pytest=$(BESIDE) $(PYTEST) $(SERVED)" \
		'odd.pytest=$(BESIDE) $(IMPATIENT) $(PYTEST) $(ODD)' \
		"client.pytest=$(BESIDE) $(PYTEST) tests/client" \
		"hostile.pytest=$(BESIDE) $(PYTEST) tests/hostile" \
		$(UNPRIVILEGED) \
		"asan.pytest=$(BESIDE) $(ASAN) $(PYTEST) $(WALLED)" \
		"suites.check=$(BESIDE) CONF_EXTRA='$(SUITE_LIMITS)' \
			tests/suites/run --quick" \
		"fuzz.check=$(MAKE) --no-print-directory -j$(JOBS) fuzz RUNS=20000"

# Every hostile program, and a table of what was contained.
hostile: test-packages
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@$(BESIDE) tests/hostile/table

# The two commands on a booted machine, emulated by qemu: an hour and more.
vmtest:
	@tools/vmtest $(SUITE)

test-packages:
	@tools/install-packages --test

run-units: $(UNIT_PROGRAMS)
	@status=0; for program in $^; do \
		CMOCKA_MESSAGE_OUTPUT=tap tools/local alone $$program || \
			status=1; \
	done; exit $$status

# The same program under AddressSanitizer and UndefinedBehaviorSanitizer.
asan:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPTIMIZE=-O1 \
		HARDENING=-fPIE EXTRA=tests/sanitize.c \
		SANITIZE="-fsanitize=address,undefined -fno-sanitize-recover" all

# --- bench ---------------------------------------------------------------
# The figures of docs/performance.md: everything side by side. QUICK=1 takes
# two minutes instead of half an hour, LONG=1 adds 100,000 requests.
BENCH := $(BUILD)/bench
BENCH_PROGRAMS := $(BENCH)/load $(BENCH)/hello $(BENCH)/forkexit
BENCH_ARGS := $(if $(QUICK),--quick) $(if $(LONG),--long)

bench: packages
	@tools/install-packages libssl-dev
	@$(MAKE) --no-print-directory -j$(JOBS) all bench-programs
	@tests/bench/run --out $(BENCH) $(BENCH_ARGS)

bench-programs: $(BENCH_PROGRAMS)

$(BENCH)/load: $(call object,tests/bench/load.c tests/bench/conn.c)
$(BENCH)/load: BENCH_LIBS := -lssl -lcrypto
$(BENCH)/hello: $(call object,tests/bench/hello.c)
$(BENCH)/hello: BENCH_LIBS := -lfcgi
$(BENCH)/forkexit: $(call object,tests/bench/forkexit.c $(SANDBOX) $(CONF))
$(BENCH)/forkexit: BENCH_LIBS := $(SANDBOX_LIBS) -linih

$(BENCH_PROGRAMS):
	@mkdir -p $(@D)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(BENCH_LIBS)

# --- fuzz ----------------------------------------------------------------
RUNS ?= 1000000
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(wildcard tests/fuzz/fuzz_*.c))

fuzz: $(FUZZERS:%=fuzz-%)

fuzz-%: $(BUILD)/fuzz/%
	@mkdir -p $(BUILD)/fuzz/corpus-$*
	@echo "  fuzz    $* ($(RUNS) executions)"
	@$< -runs=$(RUNS) -max_len=65536 -print_final_stats=1 -verbosity=0 \
		-artifact_prefix=$(BUILD)/fuzz/ $(BUILD)/fuzz/corpus-$* \
		tests/fuzz/corpus/$* \
		>$(BUILD)/fuzz/$*.log 2>&1 || \
		{ tail -n 40 $(BUILD)/fuzz/$*.log; exit 1; }

FUZZ_FLAGS := -std=gnu17 -O1 -g -fsanitize=address,undefined \
	-fno-sanitize-recover=undefined
FUZZED := $(patsubst %.c,$(BUILD)/fuzz/obj/%.o,\
	$(filter-out fcgi/server/main.c sandbox/cli/main.c,$(SOURCES)))

$(BUILD)/fuzz/obj/%.o: %.c $(HEADERS)
	@mkdir -p $(@D)
	@clang $(CPPFLAGS) $(FUZZ_FLAGS) -fsanitize=fuzzer-no-link \
		$(PYTHON_CFLAGS) -c -o $@ $<

$(BUILD)/fuzz/obj/sandbox/python/interpreter.o: \
		$(wildcard sandbox/python/runner/*.py)

$(BUILD)/fuzz/%: tests/fuzz/fuzz_%.c $(FUZZED)
	@echo "  fuzzer  $*"
	@clang $(CPPFLAGS) $(FUZZ_FLAGS) -fsanitize=fuzzer $(PYTHON_CFLAGS) \
		-o $@ $^ $(ALL_LIBS)

# --- lint ----------------------------------------------------------------
lint: lint-cppcheck lint-tidy

lint-cppcheck:
	@echo "  cppcheck"
	@cppcheck --quiet --std=c11 --error-exitcode=1 --inline-suppr -j2 \
		--enable=warning,performance,portability \
		--suppress=missingIncludeSystem -D_GNU_SOURCE -I. \
		--suppress=normalCheckLevelMaxBranches \
		$(SOURCES)

TIDY := $(patsubst %.c,$(BUILD)/tidy/%.ok,$(SOURCES))
lint-tidy: $(TIDY)

$(BUILD)/tidy/%.ok: %.c .clang-tidy
	@mkdir -p $(@D)
	@echo "  tidy    $<"
	@clang-tidy --quiet --warnings-as-errors='*' $< -- $(CPPFLAGS) \
		-std=gnu17 $(PYTHON_CFLAGS) 2>/dev/null
	@touch $@

# --- install -------------------------------------------------------------
CLIENT := $(wildcard client/*.py client/*.md client/*.toml)
PAGES  := README.md SECURITY.md CHANGELOG.md CONTRIBUTING.md LICENSE \
	nginx.conf.example
MANUAL := docs/terrarium.1 docs/terrariumd.8 $(BUILD)/terrarium.conf.5

# Where the files go: below DESTDIR, which packagers set.
sbindir  = $(DESTDIR)$(prefix)/sbin
bindir   = $(DESTDIR)$(prefix)/bin
mandir   = $(DESTDIR)$(prefix)/share/man
docdir   = $(DESTDIR)$(prefix)/share/doc/terrarium
datadir  = $(DESTDIR)$(prefix)/share/terrarium
confdir  = $(DESTDIR)$(sysconfdir)/terrarium

install: all
	install -D -m 0755 $(BUILD)/terrariumd $(sbindir)/terrariumd
	install -D -m 0755 conf/add-token $(sbindir)/terrarium-add-token
	install -D -m 0755 $(BUILD)/terrarium $(bindir)/terrarium
	for page in $(MANUAL); do install -D -m 0644 $$page \
		$(mandir)/man$${page##*.}/$${page##*/} || exit 1; done
	install -d $(docdir)/docs $(datadir)/client
	install -m 0644 $(PAGES) $(docdir)
	install -m 0644 $(wildcard docs/*.md) $(docdir)/docs
	install -m 0644 $(CLIENT) $(datadir)/client
	[ -e $(confdir)/terrarium.conf ] || install -D -m 0644 \
		conf/terrarium.conf $(confdir)/terrarium.conf

# The configuration and the tokens stay.
uninstall:
	rm -f $(sbindir)/terrariumd $(sbindir)/terrarium-add-token
	rm -f $(bindir)/terrarium
	for page in $(MANUAL); do \
		rm -f $(mandir)/man$${page##*.}/$${page##*/}; done
	rm -rf $(docdir) $(datadir)

clean:
	rm -rf $(BUILD)

help:
	@echo "make run        serve from here until Ctrl-C (PORT=, WORKERS=)"
	@echo "make start      the same in the background; make stop ends it"
	@echo "make test       test everything"
	@echo "make vmtest     test a booted machine under qemu (SUITE=bookworm)"
	@echo "make hostile    run every hostile program and show a table"
	@echo "make bench      measure it beside its peers (QUICK=1, LONG=1)"
	@echo "make fuzz       fuzz each parser (RUNS=1000000)"
	@echo "make lint       cppcheck, clang-tidy"
	@echo "make DEBUG=1 BUILD=build/debug   refused calls go to dmesg"
	@echo "make install    into prefix=$(prefix) (DESTDIR=); uninstall"
	@echo "make clean      remove $(BUILD)"


.PHONY: all run start stop packages test test-packages vmtest hostile units run-units \
	asan bench bench-programs fuzz lint lint-cppcheck lint-tidy install uninstall clean help
.SECONDARY:
