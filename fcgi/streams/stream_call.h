/*
 * stream_call - one message of a client on its way to the client's stream: from
 * the worker that serves POST /messages to the process that holds streams.
 *
 * The worker sends an order to the master with one end of a new channel
 * (SESSION_ORDER_STREAM). The holder answers on it once. Then the worker sends
 * messages, each with its size in front. The holder passes on the last complete
 * one when the worker has closed its end, so that a worker can first say what
 * its own death would mean. The holder closes its end when the client leaves.
 */
#ifndef TERRARIUM_STREAM_CALL_H
#define TERRARIUM_STREAM_CALL_H

#include "sandbox/base/job.h"
#include "fcgi/http/reply.h"

#define STREAM_CALL_ID_MAX 33 /* 32 hexadecimal digits and a NUL */
/* Bytes of a message: 20,000 characters of 12 bytes each, and some more. */
#define STREAM_CALL_MESSAGE_MAX (256u << 10)

/* ---- worker ---------------------------------------------------------- */

/*
 * Ask for the stream ID of the client OWNER; MASTER is the socket for orders.
 * RUN: a program is going to run. *BUSY: too many run on that stream already,
 * and this one must not. Returns the channel, which is non-blocking and the
 * caller's; or -EINVAL with *WHY: 403, 404, 503.
 */
int stream_call_open(int master, const char *owner, const char *id, bool run,
		     bool *busy, struct refusal *why);

/* Send the body of REPLY, which is text, as a message. 0 or a negative errno
 * value: -EPIPE if the client has left. */
int stream_call_say(int channel, const struct reply *reply);

/* ---- the holder of streams ------------------------------------------- */

struct stream_call {
	int fd; /* the channel, non-blocking; -1: this entry is free */
	bool run;
	char *data; /* messages with their sizes */
	size_t size, room;
};

/* Receive what has come. 1: the worker has closed its end. 0: it may send more.
 * A negative errno value: it does not keep to the form. */
int stream_call_receive(struct stream_call *call);

/* The last complete message; no data: there is none. Borrowed. */
struct bytes stream_call_message(const struct stream_call *call);

/* Close the channel, and make the entry free. */
void stream_call_end(struct stream_call *call);

#endif
