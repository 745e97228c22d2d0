/*
 * root - the small read-only file system that guests see: a tmpfs in which the
 * host's files that Python needs are mounted, and no others.
 */
#ifndef TERRARIUM_ROOT_H
#define TERRARIUM_ROOT_H

#include "sandbox/base/base.h"

#define ROOT_STEP_MAX 320

/* The cache directory, between root_enter() and root_seal(). MPLCONFIGDIR leads
 * here, through the link /tmp. */
#define ROOT_CACHE "/home/tmp/.matplotlib"

/* Mounts and links in addition to the tables in root_plan.c. */
struct root_extra {
	const char *python_path; /* directories, colon-separated, or "" */
	const char *cache_dir;	 /* matplotlib's, during the preload; or "" */
	const char *home_aliases; /* links to home (aliases.h), or "" */
};

/* The paths inside the root of the directories in LIST, colon-separated as LIST
 * is. The caller frees the text; NULL: memory ran out. */
char *root_python_path(const char *list);

struct root_plan;

/*
 * Make detached copies of all mounts of the root, in a mount namespace of the
 * process's own. The process must still have the rights to reach them. On
 * failure STEP names the step. root_enter() releases PLAN. 0 or a negative
 * errno value.
 */
int root_open(const struct root_extra *extra, struct root_plan **plan,
	      char step[ROOT_STEP_MAX]);

/*
 * Build the root of PLAN, with the worker's uid, and pivot into it. The host's
 * root is unreachable afterwards. The new root is still writable and has a
 * scratch tmpfs at /home. *PLAN is released and NULL. 0 or a negative errno
 * value, with the step in STEP.
 */
int root_enter(struct root_plan **plan, char step[ROOT_STEP_MAX]);

/* In a new mount namespace: replace the scratch tmpfs by an own, empty one. */
int root_own_scratch(char step[ROOT_STEP_MAX]);

/* Unmount the scratch tmpfs and the cache, and make the root read-only. */
int root_seal(char step[ROOT_STEP_MAX]);

#endif
