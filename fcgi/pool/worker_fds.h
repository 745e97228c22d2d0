/*
 * worker_fds - how workers are born without the descriptors of all the others.
 *
 * fork(2) copies every descriptor, and a child closes one by one what is not
 * its own: with seven files of a control group for each worker, that took a
 * tenth of a request's CPU in a pool of 256. So a worker is born sharing its
 * pool process's table, of which it first copies what lies below the files of
 *control groups. Its own group's files lie there, too, in a cradle. Until it
 *has its copy, or is dead, the pool process may neither open nor close anything
 *but what lies in other cradles.
 *
 *	pool process                  child
 *	worker_fds_lend()
 *	worker_fds_fork()           worker_fds_keep()
 *	worker_fds_is_free()
 */
#ifndef TERRARIUM_CRADLE_H
#define TERRARIUM_CRADLE_H

#include <stdbool.h>
#include <sys/types.h>

#include "sandbox/walls/cgroup.h"

#define WORKER_FDS_SETS 16
#define WORKER_FDS_FIRST \
	32 /* descriptor; a pool process has fewer of its own */
#define WORKER_FDS_END (WORKER_FDS_FIRST + WORKER_FDS_SETS * CGROUP_SLOT_FDS)

_Static_assert(WORKER_FDS_END <= CGROUP_FD_ABOVE,
	       "lent descriptors are copied");

/* How many workers arm at one time: more would but take the processors from
 * each other, and from those that serve. CORES is what there is of those. */
unsigned worker_fds_count(unsigned cores);

/* Pool process, once: fill COUNT of them, so that it has as many descriptors
 * later as now, with SLOT's files. -EBUSY if any number of theirs is in use. */
int worker_fds_open(unsigned count, const struct cgroup_slot *slot);

/* Pool process: put SLOT's files into CRADLE: *LENT has their numbers there. */
int worker_fds_lend(unsigned set, const struct cgroup_slot *slot,
		    struct cgroup_slot *lent);

/* Pool process: fork(2), for who lies in CRADLE, and must do nothing before
 * worker_fds_keep(). */
pid_t worker_fds_fork(unsigned set);

/* Child: have descriptors of our own from here on, of files of groups those in
 * CRADLE. If that fails they are still shared: report it and end. */
int worker_fds_keep(unsigned set);

/* Pool process: has who was forked last for CRADLE done so? Only it can say. */
bool worker_fds_is_free(unsigned set);

/* Who is forked by fork(2): have the files of no group. */
int worker_fds_drop(void);

#endif
