/*
 * e2b_path - paths of files in a sandbox, as E2B's clients write them: absolute,
 * or relative to home, which is also "~".
 */
#ifndef TERRARIUM_E2B_PATH_H
#define TERRARIUM_E2B_PATH_H

#include "sandbox/base/job.h"

#define E2B_PATH_MAX 1100 /* bytes of a name, with its NUL */

enum e2b_path_kind {
	E2B_PATH_FILE, /* below home or /tmp, or one of these */
	E2B_PATH_ROOT, /* "/" itself */
	E2B_PATH_HOMES, /* "/home" itself */
	E2B_PATH_ELSEWHERE,
};

/*
 * Resolve the PATH of SIZE bytes: "." and "..", and the ALIASES of home
 * (aliases.h). A file's NAME is relative to the session's tmpfs, user/… or
 * tmp/…. Returns a kind, or -EINVAL: it is empty, too long or holds a NUL.
 */
int e2b_path(const char *aliases, const char *path, size_t size,
	     char name[E2B_PATH_MAX]);

/* The start of the path that programs see for a NAME, and the rest of NAME. */
const char *e2b_path_top(const char *name, const char **rest);

#endif
