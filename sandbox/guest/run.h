/*
 * run - a worker's side of one guest: arm it, hand it a job, watch it, and
 * conclude.
 *
 *	run_arm()      the guest stands behind all its walls and waits
 *	run_job()      one job, one outcome
 *	run_end()      every process of it is dead and reaped
 */
#ifndef TERRARIUM_RUN_H
#define TERRARIUM_RUN_H

#include "sandbox/walls/fork_gate.h"
#include "sandbox/filesystem/home.h"
#include "sandbox/base/outcome.h"
#include "box.h"
#include "sandbox/ipc/wire.h"

#define RUN_STALL_MS 20000 /* a guest that is being armed may stand still */
#define RUN_GRACE_MS 250   /* from the deadline's signal to the kill */
#define RUN_ERROR_MAX 256

struct run {
	const struct box *box;
	const struct limits *limits; /* of what it runs: BOX's, or a call's */
	unsigned slot;
	const struct cgroup_slot *group;
	pid_t init;  /* of the guest's pid namespace */
	pid_t guest;
	int pidfd;   /* of the guest */
	int init_pidfd;
	int ends[WIRE_FD_COUNT]; /* our ends of its pipes */
	bool session; /* the guest serves many jobs: see session.h */
	bool adopted; /* the guest is a session's copy: no child of ours */
	int cast; /* channel to the fork server, whose child it is; else -1 */
	int gate;     /* of a session's guest: its listener; else -1 */
	struct fork_gate_knock knock; /* and the last one, if it is for later */
	struct fork_gate_mirror mirror; /* tells the next: */
	pid_t number; /* of a session's guest, as it sees it; 0: not asked */
	int job_in;   /* and our own reading end of its job pipe, which does
		       * not block; else -1 */
	struct home home;
	struct wire_reader reader;
	uint64_t memory_kills; /* of its group, before it */
	uint64_t own_ooms;     /* the same, for its own limit */
	bool dead;
};

/* Fork a guest into SLOT, whose control group GROUP is (borrowed), or have it
 * forked, and wait until it is armed. On failure ERROR has a sentence and
 * nothing is left behind. RUN needs run_end() on success. */
int run_arm(struct run *run, const struct box *box, unsigned slot,
	    const struct cgroup_slot *group, char error[RUN_ERROR_MAX]);

/* The same for the guest of a session, which the functions of session.h
 * then run. */
int run_arm_session(struct run *run, const struct box *box, unsigned slot,
		    const struct cgroup_slot *group, char error[RUN_ERROR_MAX]);

/*
 * Run JOB. CLIENT is a socket whose hang-up cancels the run, or -1.
 * OUTCOME is always filled in; release it by outcome_free(). Its files are
 * open, and all processes of the guest are dead, unless there can be no
 * files, in which case the guest may still be on its way out.
 */
void run_job(struct run *run, const struct job *job, int client,
	     struct outcome *outcome);

/* Take over what is in JOB's files. False, with OUTCOME filled in, when it
 * cannot be. */
bool run_put_files(struct run *run, const struct job *job,
		   struct outcome *outcome);

/* Open the files that were made or changed, into OUTCOME. What could write to
 * them must be dead, or stopped. */
void run_open_files(struct run *run, const struct job *job,
		    struct outcome *outcome);

/* Kill what is left of the guest, wait for it, close everything. */
void run_end(struct run *run);

#endif
