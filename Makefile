# Terrarium.
#
#   make run      install what is missing, build, serve until Ctrl-C
#                 (GROUPS="core charts": fewer packages for programs)
#   make test     install what is missing, build, test everything
#   make help     the rest

CC      ?= gcc
PYTHON  := /usr/bin/python3
VERSION := 0.1.0
BUILD   ?= build
JOBS    ?= $(shell nproc)
UNIT_JOBS ?= $(shell expr 2 '*' $(JOBS))
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
# The files of sandbox/python as one: sandbox/python/embedded.h.
EMBEDDED = $(BUILD)/python.marshal
PYTHON_SERIES := $(shell pkg-config --modversion python3-embed 2>/dev/null)
CPPFLAGS += -I. -D_GNU_SOURCE -DTERRARIUM_VERSION='"$(VERSION)"' \
	-DTERRARIUM_PYTHON='"$(PYTHON_SERIES)"' \
	-DEMBEDDED_PYTHON='"$(EMBEDDED)"'
CFLAGS   += -std=gnu17 $(OPTIMIZE) -g $(WARNINGS) $(HARDENING) $(SANITIZE)
LDFLAGS  += $(HARDENING_LD) $(SANITIZE)
# Callbacks from C, which libraries find here before libffi's: closures.c.
EXPORTS := -Wl,--export-dynamic-symbol=ffi_closure_alloc \
	-Wl,--export-dynamic-symbol=ffi_closure_free \
	-Wl,--export-dynamic-symbol=ffi_prep_closure_loc

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
	@$(CC) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(ALL_LIBS)

# The local command: no FastCGI is linked.
$(BUILD)/terrarium: $(CLI_OBJECTS)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(CLI_LIBS)

# The manual page of the options, from their table.
$(BUILD)/terrarium.conf.5: $(BUILD)/terrariumd
	@echo "  manual  $@"
	@$< --print-manual >$@

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  compile $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(PYTHON_CFLAGS) -MMD -MP -c -o $@ $<

$(EMBEDDED): tools/embed-python Makefile $(wildcard sandbox/python/*/*.py \
		sandbox/python/adapters/*/*.py sandbox/python/adapters/*/*/*.py \
		sandbox/python/adapters/*/*/*/*.py)
	@mkdir -p $(@D)
	@echo "  compile sandbox/python"
	@tools/embed-python $(PYTHON_SERIES) $@

$(BUILD)/obj/sandbox/python/embedded.o: $(EMBEDDED)

-include $(wildcard $(addprefix $(BUILD)/obj/,*/*.d */*/*.d */*/*/*.d))

# --- run -----------------------------------------------------------------
# The build goes on while packages for programs are installed, which keeps one
# processor busy. `run` serves before the last groups of them are there.
BUILD_BESIDE := --beside '$(MAKE) --no-print-directory -j$(JOBS) all'
run:
	@tools/install-packages $(CHOSEN) --first $(BUILD_BESIDE)
	@LATER='tools/install-packages $(CHOSEN)' \
		COMING="$$(tools/install-packages $(CHOSEN) --list-missing)" \
		tools/local run

start:
	@tools/install-packages $(CHOSEN) $(BUILD_BESIDE)
	@tools/local start

stop:
	@tools/local stop

# GROUPS="core charts", "-geography" or "+vision": the groups of packages
# for programs; else the default ones (tools/install-packages --list-groups).
CHOSEN := $(if $(GROUPS),--groups "$(GROUPS)")
packages:
	@tools/install-packages $(CHOSEN)

build-packages:
	@tools/install-packages --build

# --- test ----------------------------------------------------------------
# Each cmocka program is called as its source, whatever its room is, and links
# what it needs of the sandbox, the options and the FastCGI side.
LAYOUT_UNITS := test_block_layout test_block_map test_trace_file \
	test_write_tracer
UNIT_SOURCES := $(filter-out \
	$(if $(filter yes,$(LAYOUT)),,$(LAYOUT_UNITS:%=tests/unit/%.c) \
		$(LAYOUT_UNITS:%=tests/unit/layout/%.c)),\
	$(wildcard tests/unit/test_*.c tests/unit/*/test_*.c))
