/*
 * aliases - further paths that lead to a guest's home directory, as programs
 * written for other sandboxes name them: /mnt/data, /workspace.
 *
 * A list has paths with ':' between them. An alias is a symbolic link: those
 * below /home lie in the guest's tmpfs (home.c), all others in its root
 * (root_plan.c).
 */
#ifndef TERRARIUM_ALIASES_H
#define TERRARIUM_ALIASES_H

#include "base.h"

#define ALIASES_TEXT_MAX 500 /* bytes of a list */
#define ALIASES_PATH_MAX 100 /* bytes of a path with its NUL */
#define ALIASES_COUNT_MAX 16

#define ALIASES_HOME "/home/user" /* the target of them all */

/* Whether LIST is empty, or has only paths that hide nothing of a guest's root:
 * none in a directory of the system, at most one component below /home, and
 * none within another. */
bool aliases_valid(const char *list);

/* Copy the first path of a valid LIST to PATH. Returns the rest of the list;
 * NULL: LIST is empty or
 * NULL. */
const char *aliases_next(const char *list, char path[ALIASES_PATH_MAX]);

/* The name below /home of the alias PATH; NULL: it is elsewhere. */
const char *aliases_below_home(const char *path);

/* Remove an alias of LIST, or home's own path, from the beginning of the path
 * NAME, so that it is relative to home. Other names do not change. */
void aliases_strip(const char *list, char *name);

#endif
