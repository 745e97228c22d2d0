/* event_stream - see event_stream.h. */
#include "event_stream.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "fcgi/http/stream.h"
#include "sandbox/text/text.h"

const char *const event_stream_end_words[EVENT_STREAM_ENDS] = {
	[EVENT_STREAM_GOES_ON] = "none",   [EVENT_STREAM_LEFT] = "left",
	[EVENT_STREAM_SLOW] = "slow",	   [EVENT_STREAM_OLD] = "old",
	[EVENT_STREAM_FAILED] = "failed",
};

/* ---- events ---------------------------------------------------------- */

/* Add bytes of the answer. */
static void event_stream_put(struct event_stream *stream, const char *data,
			     size_t size)
{
	stream_records(&stream->out, stream->request, data, size);
}

/* Add an event of the kind EVENT. */
static void event_stream_add(struct event_stream *stream, const char *event,
			     const char *data, size_t size)
{
	struct text text = {0};

	text_format(&text, "event: %s\ndata: ", event);
	text_add(&text, data, size);
	text_add(&text, "\n\n", 2);
	if (text.error)
		stream->out.error = text.error;
	else
		event_stream_put(stream, text.data, text.size);
	text_free(&text);
}

/* A worker that was taken over must not forge events. DEL, which JSON has as it
 * is, ends no line. */
static bool event_stream_is_line(const struct bytes *message)
{
	for (size_t i = 0; i < message->size; i++) {
		const unsigned char byte = (unsigned char)message->data[i];

		if (byte < ' ' || byte > 0x7f)
			return false;
	}
	return message->size > 0;
}

static int event_stream_make_id(char id[STREAM_CALL_ID_MAX])
{
	unsigned char random[16];

	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -EIO;
	for (size_t i = 0; i < sizeof(random); i++)
		snprintf(id + 2 * i, 3, "%02x", random[i]);
	return 0;
}

/* X-Accel-Buffering is for nginx, which passes on each piece at once then. */
static void event_stream_put_head(struct event_stream *stream)
{
	char head[256];
	int size = snprintf(head, sizeof(head),
			    "Status: 200 OK\r\n"
			    "Content-Type: text/event-stream\r\n"
			    "X-Accel-Buffering: no\r\nX-Request-Id: %s\r\n\r\n",
			    request_id(stream->request));

	event_stream_put(stream, head, (size_t)size);
	size = snprintf(head, sizeof(head), "/messages?stream=%s", stream->id);
	event_stream_add(stream, "endpoint", head, (size_t)size);
}

int event_stream_begin(struct event_stream *stream, struct request *request,
		       const char *owner, int64_t now)
{
	*stream = (struct event_stream){
		.request = request,
		.began_ms = now,
		.ends_ms = now + EVENT_STREAM_LIFE_MS,
		.beat_ms = now + EVENT_STREAM_BEAT_MS,
		.out.fd = request_connection(request)};
	for (size_t i = 0; i < EVENT_STREAM_CALLS; i++)
		stream->calls[i].fd = -1;
	snprintf(stream->owner, sizeof(stream->owner), "%s", owner);
	int rc = event_stream_make_id(stream->id);

	if (rc == 0)
		event_stream_put_head(stream);
	return rc < 0 ? rc : stream->out.error;
}

/* ---- messages -------------------------------------------------------- */

static int event_stream_answer(int channel,
			       const struct session_order_answer *answer)
{
	ssize_t n = send(channel, answer, sizeof(*answer),
			 MSG_NOSIGNAL | MSG_DONTWAIT);

	return n == (ssize_t)sizeof(*answer) ? 0 : -EPIPE;
}

void event_stream_refuse(int channel, enum session_order_refusal why)
{
	/* A failure means that the worker has gone: it needs no answer. */
	(void)event_stream_answer(channel, &(struct session_order_answer){
						   SESSION_ORDER_REFUSED, why,
						   SESSION_THERE});
}

static unsigned event_stream_runs(const struct event_stream *stream)
{
	unsigned runs = 0;

	for (size_t i = 0; i < EVENT_STREAM_CALLS; i++)
		runs += stream->calls[i].fd >= 0 && stream->calls[i].run;
	return runs;
}

static struct stream_call *event_stream_free_call(struct event_stream *stream)
{
	for (size_t i = 0; i < EVENT_STREAM_CALLS; i++)
		if (stream->calls[i].fd < 0)
			return &stream->calls[i];
	return NULL;
}

