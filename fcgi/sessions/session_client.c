/* sessions - see sessions.h. */
#include "session_client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"

#define SESSIONS_MASTER_MS 5000 /* for the master to take an order */
#define SESSIONS_IDLE_MS 10000	/* for the keeper of an idle session */
#define SESSIONS_KEEPER_MS 1000 /* for a keeper to let go of a call */
#define SESSIONS_TRIES 3	/* to find a session that is not just ending */
#define SESSIONS_ENDED "session_ended"

const struct door_session sessions_fates[SESSION_FATES] = {
	[SESSION_KEPT] = {"kept",
			  "the session lives on with what the call did"},
	[SESSION_ROLLED_BACK] = {
		"rolled_back",
		"the session is as it was before this call: variables, "
		"functions, imports and random generators; its files are "
		"not, they are as the call left them, and threads that ran "
		"are gone"},
	[SESSION_ENDED] = {
		"ended",
		"the session has ended, with its variables and files; the "
		"next call begins a new one"},
};

static const struct {
	int status;
	const char *code;
	const char *sentence;
} sessions_refusals[CALL_REFUSALS] = {
	[CALL_BUSY] = {503, "session_busy",
		       "too many calls wait for this session"},
	[CALL_FULL] = {503, "sessions_full",
		       "there is no room for one more session now"},
	[CALL_CLIENT_FULL] = {503, "sessions_full",
			      "all sessions of this client are busy, and it "
			      "can have no more"},
	[CALL_STARTING] = {503, "unavailable",
			   "no session can be started just now"},
	[CALL_UNKNOWN] = {404, "no_session", "there is no such session"},
	[CALL_EXISTS] = {409, "session_exists",
			 "there is a session of the new name already"},
	[CALL_BRANCHES] = {503, "sessions_full",
			   "this session has as many branches as it may"},
	[CALL_FAILED] = {503, SESSIONS_ENDED, "the session has ended"},
};

int sessions_are_on(const struct sessions_place *place, struct refusal *why)
{
	if (place->registry < 0)
		return refuse(why, 403, "sessions_off",
			      "sessions are switched off on this server");
	return 0;
}

int sessions_check(const struct sessions_place *place, const char *field,
		   const char *name, struct refusal *why)
{
	size_t size = strlen(name);

	if (sessions_are_on(place, why) < 0)
		return -EINVAL;
	if (size == 0 || size >= CALL_ID_MAX)
		return refuse(why, 400, "bad_session",
			      "%s must have 1 to %d bytes", field,
			      CALL_ID_MAX - 1);
	if (strlen(place->owner) >= CALL_OWNER_MAX)
		return refuse(why, 403, "bad_client",
			      "the client's name is too long for sessions");
	return 0;
}

/* ---- asking ---------------------------------------------------------- */

/* Send an order; the channel for its answers, or a negative errno value. */
static int sessions_order(const struct sessions_place *place,
			  enum call_kind kind,
			  const char *name, const char *other)
{
	struct call_order order = {.kind = kind};
	int pair[2];

	snprintf(order.owner, sizeof(order.owner), "%s", place->owner);
	snprintf(order.id, sizeof(order.id), "%s", name);
	snprintf(order.other, sizeof(order.other), "%s", other);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
		       pair) < 0)
		return -errno;
	owned_fd int ours = pair[0], theirs = pair[1];
	int rc = call_send(place->registry, &order, sizeof(order), theirs);

	return rc < 0 ? rc : take_fd(&ours);
}

/* What a call may wait for, once the master has taken it, and for how long. */
static const struct {
	bool turn; /* as long as another call may take; else SESSIONS_IDLE_MS */
	const char *code;
	const char *late;
} sessions_waits[CALL_WAITS] = {
	[CALL_WAIT_NOTHING] = {false, "unavailable",
			       "the session's process does not answer"},
	[CALL_WAIT_TURN] = {true, "session_busy",
			    "the session is busy with an earlier call"},
	[CALL_WAIT_START] = {true, "unavailable",
			     "the session could not be started in time"},
};

