/* home_tree - see home_tree.h. */
#include "home_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define HOME_TREE_DEEPEST 512 /* levels that a removal enters */

/* Open the directory above NAME, whose last part *LAST is. */
static int home_tree_parent(const struct home *home, const char *name,
			    const char **last)
{
	char dir[HOME_NAME_MAX] = ".";
	const char *slash = strrchr(name, '/');

	*last = slash ? slash + 1 : name;
	if (slash && slash - name >= HOME_NAME_MAX)
		return -ENOENT;
	if (slash)
		snprintf(dir, sizeof(dir), "%.*s", (int)(slash - name), name);
	return home_open_dir(home->fd, dir);
}

/* Errors that a guest causes by what it has put there: FOUND of them. */
static int home_tree_blame(int rc, int found)
{
	static const int guests[] = {ELOOP, ENOENT, EACCES, EPERM, EXDEV,
				     ENXIO, ENOTDIR, ENAMETOOLONG, EBUSY};

	for (size_t i = 0; i < ARRAY_LEN(guests); i++)
		if (rc == -guests[i])
			return -found;
	return rc;
}

int home_tree_stat(const struct home *home, const char *name,
		   struct home_files_list *list)
{
	const char *last;
	owned_fd int dir = home_tree_parent(home, name, &last);
	struct stat st;

	if (dir < 0)
		return home_tree_blame(dir, ENOENT);
	if (fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return home_tree_blame(-errno, ENOENT);
	list->entries = calloc(1, sizeof(*list->entries));
	if (!list->entries)
		return -ENOMEM;
	list->count = 1;
	return home_files_describe(dir, last, name, &st, list->entries);
}

/* ---- make, move -------------------------------------------------------- */

/* Make the directories above NAME, and open the last one. */
static int home_tree_above(const struct home *home, const char *name,
			   const char **last)
{
	int rc = home_parents(home->fd, name);

	return rc < 0 ? rc : home_tree_parent(home, name, last);
}

int home_tree_make(const struct home *home, const char *name)
{
	const char *last = "";
	struct stat st;

	home_set_owner(home->owner);
	owned_fd int dir = home_tree_above(home, name, &last);
	int rc = dir < 0 ? dir : mkdirat(dir, last, 0755) < 0 ? -errno : 0;
	int unset = home_unset_owner(home->owner);

	if (dir >= 0 && rc == -EEXIST &&
	    fstatat(dir, last, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    !S_ISDIR(st.st_mode))
		rc = -ENOTDIR;
	return unset < 0 ? unset : home_tree_blame(rc, ENOTDIR);
}

int home_tree_move(const struct home *home, const char *from, const char *to)
{
	const char *old, *new;
	owned_fd int source = home_tree_parent(home, from, &old);
	struct stat st;

	if (source < 0)
		return home_tree_blame(source, ENOENT);
	if (fstatat(source, old, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return home_tree_blame(-errno, ENOENT);
	home_set_owner(home->owner);
	owned_fd int target = home_tree_above(home, to, &new);
	int unset = home_unset_owner(home->owner);

	if (unset < 0 || target < 0)
		return unset < 0 ? unset : home_tree_blame(target, ENOTDIR);
	if (renameat(source, old, target, new) == 0)
		return 0;
	return errno == EINVAL || errno == ENOTEMPTY
		       ? -ENOTDIR : home_tree_blame(-errno, ENOTDIR);
}

/* ---- remove ------------------------------------------------------------ */

/* Directories that are open, each in the one before. */
struct home_tree_walk {
	struct {
		DIR *dir;
		char name[NAME_MAX + 1];
	} levels[HOME_TREE_DEEPEST];
	size_t depth;
};

static int home_tree_enter(struct home_tree_walk *walk, int dir,
			   const char *name)
{
	owned_fd int fd = -1;

	if (walk->depth == HOME_TREE_DEEPEST)
		return -ENOTDIR;
	fd = home_open(dir, name, O_RDONLY | O_DIRECTORY, 0);
	if (fd < 0)
		return fd;
	DIR *opened = fdopendir(fd);

	if (!opened)
		return -errno;
	(void)take_fd(&fd);
	walk->levels[walk->depth].dir = opened;
	snprintf(walk->levels[walk->depth].name, NAME_MAX + 1, "%s", name);
	walk->depth++;
	return 0;
}

/* Remove NAME of DIR, or enter it if it is a directory. */
static int home_tree_drop(struct home_tree_walk *walk, int dir,
			  const char *name)
{
	if (unlinkat(dir, name, 0) == 0)
		return 0;
	return errno == EISDIR ? home_tree_enter(walk, dir, name) : -errno;
}

/* Leave the innermost directory, which is empty, and remove it from the one
 * before, which is TOP for the first. */
static int home_tree_leave(struct home_tree_walk *walk, int top, int rc)
{
	walk->depth--;
	closedir(walk->levels[walk->depth].dir);
	if (rc < 0)
		return rc;
	const int above = walk->depth > 0
				  ? dirfd(walk->levels[walk->depth - 1].dir)
				  : top;

	return unlinkat(above, walk->levels[walk->depth].name, AT_REMOVEDIR) < 0
		       ? -errno : 0;
}

static int home_tree_walk(struct home_tree_walk *walk, int top)
{
	int rc = 0;

	while (walk->depth > 0) {
		DIR *dir = walk->levels[walk->depth - 1].dir;
		const struct dirent *entry = rc == 0 ? readdir(dir) : NULL;

		if (!entry)
			rc = home_tree_leave(walk, top, rc);
		else if (strcmp(entry->d_name, ".") != 0 &&
			 strcmp(entry->d_name, "..") != 0)
			rc = home_tree_drop(walk, dirfd(dir), entry->d_name);
	}
	return rc;
}

/* Remove NAME of DIR, with all that is below it. */
static int home_tree_clear(struct home_tree_walk *walk, int dir,
			   const char *name)
{
	int rc = home_tree_drop(walk, dir, name);

	return walk->depth > 0 ? home_tree_walk(walk, dir) : rc;
}

int home_tree_remove(const struct home *home, const char *name)
{
	const char *last;
	owned_fd int dir = home_tree_parent(home, name, &last);
	struct home_tree_walk *walk = dir < 0 ? NULL : calloc(1, sizeof(*walk));
	int rc = dir < 0 ? dir : !walk ? -ENOMEM
				       : home_tree_clear(walk, dir, last);

	free(walk);
	return home_tree_blame(rc, ENOENT);
}
