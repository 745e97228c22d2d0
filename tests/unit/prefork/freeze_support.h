/*
 * freeze_support - for tests of the frozen heap: a child that freezes itself,
 * and memory that can be known again.
 */
#ifndef TERRARIUM_FREEZE_SUPPORT_H
#define TERRARIUM_FREEZE_SUPPORT_H

#include "tests/unit/support.h"

#include <stdio.h>

#include "sandbox/prefork/freeze.h"

/* In a child: print the condition that does not hold, and fail. */
#define CHECK(truth)                                                         \
	do {                                                                 \
		if (!(truth)) {                                              \
			fprintf(stderr, "# %s:%d: not so: %s\n", __FILE__,   \
				__LINE__, #truth);                           \
			return 1;                                            \
		}                                                            \
	} while (0)

/* Run ACT in a child of its own: it returns 0. */
void in_child(int (*act)(void *context));

/* Freeze the calling process, all or the first EXACT of its objects exactly. */
int freeze(struct freeze_report *report);
int freeze_but(size_t exact, struct freeze_report *report);

/* New memory of SIZE bytes, MAP_PRIVATE or MAP_SHARED; NULL: there is none. */
char *map(size_t size, int flags);

/* Fill SIZE bytes from SEED; then, whether they still hold these. */
void sow(char *at, size_t size, unsigned seed);
bool is_sown(const char *at, size_t size, unsigned seed);

/* Whether the page AT is mapped from the frozen file. */
bool is_frozen(const void *at);

/* The number of kB behind NAME in our own /proc/self/status. */
long status_kb(const char *name);

#endif
