/* session_client - see session_client.h. */
#include "session_client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "session_pieces.h"

/* The time that each has to answer. */
#define SESSION_CLIENT_MASTER_MS 5000 /* the master, to an order */
#define SESSION_CLIENT_IDLE_MS 10000 /* the session keeper, when idle */
#define SESSION_CLIENT_KEEPER_MS 1000 /* the session keeper, to a refusal */
#define SESSION_CLIENT_FILES_MS 60000 /* the session keeper, with files */
#define SESSION_CLIENT_TRIES 3 /* because a session may just have ended */
#define SESSION_CLIENT_ENDED "session_ended"

static const struct {
	const char *word, *sentence;
} session_client_fates[SESSION_FATES] = {
	[SESSION_KEPT] = {"kept",
			  "the session goes on with the effects of the call"},
	[SESSION_ROLLED_BACK] =
		{"rolled_back",
		 "the session is as it was before this call: variables, "
		 "functions, imports and random generators; but its files are "
		 "as the call left them, and its threads have ended"},
	[SESSION_ENDED] =
		{"ended",
		 "the session has ended, with its variables and files; the "
		 "next call begins a new one"},
};

/* The last session of the same name. */
static const struct {
	const char *word, *sentence;
} session_client_origins[SESSION_ORIGINS] = {
	[SESSION_AFTER_EXPIRED] =
		{"expired", "the one of this name was idle for too long"},
	[SESSION_AFTER_EVICTED] =
		{"evicted",
		 "the one of this name was idle, and another needed its room"},
	[SESSION_AFTER_RELEASED] =
		{"released", "the one of this name was released"},
	[SESSION_AFTER_ENDED] =
		{"ended", "a call or a fault has ended the one of this name"},
	[SESSION_AFTER_RESTARTED] =
		{"restarted", "the server was restarted since"},
};

static const struct {
	int status;
	const char *code;
	const char *sentence;
} session_client_refusals[SESSION_ORDER_REFUSALS] = {
	[SESSION_ORDER_BUSY] = {503, "session_busy",
				"too many calls wait for this session"},
	[SESSION_ORDER_FULL] = {503, "sessions_full",
				"there is no room for another session now"},
	[SESSION_ORDER_CLIENT_FULL] =
		{503, "sessions_full",
		 "all sessions of this client are busy, and it "
		 "can have no more"},
	[SESSION_ORDER_STARTING] = {503, "unavailable",
				    "no session can be started now"},
	[SESSION_ORDER_UNKNOWN] = {404, "no_session",
				   "there is no such session"},
	[SESSION_ORDER_EXISTS] = {409, "session_exists",
				  "there is a session of the new name already"},
	[SESSION_ORDER_BRANCHES] =
		{503, "sessions_full",
		 "this session has reached its limit of branches"},
	[SESSION_ORDER_FAILED] = {503, SESSION_CLIENT_ENDED,
				  "the session has ended"},
	[SESSION_ORDER_ABSENT] = {410, "session_gone",
				"nothing was run, because there is no such "
				"session"},
};

struct door_session session_client_state(const struct session_client_end *end)
{
	return (struct door_session){
		.word = end->fate == SESSION_KEPT &&
					end->origin != SESSION_THERE
				? "new" : session_client_fates[end->fate].word,
		.reason = session_client_origins[end->origin].word,
		.sentence = session_client_fates[end->fate].sentence,
		.ended = end->fate == SESSION_ENDED};
}

int session_client_are_on(const struct session_client *client,
			  struct refusal *why)
{
	if (client->registry < 0)
		return refuse(why, 403, "sessions_off",
			      "sessions are switched off on this server");
	return 0;
}

int session_client_check(const struct session_client *client, const char *field,
			 const char *name, struct refusal *why)
{
	size_t size = strlen(name);

	if (session_client_are_on(client, why) < 0)
		return -EINVAL;
	if (size == 0 || size >= SESSION_ORDER_ID_MAX)
		return refuse(why, 400, "bad_session",
			      "%s must have 1 to %d bytes", field,
			      SESSION_ORDER_ID_MAX - 1);
	if (strlen(client->owner) >= SESSION_ORDER_OWNER_MAX)
		return refuse(why, 403, "bad_client",
			      "the client's name is too long for sessions");
	return 0;
}

