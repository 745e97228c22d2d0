/*
 * worker_fds - how workers are forked without copying the descriptors of all
 * the other workers.
 *
 * fork(2) copies every descriptor, and the child must close those that it does
 * not need. With seven files of a control group for each worker, that took a
 * tenth of a request's CPU in a pool of 256. So a worker is forked sharing the
 * table of its pool process. Then it copies the part of the table below the
 * files of control groups. The files of its own group are lent to it: a set of
 * them lies in that part. Until the worker has its copy or has died, the pool
 * process must not open or close any descriptor, except in other sets.
 *
 *	pool process                worker
 *	worker_fds_lend()
 *	worker_fds_fork()           worker_fds_keep()
 *	worker_fds_is_free()
 */
#ifndef TERRARIUM_WORKER_FDS_H
#define TERRARIUM_WORKER_FDS_H

#include <stdbool.h>
#include <sys/types.h>

#include "sandbox/walls/cgroup.h"

#define WORKER_FDS_SETS 16
#define WORKER_FDS_FIRST 32 /* the descriptors of a pool process are lower */
#define WORKER_FDS_END (WORKER_FDS_FIRST + WORKER_FDS_SETS * CGROUP_SLOT_FDS)

_Static_assert(WORKER_FDS_END <= CGROUP_FD_ABOVE,
	       "lent descriptors are copied");

/* How many workers may arm at one time, on CORES processors. More would only
 * take processor time from each other and from running requests. */
unsigned worker_fds_count(unsigned cores);

/* Pool process, once: fill COUNT sets with SLOT's files, so that the number of
 * descriptors does not change later. -EBUSY if a number of theirs is in use. */
int worker_fds_open(unsigned count, const struct cgroup_slot *slot);

/* Pool process: put SLOT's files into the set SET. *LENT has their numbers
 * there. */
int worker_fds_lend(unsigned set, const struct cgroup_slot *slot,
		    struct cgroup_slot *lent);

/* Pool process: fork(2) a worker that uses SET. The child must call
 * worker_fds_keep() first. */
pid_t worker_fds_fork(unsigned set);

/* Child: get a table of its own, which has only the group files of SET. On
 * failure the table is still shared: report that and exit. */
int worker_fds_keep(unsigned set);

/* Pool process: has the last child of SET got a table of its own? Only that
 * child can tell. */
bool worker_fds_is_free(unsigned set);

/* A child of a plain fork(2): drop the files of all groups. */
int worker_fds_drop(void);

#endif
