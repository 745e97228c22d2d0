/*
 * cgroup - memory, tasks and processor time of guests, by control groups of
 * version 2 where the host has its controllers there, of version 1 where it
 * has them there.
 *
 * The master makes one group for each slot of the pool, below a group of the
 * server's name; a guest enters its slot's group; groups are used again. The
 * pool process opens what it needs of them while it still may.
 */
#ifndef TERRARIUM_CGROUP_H
#define TERRARIUM_CGROUP_H

#include "sandbox/base/limits.h"

#define CGROUP_CONTROLLERS 3 /* memory, pids, cpu */
#define CGROUP_PATH_MAX 512
/* Kernel memory a guest may cost, and malloc's reserve (heap.h), besides. */
#define CGROUP_SLACK_MB 48
/* The pool process's files of groups have numbers from here on, and nothing
 * else of the pool process has: who comes of it leaves them behind by one call.
 */
#define CGROUP_FD_ABOVE 144

enum cgroup_kind { CGROUP_NONE, CGROUP_V1, CGROUP_V2 };

/* Where this host has what. */
struct cgroup_host {
	enum cgroup_kind kind;
	char why[CGROUP_PATH_MAX]; /* for CGROUP_NONE: what is missing */
	/* The server's directory of each controller; "" where it has none.
	 * Version 2 has one directory for all. */
	char dirs[CGROUP_CONTROLLERS][CGROUP_PATH_MAX];
	char base[CGROUP_PATH_MAX]; /* the group we were given, of memory */
	bool handed[CGROUP_CONTROLLERS]; /* version 2: down from there, by us */
	ino_t made[CGROUP_CONTROLLERS]; /* what we have made at dirs */
};

/* One slot's open files. All are -1 without control groups. */
struct cgroup_slot {
	int entry[CGROUP_CONTROLLERS]; /* write "0" to enter */
	int events;		       /* counts kills for lack of memory */
	int peak;		       /* highest use; write to reset */
	bool sampled;		       /* PEAK is the present use instead */
	int limit;		       /* memory limit; to be read, too */
	int weight;		       /* among groups that want to compute */
	enum cgroup_kind kind;
};

#define CGROUP_SLOT_FDS (CGROUP_CONTROLLERS + 4)

/* What a guest gets of the processors while others want them, too. */
enum cgroup_pace { CGROUP_FULL, CGROUP_SLOW, CGROUP_PACES };

/* Find out what there is (any process; SYSFS is "/sys/fs/cgroup" and PROC
 * "/proc/self" but in tests). NAME is the server's group. */
void cgroup_probe(struct cgroup_host *host, const char *sysfs,
		  const char *proc, const char *name);

/* How many groups: COUNT for guests of one run, and behind them SESSIONS for
 * guests that have so many copies of themselves besides. */
struct cgroup_slots {
	unsigned count, sessions, session_copies;
	uint64_t memory_mb; /* of all together; 0: no limit but each one's */
};

/* Master: make the groups of SLOTS, after sweeping away what an earlier run
 * left. */
int cgroup_make_master(struct cgroup_host *host, const struct limits *limits,
		       const struct cgroup_slots *slots,
		       char error[CGROUP_PATH_MAX]);

/* Master: are all of them still there? Costs a stat(2) for each controller. */
bool cgroup_is_whole(const struct cgroup_host *host,
		     const struct cgroup_slots *slots);

/* Master: make those that are not there any more. The others, and what runs in
 * them, stay as they are. */
int cgroup_mend(struct cgroup_host *host, const struct limits *limits,
		const struct cgroup_slots *slots, char error[CGROUP_PATH_MAX]);

/* Master: take them away, and leave the group we were given as it was. */
void cgroup_remove_master(const struct cgroup_host *host);

/* Where to look, as for cgroup_probe(); of this host for NAME. */
struct cgroup_paths {
	const char *sysfs, *proc, *name;
};

struct cgroup_paths cgroup_here(const char *name);

