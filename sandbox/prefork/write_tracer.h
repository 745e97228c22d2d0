/*
 * write_tracer - who finds out what guests write.
 *
 * Who:    forked by who is about to start Python, the fork server in a server,
 * before that. Holds:  what its parent holds. May:    what its parent may. It
 * starts Python and imports as its parent will, and lets children run short
 * programs of ours. Talks:  to its parent, by a list in memory that they share.
 * Ends:   before its parent goes on, after a few seconds; or with it.
 */
#ifndef TERRARIUM_SCOUT_H
#define TERRARIUM_SCOUT_H

#include "block_layout.h"
#include "sandbox/base/limits.h"

/*
 * Let a child BOOT as this process will, and fill LIST. LIMITS are a guest's.
 * 0, or a negative errno value: BOOT's, one of ours, -ENOTSUP where pages are
 * not of 4 kB, or -ECHILD when the child did not come to its end. LIST is of no
 * use then.
 */
int write_tracer_learn(int (*boot)(void *context), void *context,
		       const struct limits *limits,
		       struct block_layout_list *list);

#endif