static int sessions_failed(int rc, struct refusal *why)
{
	if (rc == -EPIPE)
		return refuse(why, 503, SESSIONS_ENDED,
			      "the session has ended before it could answer");
	if (rc == -ETIMEDOUT)
		return refuse(why, 503, "unavailable",
			      "the session's process does not answer");
	if (rc == -EAGAIN || rc == -ETOOMANYREFS)
		return refuse(why, 503, "unavailable",
			      "too many clients ask for sessions");
	if (rc != -ECANCELED) /* the client left: nobody is to blame */
		log_error("a call of a session: %s", log_errno(rc));
	return refuse(why, 500, "internal_error", "the session failed: %s",
		      log_errno(rc));
}

/* The job had been sent: it may have run, so this is no 503 that asks for
 * another try. */
static int sessions_lost(int rc, struct refusal *why)
{
	if (rc != -ECANCELED)
		log_error("a session's call was lost: error=\"%s\"",
			  log_errno(rc));
	return refuse(why, 500, "internal_error",
		      "the session's process %s; the call may have run",
		      rc == -EPIPE	 ? "has ended"
		      : rc == -ETIMEDOUT ? "does not answer"
					 : "failed");
}

static int sessions_refused(uint32_t what, struct refusal *why)
{
	if (what >= CALL_REFUSALS)
		return sessions_failed(-EPROTO, why);
	return refuse(why, sessions_refusals[what].status,
		      sessions_refusals[what].code, "%s",
		      sessions_refusals[what].sentence);
}

/* The next answer, in time. */
static bool sessions_hear(struct parcel *channel, int timeout_ms,
			  struct call_answer *answer)
{
	parcel_wait(channel, timeout_ms);
	parcel_begin(channel);
	return parcel_take(channel, answer, sizeof(*answer));
}

/* The call was taken, to wait for WHAT: wait for its keeper's answer. A wait
 * that is longer than a call may take ends with a 503. */
static int sessions_await(const struct sessions_place *place,
			  struct parcel *channel, uint32_t what,
			  struct call_answer *answer, struct refusal *why)
{
	if (what >= CALL_WAITS)
		return sessions_failed(-EPROTO, why);
	int timeout_ms = sessions_waits[what].turn
				 ? (int)place->limits->timeout_ms
				 : SESSIONS_IDLE_MS;

	if (sessions_hear(channel, timeout_ms, answer))
		return 0;
	if (channel->error == -ETIMEDOUT)
		return refuse(why, 503, sessions_waits[what].code, "%s",
			      sessions_waits[what].late);
	return sessions_failed(channel->error, why);
}

/* Wait for an answer of KIND to an order: the master's, or, once that has
 * taken it, the keeper's. Until then nothing has been done. */
static int sessions_answer(const struct sessions_place *place,
			   struct parcel *channel, enum call_answer_kind kind,
			   uint32_t *what, struct refusal *why)
{
	struct call_answer answer = {0};
	int rc = 0;

	if (!sessions_hear(channel, SESSIONS_MASTER_MS, &answer))
		rc = channel->error == -ETIMEDOUT
			     ? refuse(why, 503, "unavailable",
				      "the registry of sessions does not "
				      "answer")
			     : sessions_failed(channel->error, why);
	if (rc == 0 && answer.kind == CALL_TAKEN)
		rc = sessions_await(place, channel, answer.what, &answer, why);
	if (rc < 0)
		return rc;
	if (answer.kind == CALL_REFUSED)
		return sessions_refused(answer.what, why);
	if (answer.kind != kind)
		return sessions_failed(-EPROTO, why);
	*what = answer.what;
	return 0;
}

/* ---- what is asked --------------------------------------------------- */

/* A session that ended just when it was asked has left its name: nothing has
 * run, and the next one of that name is a new one. */
static bool sessions_is_gone(const struct refusal *why)
{
	return strcmp(why->code, SESSIONS_ENDED) == 0;
}

/* Come to where the keeper waits for the job. */
static int sessions_begin(const struct sessions_place *place,
			  const char *name, struct parcel *channel,
			  struct refusal *why)
{
	uint32_t what;
	int rc = -EINVAL;

	for (int tries = 0; tries < SESSIONS_TRIES; tries++) {
		base_release_fd(&channel->fd);
		channel->fd = sessions_order(place, CALL_RUN, name, "");
		channel->error = 0;
		if (channel->fd < 0)
			return sessions_failed(channel->fd, why);
		rc = sessions_answer(place, channel, CALL_GO, &what, why);
		if (rc == 0 || !sessions_is_gone(why))
			break;
	}
	return rc;
}

