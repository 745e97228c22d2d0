/*
 * event_stream - one stream of server-sent events: the connection of a GET, the
 * events that wait to be sent, and the messages that are being served for it
 * (stream_call.h).
 *
 * The format of the events is that of MCP's transport "HTTP with SSE" of
 * 2024-11-05: the first event, "endpoint", names the path for the client's
 * messages; each "message" has one JSON-RPC object on one line. A comment goes
 * out from time to time, because clients give up a silent stream.
 */
#ifndef TERRARIUM_EVENT_STREAM_H
#define TERRARIUM_EVENT_STREAM_H

#include <poll.h>

#include "sandbox/base/outbox.h"
#include "fcgi/http/request.h"
#include "fcgi/sessions/session_order.h"
#include "stream_call.h"

#define EVENT_STREAM_CALLS 8 /* messages that are served at a time */
#define EVENT_STREAM_RUNS 4 /* of these, programs that run */
#define EVENT_STREAM_QUEUE_MAX (2u << 20) /* bytes that wait for the client */
#define EVENT_STREAM_BEAT_MS 15000 /* from one comment to the next */
#define EVENT_STREAM_LIFE_MS 3600000
#define EVENT_STREAM_LEAVE_MS 10000 /* for the calls of one that shall end */
#define EVENT_STREAM_FDS (1 + EVENT_STREAM_CALLS)

/* Why a stream ends. */
enum event_stream_end {
	EVENT_STREAM_GOES_ON,
	EVENT_STREAM_LEFT,   /* the client hung up */
	EVENT_STREAM_SLOW,   /* too much waited for it */
	EVENT_STREAM_OLD,    /* its time is over, or it was told to end */
	EVENT_STREAM_FAILED, /* memory ran out, or the connection failed */
	EVENT_STREAM_ENDS
};

extern const char *const event_stream_end_words[EVENT_STREAM_ENDS];

struct event_stream {
	struct request *request; /* owned; NULL: this entry is free */
	char id[STREAM_CALL_ID_MAX];
	char owner[SESSION_ORDER_OWNER_MAX];
	int64_t began_ms, ends_ms, beat_ms; /* io_now_ms() */
	uint64_t messages; /* that were sent */
	struct outbox out;
	struct stream_call calls[EVENT_STREAM_CALLS];
};

/* Begin the stream of REQUEST, which it owns from then on, for the client
 * OWNER, with a new id. 0 or a negative errno value. */
int event_stream_begin(struct event_stream *stream, struct request *request,
		       const char *owner, int64_t now);

/* A worker asks to serve a message, and a program if RUN: answer on CHANNEL,
 * and keep that unless it is refused. It belongs to STREAM in any case. */
void event_stream_take(struct event_stream *stream, int channel, bool run);

/* Answer an order that no stream takes. */
void event_stream_refuse(int channel, enum session_order_refusal why);

/* Let the stream end as soon as no message of it is served, and in
 * EVENT_STREAM_LEAVE_MS at the latest. */
void event_stream_leave(struct event_stream *stream, int64_t now);

/* Fill in POLLED, at most EVENT_STREAM_FDS; returns the count. */
size_t event_stream_poll(const struct event_stream *stream,
			 struct pollfd *polled);

/* Receive, send, and look at the clock. */
enum event_stream_end event_stream_step(struct event_stream *stream,
					int64_t now);

/* End it for the reason WHY; the entry is free then. */
void event_stream_close(struct event_stream *stream,
			enum event_stream_end why);

#endif
