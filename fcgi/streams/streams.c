/*
 * streams - the process that holds streams of events, so that no worker does.
 *
 * Who:    forked by the master.
 * Holds:  a listening socket of its own; the connection of each stream, with
 *         the events that wait for its client; a channel to each worker that serves
 *         a message of a stream; the number of streams on the scoreboard.
 * May:    answer on these connections, and nothing else. As root it becomes an
 *         unprivileged user. It has the same wall as the status process.
 * Talks:  It answers the web server (FastCGI), and reads no body. The master
 *         passes on the orders of workers. From workers it takes one line for
 *         the client, of bounded size and of ASCII without ends of lines.
 * Ends:   It ends with the master, or when told to leave (leave.h) and no
 *         message is being served, or after 10 s. When it dies, the master
 *         starts another one; clients begin new streams.
 *
 * A stream belongs to one client. Its id is random, and only that client's
 * messages find it.
 */
#include "streams.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/title.h"
#include "sandbox/walls/confine.h"
#include "sandbox/walls/privileges.h"
#include "fcgi/mcp/mcp.h"
#include "fcgi/shared/leave.h"
#include "fcgi/shared/scoreboard.h"
#include "event_stream.h"

#define STREAMS_TIMEOUT_MS 1000 /* for the head of a request, and its answer */
#define STREAMS_STEP_MS 500
#define STREAMS_AT_ONCE 64 /* orders that a step reads */
#define STREAMS_FDS (3 + STREAMS_MAX * EVENT_STREAM_FDS)
#define STREAMS_BODY_MAX 1024 /* a GET has none; nginx sends none */

struct streams {
	const struct streams_plan *plan;
	struct scoreboard *board;
	int leave; /* readable once the process shall leave */
	bool leaving;
	struct event_stream list[STREAMS_MAX];
};

int streams_open(int *ours, int *master)
{
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0, ends) < 0)
		return -errno;
	*ours = ends[0];
	*master = ends[1];
	return 0;
}

/* ---- the list -------------------------------------------------------- */

static bool streams_same_client(const char *owner, const char *other)
{
	const size_t size = session_order_name(owner);

	return session_order_name(other) == size &&
	       memcmp(owner, other, size) == 0;
}

/* The streams of OWNER's client; NULL: all. */
static unsigned streams_count(const struct streams *streams, const char *owner)
{
	unsigned count = 0;

	for (size_t i = 0; i < STREAMS_MAX; i++)
		count += streams->list[i].request &&
			 (!owner || streams_same_client(streams->list[i].owner,
							owner));
	return count;
}

static struct event_stream *streams_free(struct streams *streams)
{
	for (size_t i = 0; i < STREAMS_MAX; i++)
		if (!streams->list[i].request)
			return &streams->list[i];
	return NULL;
}

/* The stream of the order, which must be of the same token, too. */
static struct event_stream *
streams_find(struct streams *streams, const struct session_order_stream *order)
{
	for (size_t i = 0; i < STREAMS_MAX; i++)
		if (streams->list[i].request &&
		    strcmp(streams->list[i].id, order->id) == 0 &&
		    strcmp(streams->list[i].owner, order->owner) == 0)
			return &streams->list[i];
	return NULL;
}

static void streams_show(const struct streams *streams)
{
	atomic_store(&streams->board->streams_open,
		     streams_count(streams, NULL));
}

/* ---- requests -------------------------------------------------------- */

static const char *streams_owner(const struct request *request)
{
	const char *owner = request_param(request, "TERRARIUM_OWNER");

	return *owner ? owner : request_param(request, "TERRARIUM_CLIENT");
}

static int streams_check_request(const struct request *request,
				 struct refusal *why)
{
	const char *owner = streams_owner(request);
	int rc = request_check(request, why);

	if (rc < 0)
		return rc;
	if (strcmp(request_param(request, "DOCUMENT_URI"), "/sse") != 0)
		return refuse(why, 404, "not_found",
			      "there is nothing at this path");
	if (strcmp(request_param(request, "REQUEST_METHOD"), "GET") != 0)
		return refuse(why, 405, "method_not_allowed",
			      "this path takes GET, HEAD only");
	if (!*owner || strlen(owner) >= SESSION_ORDER_OWNER_MAX)
		return refuse(why, 403, "bad_client",
			      "the client has no name, or it is too long for "
			      "streams");
	return 0;
}

static int streams_check(const struct streams *streams,
			 struct request *request, struct refusal *why)
{
	const char *owner = streams_owner(request);
	struct bytes body = {0};
	int rc = streams_check_request(request, why);

	/* Without its last record the connection would seem to have more. */
	if (rc == 0)
		rc = request_body(request, STREAMS_BODY_MAX, &body, why);
	free(body.data);
	if (rc < 0)
		return rc;
	if (streams_count(streams, owner) >= STREAMS_CLIENT_MAX)
		return refuse(why, 503, "unavailable",
			      "this client has %d streams, and can have no "
			      "more", STREAMS_CLIENT_MAX);
	if (streams_count(streams, NULL) >= STREAMS_MAX)
		return refuse(why, 503, "unavailable",
			      "the server has %d streams, and can have no "
			      "more", STREAMS_MAX);
	return 0;
}

static void streams_refuse(struct request *request, const struct refusal *why)
{
	struct reply reply;

	reply_init(&reply);
	mcp_door.refuse(why, request_id(request), &reply);
	if (why->status == 503)
		reply.retry_after_s = 1;
	if (why->status == 405)
		reply.allow = "GET, HEAD";
	reply_send(request, &reply);
	reply_free(&reply);
	request_close(&request);
}

