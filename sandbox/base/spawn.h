/*
 * spawn - starting a pool process: a new process of this very program, with an
 * address layout of its own and nothing of our memory, environment or
 * descriptors but what it is given.
 */
#ifndef TERRARIUM_SPAWN_H
#define TERRARIUM_SPAWN_H

#include <sys/types.h>

#include "base.h"

#define SPAWN_FIRST 3	  /* the first descriptor that is handed on */
#define SPAWN_FDS_MAX 16

/* What of a pool process's environment is the loader's: it looks up every
 * function at once, and not each at its first call, in each child again
 * (ld.so(8)). box_prepare() removes it. */
#define SPAWN_LOADER "LD_BIND_NOW"

/* Fork and exec a pool process, which finds out by ARGV0 that it is one. FDS[i]
 * becomes its descriptor SPAWN_FIRST + i, of COUNT; 0, 1 and 2 are ours.
 * Returns its pid or a negative errno value. */
pid_t spawn_pool(char *argv0, const int *fds, size_t count);

#endif
