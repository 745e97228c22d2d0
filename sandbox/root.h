/*
 * root - the small read-only file system that guests see: a tmpfs with what
 * Python needs mounted into it, and nothing else of the host.
 */
#ifndef TERRARIUM_ROOT_H
#define TERRARIUM_ROOT_H

#include "base.h"

#define ROOT_STEP_MAX 320

/* What is mounted besides the fixed table. */
struct root_extra {
	const char *python_path; /* directories, colon-separated, or "" */
	const char *cache_dir;	 /* matplotlib's while preloading, or "" */
};

/*
 * Build the root in the present mount namespace (one of our own) and pivot
 * into it; the host's root is gone afterwards. It is still writable, with a
 * scratch tmpfs at /home. STEP says what failed.
 */
int root_enter(const struct root_extra *extra, char step[ROOT_STEP_MAX]);

/* Take the scratch tmpfs and the cache away and make all read-only. */
int root_seal(char step[ROOT_STEP_MAX]);

#endif