/* ---- orders and answers ---------------------------------------------- */

/* Send ORDER. The channel for its answers, or a negative errno value. */
static int session_client_send(const struct session_client *client,
			       struct session_order *order)
{
	int pair[2];

	snprintf(order->owner, sizeof(order->owner), "%s", client->owner);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
		       pair) < 0)
		return -errno;
	owned_fd int ours = pair[0], theirs = pair[1];
	int rc = session_order_give(client->registry, order, theirs);

	return rc < 0 ? rc : take_fd(&ours);
}

/* Make an order and send it. */
static int session_client_order(const struct session_client *client,
				enum session_order_kind kind, const char *name)
{
	struct session_order order = {.kind = kind,
				      .must_exist = client->must_exist,
				      .idle_s = client->idle_s};

	snprintf(order.id, sizeof(order.id), "%s", name);
	if (client->note)
		snprintf(order.note, sizeof(order.note), "%s", client->note);
	return session_client_send(client, &order);
}

/* After the master has taken an order: the refusal if the wait is too long. */
static const struct {
	bool long_wait; /* as long as a call may take; else
			 * SESSION_CLIENT_IDLE_MS */
	const char *code;
	const char *late;
} session_client_waits[SESSION_ORDER_WAITS] = {
	[SESSION_ORDER_WAIT_NOTHING] =
		{false, "unavailable", "the session's process does not answer"},
	[SESSION_ORDER_WAIT_TURN] =
		{true, "session_busy",
		 "the session is busy with an earlier call"},
	[SESSION_ORDER_WAIT_START] =
		{true, "unavailable",
		 "the session could not be started in time"},
};

static int session_client_failed(int rc, struct refusal *why)
{
	if (rc == -EPIPE)
		return refuse(why, 503, SESSION_CLIENT_ENDED,
			      "the session ended before it could answer");
	if (rc == -ETIMEDOUT)
		return refuse(why, 503, "unavailable",
			      "the session's process does not answer");
	if (rc == -EAGAIN || rc == -ETOOMANYREFS)
		return refuse(why, 503, "unavailable",
			      "too many clients ask for sessions");
	if (rc != -ECANCELED) /* then the client left: no error */
		log_error("call of a session failed: error=\"%s\"",
			  log_errno(rc));
	return refuse(why, 500, "internal_error", "the session failed: %s",
		      log_errno(rc));
}

/* The call failed after the job was sent. It may have run, so the answer is no
 * 503, because clients repeat a call after that. */
static int session_client_lost(int rc, struct refusal *why)
{
	if (rc != -ECANCELED)
		log_error("call of a session lost: error=\"%s\"",
			  log_errno(rc));
	return refuse(why, 500, "internal_error",
		      "the session's process %s; the call may have run",
		      rc == -EPIPE	 ? "has ended"
		      : rc == -ETIMEDOUT ? "does not answer"
					 : "failed");
}

/* The enums of ANSWER are in range, unless the sender lies. */
static int session_client_refused(const struct session_order_answer *answer,
				  struct refusal *why)
{
	if (answer->detail >= SESSION_ORDER_REFUSALS ||
	    answer->origin >= SESSION_ORIGINS)
		return session_client_failed(-EPROTO, why);
	const bool gone = answer->detail == SESSION_ORDER_ABSENT;
	const char *reason = session_client_origins[answer->origin].sentence;

	refuse(why, session_client_refusals[answer->detail].status,
	       session_client_refusals[answer->detail].code, "%s%s%s",
	       session_client_refusals[answer->detail].sentence,
	       gone && reason ? "; " : "", gone && reason ? reason : "");
	why->own_share = answer->detail == SESSION_ORDER_CLIENT_FULL ||
			 answer->detail == SESSION_ORDER_BRANCHES;
	return -EINVAL;
}

