/*
 * home_tree - directories of a session's tmpfs between its calls, as
 * home_files.h is for files: make, move and remove them, with all below.
 *
 * Names are relative to the tmpfs: user/… or tmp/…. They lead through no link.
 * Errors are those of home_files.h, and -EEXIST.
 */
#ifndef TERRARIUM_HOME_TREE_H
#define TERRARIUM_HOME_TREE_H

#include "home_files.h"

/* Describe NAME, of any kind, as the only entry of LIST. */
int home_tree_stat(const struct home *home, const char *name,
		   struct home_files_list *list);

/* Make the directory NAME, and those above it. -EEXIST: it is there. */
int home_tree_make(const struct home *home, const char *name);

/* Move FROM to TO, and make the directories above it. */
int home_tree_move(const struct home *home, const char *from, const char *to);

/* Remove NAME, of any kind, with all below it. */
int home_tree_remove(const struct home *home, const char *name);

#endif
