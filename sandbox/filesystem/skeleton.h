/*
 * skeleton - the operator's files that every guest finds at home.
 */
#ifndef TERRARIUM_SKELETON_H
#define TERRARIUM_SKELETON_H

#include "sandbox/base/job.h"

#define SKELETON_FILES_MAX 1000
#define SKELETON_BYTES_MAX (64u << 20)

/* Read every regular file below DIR. FILES is the caller's. */
int skeleton_read(const char *dir, struct job_file **files, size_t *count);

#endif
