/*
 * cradle - how workers are born without the descriptors of all the others.
 *
 * fork(2) copies every descriptor, and a child closes one by one what is not
 * its own: with seven files of a control group for each worker, that took a
 * tenth of a request's CPU in a pool of 256. So a worker is born sharing its
 * zygote's table, of which it first copies what lies below the files of control
 * groups. Its own group's files lie there, too, in a cradle. Until it has its
 * copy, or is dead, the zygote may neither open nor close anything but what
 * lies in other cradles.
 *
 *	zygote                  child
 *	cradle_lay()
 *	cradle_fork()           cradle_keep()
 *	cradle_is_left()
 */
#ifndef TERRARIUM_CRADLE_H
#define TERRARIUM_CRADLE_H

#include <stdbool.h>
#include <sys/types.h>

#include "sandbox/walls/cgroup.h"

#define CRADLES_MAX 16
#define CRADLE_FIRST 32 /* descriptor; a zygote has fewer of its own */
#define CRADLE_END (CRADLE_FIRST + CRADLES_MAX * CGROUP_SLOT_FDS)

_Static_assert(CRADLE_END <= CGROUP_FD_ABOVE, "cradles are copied");

/* How many workers arm at one time: more would but take the processors from
 * each other, and from those that serve. CORES is what there is of those. */
unsigned cradle_count(unsigned cores);

/* Zygote, once: fill COUNT of them, so that it has as many descriptors later as
 * now, with SLOT's files. -EBUSY if any number of theirs is in use. */
int cradle_open(unsigned count, const struct cgroup_slot *slot);

/* Zygote: put SLOT's files into CRADLE: *LENT has their numbers there. */
int cradle_lay(unsigned cradle, const struct cgroup_slot *slot,
	       struct cgroup_slot *lent);

/* Zygote: fork(2), for who lies in CRADLE, and must do nothing before
 * cradle_keep(). */
pid_t cradle_fork(unsigned cradle);

/* Child: have descriptors of our own from here on, of files of groups those in
 * CRADLE. If that fails they are still shared: report it and end. */
int cradle_keep(unsigned cradle);

/* Zygote: has who was forked last for CRADLE done so? Only it can say. */
bool cradle_is_left(unsigned cradle);

/* Who is forked by fork(2): have the files of no group. */
int cradle_leave(void);

#endif