UNIT_HELPERS := $(filter-out tests/unit/test_%.c $(foreach room,\
	$(wildcard tests/unit/*/),$(room)test_%.c),\
	$(wildcard tests/unit/*.c tests/unit/*/*.c))
UNITS := $(basename $(notdir $(UNIT_SOURCES)))
UNIT_PROGRAMS := $(UNITS:%=$(BUILD)/tests/%)
PYTEST := $(PYTHON) -m pytest -q -p no:cacheprovider -p tests.repeat

# Archives: a program takes the members that it needs.
UNIT_SUPPORT := $(BUILD)/obj/tests/unit/support.a
UNIT_PRODUCT := $(BUILD)/obj/tests/unit/product.a
$(UNIT_SUPPORT): $(call object,$(UNIT_HELPERS))
$(UNIT_PRODUCT): $(call object,\
	$(filter-out fcgi/server/main.c sandbox/cli/main.c,$(SOURCES)))
$(UNIT_SUPPORT) $(UNIT_PRODUCT):
	@mkdir -p $(@D)
	@rm -f $@
	@$(AR) rcs $@ $^

# These link the sandbox alone, which proves that it needs no FastCGI.
SANDBOX_UNITS := test_run test_run_tasks test_run_walls test_session test_init
SANDBOX_UNIT_PROGRAMS := $(SANDBOX_UNITS:%=$(BUILD)/tests/%)
$(SANDBOX_UNIT_PROGRAMS): $(call object,$(SANDBOX))
$(SANDBOX_UNIT_PROGRAMS): UNIT_LIBS := $(SANDBOX_LIBS)

UNIT_LIBS := $(ALL_LIBS)
$(filter-out $(SANDBOX_UNIT_PROGRAMS),$(UNIT_PROGRAMS)): $(UNIT_PRODUCT)

define unit_program
$(BUILD)/tests/$(basename $(notdir $(1))): $(call object,$(1)) $(UNIT_SUPPORT)
endef
$(foreach source,$(UNIT_SOURCES),$(eval $(call unit_program,$(source))))
$(UNIT_PROGRAMS):
	@mkdir -p $(@D)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) -o $@ $(filter %.o,$^) $(UNIT_SUPPORT) \
		$(filter %product.a,$^) $(UNIT_LIBS) -lcmocka

# The server with tools for the conformance suite of MCP.
FIXTURES := $(BUILD)/tests/terrariumd-fixtures
$(FIXTURES): $(OBJECTS) $(call object,tests/mcp/fixtures.c)
	@mkdir -p $(@D)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) $(EXPORTS) -o $@ $^ $(ALL_LIBS)

units: $(UNIT_PROGRAMS) $(FIXTURES)

# Tests that share one server; those of them that are also run as another user
# and under a sanitizer (WALLED); tests of slow and broken peers (ODD); and
# all others, which start servers of their own (ALONE), in two suites.
e2e = $(foreach name,$(1),$(wildcard \
	tests/e2e/test_$(name).py tests/e2e/*/test_$(name).py))
WALLED := $(call e2e,programs isolation limits processes cpu_share sessions \
	code_interpreter code_interpreter_v1 code_interpreter_files)
SERVED := $(call e2e,requests all_doors bodies soak ragflow solver_api dify mcp sse \
	mcp_clients agents \
	snekbox piston e2b e2b_files e2b_sdk opensandbox opensandbox_sdk \
	clients fastcgi_same) \
	$(WALLED) \
	$(call e2e,imports adapters hints) \
	$(call e2e,nginx)::test_real_server $(call e2e,openapi)
ODD    := $(call e2e,fastcgi fastcgi_peers malformed \
	malformed_http)
IMPATIENT := CONF_EXTRA="guest.freeze=no;server.header_timeout_ms=500;$\
	server.send_timeout_ms=1000"
ALONE  := $(filter-out $(SERVED) $(ODD),$(sort $(wildcard \
	tests/e2e/test_*.py tests/e2e/*/test_*.py)))
ALONE_POOL := $(filter $(foreach room,pool server sessions,\
	tests/e2e/$(room)/%),$(ALONE))
ALONE_DOORS := $(filter-out $(ALONE_POOL),$(ALONE))
# Tests that measure time bear this mark: nothing runs beside them.
TIMED  := -m timed
CALM   := -m 'not timed'
# A server that starts soon, for tests that are not about the preload.
SOON := guest.preload=json;guest.freeze=no
BESIDE := tests/with-server
# AGAIN: the same tests ran in another suite, so repetitions can be fewer, and
# programs about libraries are left out.
AS_NOBODY := $(BESIDE) --as nobody AGAIN=yes
ASAN := AGAIN=yes DAEMON=$(BUILD)/asan/terrariumd CONF_EXTRA=guest.freeze=no
SUITE_LIMITS = $(shell tests/suites/run --limits)
ifeq ($(shell id -u),0)
UNPRIVILEGED = "$(2)unprivileged.pytest=$(AS_NOBODY) $(PYTEST) $($(1)) \
	$(WALLED)"
