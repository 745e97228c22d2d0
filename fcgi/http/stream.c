/* stream - see stream.h. */
#include "stream.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "sandbox/text/text.h"

#define STREAM_CHUNK (REQUEST_PIECE_MAX / 4 * 3) /* bytes of a file */
#define STREAM_WINDOW (1u << 20) /* bytes that must go within the timeout */

static const char *const stream_types[ACCEPT_FORMS] = {
	[ACCEPT_NDJSON] = "application/x-ndjson",
	[ACCEPT_SSE] = "text/event-stream",
};

void stream_init(struct stream *stream, struct request *request,
		 enum accept_form form, unsigned timeout_ms)
{
	*stream = (struct stream){.request = request,
				  .form = form,
				  .timeout_ms = timeout_ms,
				  .last = io_now_ms(),
				  .out.fd = request_connection(request)};
}

void stream_free(struct stream *stream)
{
	outbox_free(&stream->out);
}

void stream_records(struct outbox *out, struct request *request,
		    const char *data, size_t size)
{
	char header[REQUEST_PIECE_HEADER];

	while (size > 0) {
		size_t part = size < REQUEST_PIECE_MAX ? size
						       : REQUEST_PIECE_MAX;

		request_piece(request, header, part);
		outbox_add(out, header, sizeof(header));
		outbox_add(out, data, part);
		data += part;
		size -= part;
	}
}

static void stream_add(struct stream *stream, const char *data, size_t size)
{
	stream_records(&stream->out, stream->request, data, size);
}

/* X-Accel-Buffering is for nginx, which passes on each piece at once then. */
void stream_begin(struct stream *stream)
{
	char head[256];

	if (stream->begun)
		return;
	stream->begun = true;
	int size = snprintf(head, sizeof(head),
			    "Status: 200 OK\r\nContent-Type: %s\r\n"
			    "X-Accel-Buffering: no\r\nX-Request-Id: %s\r\n\r\n",
			    stream_types[stream->form],
			    request_id(stream->request));

	stream_add(stream, head, (size_t)size);
	outbox_push(&stream->out);
}

/* Append a part of a line to TEXT, with the marks of its form. */
static void stream_put_part(struct stream *stream, struct text *text,
			    const char *data, size_t size)
{
	if (size == 0)
		return;
	if (!stream->in_line && stream->form == ACCEPT_SSE)
		text_add(text, "data: ", 6);
	stream->in_line = true;
	text_add_ascii(text, data, size);
}

static void stream_put(struct stream *stream, const char *data, size_t size)
{
	const char *end = data + size, *line;
	struct text text = {0};

	while ((line = memchr(data, '\n', (size_t)(end - data)))) {
		stream_put_part(stream, &text, data, (size_t)(line - data));
		text_add(&text, "\n\n", stream->form == ACCEPT_SSE ? 2 : 1);
		stream->in_line = false;
		data = line + 1;
	}
	stream_put_part(stream, &text, data, (size_t)(end - data));
	if (text.error)
		stream->out.error = text.error;
	else
		stream_add(stream, text.data, text.size);
	stream->size += text.size;
	text_free(&text);
}

void stream_lines(struct stream *stream, const char *text, size_t size)
{
	stream_begin(stream);
	stream_put(stream, text, size);
	outbox_push(&stream->out);
	stream->last = io_now_ms();
}

/* Bytes that wait are no silence: the client does not take them. */
int64_t stream_next(const struct stream *stream)
{
	return outbox_left(&stream->out) > 0
		       ? stream->out.moved + stream->timeout_ms
		       : stream->last + STREAM_SILENCE_MS;
}

bool stream_tick(struct stream *stream, int64_t now)
{
	if (now < stream_next(stream))
		return false;
	if (outbox_left(&stream->out) > 0)
		stream->out.error = -ETIMEDOUT;
	return !stream->out.error;
}

/* ---- the last lines -------------------------------------------------- */

/* The present STREAM_WINDOW must be sent before END. */
struct stream_window {
	int64_t end;
	uint64_t sent; /* bytes, when it began */
};

static void stream_renew(const struct stream *stream,
			 struct stream_window *window)
{
	window->end = io_now_ms() + stream->timeout_ms;
	window->sent = stream->out.sent;
}

/* Push until at most KEEP bytes wait. */
static int stream_drain(struct stream *stream, struct stream_window *window,
			size_t keep)
{
	struct pollfd polled = {.fd = stream->out.fd, .events = POLLOUT};

	for (;;) {
		outbox_push(&stream->out);
		if (stream->out.error || outbox_left(&stream->out) <= keep)
			return stream->out.error;
		if (stream->out.sent - window->sent >= STREAM_WINDOW)
			stream_renew(stream, window);
		int64_t wait = window->end - io_now_ms();

		if (wait <= 0)
			return -ETIMEDOUT;
		if (poll(&polled, 1, (int)wait) < 0 && errno != EINTR)
			return -errno;
	}
}

/* The base64 text of a file, which cannot change: every process that could
 * write to it is dead or stopped. */
static int stream_send_file(struct stream *stream,
			    struct stream_window *window,
			    const struct reply_part *part)
{
	char chunk[STREAM_CHUNK], out[REQUEST_PIECE_MAX];
	int rc = 0;

	for (size_t at = 0; at < part->size && rc == 0; at += sizeof(chunk)) {
		struct text_base64 state = {0};
		size_t left = part->size - at;
		size_t want = left < sizeof(chunk) ? left : sizeof(chunk);
		ssize_t n = pread(part->fd, chunk, want, (off_t)at);

		if (n != (ssize_t)want)
			return n < 0 ? -errno : -EIO;
		size_t used = text_base64_encode(&state, chunk, want, out);

		used += text_base64_finish(&state, out + used);
		stream_add(stream, out, used);
		stream->size += used;
		rc = stream_drain(stream, window, STREAM_WINDOW);
	}
	return rc;
}

int stream_send(struct stream *stream, const struct reply *reply)
{
	struct stream_window window;
	int rc = reply->error;

	stream_begin(stream);
	stream_renew(stream, &window);
	for (size_t i = 0; i < reply->parts_count && rc == 0; i++) {
		const struct reply_part *part = &reply->parts[i];

		if (part->text)
			stream_put(stream, part->text, part->size);
		else
			rc = stream_send_file(stream, &window, part);
		if (rc == 0)
			rc = stream_drain(stream, &window, STREAM_WINDOW);
	}
	if (rc == 0)
		rc = stream_drain(stream, &window, 0);
	if (rc == 0)
		request_finish(stream->request);
	return rc;
}
