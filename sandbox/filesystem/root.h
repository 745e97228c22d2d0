/*
 * root - the small read-only file system that guests see: a tmpfs with what
 * Python needs mounted into it, and nothing else of the host.
 */
#ifndef TERRARIUM_ROOT_H
#define TERRARIUM_ROOT_H

#include "sandbox/base/base.h"

#define ROOT_STEP_MAX 320

/* What is mounted besides the fixed table. */
struct root_extra {
	const char *python_path; /* directories, colon-separated, or "" */
	const char *cache_dir;	 /* matplotlib's while preloading, or "" */
};

/* Where guests find the directories of LIST, colon-separated as well. The
 * caller frees it; NULL when memory ran out. */
char *root_python_path(const char *list);

struct root_plan;

/*
 * Take detached copies of all that is to be seen, in a mount namespace of
 * our own, while whoever we are can still reach it. STEP says what failed.
 * PLAN is released by root_enter(), or with the process.
 */
int root_open(const struct root_extra *extra, struct root_plan **plan,
	      char step[ROOT_STEP_MAX]);

/*
 * Build the root out of PLAN, as the worker, and pivot into it; the host's
 * root is gone afterwards. It is still writable, with a scratch tmpfs at
 * /home. PLAN is NULL afterwards.
 */
int root_enter(struct root_plan **plan, char step[ROOT_STEP_MAX]);

/* In a mount namespace of one's own, before anything was written: a scratch
 * tmpfs of one's own, too. */
int root_own_scratch(char step[ROOT_STEP_MAX]);

/* Take the scratch tmpfs and the cache away and make all read-only. */
int root_seal(char step[ROOT_STEP_MAX]);

#endif
