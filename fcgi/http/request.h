/*
 * request - one FastCGI request on one connection: its parameters, its body,
 * and the way back. With request.c the one place that knows libfcgi.
 */
#ifndef TERRARIUM_REQUEST_H
#define TERRARIUM_REQUEST_H

#include "sandbox/base/job.h"
#include "reply.h"

#define REQUEST_ID_MAX 33 /* 32 hexadecimal digits and a NUL */

struct request;

/* Make libfcgi ready, once, and have it take over no signal: a process that
 * opens requests, or who forks it. */
void request_prepare(void);

/* Accept a waiting connection of LISTENER (non-blocking); writing to it will
 * not block for longer than TIMEOUT_MS at a time. -EAGAIN when somebody else
 * had it. */
int request_accept(int listener, unsigned timeout_ms);

/*
 * Read the head of the request on CONNECTION, which belongs to the request
 * from then on, also when this fails. All of it has TIMEOUT_MS to arrive, and
 * so has each megabyte of the body. Returns 0; or a negative errno value when
 * there is nobody to answer: the peer left (-ENODATA: before it had said
 * anything), was late or does not speak FastCGI as a web server does; see
 * fastcgi_in.h. Release by request_close().
 */
int request_open(struct request **out, int connection, unsigned timeout_ms);

/*
 * The same in two steps, of which the first reads and the second parses.
 * HEAD, or -1, has what was read from CONNECTION before; both belong to the
 * request.
 */
int request_read(struct request **out, int head, int connection,
		 unsigned timeout_ms);
int request_parse(struct request *request);

/* Before it is parsed: the client's name, at most SIZE - 1 bytes of it. */
void request_client(const struct request *request, char *name, size_t size);

/* Before it is parsed: what was read of it, for another's request_read(). A
 * descriptor, or a negative errno value. */
int request_undo(const struct request *request);

/* Close it without a trace of what was read of it: another comes. */
void request_forget(struct request **request);

/* A parameter's value, "" when it was not sent. Borrowed. */
const char *request_param(const struct request *request, const char *name);

/* A parameter that we rely on was sent twice: refused with 400. */
int request_check(const struct request *request, struct refusal *why);

/* The execution's id: the web server's when that is one, else a new one. */
const char *request_id(const struct request *request);

/* Read the whole body, at most MAX bytes (else 413). Release BODY->data. */
int request_body(struct request *request, uint64_t max, struct bytes *body,
		 struct refusal *why);

/* The connection, to be polled for the peer's hang-up only. */
int request_connection(const struct request *request);

/* Send REPLY and finish the request. 0, or a negative errno value when the
 * peer did not take all of it. */
int reply_send(struct request *request, const struct reply *reply);

void request_close(struct request **request);

#endif