static bool event_stream_is_idle(const struct event_stream *stream)
{
	for (size_t i = 0; i < EVENT_STREAM_CALLS; i++)
		if (stream->calls[i].fd >= 0)
			return false;
	return true;
}

/* A worker that is told BUSY has an error to say. */
void event_stream_take(struct event_stream *stream, int channel, bool run)
{
	owned_fd int kept = channel;
	struct stream_call *call = event_stream_free_call(stream);
	const bool busy = run &&
			  event_stream_runs(stream) >= EVENT_STREAM_RUNS;
	const struct session_order_answer answer = {
		.kind = busy ? SESSION_ORDER_REFUSED : SESSION_ORDER_OK,
		.detail = busy ? SESSION_ORDER_BUSY : 1};

	if (!call)
		event_stream_refuse(kept, SESSION_ORDER_FULL);
	else if (event_stream_answer(kept, &answer) == 0)
		*call = (struct stream_call){.fd = take_fd(&kept),
					     .run = run && !busy};
}

static void event_stream_receive(struct event_stream *stream)
{
	for (size_t i = 0; i < EVENT_STREAM_CALLS; i++) {
		struct stream_call *call = &stream->calls[i];
		int rc = call->fd < 0 ? 0 : stream_call_receive(call);

		if (rc == 0)
			continue;
		const struct bytes message = stream_call_message(call);

		if (rc > 0 && event_stream_is_line(&message)) {
			event_stream_add(stream, "message", message.data,
					 message.size);
			stream->messages++;
		}
		stream_call_end(call);
	}
}

/* ---- life ------------------------------------------------------------ */

void event_stream_leave(struct event_stream *stream, int64_t now)
{
	if (stream->ends_ms > now)
		stream->ends_ms = now;
}

size_t event_stream_poll(const struct event_stream *stream,
			 struct pollfd *polled)
{
	size_t count = 0;
	const bool waits = outbox_left(&stream->out) > 0;

	polled[count++] = (struct pollfd){
		.fd = request_connection(stream->request),
		.events = (short)(POLLRDHUP | (waits ? POLLOUT : 0))};
	for (size_t i = 0; i < EVENT_STREAM_CALLS; i++)
		if (stream->calls[i].fd >= 0)
			polled[count++] = (struct pollfd){
				.fd = stream->calls[i].fd, .events = POLLIN};
	return count;
}

static bool event_stream_has_left(const struct event_stream *stream)
{
	struct pollfd polled = {.fd = request_connection(stream->request),
				.events = POLLRDHUP};

	return poll(&polled, 1, 0) > 0;
}

static bool event_stream_is_old(const struct event_stream *stream, int64_t now)
{
	return (now >= stream->ends_ms && event_stream_is_idle(stream) &&
		outbox_left(&stream->out) == 0) ||
	       now >= stream->ends_ms + EVENT_STREAM_LEAVE_MS;
}

enum event_stream_end event_stream_step(struct event_stream *stream,
					int64_t now)
{
	static const char comment[] = ": still here\n\n";

	if (event_stream_has_left(stream))
		return EVENT_STREAM_LEFT;
	event_stream_receive(stream);
	if (now >= stream->beat_ms) {
		stream->beat_ms = now + EVENT_STREAM_BEAT_MS;
		event_stream_put(stream, comment, sizeof(comment) - 1);
	}
	outbox_push(&stream->out);
	if (stream->out.error)
		return stream->out.error == -ENOMEM ? EVENT_STREAM_FAILED
						    : EVENT_STREAM_LEFT;
	if (outbox_left(&stream->out) > EVENT_STREAM_QUEUE_MAX)
		return EVENT_STREAM_SLOW;
	return event_stream_is_old(stream, now) ? EVENT_STREAM_OLD
						: EVENT_STREAM_GOES_ON;
}

/* With its end record the answer is whole for each web server. The record needs
 * a connection that takes it now. */
void event_stream_close(struct event_stream *stream, enum event_stream_end why)
{
	struct pollfd polled = {.fd = request_connection(stream->request),
				.events = POLLOUT};

	for (size_t i = 0; i < EVENT_STREAM_CALLS; i++)
		if (stream->calls[i].fd >= 0)
			stream_call_end(&stream->calls[i]);
	if (why == EVENT_STREAM_OLD && outbox_left(&stream->out) == 0 &&
	    poll(&polled, 1, 0) == 1 && polled.revents == POLLOUT)
		request_finish(stream->request);
	outbox_free(&stream->out);
	request_close(&stream->request);
}
