/*
 * cgroup_tree - the server's control groups: making, mending and removing
 * them.
 *
 * The master makes one group for each slot (slot-0, slot-1, ...), below a group
 * of the server's name, for each controller. On version 2 it first enables the
 * controllers for the children of the group that it was given.
 */
#ifndef TERRARIUM_CGROUP_TREE_H
#define TERRARIUM_CGROUP_TREE_H

#include "cgroup.h"

/* The number of groups: COUNT for guests of one run, and after them SESSIONS
 * for guests of sessions, which have SESSION_COPIES copies of themselves. */
struct cgroup_slots {
	unsigned count, sessions, session_copies;
	uint64_t memory_mb; /* limit of all together; 0: none */
};

/* Master: probe HOST, and make the groups of SLOTS. On failure HOST says why in
 * a sentence, its kind is CGROUP_NONE, and nothing is left. */
int cgroup_tree_begin(struct cgroup_host *host,
		      const struct cgroup_paths *paths,
		      const struct limits *limits,
		      const struct cgroup_slots *slots);

/* Master: make the groups of SLOTS, after removing those that an earlier run
 * left. */
int cgroup_tree_make(struct cgroup_host *host, const struct limits *limits,
		     const struct cgroup_slots *slots,
		     char error[CGROUP_PATH_MAX]);

/* Master: whether all of them are still there. Costs a stat(2) for each
 * controller. */
bool cgroup_tree_is_whole(const struct cgroup_host *host,
			  const struct cgroup_slots *slots);

/* Master: make the groups that have vanished. The others, and the processes in
 * them, stay as they are. */
int cgroup_tree_mend(struct cgroup_host *host, const struct limits *limits,
		     const struct cgroup_slots *slots,
		     char error[CGROUP_PATH_MAX]);

/* Master: remove all groups, and leave the group that we were given as it
 * was. */
void cgroup_tree_remove(const struct cgroup_host *host);

/* Any process: try cgroup_tree_begin() with a group of another name, have a
 * child enter it, and remove it. HOST as there. Returns the
 * microseconds that the child took to enter, or a negative errno value. */
int64_t cgroup_tree_try(struct cgroup_host *host,
			const struct cgroup_paths *paths,
			const struct limits *limits);

/* How to start a server so that it can use control groups, for the end of a
 * sentence. */
const char *cgroup_tree_advice(void);

#endif
