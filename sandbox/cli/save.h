/*
 * save - files that a program made, written where the user asked for them. A
 * name leads nowhere but below the directory, and through no link.
 */
#ifndef TERRARIUM_SAVE_H
#define TERRARIUM_SAVE_H

#include "sandbox/base/job.h"

/* Copy the SIZE bytes of FD to NAME below the directory DIR, making
 * directories. Something that is there is replaced, whole, with FORCE; else
 * the answer is -EEXIST. 0 or a negative errno value. */
int save_file(int dir, const char *name, int fd, uint64_t size, bool force);

/* The same with bytes. */
int save_bytes(int dir, const char *name, const struct bytes *bytes,
	       bool force);

#endif
