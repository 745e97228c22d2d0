/* stream_call - see stream_call.h. */
#include "stream_call.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/log.h"
#include "sandbox/ipc/transfer.h"
#include "sandbox/text/text.h"
#include "fcgi/sessions/session_order.h"

#define STREAM_CALL_WAIT_MS 5000 /* for the answer to an order */
#define STREAM_CALL_CHUNK (64u << 10)

/* ---- worker ---------------------------------------------------------- */

static bool stream_call_is_id(const char *id)
{
	return strlen(id) == STREAM_CALL_ID_MAX - 1 &&
	       strspn(id, "0123456789abcdef") == STREAM_CALL_ID_MAX - 1;
}

static int stream_call_unknown(struct refusal *why)
{
	return refuse(why, 404, "not_found",
		      "stream: this client has no such stream; GET /sse begins "
		      "one");
}

static int stream_call_failed(int rc, struct refusal *why)
{
	log_warn("stream not asked: error=\"%s\"", log_errno(rc));
	return refuse(why, 503, "unavailable",
		      "the process that holds streams does not answer");
}

/* Send ORDER. The channel for the answer, or a negative errno value. */
static int stream_call_order(int master, const struct session_order *order)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
		       pair) < 0)
		return -errno;
	owned_fd int ours = pair[0], theirs = pair[1];
	int rc = session_order_give(master, order, theirs);

	return rc < 0 ? rc : take_fd(&ours);
}

static int stream_call_answer(int channel, struct session_order_answer *answer)
{
	struct transfer transfer = {.fd = channel, .client = -1};

	if (!transfer_wait(&transfer, STREAM_CALL_WAIT_MS))
		return transfer.error;
	transfer_begin(&transfer);
	if (!transfer_receive(&transfer, answer, sizeof(*answer)))
		return transfer.error;
	return 0;
}

int stream_call_open(int master, const char *owner, const char *id, bool run,
		     bool *busy, struct refusal *why)
{
	struct session_order order = {.kind = SESSION_ORDER_STREAM,
				      .run = run};
	struct session_order_answer answer = {0};

	if (strlen(owner) >= sizeof(order.owner))
		return refuse(why, 403, "bad_client",
			      "the client's name is too long for streams");
	if (!stream_call_is_id(id))
		return stream_call_unknown(why);
	snprintf(order.owner, sizeof(order.owner), "%s", owner);
	snprintf(order.id, sizeof(order.id), "%s", id);
	owned_fd int channel = stream_call_order(master, &order);
	int rc = channel < 0 ? channel : stream_call_answer(channel, &answer);

	if (rc < 0)
		return stream_call_failed(rc, why);
	*busy = answer.kind == SESSION_ORDER_REFUSED &&
		answer.detail == SESSION_ORDER_BUSY;
	if (answer.kind == SESSION_ORDER_OK || *busy)
		return take_fd(&channel);
	if (answer.detail == SESSION_ORDER_UNKNOWN)
		return stream_call_unknown(why);
	return refuse(why, 503, "unavailable",
		      answer.detail == SESSION_ORDER_FULL
			      ? "too many messages of this stream are served"
			      : "streams cannot be served now");
}

int stream_call_say(int channel, const struct reply *reply)
{
	struct transfer transfer = {.fd = channel, .client = -1};
	struct text text = {.error = reply->error};

	for (size_t i = 0; i < reply->parts_count; i++)
		text_add_ascii(&text, reply->parts[i].text,
			       reply->parts[i].size);
	/* An answer's own line end would end the event's data. */
	if (text.size > 0 && text.data[text.size - 1] == '\n')
		text.size--;
	int rc = text.error ? text.error
		 : text.size > STREAM_CALL_MESSAGE_MAX ? -E2BIG : 0;
	const uint32_t size = (uint32_t)text.size;

	if (rc == 0) {
		transfer_begin(&transfer);
		transfer_send(&transfer, &size, sizeof(size));
		transfer_send(&transfer, text.data, text.size);
		transfer_flush(&transfer);
		rc = transfer.error;
	}
	text_free(&text);
	return rc;
}

/* ---- the holder of streams ------------------------------------------- */

/* The size of the first message; -EPROTO: it is past the limit. 0 bytes of a
 * message are valid, so *THERE tells whether its size has come. */
static int stream_call_first(const struct stream_call *call, size_t *size,
			     bool *there)
{
	uint32_t told;

	*there = call->size >= sizeof(told);
	if (!*there)
		return 0;
	memcpy(&told, call->data, sizeof(told));
	*size = told;
	return told > STREAM_CALL_MESSAGE_MAX ? -EPROTO : 0;
}

/* Forget a message behind which another one is complete. */
static int stream_call_shift(struct stream_call *call)
{
	for (;;) {
		size_t size = 0, next;
		uint32_t told;
		bool there;
		int rc = stream_call_first(call, &size, &there);

		next = sizeof(told) + size;
		if (rc < 0 || !there || call->size < next + sizeof(told))
			return rc;
		memcpy(&told, call->data + next, sizeof(told));
		if (told > STREAM_CALL_MESSAGE_MAX)
			return -EPROTO;
		if (call->size < next + sizeof(told) + told)
			return 0;
		call->size -= next;
		memmove(call->data, call->data + next, call->size);
	}
}

static bool stream_call_reserve(struct stream_call *call)
{
	/* Two messages, of which the second is not complete, and a chunk. */
	const size_t most = 2 * (STREAM_CALL_MESSAGE_MAX + sizeof(uint32_t)) +
			    STREAM_CALL_CHUNK;
	size_t room = call->size + STREAM_CALL_CHUNK;

	if (room <= call->room)
		return true;
	char *data = room > most ? NULL : realloc(call->data, room);

	if (!data)
		return false;
	call->data = data;
	call->room = room;
	return true;
}

int stream_call_receive(struct stream_call *call)
{
	for (;;) {
		if (!stream_call_reserve(call))
			return -ENOMEM;
		ssize_t n = recv(call->fd, call->data + call->size,
				 call->room - call->size, MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n == 0)
			return 1;
		call->size += (size_t)n;
		int rc = stream_call_shift(call);

		if (rc < 0)
			return rc;
	}
}

struct bytes stream_call_message(const struct stream_call *call)
{
	size_t size = 0;
	bool there;
	int rc = stream_call_first(call, &size, &there);

	if (rc < 0 || !there || call->size < sizeof(uint32_t) + size)
		return (struct bytes){0};
	return (struct bytes){call->data + sizeof(uint32_t), size};
}

void stream_call_end(struct stream_call *call)
{
	base_release_fd(&call->fd);
	base_release_ptr(&call->data);
	*call = (struct stream_call){.fd = -1};
}
