/*
 * session_client - a worker's way to a session: one order to the master, one
 * job to the session keeper, one outcome back (session_order.h, transfer.h).
 */
#ifndef TERRARIUM_SESSIONS_H
#define TERRARIUM_SESSIONS_H

#include "sandbox/guest/session.h"
#include "session_order.h"
#include "fcgi/api/door.h"
#include "sandbox/ipc/transfer.h"

/* From a call's time limit to its outcome: a grace, the way back to the gate
 * of the guest and of its copy, and output files. */
#define SESSION_CLIENT_END_MS (RUN_GRACE_MS + 2 * SESSION_SETTLE_MS + 5000)

/* What a worker has to work with. */
struct session_client_place {
	int registry; /* -1: there are no sessions */
	const char *owner; /* whose sessions: see session_order_name() */
	int client;   /* whose hang-up ends a call */
	const struct limits *limits;
	unsigned body_mb;
};

/* How a call went. */
struct session_client_end {
	enum session_fate fate;
	struct limits limits; /* that it had: of its session keeper's and ours,
			       * the smaller */
};

/* Are there sessions at all? 0, or -EINVAL with *WHY: 403 sessions_off. */
int session_client_are_on(const struct session_client_place *place,
			  struct refusal *why);

/* Can there be a session of this NAME, which came in FIELD of a request? 0,
 * or -EINVAL with *WHY: 403 as above, or 400 bad_session. What follows wants
 * names that were checked. */
int session_client_check(const struct session_client_place *place,
			 const char *field, const char *name,
			 struct refusal *why);

/*
 * Run JOB in the session NAME, which is made if it is not there. 0 with
 * OUTCOME and *END, or -EINVAL with *WHY (503; 413 for what its session keeper,
 * with lower limits than ours, does not take; or 500 for what is ours). OUTCOME
 * is written in any case: OUTCOME_CANCELLED for a client that left.
 */
int session_client_run(const struct session_client_place *place,
		       const char *name, const struct job *job,
		       struct outcome *outcome, struct session_client_end *end,
		       struct refusal *why);

/* End it. *THERE: there was one. 0, or -EINVAL with *WHY. */
int session_client_release(const struct session_client_place *place,
			   const char *name, bool *there, struct refusal *why);

/* Make OTHER, which begins where NAME is. 0, or -EINVAL with *WHY: 404
 * no_session, 409 session_exists, 503. */
int session_client_fork(const struct session_client_place *place,
			const char *name, const char *other,
			struct refusal *why);

/* What became of a session, for a client: a word, and a sentence for one
 * whose call failed. */
extern const struct door_session session_client_fates[SESSION_FATES];

#endif
