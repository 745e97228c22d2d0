/*
 * run - a worker's side of one guest: arm it, give it a job, watch it, and
 * conclude.
 *
 *	run_arm()      the guest is behind all its walls and waits
 *	run_job()      one job, one outcome
 *	run_end()      all its processes are dead and reaped
 */
#ifndef TERRARIUM_RUN_H
#define TERRARIUM_RUN_H

#include "sandbox/walls/fork_gate.h"
#include "sandbox/filesystem/home.h"
#include "sandbox/base/outcome.h"
#include "sandbox/base/sink.h"
#include "box.h"
#include "sandbox/ipc/wire.h"

#define RUN_STALL_MS 20000 /* without progress of a guest that is being armed */
#define RUN_GRACE_MS 250   /* from SIGXCPU at the deadline to the end */
#define RUN_DEATH_MS 10000 /* from SIGKILL to an answer without the files */
#define RUN_ERROR_MAX 256

/* The caller wants to know where a program is that runs for long. */
struct run_slow {
	unsigned after_ms; /* 0: it does not */
	/* Called once, MS after the begin of the job. WHERE has the lines of
	 * WIRE_WHERE, as the guest sent them: not checked. NULL: the program
	 * has not answered, and has ended. */
	void (*tell)(void *context, const struct bytes *where, int64_t ms);
	void *context;
};

struct run {
	const struct box *box;
	const struct limits *limits; /* those of BOX, or of a session's call */
	unsigned slot;
	const struct cgroup_slot *group;
	pid_t init;  /* pid 1 of the guest's pid namespace */
	pid_t guest;
	int pidfd;
	int init_pidfd;
	int ends[WIRE_FD_COUNT]; /* the worker's ends of its pipes */
	bool session; /* the guest serves many jobs (session.h) */
	bool adopted; /* the guest is a session's copy, not this process's
		       * child */
	int channel; /* to the fork server, the guest's parent; else -1 */
	int gate;     /* listener of a session's gate; else -1 */
	struct fork_gate_knock knock; /* a knock that was kept for later */
	struct fork_gate_mirror mirror; /* reads NUMBER */
	pid_t number; /* a session's guest's pid in its own namespace; 0: not
		       * read yet */
	int job_in;   /* a non-blocking reading end of a session's job pipe;
		       * else -1 */
	struct sink *sink; /* gets the results of a job as they come, or
			    * NULL; borrowed */
	struct run_slow slow;
	struct home home;
	struct wire_reader reader;
	uint64_t memory_kills; /* in its group, before it started */
	uint64_t own_ooms;     /* likewise, by its own limit */
	bool dead;
};

/* Fork a guest into SLOT, or have the fork server fork it, and wait until it is
 * armed. GROUP is the slot's control group (borrowed). On failure ERROR
 * receives a sentence and nothing is left behind. On success RUN needs
 * run_end(). */
int run_arm(struct run *run, const struct box *box, unsigned slot,
	    const struct cgroup_slot *group, char error[RUN_ERROR_MAX]);

/* Likewise for the guest of a session, which session.h's functions run. */
int run_arm_session(struct run *run, const struct box *box, unsigned slot,
		    const struct cgroup_slot *group, char error[RUN_ERROR_MAX]);

/*
 * Run JOB. CLIENT is a socket whose hang-up cancels the run, or -1. OUTCOME is
 * always filled in; release it by outcome_free(). Its files are open. All
 * processes of the guest are dead, unless the run left no files: then the guest
 * may still be exiting.
 */
void run_job(struct run *run, const struct job *job, int client,
	     struct outcome *outcome);

/* Write JOB's files into the guest's tmpfs. On failure returns false with
 * OUTCOME filled in. */
bool run_put_files(struct run *run, const struct job *job,
		   struct outcome *outcome);

/* Open the files that the run made or changed, into OUTCOME. All processes that
 * could write to them must be dead or stopped. */
void run_open_files(struct run *run, const struct job *job,
		    struct outcome *outcome);

/* Kill the guest's remaining processes, reap them, and close all
 * descriptors. */
void run_end(struct run *run);

#endif