UNPRIVILEGED_HOSTILE = "$(2)hostile-unprivileged.pytest=$(AS_NOBODY) \
	CONF_EXTRA=walls.cgroups=off $(PYTEST) $($(1)) tests/hostile"
endif
# All suites of $(1) tests, whose names begin with $(2).
define suites_of
"$(2)pool.pytest=$(PYTEST) $($(1)) $(ALONE_POOL)" \
"$(2)doors.pytest=$(PYTEST) $($(1)) $(ALONE_DOORS)" \
"$(2)hostile.pytest=$(BESIDE) $(PYTEST) $($(1)) tests/hostile" \
$(UNPRIVILEGED_HOSTILE) \
"$(2)server.pytest=$(BESIDE) $(PYTEST) $($(1)) $(SERVED)" \
$(UNPRIVILEGED) \
"$(2)asan.pytest=$(BESIDE) $(ASAN) $(PYTEST) $($(1)) $(WALLED)"
endef

# A minute: what a change should pass before it is shown to others.
check: test-packages
	@$(MAKE) --no-print-directory -j$(JOBS) all units
	@tests/run \
		"floors.check=tests/check-floors" \
		"words.check=tests/check-words" \
		--at-once 2 \
		"unit.tap=$(MAKE) --no-print-directory run-units" \
		'smoke.pytest=$(BESIDE) CHART=no \
			CONF_EXTRA="guest.preload=numpy;guest.freeze=no" \
			$(PYTEST) $(call e2e,requests)'

# Where suites run at once, the longest begin first. Three of them keep two
# processors busy: tests that start servers of their own mostly wait.
test: test-packages
	@$(MAKE) --no-print-directory -j$(JOBS) all units asan
	@tests/run \
		"floors.check=tests/check-floors" \
		"words.check=tests/check-words" \
		"lint.check=$(MAKE) --no-print-directory -j$(JOBS) lint" \
		"clang.check=$(MAKE) --no-print-directory -j$(JOBS) CC=clang \
			BUILD=$(BUILD)/clang all" \
		"unit.tap=$(MAKE) --no-print-directory run-units" \
		$(call suites_of,TIMED,timed-) \
		--at-once 3 \
		$(call suites_of,CALM) \
		"suites.check=$(BESIDE) CONF_EXTRA='$(SUITE_LIMITS)' \
			tests/suites/run --quick" \
		'odd.pytest=$(BESIDE) $(IMPATIENT) $(PYTEST) $(ODD)' \
		"fuzz.check=$(MAKE) --no-print-directory fuzz RUNS=20000" \
		"client.pytest=$(BESIDE) CONF_EXTRA=guest.freeze=no $(PYTEST) \
			tests/client" \
		"runner.pytest=$(PYTEST) tests/unit tests/suites"

# Every hostile program, and a table of what was contained.
hostile: test-packages
	@$(MAKE) --no-print-directory -j$(JOBS) all
	@$(BESIDE) tests/hostile/table

# The two commands on a booted machine, emulated by qemu: an hour and more.
vmtest:
	@tools/vmtest $(SUITE)

test-packages:
	@tools/install-packages --test $(CHOSEN)

# Most programs wait more than they compute. Those that measure time run alone.
TIMED_UNITS := $(filter test_cgroup_host test_cpu_share test_pace \
	test_json test_json_walk,$(UNITS))
# The longest begin first.
LONG_UNITS := $(filter test_run test_session_pieces test_sessions \
	test_session test_run_tasks test_run_walls test_stall test_init,\
	$(UNITS))
SHORT_UNITS := $(filter-out $(TIMED_UNITS) $(LONG_UNITS),$(UNITS))
run-units: $(UNIT_PROGRAMS)
	@status=0; \
	$(MAKE) --no-print-directory -k -Otarget -j$(UNIT_JOBS) \
		$(patsubst %,run-%,$(LONG_UNITS) $(SHORT_UNITS)) || \
		status=1; \
	$(MAKE) --no-print-directory -k -j1 $(TIMED_UNITS:%=run-%) || \
		status=1; \
	exit $$status

run-test_%: $(BUILD)/tests/test_%
	@CMOCKA_MESSAGE_OUTPUT=tap tools/local alone $<

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

