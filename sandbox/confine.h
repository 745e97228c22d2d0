/*
 * confine - the worker's own wall. The worker reads what enemies wrote, on
 * both sides of it; should one of them find a mistake in it, this is what it
 * is left with.
 */
#ifndef TERRARIUM_CONFINE_H
#define TERRARIUM_CONFINE_H

#include "run.h"

#define CONFINE_ERROR_MAX 128

/*
 * Confine the calling process for good to what serving one request with the
 * armed guest of RUN takes: a few capabilities in its user namespace, its
 * guest's tmpfs and no other file, the system calls of the worker's table.
 * Returns 0, or a negative errno value with the step that failed in ERROR.
 */
int confine_worker(const struct run *run, char error[CONFINE_ERROR_MAX]);

#endif
