# Terrarium.
#
#   make run      install what is missing, build, serve until Ctrl-C
#   make test     install what is missing, build, test everything
#   make help     the rest

CC      ?= gcc
PYTHON  := /usr/bin/python3
VERSION := 0.1.0
BUILD   ?= build
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
HARDENING_LD := -pie -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack
ifeq ($(shell uname -m),x86_64)
HARDENING += -fcf-protection
endif
OPTIMIZE ?= -O2
PYTHON_CFLAGS := $(shell pkg-config --cflags python3-embed 2>/dev/null)
PYTHON_LIBS   := $(shell pkg-config --libs python3-embed 2>/dev/null)
CPPFLAGS += -I. -D_GNU_SOURCE -DTERRARIUM_VERSION='"$(VERSION)"'
CFLAGS   += -std=gnu17 $(OPTIMIZE) -g $(WARNINGS) $(HARDENING) $(SANITIZE)
LDFLAGS  += $(HARDENING_LD) $(SANITIZE)

# --- what is made of what ------------------------------------------------
SANDBOX := $(wildcard sandbox/*.c)
CONF    := $(wildcard conf/*.c)
FCGI    := $(wildcard fcgi/*.c)
object   = $(patsubst %.c,$(BUILD)/obj/%.o,$(1))
OBJECTS := $(call object,$(SANDBOX) $(CONF) $(FCGI) $(EXTRA))
# Without FastCGI and HTTP: that the sandbox links alone is its proof.
SANDBOX_LIBS := $(PYTHON_LIBS) -lseccomp
ALL_LIBS     := $(SANDBOX_LIBS) -lfcgi -lcjson -linih

all: $(BUILD)/terrariumd

$(BUILD)/terrariumd: $(OBJECTS)
	@echo "  link    $@"
	@$(CC) $(LDFLAGS) -o $@ $^ $(ALL_LIBS)

$(BUILD)/obj/%.o: %.c Makefile
	@mkdir -p $(@D)
	@echo "  compile $<"
	@$(CC) $(CPPFLAGS) $(CFLAGS) $(PYTHON_CFLAGS) -MMD -MP -c -o $@ $<

$(BUILD)/obj/sandbox/python.o: sandbox/runner.py

-include $(OBJECTS:.o=.d)
