/*
 * session - a session keeper's side of a guest that lives from call to call.
 *
 *	session_arm()	a guest stands behind all its walls and waits
 *	session_call()	one job, one outcome, and what became of the session
 *	session_branch()	a second session that begins where one is
 *	session_drop()	one of them is over
 *	session_end()	every process is dead and reaped
 *
 * Before each call the guest forks; the copy waits. A call that goes well
 * ends the copy; one that does not ends the guest, and the copy is the
 * session, as it was before that call. Branches are copies that stay. All of
 * them live in one pid namespace with one tmpfs, are stopped but for the one
 * that serves a call, and are known by what the kernel says of those who wait
 * at the gate (fork_gate.h).
 *
 * What is rolled back is a process: its memory, open files and signal
 * handlers. What is not: files, which all copies share, and threads other
 * than the main one, which fork(2) does not copy.
 */
#ifndef TERRARIUM_SESSION_H
#define TERRARIUM_SESSION_H

#include "run.h"

#define SESSION_MEMBERS_MAX 17 /* the first, and its branches */
#define SESSION_SETTLE_MS 5000 /* from the end of a call to the gate */

/* What became of a session in a call. */
enum session_fate {
	SESSION_KEPT,	     /* it is as the call has left it */
	SESSION_ROLLED_BACK, /* it is as it was before */
	SESSION_ENDED,	     /* it is no more */
	SESSION_FATES
};

/* One process of the guest's. */
struct session_member {
	pid_t pid; /* 0: there is none */
	int pidfd;
	bool waiting; /* KNOCK is the last that was heard of it */
	struct fork_gate_knock knock;
};

struct session {
	struct run run; /* of the member whose turn it is */
	struct limits limits; /* of the present call: those of RUN */
	struct session_member members[SESSION_MEMBERS_MAX];
	struct session_member copy; /* of the member that runs, as it was */
	bool copies; /* make them */
	int clock;   /* a file whose times are those of the guest's files */
	pid_t child; /* the only member that is our child; 0: buried */
};

/* Arm the guest of a session in SLOT, whose control group GROUP is (borrowed);
 * it is member 0. Errors as run_arm(). */
int session_arm(struct session *session, const struct box *box, unsigned slot,
		const struct cgroup_slot *group, bool copies,
		char error[RUN_ERROR_MAX]);

/* Run JOB in MEMBER, with the session's limits, or with those of MOST where
 * they are less (limits_narrow()). CLIENT and OUTCOME as run_job() has them;
 * the files in OUTCOME are open, and stand still until the next call. */
enum session_fate session_call(struct session *session, unsigned member,
			       const struct job *job,
			       const struct limits *most, int client,
			       struct outcome *outcome);

/* Make BRANCH, which is not there, a branch of MEMBER. 0 or a negative errno
 * value; either may be no more then. */
int session_branch(struct session *session, unsigned member, unsigned branch);

/* End MEMBER. */
void session_drop(struct session *session, unsigned member);

/* Whether MEMBER is there; how many are. */
bool session_lives(const struct session *session, unsigned member);
unsigned session_members(const struct session *session);

/* Between calls: refuse whoever knocks. */
void session_mind(struct session *session);

void session_end(struct session *session);

#endif
