/*
 * freeze_plan - which mappings of a process are frozen (freeze.h), and as what.
 */
#ifndef TERRARIUM_FREEZE_PLAN_H
#define TERRARIUM_FREEZE_PLAN_H

#include <string.h>
#include <sys/types.h>

#include "sandbox/base/base.h"

#define FREEZE_MAPPINGS_MAX 8192
#define FREEZE_LARGE (2u << 20) /* bytes of a large page, x86-64's, arm64's */

struct freeze_mapping {
	uintptr_t start, end;
	int protection;
	bool text;   /* code, of the program or a library */
	bool wanted; /* it shall be frozen */
	bool loose; /* of a library whose constants may be written */
	bool empty; /* zeros only: not worth a place in the file */
	off_t offset;
};

struct freeze_list {
	size_t count;
	struct freeze_mapping mappings[FREEZE_MAPPINGS_MAX];
};

/* Add to THERE what could be frozen, by TEXT, that of /proc/self/smaps, which
 * is cut to pieces. 0, -E2BIG. */
int freeze_parse(char *text, struct freeze_list *there);

/* Add to CHOSEN how what is THERE is going to be mapped, the first EXACT
 * objects of the loader exactly. 0, -E2BIG. */
int freeze_lay_out(struct freeze_list *there, size_t exact,
		   struct freeze_list *chosen);

/* Pages of zeros need no place in a file. */
static inline bool freeze_is_zero(const char *page, size_t size)
{
	return page[0] == 0 && memcmp(page, page + 1, size - 1) == 0;
}

#endif
