/*
 * root_plan - which files of the host guests see, and at which paths.
 */
#ifndef TERRARIUM_ROOT_PLAN_H
#define TERRARIUM_ROOT_PLAN_H

#include "root.h"
#include "small_data.h"

#define ROOT_MOUNTS_MAX 256
/* Of the root's tmpfs: copies, mount points and links. */
#define ROOT_MB 16
#define ROOT_INODES 4096
#define ROOT_LIBRARIES "/usr/lib/single" /* copies of single libraries */

enum root_kind { ROOT_LINK, ROOT_COPY, ROOT_MOUNT };

struct root_entry {
	enum root_kind kind;
	char *path; /* absolute, in the root */
	int fd;	    /* of the host's file (COPY) or a detached copy of its
		     * mount (MOUNT); else -1 */
	char *link; /* target of a LINK, else NULL */
	bool directory;
};

struct root_plan {
	struct root_entry entries[ROOT_MOUNTS_MAX];
	size_t count;
	unsigned skipped; /* for want of room */
	bool libraries;	  /* an entry lies in ROOT_LIBRARIES */
	struct small_data_size copies;
	int cache; /* -1: none */
};

/* Record in STEP where the root failed. Returns RC. */
int root_fail(char step[ROOT_STEP_MAX], int rc, const char *fmt, ...)
	PRINTF_LIKE(3, 4);

/* Fill PLAN, which is empty, from the table of rows and from EXTRA. 0 or a
 * negative errno value with the step in STEP; root_plan_free() in any case. */
int root_plan_make(struct root_plan *plan, const struct root_extra *extra,
		   char step[ROOT_STEP_MAX]);

void root_plan_free(struct root_plan *plan);

#endif
