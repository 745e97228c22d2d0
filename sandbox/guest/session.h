/*
 * session - a session keeper's side of a guest that lives from call to call.
 *
 *	session_arm()	a guest is behind all its walls and waits
 *	session_call()	one job, one outcome, and the session's fate
 *	session_branch() a second member that starts from an existing one
 *	session_drop()	one member ends
 *	session_end()	every process is dead and reaped
 *
 * Before each call the guest forks, and the copy waits. After a successful call
 * the copy is killed. After a failed one the guest is killed, and the copy
 * becomes the session, in the state before that call. A branch is a copy that
 * stays. All members live in one pid namespace with one tmpfs. All are stopped,
 * except the one that serves a call. The keeper identifies them by the pid that
 * the kernel reports for each process that waits at the gate (fork_gate.h).
 *
 * A roll-back restores a process: its memory, open files and signal handlers.
 * It does not restore files, which all copies share, or threads other than the
 * main one, which fork(2) does not copy.
 */
#ifndef TERRARIUM_SESSION_H
#define TERRARIUM_SESSION_H

#include "run.h"

#define SESSION_MEMBERS_MAX 17 /* the first member and its branches */
#define SESSION_SETTLE_MS 5000 /* from the end of a call to the knock */

/* The state of a session after a call. */
enum session_fate {
	SESSION_KEPT,	     /* as the call left it */
	SESSION_ROLLED_BACK, /* as it was before the call */
	SESSION_ENDED,	     /* dead */
	SESSION_FATES
};

/* One process that can serve calls. */
struct session_member {
	pid_t pid; /* 0: none */
	int pidfd;
	bool waiting; /* KNOCK is its last knock, unanswered */
	struct fork_gate_knock knock;
};

struct session {
	struct run run; /* serves the member that runs */
	struct limits limits; /* of the present call; RUN points to them */
	struct session_member members[SESSION_MEMBERS_MAX];
	struct session_member copy; /* the state of the running member before
				     * its call */
	bool copies; /* copy before each call */
	int clock;   /* memfd whose timestamps compare with those of the guest's
		      * files */
	pid_t child; /* the only member that is this process's child; 0:
		      * reaped */
};

/* Arm the guest of a session in SLOT, with its control group GROUP (borrowed).
 * It is member 0. Errors as run_arm(). */
int session_arm(struct session *session, const struct box *box, unsigned slot,
		const struct cgroup_slot *group, bool copies,
		char error[RUN_ERROR_MAX]);

/* Run JOB in MEMBER, with the session's limits, or with those of MOST where
 * they are lower (limits_narrow()). CLIENT and OUTCOME as in run_job(). The
 * files in OUTCOME are open and do not change until the next call. */
enum session_fate session_call(struct session *session, unsigned member,
			       const struct job *job,
			       const struct limits *most, int client,
			       struct outcome *outcome);

/* Make BRANCH, an unused number, a branch of MEMBER. 0 or a negative errno
 * value; after a failure either may be dead. */
int session_branch(struct session *session, unsigned member, unsigned branch);

/* Kill MEMBER. */
void session_drop(struct session *session, unsigned member);

/* Whether MEMBER is alive, and the number of members that are. */
bool session_lives(const struct session *session, unsigned member);
unsigned session_members(const struct session *session);

/* Between calls: refuse one knock, if there is one. */
void session_refuse_knock(struct session *session);

void session_end(struct session *session);

#endif