/* Receive the next answer, which must begin within TIMEOUT_MS. */
static bool session_client_receive(const struct session_client *client,
				   struct transfer *channel, int timeout_ms,
				   struct session_order_answer *answer)
{
	if (client->sink)
		session_pieces_wait(client->sink, channel, timeout_ms);
	else
		transfer_wait(channel, timeout_ms);
	transfer_begin(channel);
	return transfer_receive(channel, answer, sizeof(*answer));
}

/* The master has taken the order and named its WAIT, an enum
 * session_order_wait. Wait for the session keeper's answer; a wait that is too
 * long is refused with 503. */
static int session_client_await(const struct session_client *client,
				struct transfer *channel, uint32_t wait,
				struct session_order_answer *answer,
				struct refusal *why)
{
	if (wait >= SESSION_ORDER_WAITS)
		return session_client_failed(-EPROTO, why);
	int timeout_ms = session_client_waits[wait].long_wait
				 ? (int)client->wait_ms
				 : SESSION_CLIENT_IDLE_MS;

	if (session_client_receive(client, channel, timeout_ms, answer))
		return 0;
	if (channel->error == -ETIMEDOUT)
		return refuse(why, 503, session_client_waits[wait].code, "%s",
			      session_client_waits[wait].late);
	return session_client_failed(channel->error, why);
}

/* Wait for an answer of KIND to an order. The master sends it, or, after the
 * master has taken the order, the session keeper. Without such an answer
 * nothing has been done. *FOUND is the answer; of SESSION_ORDER_GO its origin is
 * the session's. */
static int session_client_answer(const struct session_client *client,
				 struct transfer *channel,
				 enum session_order_answer_kind kind,
				 struct session_order_answer *found,
				 struct refusal *why)
{
	struct session_order_answer answer = {0};
	uint32_t origin = SESSION_THERE;
	int rc = 0;

	if (!session_client_receive(client, channel, SESSION_CLIENT_MASTER_MS,
				    &answer))
		rc = channel->error == -ETIMEDOUT
			     ? refuse(why, 503, "unavailable",
				      "the registry of sessions does not "
				      "answer")
			     : session_client_failed(channel->error, why);
	if (rc == 0 && answer.kind == SESSION_ORDER_TAKEN)
		origin = answer.origin;
	if (rc == 0 && answer.kind == SESSION_ORDER_TAKEN)
		rc = session_client_await(client, channel, answer.detail,
					  &answer, why);
	if (rc < 0)
		return rc;
	if (answer.kind == SESSION_ORDER_REFUSED)
		return session_client_refused(&answer, why);
	if (answer.kind != kind)
		return session_client_failed(-EPROTO, why);
	answer.origin = origin;
	*found = answer;
	return 0;
}

/* ---- runs ------------------------------------------------------------ */

/* Did the session end before the call? Nothing has run then, and its name is
 * free for a new session. */
static bool session_client_has_ended(const struct refusal *why)
{
	return strcmp(why->code, SESSION_CLIENT_ENDED) == 0;
}

/* Send an order of KIND, until the session keeper is ready for the job. */
static int session_client_begin(const struct session_client *client,
				enum session_order_kind kind,
				const char *name, struct transfer *channel,
				struct session_client_end *end,
				struct refusal *why)
{
	struct session_order_answer answer = {.origin = SESSION_THERE};
	int rc = -EINVAL;

	for (int tries = 0; tries < SESSION_CLIENT_TRIES; tries++) {
		base_release_fd(&channel->fd);
		channel->fd = session_client_order(client, kind, name);
		channel->error = 0;
		if (channel->fd < 0)
			return session_client_failed(channel->fd, why);
		rc = session_client_answer(client, channel, SESSION_ORDER_GO,
					   &answer, why);
		if (rc == 0 || !session_client_has_ended(why))
			break;
	}
	end->origin = answer.origin < SESSION_ORIGINS
			      ? (enum session_origin)answer.origin
			      : SESSION_NEW;
	end->programs = answer.detail;
	return rc;
}

/* Send no job after all. Wait until the session keeper has closed the channel:
 * before that it reports to the master, so that the next call of this client
 * does not find the session busy. */
