/*
 * home - the one tmpfs that a guest can write to: /home/user and /tmp
 * (/home/tmp).
 *
 * The worker makes it detached and keeps the descriptor. So it can write input
 * files before the run, and read output files (collect.h) when every process of
 * the guest is dead.
 */
#ifndef TERRARIUM_HOME_H
#define TERRARIUM_HOME_H

#include "sandbox/base/outcome.h"

#define HOME_DEPTH_MAX 32 /* levels of directories that are collected; home
			   * itself is the first */
#define HOME_NAME_MAX OUTCOME_FILE_NAME_MAX /* bytes of a path in home */
#define HOME_PIECE 57344 /* bytes that are written or compared at once: whole
			  * words of a digest and whole pages */

struct home {
	int fd;
	uid_t owner;
	uint64_t free_inodes; /* before the guest's code ran */
	uint64_t free_blocks;
	bool whole; /* for home_files.h: names begin at the tmpfs, with user/ or
		     * tmp/ */
	int64_t since_ns; /* files with an earlier ctime are not collected;
			   * 0: all files are */
};

/* The size of a home, and the other paths that lead to it (aliases.h). */
struct home_plan {
	unsigned size_mb;
	unsigned inodes;
	const char *aliases;
};

/* Make the tmpfs for the guest with uid OWNER. 0 or a negative errno value. */
int home_make(struct home *home, const struct home_plan *plan, uid_t owner);

void home_free(struct home *home);

/* Open NAME beneath DIR without following links or leaving the file system,
 * because a guest may have made what is there. Never waits for a FIFO. A
 * descriptor or a negative errno value. */
int home_open(int dir, const char *name, uint64_t flags, uint64_t mode);

/* The same for a directory, with O_PATH. */
int home_open_dir(int dir, const char *name);

/* Guest: mount the tmpfs at /home. 0 or a negative errno value. */
int home_attach(const struct home *home);

/* Write FILES below user/ and make their directories. If a large content is
 * needed only once (job.h), its memory is returned to the kernel meanwhile. 0,
 * or a negative errno value with the index of the failed file in *WHICH. */
int home_put(const struct home *home, struct job_file *files,
	     size_t count, size_t *which);

/* Parts of home_put(), for home_files.c. The directories above NAME in the
 * directory USER; the content of a new file; and files that are made as OWNER
 * until the second call, which returns -EPERM if they were not. */
int home_parents(int user, const char *name);
int home_write(int fd, struct job_file *file);
void home_set_owner(uid_t owner);
int home_unset_owner(uid_t owner);

/* Record the use of the tmpfs, for home_untouched(). 0 or a negative errno
 * value. */
int home_mark(struct home *home);

/* Whether no file was made, and none has grown, since home_mark(). */
bool home_untouched(const struct home *home);

#endif