/* There is no job. The keeper tells the master, and then lets go of the
 * channel: our client, who may ask again at once, shall not find the session
 * busy. */
static int sessions_decline(struct parcel *channel)
{
	shutdown(channel->fd, SHUT_WR);
	if (!parcel_wait(channel, SESSIONS_KEEPER_MS) &&
	    channel->error == -ETIMEDOUT)
		log_warn("a keeper does not let go of a call");
	return -EINVAL;
}

/* Hear what the keeper takes, say what we do, and send the job. LIMITS are
 * those that it will have. */
static int sessions_put_job(const struct sessions_place *place,
			    struct parcel *channel, const struct job *job,
			    struct limits *limits, struct refusal *why)
{
	const struct parcel_terms ours = {.limits = *place->limits,
					  .body_mb = place->body_mb};
	struct parcel_terms theirs;

	if (!parcel_take(channel, &theirs, sizeof(theirs)))
		return sessions_failed(channel->error, why);
	if (parcel_check_job(job, &theirs, why) < 0)
		return sessions_decline(channel);
	*limits = theirs.limits;
	limits_narrow(limits, place->limits);
	parcel_put(channel, &ours, sizeof(ours));
	int rc = parcel_put_job(channel, job);

	return rc < 0 ? sessions_failed(rc, why) : 0;
}

static int sessions_exchange(const struct sessions_place *place,
			     struct parcel *channel, const struct job *job,
			     struct outcome *outcome, struct sessions_end *end,
			     struct refusal *why)
{
	struct call_answer answer;
	uint32_t what = 0;
	int rc = sessions_put_job(place, channel, job, &end->limits, why);

	if (rc < 0)
		return rc;
	unsigned limit = end->limits.timeout_ms;

	if (job->timeout_ms > 0 && job->timeout_ms < limit)
		limit = job->timeout_ms;
	if (!sessions_hear(channel, (int)limit + SESSIONS_END_MS, &answer))
		return sessions_lost(channel->error, why);
	if (answer.kind == CALL_REFUSED)
		return sessions_refused(answer.what, why);
	rc = answer.kind == CALL_OUTCOME
		     ? parcel_take_outcome(channel, &end->limits, outcome,
					   &what)
		     : -EPROTO;
	if (rc < 0)
		return sessions_lost(rc, why);
	end->fate = what < SESSION_FATES ? (enum session_fate)what
					 : SESSION_ENDED;
	return 0;
}

int sessions_run(const struct sessions_place *place, const char *name,
		 const struct job *job, struct outcome *outcome,
		 struct sessions_end *end, struct refusal *why)
{
	struct parcel channel = {.fd = -1, .client = place->client};

	*outcome = (struct outcome){.verdict = OUTCOME_INTERNAL};
	int rc = sessions_begin(place, name, &channel, why);

	if (rc == 0)
		rc = sessions_exchange(place, &channel, job, outcome, end,
				       why);
	base_release_fd(&channel.fd);
	if (channel.error != -ECANCELED)
		return rc;
	outcome->verdict = OUTCOME_CANCELLED;
	return 0;
}

static int sessions_ask(const struct sessions_place *place,
			enum call_kind kind, const char *name,
			const char *other, uint32_t *what, struct refusal *why)
{
	owned_fd int fd = sessions_order(place, kind, name, other);
	struct parcel channel = {.fd = fd, .client = place->client};

	if (fd < 0)
		return sessions_failed(fd, why);
	return sessions_answer(place, &channel, CALL_OK, what, why);
}

int sessions_release(const struct sessions_place *place,
		     const char *name, bool *there,
		     struct refusal *why)
{
	uint32_t what = 0;
	int rc = sessions_ask(place, CALL_RELEASE, name, "", &what, why);

	*there = what != 0;
	return rc;
}

int sessions_fork(const struct sessions_place *place,
		  const char *name, const char *other,
		  struct refusal *why)
{
	uint32_t what = 0;

	return sessions_ask(place, CALL_FORK, name, other, &what, why);
}