static int session_client_decline(struct transfer *channel)
{
	const struct session_order_terms none = {.declined = true};

	transfer_send(channel, &none, sizeof(none));
	transfer_flush(channel);
	if (!transfer_wait(channel, SESSION_CLIENT_KEEPER_MS) &&
	    channel->error == -ETIMEDOUT)
		log_warn("session keeper does not close a refused call");
	return -EINVAL;
}

/* Exchange terms with the session keeper and send the job. *LIMITS are those
 * that hold for the job. */
static int session_client_send_job(const struct session_client *client,
				   struct transfer *channel,
				   const struct job *job, struct limits *limits,
				   struct refusal *why)
{
	const struct session_order_terms ours = {
		.limits = *client->limits,
		.body_mb = client->body_mb,
		.own_time = client->own_time,
		.pieces = client->sink != NULL};
	struct session_order_terms theirs;

	if (!transfer_receive(channel, &theirs, sizeof(theirs)))
		return session_client_failed(channel->error, why);
	const struct transfer_limits most = {(uint64_t)theirs.body_mb << 20,
					     theirs.limits.files_in};

	if (transfer_job_check(job, &most, why) < 0)
		return session_client_decline(channel);
	*limits = theirs.limits;
	if (client->own_time)
		limits->timeout_ms = theirs.call_ms;
	limits_narrow(limits, client->limits);
	transfer_send(channel, &ours, sizeof(ours));
	int rc = transfer_job_send(channel, job);

	return rc < 0 ? session_client_failed(rc, why) : 0;
}

/* Receive the answer after the job was sent, within TIMEOUT_MS. Pieces before
 * it go to the sink. A session keeper that was taken over may send pieces
 * without bytes for ever, so the time ends also while there is more to read. */
static bool session_client_results(const struct session_client *client,
				   struct transfer *channel,
				   const struct limits *limits, int timeout_ms,
				   struct session_order_answer *answer)
{
	struct session_pieces_left left = session_pieces_left(limits);
	const int64_t end = io_now_ms() + timeout_ms;

	for (;;) {
		int64_t wait = end - io_now_ms();

		if (wait <= 0)
			return transfer_fail(channel, -ETIMEDOUT);
		if (!session_client_receive(client, channel, (int)wait, answer))
			return false;
		if (answer->kind != SESSION_ORDER_PIECE)
			return true;
		if (!session_pieces_pass(client->sink, channel, answer->detail,
					 &left))
			return false;
	}
}

static int session_client_exchange(const struct session_client *client,
				   struct transfer *channel,
				   const struct job *job,
				   struct outcome *outcome,
				   struct session_client_end *end,
				   struct refusal *why)
{
	struct session_order_answer answer = {0};
	int rc = session_client_send_job(client, channel, job, &end->limits,
					 why);

	if (rc < 0)
		return rc;
	unsigned limit = end->limits.timeout_ms;

	if (job->timeout_ms > 0 && job->timeout_ms < limit)
		limit = job->timeout_ms;
	if (!session_client_results(client, channel, &end->limits,
				    (int)limit + SESSION_CLIENT_END_MS,
				    &answer))
		return session_client_lost(channel->error, why);
	if (answer.kind == SESSION_ORDER_REFUSED)
		return session_client_refused(&answer, why);
	rc = answer.kind == SESSION_ORDER_OUTCOME
		     ? transfer_outcome_receive(channel, &end->limits, outcome)
		     : -EPROTO;
	if (rc < 0)
		return session_client_lost(rc, why);
	end->fate = answer.detail < SESSION_FATES
			    ? (enum session_fate)answer.detail
			    : SESSION_ENDED;
	return 0;
}

int session_client_run(const struct session_client *client, const char *name,
		       const struct job *job, struct outcome *outcome,
		       struct session_client_end *end, struct refusal *why)
{
	struct transfer channel = {.fd = -1, .client = client->connection};

	*outcome = (struct outcome){.verdict = OUTCOME_INTERNAL};
	int rc = session_client_begin(client, SESSION_ORDER_RUN, name, &channel,
				      end, why);

	if (rc == 0)
		rc = session_client_exchange(client, &channel, job, outcome,
					     end, why);
	base_release_fd(&channel.fd);
	if (channel.error != -ECANCELED)
		return rc;
	outcome->verdict = OUTCOME_CANCELLED;
	return 0;
}

