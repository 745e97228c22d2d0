/*
 * home - the one tmpfs that a guest can write to: /home/user and /tmp
 * (/home/tmp). The worker makes it detached and keeps the descriptor, so it
 * can write input files before the run and read output files when every
 * process of the guest is dead. What lies there then was written by an
 * enemy: names, kinds, sizes and numbers are all checked.
 */
#ifndef TERRARIUM_HOME_H
#define TERRARIUM_HOME_H

#include "sandbox/base/outcome.h"

#define HOME_DEPTH_MAX 32 /* levels of directories that are looked into,
			   * home itself being the first */
#define HOME_NAME_MAX OUTCOME_FILE_NAME_MAX /* of a path relative to home */
#define HOME_PIECE 57344 /* bytes that are written or compared at once; whole
			  * words of a digest, and whole pages */

struct home {
	int fd;
	uid_t owner;
	uint64_t free_inodes; /* before the guest's code ran */
	uint64_t free_blocks;
	int64_t since_ns; /* files not touched since then (ctime) are not
			   * collected; 0: all are */
};

/* Make the tmpfs for the guest with uid OWNER. */
int home_make(struct home *home, unsigned size_mb, unsigned inodes,
	      uid_t owner);

void home_free(struct home *home);

/* Guest: mount it at /home. */
int home_attach(const struct home *home);

/* Write FILES below user/, making directories. Of those that are wanted once
 * the memory of large contents is given back meanwhile. Returns 0 or a
 * negative errno value, with the index of the file that failed in *WHICH. */
int home_put(const struct home *home, struct job_file *files,
	     size_t count, size_t *which);

/* Remember what is there now; home_untouched() compares with it. */
int home_mark(struct home *home);

/* No file was made, and none has grown, since home_mark(). */
bool home_untouched(const struct home *home);

/* What home_collect() passes over when its content is still the same. */
struct home_known {
	const struct job_file *files;
	size_t count;
};

/*
 * Open every regular file below user/ that is new or changed, into
 * OUTCOME->files, sorted by name; no more than COUNT files of BYTES bytes in
 * all. The rest is counted in files_dropped, and so is a file or directory
 * that the guest has made impossible to open. The guest must be dead, or
 * stopped. 0; or a negative errno value of the kernel call that is named in
 * *CALL: that is no doing of a guest, and what was collected is incomplete.
 */
int home_collect(const struct home *home, const struct home_known *known,
		 size_t known_count, size_t count, uint64_t bytes,
		 struct outcome *outcome, const char **call);

#endif
