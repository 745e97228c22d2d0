/*
 * skeleton - the operator's files that every guest has in its home.
 */
#ifndef TERRARIUM_SKELETON_H
#define TERRARIUM_SKELETON_H

#include "sandbox/base/job.h"

#define SKELETON_FILES_MAX 1000
#define SKELETON_BYTES_MAX (64u << 20)

/* Read every regular file below DIR. *FILES and all in it is the caller's. 0 or
 * a negative errno value: -E2BIG or -EFBIG for too many files or bytes. */
int skeleton_read(const char *dir, struct job_file **files, size_t *count);

#endif
