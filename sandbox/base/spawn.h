/*
 * spawn - starting a pool process.
 *
 * A pool process is a new process of this program's file. It has an address
 * space layout of its own, and neither our memory nor our environment,
 * but for the variable by which log_open() finds its reader. Of our
 * descriptors it has standard input, output, error and those it is given.
 */
#ifndef TERRARIUM_SPAWN_H
#define TERRARIUM_SPAWN_H

#include <sys/types.h>

#include "base.h"

#define SPAWN_FIRST 3	  /* the first descriptor that it is given */
#define SPAWN_FDS_MAX 16

/* A variable for the dynamic loader (ld.so(8)): it resolves every function at
 * the start. Otherwise each child would resolve a function at its first call.
 * box_enter() removes the variable. */
#define SPAWN_LOADER "LD_BIND_NOW"

/* Fork and exec a pool process. ARGV0 tells main() that it is one. Each of the
 * COUNT descriptors FDS[i] becomes its descriptor SPAWN_FIRST + i. Returns its
 * process id or a negative errno value. */
pid_t spawn_pool(char *argv0, const int *fds, size_t count);

#endif