$(BUILD)/fuzz/obj/sandbox/python/embedded.o: $(EMBEDDED)

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
		--suppress=missingIncludeSystem $(CPPFLAGS) \
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
MANUAL := $(wildcard docs/*.[18]) $(BUILD)/terrarium.conf.5

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
	install -D -m 0755 conf/terrarium-packages \
		$(sbindir)/terrarium-packages
	install -D -m 0755 conf/terrarium-setup $(sbindir)/terrarium-setup
	conf/nginx-parts nginx.conf.example $(datadir)/nginx
	conf/nginx-parts --cluster nginx.conf.example \
		conf/nginx/cluster.conf.example \
		>$(datadir)/nginx/cluster.conf.example
	install -m 0644 conf/nginx/host.conf.example $(datadir)/nginx
	install -D -m 0755 $(BUILD)/terrarium $(bindir)/terrarium
	ln -sf terrarium $(bindir)/code_executor
	for page in $(MANUAL); do install -D -m 0644 $$page \
		$(mandir)/man$${page##*.}/$${page##*/} || exit 1; done
	install -d $(docdir)/docs $(datadir)/client
	install -m 0644 $(PAGES) $(docdir)
	install -m 0644 $(wildcard docs/*.md) $(docdir)/docs
	install -m 0644 conf/alerts.yml conf/dashboard.json $(docdir)/docs
	install -m 0644 $(CLIENT) $(datadir)/client
	[ -e $(confdir)/terrarium.conf ] || install -D -m 0644 \
		conf/terrarium.conf $(confdir)/terrarium.conf

# The configuration and the tokens stay.
uninstall:
	rm -f $(sbindir)/terrariumd $(sbindir)/terrarium-add-token \
		$(sbindir)/terrarium-packages $(sbindir)/terrarium-setup
	rm -f $(bindir)/terrarium $(bindir)/code_executor
	for page in $(MANUAL); do \
		rm -f $(mandir)/man$${page##*.}/$${page##*/}; done
	rm -rf $(docdir) $(datadir)

# Debian packages, in build/deb. The build runs on a copy, so that it leaves the
# checkout alone. DEB_VERSION=0.1.1 gives them another version.
DEB := $(BUILD)/deb
deb:
	@tools/install-packages --build
	@tools/install-packages debhelper dh-python lintian
	rm -rf $(DEB)
	mkdir -p $(DEB)/terrarium
	tar -c --exclude=./$(BUILD) --exclude=./.git --exclude=__pycache__ . | \
		tar -x -C $(DEB)/terrarium
	[ -z "$(DEB_VERSION)" ] || sed -i \
		"1s/(.*)/($(DEB_VERSION))/" $(DEB)/terrarium/debian/changelog
	cd $(DEB)/terrarium && dpkg-buildpackage -us -uc -b -j$(JOBS)
	lintian --fail-on error $(DEB)/*.changes
	rm -rf $(DEB)/terrarium

# The packages on a bare Debian: install, set up, serve, upgrade, purge.
debtest:
	@tests/package/run $(SUITE)

clean:
	rm -rf $(BUILD)

help:
	@echo "make run        serve from here until Ctrl-C (PORT=, WORKERS=, GROUPS=)"
	@echo "make start      the same in the background; make stop ends it"
	@echo "                both take CONF_EXTRA=\"section.option=value;...\","
	@echo "                NGINX_RATE= and NGINX_CONCURRENCY= (requests of a token a"
	@echo "                second and at a time), NGINX_CORS= (origins of pages)"
	@echo "make check      a minute: build, unit tests, a few requests"
	@echo "make test       test everything"
	@echo "make vmtest     test a booted machine under qemu (SUITE=bookworm)"
	@echo "make hostile    run every hostile program and show a table"
	@echo "make bench      measure it beside its peers (QUICK=1, LONG=1)"
	@echo "make fuzz       fuzz each parser (RUNS=1000000)"
	@echo "make lint       cppcheck, clang-tidy"
	@echo "make DEBUG=1 BUILD=build/debug   refused calls go to dmesg"
	@echo "make install    into prefix=$(prefix) (DESTDIR=); uninstall"
	@echo "make deb        Debian packages, in $(BUILD)/deb (DEB_VERSION=)"
	@echo "make debtest    try them on a bare Debian (SUITE=bookworm; root)"
	@echo "make clean      remove $(BUILD)"


.PHONY: all run start stop packages build-packages check test test-packages vmtest hostile units run-units \
	asan bench bench-programs deb debtest fuzz lint lint-cppcheck lint-tidy install uninstall clean help
.SECONDARY:
