/*
 * cradle - how workers are born without the descriptors of all the others.
 *
 * fork(2) copies every descriptor, and a child closes one by one what is not
 * its own: with seven files of a control group for each worker, that took a
 * tenth of a request's CPU in a pool of 256. So a worker is born sharing its
 * zygote's table, of which it first copies what lies below the files of control
 * groups. Its own group's files lie there, too, in a cradle, which is in use
 * until the worker has reported or died: until then the zygote may neither
 * open nor close anything else.
 */
#ifndef TERRARIUM_CRADLE_H
#define TERRARIUM_CRADLE_H

#include <sys/types.h>

#include "../sandbox/cgroup.h"

#define CRADLES_MAX 16
#define CRADLE_FIRST 32 /* descriptor; a zygote has fewer of its own */
#define CRADLE_END (CRADLE_FIRST + CRADLES_MAX * CGROUP_SLOT_FDS)

_Static_assert(CRADLE_END <= CGROUP_FD_ABOVE, "cradles are copied");

/* How many workers arm at one time: more would but take the processors from
 * each other, and from those that serve. CORES is what there is of those. */
unsigned cradle_count(unsigned cores);

/* Zygote: -EBUSY if any number of theirs is in use. */
int cradle_check(void);

/* Zygote: put SLOT's files into CRADLE: *LENT has their numbers there. */
int cradle_lay(unsigned cradle, const struct cgroup_slot *slot,
	       struct cgroup_slot *lent);

/* Zygote: fork(2) a child that has CRADLE's files and no other's. It ends at
 * once if that cannot be. */
pid_t cradle_fork(unsigned cradle);

/* Who is forked of it otherwise: have the files of no group. */
int cradle_leave(void);

#endif