/* Master: find out what there is, and make the groups of SLOTS. On failure
 * HOST says why in a sentence, its kind is CGROUP_NONE, and nothing is left. */
int cgroup_begin(struct cgroup_host *host, const struct cgroup_paths *paths,
		 const struct limits *limits,
		 const struct cgroup_slots *slots);

/* Any process: do for a moment what cgroup_begin() does, with a group of
 * another name, have a child enter it, and take it away. HOST as there. Returns
 * the microseconds that the child took to enter, or a negative errno value. */
int64_t cgroup_try(struct cgroup_host *host, const struct cgroup_paths *paths,
		   const struct limits *limits);

/* How to start a server so that it can use them, for the end of a sentence. */
const char *cgroup_advice(void);

/* Megabytes of memory that all groups of HOST may have together, because a
 * group above has a limit (a service's MemoryMax=); 0: no such limit. */
uint64_t cgroup_ceiling_mb(const struct cgroup_host *host);

/* PERCENT of the host's memory, or of that ceiling where it is less, in
 * megabytes; 0: unknown. */
uint64_t cgroup_share_mb(const struct cgroup_host *host, unsigned percent);

/* Pool process: open the files of SLOT. */
int cgroup_open_zygote(const struct cgroup_host *host, unsigned slot,
		       struct cgroup_slot *out);

/* A slot without control groups. */
void cgroup_slot_none(struct cgroup_slot *slot);

/* What it takes to enter SLOT's groups: how many of FILES, in their order. */
size_t cgroup_entries(const struct cgroup_slot *slot,
		      int files[CGROUP_CONTROLLERS]);

/* Pool process: have SLOT's files at FIRST and the CGROUP_SLOT_FDS - 1 numbers
 * behind it, too, instead of what was there: *OUT. */
int cgroup_lend(const struct cgroup_slot *slot, int first,
		struct cgroup_slot *out);

/* Who comes of a pool process: of the files from CGROUP_FD_ABOVE on have none.
 * Who shares its parent's descriptors has some of its own from here on. */
int cgroup_leave_behind(void);

/* Worker, session keeper: what it takes to enter. With that any process of the
 * host can be moved there; nobody keeps it who hears strangers. */
void cgroup_forget_entry(struct cgroup_slot *slot);

/* Pool process, session fork server: all of it. Nobody enters it by SLOT any
 * more. */
void cgroup_forget(struct cgroup_slot *slot);

/* Session keeper: of COUNT slots, keep OWN's files only. SLOTS are not written:
 * they lie in memory that would have to be copied for that. */
void cgroup_keep_own(const struct cgroup_slot *slots, unsigned count,
		     unsigned own);

/* Guest: enter. It must be one thread; any other would stay outside. -EBADF:
 * SLOT was forgotten. */
int cgroup_enter(const struct cgroup_slot *slot);

/* Worker: forget the peak and the pace of the guest before, set this one's
 * limit. */
int cgroup_reset(const struct cgroup_slot *slot, const struct limits *limits,
		 unsigned memory_mb);

/* Worker, session keeper: is there a cpu controller that shares by weight? */
bool cgroup_has_pace(const struct cgroup_slot *slot);

/* Worker, session keeper: set the pace, where there is one. */
int cgroup_set_pace(const struct cgroup_slot *slot, enum cgroup_pace share);

/* Worker: how many tasks of this group were killed for lack of memory since
 * it was made; 0 without control groups. */
uint64_t cgroup_memory_kills(const struct cgroup_slot *slot);

/* Worker: how often this group, and not one above it, was the reason for a
 * kill; but for version 1, which does not count it, 1 once it has been full. */
uint64_t cgroup_own_ooms(const struct cgroup_slot *slot);

/* Worker: the highest memory use since the reset in KiB, or the present use
 * where SLOT is sampled; 0 if unknown. */
uint64_t cgroup_peak_kb(const struct cgroup_slot *slot);

#endif