static void streams_begin(struct streams *streams, struct request *request)
{
	struct event_stream *stream = streams_free(streams);
	const char *owner = streams_owner(request);
	int rc = stream ? event_stream_begin(stream, request, owner,
					     io_now_ms())
			: -ENOSPC;

	if (rc < 0)
		log_error("stream not begun: error=\"%s\"", log_errno(rc));
	else
		log_info("stream began: client=\"%.*s\" open=%u",
			 (int)session_order_name(owner), owner,
			 streams_count(streams, NULL));
	if (rc < 0 && stream)
		event_stream_close(stream, EVENT_STREAM_FAILED);
	else if (rc < 0)
		request_close(&request);
}

static void streams_accept(struct streams *streams)
{
	struct request *request = NULL;
	struct refusal why = {0};
	int connection = request_accept(streams->plan->listener,
					STREAMS_TIMEOUT_MS, NULL);

	if (connection == -EMFILE || connection == -ENFILE ||
	    connection == -ENOMEM)
		poll(NULL, 0, 100); /* it would be readable at once again */
	if (connection < 0 ||
	    request_open(&request, connection, STREAMS_TIMEOUT_MS) < 0)
		return;
	if (streams_check(streams, request, &why) < 0)
		streams_refuse(request, &why);
	else
		streams_begin(streams, request);
}

/* ---- orders ---------------------------------------------------------- */

static bool streams_order_is_sane(const struct session_order_stream *order)
{
	return memchr(order->owner, '\0', sizeof(order->owner)) &&
	       memchr(order->id, '\0', sizeof(order->id));
}

static void streams_take(struct streams *streams)
{
	struct session_order_stream order;

	for (int i = 0; i < STREAMS_AT_ONCE; i++) {
		int got = -1;
		int rc = session_order_receive(streams->plan->orders, &order,
					       sizeof(order), &got);
		owned_fd int channel = got;

		if (rc < 0)
			die("receive from the master: %s", log_errno(rc));
		if (rc == 0)
			return;
		if (channel < 0 || !streams_order_is_sane(&order) ||
		    !session_order_is_wanted(channel))
			continue;
		struct event_stream *stream = streams_find(streams, &order);

		if (stream)
			event_stream_take(stream, take_fd(&channel),
					  order.run != 0);
		else
			event_stream_refuse(channel, SESSION_ORDER_UNKNOWN);
	}
}

/* ---- life ------------------------------------------------------------ */

static void streams_end(struct event_stream *stream, enum event_stream_end why)
{
	log_info("stream ended: reason=%s client=\"%.*s\" age_s=%lld "
		 "messages=%ju", event_stream_end_words[why],
		 (int)session_order_name(stream->owner), stream->owner,
		 (long long)(io_now_ms() - stream->began_ms) / 1000,
		 (uintmax_t)stream->messages);
	event_stream_close(stream, why);
}

static void streams_serve(struct streams *streams)
{
	const int64_t now = io_now_ms();

	for (size_t i = 0; i < STREAMS_MAX; i++) {
		struct event_stream *stream = &streams->list[i];
		enum event_stream_end why;

		if (!stream->request)
			continue;
		if (streams->leaving)
			event_stream_leave(stream, now);
		why = event_stream_step(stream, now);
		if (why != EVENT_STREAM_GOES_ON)
			streams_end(stream, why);
	}
	streams_show(streams);
}

/* Wait for the listener, the master, the end, and the streams. A process that
 * shall leave takes no new stream: those wait for the next process. */
static void streams_wait(struct streams *streams)
{
	static struct pollfd polled[STREAMS_FDS];
	size_t count = 3;

	polled[0] = (struct pollfd){.fd = streams->leaving
						  ? -1
						  : streams->plan->listener,
				    .events = POLLIN};
	polled[1] = (struct pollfd){.fd = streams->plan->orders,
				    .events = POLLIN};
	polled[2] = (struct pollfd){.fd = streams->leaving ? -1
							   : streams->leave,
				    .events = POLLIN};
	for (size_t i = 0; i < STREAMS_MAX; i++)
		if (streams->list[i].request)
			count += event_stream_poll(&streams->list[i],
						   polled + count);
	int n = poll(polled, count, count > 3 ? STREAMS_STEP_MS : -1);

	if (n < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	if (n > 0 && polled[2].revents)
		streams->leaving = true;
	if (n > 0 && polled[0].revents && !streams->leaving)
		streams_accept(streams);
}

static void streams_lock(const struct streams_plan *plan, int landlock_abi)
{
	struct syscalls_filter filter;
	char error[CONFINE_ERROR_MAX];
	int rc = privileges_give_up(plan->uid, plan->master);

	if (rc == 0)
		rc = syscalls_compile(SYSCALLS_WORKER, &filter);
	if (rc < 0)
		die("lock privileges: %s", log_errno(rc));
	const struct confine_plan confine = {
		.filter = &filter, .landlock_abi = landlock_abi, .home = -1};

	if (confine_process(&confine, error) < 0)
		die("%s", error);
	syscalls_free(&filter);
}

void streams_main(const struct streams_plan *plan)
{
	static struct streams streams;

	log_set_role("streams");
	title_set("streams");
	signal(SIGPIPE, SIG_IGN);
	request_prepare();
	streams.plan = plan;
	streams.leave = leave_open();
	if (streams.leave < 0)
		die("make a signal descriptor: %s", log_errno(streams.leave));
	streams.board = scoreboard_map(plan->board);
	if (!streams.board)
		die("map the scoreboard: %s", log_errno(errno));
	streams_lock(plan, streams.board->landlock_abi);
	streams_show(&streams);
	while (!streams.leaving || streams_count(&streams, NULL) > 0) {
		streams_wait(&streams);
		streams_take(&streams);
		streams_serve(&streams);
	}
	exit(0);
}
