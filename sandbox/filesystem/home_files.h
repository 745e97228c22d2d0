/*
 * home_files - files of a session's home between its calls: put, read, list and
 * remove them by the descriptor of its tmpfs.
 *
 * Its programs were hostile: names may lead through links, and any entry may be
 * a link, a pipe or a directory. So each name is opened beneath home, never
 * through a link or into another mount, and only regular files are read. A file
 * is never written in its place. Names are as in struct job_file.
 */
#ifndef TERRARIUM_HOME_FILES_H
#define TERRARIUM_HOME_FILES_H

#include <sys/stat.h>

#include "home.h"

/*
 * Write FILES, and make their directories: all of them or none. Each is written
 * under another name beside its place, then all are renamed. They belong to the
 * guest. 0, or a negative errno value with the number of the file in *WHICH:
 * -EISDIR (a directory is there), -ENOTDIR (a file or a link is on the way, or
 * the guest may not write there), -ENOSPC (home has no room for all of them),
 * or a fault of ours. The content of a large file may be replaced as by
 * home_put().
 */
int home_files_put(const struct home *home, struct job_file *files,
		   size_t count, size_t *which);

/* Open the regular file NAME. A descriptor, with the file's SIZE; -ENOENT:
 * there is none that can be read; or another negative errno value, of ours. */
int home_files_open(const struct home *home, const char *name,
		    uint64_t *size);

/* Whether NAME is there, of any kind but a directory: 0, -ENOENT, or -EISDIR;
 * and remove such a one. */
int home_files_look(const struct home *home, const char *name);
int home_files_remove(const struct home *home, const char *name);

#define HOME_TARGET_MAX 1024 /* bytes of a link's text, with a NUL */

struct home_files_entry {
	char *name; /* relative to home */
	/* The text of a link, which may be any bytes and lead anywhere. NULL: no
	 * link, one of HOME_TARGET_MAX bytes or more, or a list of files alone. */
	char *target;
	uint64_t size;
	int64_t modified; /* seconds since 1970 */
	unsigned mode;
};

struct home_files_list {
	struct home_files_entry *entries;
	size_t count;
	bool cut; /* there were more */
};

/* List the regular files below the directory DIR (NULL: home), at most MOST,
 * in HOME_DEPTH_MAX levels. 0, -ENOENT (no such directory), or another negative
 * errno value. Release LIST in any case. */
int home_files_list(const struct home *home, const char *dir, size_t most,
		    struct home_files_list *list);

/* The same for entries of all kinds, in DEPTH levels, each directory before
 * its own. DIR is relative to the tmpfs: user/… or tmp/…. -ENOTDIR: it is no
 * directory. */
int home_files_tree(const struct home *home, const char *dir, unsigned depth,
		    size_t most, struct home_files_list *list);
void home_files_free(struct home_files_list *list);

/* For home_tree.c: fill in ENTRY, which describes NAME of DIR with the status
 * ST, under its PATH. 0 or -ENOMEM; in any case it is to be released. */
int home_files_describe(int dir, const char *name, const char *path,
			const struct stat *st, struct home_files_entry *entry);

#endif
