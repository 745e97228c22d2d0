/*
 * stream - an answer that goes out line by line while the program runs.
 *
 * Each line is one JSON object, in ASCII, because clients decode and split what
 * arrives in pieces. As server-sent events a line is the data of one event.
 * Bytes are sent as far as the web server takes them without waiting; the rest
 * waits in memory. Only stream_send() waits, after the run.
 */
#ifndef TERRARIUM_STREAM_H
#define TERRARIUM_STREAM_H

#include "sandbox/base/outbox.h"
#include "accept.h"
#include "request.h"

/* A line goes out after this time of silence at the latest. */
#define STREAM_SILENCE_MS 4900

struct stream {
	struct request *request; /* borrowed */
	enum accept_form form;	 /* not ACCEPT_WHOLE */
	unsigned timeout_ms; /* for a client that takes nothing */
	bool begun;	     /* the head was sent: status 200 */
	bool in_line;
	int64_t last;	     /* io_now_ms() of the last line */
	uint64_t size;	     /* bytes of the body so far */
	struct outbox out;
};

/* Add bytes of REQUEST's answer to OUT, as records of FastCGI. */
void stream_records(struct outbox *out, struct request *request,
		    const char *data, size_t size);

void stream_init(struct stream *stream, struct request *request,
		 enum accept_form form, unsigned timeout_ms);
void stream_free(struct stream *stream);

/* Send the head, if that has not been done. No other answer is possible from
 * then on. */
void stream_begin(struct stream *stream);

/* Send lines: SIZE bytes of JSON text, each line with its end. An error is
 * noted in stream->out.error. */
void stream_lines(struct stream *stream, const char *text, size_t size);

/* The time at which stream_tick() is to be called. It returns whether a line is
 * to be sent because of a silence, and gives a client up that takes nothing:
 * -ETIMEDOUT in stream->out.error. */
int64_t stream_next(const struct stream *stream);
bool stream_tick(struct stream *stream, int64_t now);

/* Send the last lines, which are REPLY's body, and finish the request. Each
 * megabyte has the stream's timeout. 0, or a negative errno value if the client
 * did not get all of it; then the answer is cut short, as a client notices. */
int stream_send(struct stream *stream, const struct reply *reply);

#endif