/* ---- files ----------------------------------------------------------- */

static int session_client_exchange_files(const struct session_client *client,
					 struct transfer *channel,
					 const struct job *job,
					 struct session_files *files,
					 struct refusal *why)
{
	struct session_order_answer answer;
	struct limits limits = {0};
	int rc = session_client_send_job(client, channel, job, &limits, why);

	if (rc < 0)
		return rc;
	if (!session_client_receive(client, channel, SESSION_CLIENT_FILES_MS,
				    &answer))
		return session_client_lost(channel->error, why);
	if (answer.kind == SESSION_ORDER_REFUSED)
		return session_client_refused(&answer, why);
	rc = answer.kind == SESSION_ORDER_FILES
		     ? session_files_receive(
			       channel, (uint64_t)limits.home_mb << 20, files)
		     : -EPROTO;
	return rc < 0 ? session_client_lost(rc, why) : 0;
}

int session_client_files(const struct session_client *client,
			 enum session_order_kind kind, const char *name,
			 const struct job *job, struct session_files *files,
			 struct refusal *why)
{
	struct transfer channel = {.fd = -1, .client = client->connection};
	struct session_client_end end;

	*files = (struct session_files){0};
	int rc = session_client_begin(client, kind, name, &channel, &end,
				      why);

	if (rc == 0)
		rc = session_client_exchange_files(client, &channel, job, files,
						   why);
	base_release_fd(&channel.fd);
	return rc;
}

/* Receive the answer to an order that was sent on FD, or of which sending
 * failed with FD. */
static int session_client_ask(const struct session_client *client, int fd,
			      enum session_order_answer_kind kind,
			      struct session_order_answer *answer,
			      struct refusal *why)
{
	owned_fd int ours = fd;
	struct transfer channel = {.fd = ours, .client = client->connection};

	if (fd < 0)
		return session_client_failed(fd, why);
	return session_client_answer(client, &channel, kind, answer, why);
}

int session_client_release(const struct session_client *client,
			   const char *name, bool whole, bool *there,
			   struct refusal *why)
{
	struct session_order order = {.kind = SESSION_ORDER_RELEASE,
				      .whole = whole};
	struct session_order_answer answer = {0};

	snprintf(order.id, sizeof(order.id), "%s", name);
	int rc = session_client_ask(client, session_client_send(client, &order),
				    SESSION_ORDER_OK, &answer, why);

	*there = answer.detail != 0;
	return rc;
}

int session_client_branch(const struct session_client *client,
			  struct session_order *ask, struct refusal *why)
{
	struct session_order_answer answer;

	ask->kind = SESSION_ORDER_FORK;
	return session_client_ask(client, session_client_send(client, ask),
				  SESSION_ORDER_OK, &answer, why);
}

int session_client_fork(const struct session_client *client, const char *name,
			const char *other, struct refusal *why)
{
	struct session_order ask = {0};

	snprintf(ask.id, sizeof(ask.id), "%s", name);
	snprintf(ask.other, sizeof(ask.other), "%s", other);
	return session_client_branch(client, &ask, why);
}

int session_client_sandbox(const struct session_client *client,
			   enum session_order_kind kind,
			   struct session_order *ask, bool *there,
			   struct session_order_sandbox *found,
			   struct refusal *why)
{
	struct session_order_answer answer = {0};

	ask->kind = kind;
	owned_fd int fd = session_client_send(client, ask);
	struct transfer channel = {.fd = fd, .client = client->connection};

	if (fd < 0)
		return session_client_failed(fd, why);
	if (!session_client_receive(client, &channel, SESSION_CLIENT_MASTER_MS,
				    &answer))
		return session_client_failed(channel.error, why);
	*there = answer.kind == SESSION_ORDER_SANDBOX;
	if (!*there)
		return 0;
	if (!transfer_receive(&channel, found, sizeof(*found)))
		return session_client_failed(channel.error, why);
	return memchr(found->note, '\0', sizeof(found->note)) &&
			       memchr(found->id, '\0', sizeof(found->id))
		       ? 0 : session_client_failed(-EPROTO, why);
}
