/*
 * save - writes a program's files where the user asked for them. A name cannot
 * lead out of the directory, or through a symbolic link.
 */
#ifndef TERRARIUM_SAVE_H
#define TERRARIUM_SAVE_H

#include "sandbox/base/job.h"

/* Copy the SIZE bytes of FD to NAME below the directory DIR. Directories are
 * made. With FORCE an existing file is replaced as a whole; otherwise it is
 * -EEXIST. 0 or a negative errno value. */
int save_file(int dir, const char *name, int fd, uint64_t size, bool force);

/* Likewise with bytes in memory. */
int save_bytes(int dir, const char *name, const struct bytes *bytes,
	       bool force);

#endif
