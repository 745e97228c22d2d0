/*
 * cgroup - the control groups of one slot: memory, tasks and processor time
 * of the guest in it.
 *
 * The master makes the groups of all slots (cgroup_tree.h). The pool process
 * opens their files while it still may; processes forked from it inherit the
 * descriptors. A guest enters its slot's groups, and the next guest of the slot
 * uses them again.
 */
#ifndef TERRARIUM_CGROUP_H
#define TERRARIUM_CGROUP_H

#include "sandbox/base/limits.h"
#include "cgroup_host.h"

/* Kernel memory that a guest may cost, and malloc's reserve (heap.h), besides
 * its limit. */
#define CGROUP_SLACK_MB 48
/* The pool process's files of groups have descriptors from this one on, and it
 * has no other descriptor there. So one call closes all of them. */
#define CGROUP_FD_ABOVE 144

/* One slot's open files. All are -1 without control groups. */
struct cgroup_slot {
	int entry[CGROUP_CONTROLLERS]; /* write "0" to enter */
	int events;		       /* counts kills for lack of memory */
	int peak;		       /* highest use; write to reset */
	bool sampled;		       /* PEAK is the present use instead */
	int limit;		       /* memory limit, readable */
	int weight;		       /* share of the processors */
	enum cgroup_kind kind;
};

#define CGROUP_SLOT_FDS (CGROUP_CONTROLLERS + 4)

/* A group's weight among groups that want the processors: that of any group,
 * or an eighth of it. */
enum cgroup_weight { CGROUP_WEIGHT_FULL, CGROUP_WEIGHT_LOW, CGROUP_WEIGHTS };

/* The text of controller I's limit. Pages of a tmpfs count as the guest's
 * memory, so the size of its home is added to MEMORY_MB. */
void cgroup_limit_value(enum cgroup_kind kind, size_t i,
			const struct limits *limits, unsigned memory_mb,
			char out[64]);

/* ---- open and close -------------------------------------------------- */

/* A slot without control groups. */
void cgroup_slot_none(struct cgroup_slot *slot);

/* Pool process: open the files of slot SLOT. */
int cgroup_open(const struct cgroup_host *host, unsigned slot,
		struct cgroup_slot *out);

/* Write the descriptors that enter SLOT's groups to FILES, in their order, and
 * return their count. */
size_t cgroup_entries(const struct cgroup_slot *slot,
		      int files[CGROUP_CONTROLLERS]);

/* Pool process: copy SLOT's files to the CGROUP_SLOT_FDS descriptors from FIRST
 * on; descriptors of those numbers are closed. *OUT has the copies. */
int cgroup_lend(const struct cgroup_slot *slot, int first,
		struct cgroup_slot *out);

/* A process forked from a pool process: close the files from CGROUP_FD_ABOVE
 * on. A process that shares its parent's table of descriptors has its own
 * table afterwards. */
int cgroup_leave_behind(void);

/* Worker, session keeper: close the entry files. With them any process of the
 * host could be moved in, so no process that reads untrusted input keeps
 * them. */
void cgroup_forget_entry(struct cgroup_slot *slot);

/* Pool process, session fork server: close all files of SLOT. No process can
 * enter by SLOT afterwards. */
void cgroup_forget(struct cgroup_slot *slot);

/* Session keeper: close the files of all COUNT slots but those of OWN. SLOTS
 * keep their numbers, because writing to them would copy their pages. */
void cgroup_keep_own(const struct cgroup_slot *slots, unsigned count,
		     unsigned own);

/* ---- use ------------------------------------------------------------- */

/* Guest: enter the slot's groups. The calling process must have one thread,
 * because other threads would stay outside. -EBADF: SLOT was forgotten. */
int cgroup_enter(const struct cgroup_slot *slot);

/* Worker: reset the peak and the weight that the slot's last guest left, and
 * set the memory limit of the next one. */
int cgroup_reset(const struct cgroup_slot *slot, const struct limits *limits,
		 unsigned memory_mb);

/* Worker, session keeper: whether the slot has a cpu controller that shares
 * processors by weight. */
bool cgroup_has_weight(const struct cgroup_slot *slot);

/* Worker, session keeper: set the weight; without a cpu controller do
 * nothing. */
int cgroup_set_weight(const struct cgroup_slot *slot,
		      enum cgroup_weight weight);

/* Worker: the number of tasks of this group that were killed for lack of memory
 * since it was made; 0 without control groups. */
uint64_t cgroup_memory_kills(const struct cgroup_slot *slot);

/* Worker: how often the limit of this group, and not of one above it, was the
 * reason for a kill. Version 1 does not count that: there 1 if the group has
 * been full, else 0. */
uint64_t cgroup_own_ooms(const struct cgroup_slot *slot);

/* Worker: the highest memory use since the reset in KiB, or the present use if
 * SLOT is sampled; 0 if unknown. */
uint64_t cgroup_peak_kb(const struct cgroup_slot *slot);

#endif
