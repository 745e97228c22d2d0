/*
 * session_client - a worker's side of sessions: one order to the master, one
 * job to the session keeper, one outcome back (session_order.h, transfer.h).
 */
#ifndef TERRARIUM_SESSION_CLIENT_H
#define TERRARIUM_SESSION_CLIENT_H

#include "sandbox/guest/session.h"
#include "session_files.h"
#include "session_order.h"
#include "fcgi/api/door.h"
#include "sandbox/ipc/transfer.h"

/* From a call's time limit to its outcome: the grace of a run, the way back to
 * the gate of the guest and of its copy, and output files. */
#define SESSION_CLIENT_END_MS (RUN_GRACE_MS + 2 * SESSION_SETTLE_MS + 5000)

/* One client of a worker, as an owner of sessions. All is borrowed. */
struct session_client {
	int registry; /* socket to the master; -1: sessions are off */
	const char *owner; /* see session_order_name() */
	int connection;	   /* its hang-up ends a call */
	const struct limits *limits;
	unsigned body_mb;
	unsigned wait_ms; /* for earlier calls of the same session */
	struct sink *sink; /* gets the results as they come, or NULL */
	bool must_exist; /* begin no session: 410 session_gone instead */
	bool own_time; /* LIMITS has the time of a door of its own */
	const char *note; /* a session that begins is a sandbox (session_order.h)
			   * with this note; or NULL */
	unsigned idle_s; /* of that sandbox */
};

/* The end of a call. */
struct session_client_end {
	enum session_fate fate;
	enum session_origin origin;
	uint32_t programs; /* that had run in it before */
	struct limits limits; /* that held: the smaller ones of the session
			       * keeper's and ours */
};

/* Are sessions on? 0, or -EINVAL with *WHY: 403 sessions_off. */
int session_client_are_on(const struct session_client *client,
			  struct refusal *why);

/* Check a session's NAME, from FIELD of a request. 0, or -EINVAL with *WHY: 403
 * as above or for the client's name, or 400 bad_session. The functions below
 * take checked names only. */
int session_client_check(const struct session_client *client,
			 const char *field, const char *name,
			 struct refusal *why);

/*
 * Run JOB in the session NAME, which begins now if there is none, unless it
 * must exist. 0 with OUTCOME and *END, or -EINVAL with *WHY: 503, 413 for a job above the session
 * keeper's limits, or 500 for a fault of ours. OUTCOME is written in any case;
 * it is OUTCOME_CANCELLED if the client left.
 */
int session_client_run(const struct session_client *client,
		       const char *name, const struct job *job,
		       struct outcome *outcome, struct session_client_end *end,
		       struct refusal *why);

/*
 * Do KIND, one of SESSION_ORDER_PUT to SESSION_ORDER_TREE_REMOVE, with the files of
 * JOB (session_files.h) in the session NAME. 0 with FILES, which may hold a
 * failure, or -EINVAL with *WHY as above. Release FILES in any case.
 */
int session_client_files(const struct session_client *client,
			 enum session_order_kind kind, const char *name,
			 const struct job *job, struct session_files *files,
			 struct refusal *why);

/* End the session NAME; WHOLE: the sandbox, with its branches. *THERE: there
 * was one. 0, or -EINVAL with *WHY. */
int session_client_release(const struct session_client *client,
			   const char *name, bool whole, bool *there,
			   struct refusal *why);

/*
 * Ask the master about a sandbox by KIND, one of SESSION_ORDER_LOOK to
 * SESSION_ORDER_USE. ASK has what that needs of an order; kind and owner are
 * filled in. *THERE: there is one, and FOUND describes it. 0, or -EINVAL with
 * *WHY.
 */
int session_client_sandbox(const struct session_client *client,
			   enum session_order_kind kind,
			   struct session_order *ask, bool *there,
			   struct session_order_sandbox *found,
			   struct refusal *why);

/* Make the session OTHER, a copy of NAME. 0, or -EINVAL with *WHY: 404
 * no_session, 409 session_exists, 503. */
int session_client_fork(const struct session_client *client,
			const char *name, const char *other,
			struct refusal *why);

/* The same as ASK says, of a sandbox; kind and owner are filled in. */
int session_client_branch(const struct session_client *client,
			  struct session_order *ask, struct refusal *why);

/* The state of a session after a call that had END, for a client. */
struct door_session session_client_state(const struct session_client_end *end);

#endif
