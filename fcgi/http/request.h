/*
 * request - one FastCGI request on one connection: its parameters, its body,
 * and the answer. Only request.c uses libfcgi.
 */
#ifndef TERRARIUM_REQUEST_H
#define TERRARIUM_REQUEST_H

#include <sys/socket.h>

#include "sandbox/base/job.h"
#include "reply.h"

#define REQUEST_ID_MAX 33 /* 32 hexadecimal digits and a NUL */

struct request;

/* Prepare libfcgi, and undo its changes to signal handlers. Called once, by a
 * process that opens requests or by its parent. */
void request_prepare(void);

/* Accept a waiting connection of LISTENER (non-blocking). A write to it blocks
 * for TIMEOUT_MS at most. PEER, unless it is NULL, gets the other end's address.
 * -EAGAIN if another process has taken it, or LISTENER was shut down;
 * -ECONNABORTED if the network has lost it. */
int request_accept(int listener, unsigned timeout_ms,
		   struct sockaddr_storage *peer);

/*
 * Read the head of the request on CONNECTION, which belongs to the request
 * from then on, also after an error. The head has TIMEOUT_MS to arrive, and so
 * has each megabyte of the body. Returns 0, or a negative errno value of
 * fastcgi_in_open(), after which no answer is possible. Release by
 * request_close().
 */
int request_open(struct request **out, int connection, unsigned timeout_ms);

/*
 * The same in two steps: the first reads, the second parses. HEAD (or -1) holds
 * the bytes that were read from CONNECTION before, by another process. Both
 * belong to the request.
 */
int request_read(struct request **out, int head, int connection,
		 unsigned timeout_ms);
int request_parse(struct request *request);

/* Copy the client's name to NAME, at most SIZE - 1 bytes. It needs no parsed
 * request. */
void request_client(const struct request *request, char *name, size_t size);

/* Before it is parsed: the bytes that were read, for another process's
 * request_read(). A descriptor, or a negative errno value. */
int request_undo(const struct request *request);

/* Close it and erase all bytes that were read, before the next request. */
void request_forget(struct request **request);

/* A parameter's value, "" if it was not sent. Borrowed. */
const char *request_param(const struct request *request, const char *name);

/* Refuse, with 400, a parameter that we rely on and that was sent twice. */
int request_check(const struct request *request, struct refusal *why);

/* The execution's id: the web server's if it has the form of one, else a new
 * one. */
const char *request_id(const struct request *request);

/* Read the whole body, at most MAX bytes (else 413). Release BODY->data. */
int request_body(struct request *request, uint64_t max, struct bytes *body,
		 struct refusal *why);

/* The connection, to be polled for the peer's hang-up only. */
int request_connection(const struct request *request);

/* Send REPLY and finish the request. 0, or a negative errno value if the peer
 * did not receive all of it. */
int reply_send(struct request *request, const struct reply *reply);

/* Send REPLY, which is text, and close the connection, when all of the body has
 * been read. Only the parameters can be used from then on; request_finish() is
 * not called. Errors as above. */
int reply_send_early(struct request *request, const struct reply *reply);

/*
 * For an answer that is sent in pieces (stream.h): write the header of a record
 * with SIZE bytes of it, at most REQUEST_PIECE_MAX; and, when all records are
 * sent, finish the request.
 */
#define REQUEST_PIECE_HEADER 8
#define REQUEST_PIECE_MAX 65528
void request_piece(const struct request *request,
		   char header[REQUEST_PIECE_HEADER], size_t size);
void request_finish(struct request *request);

void request_close(struct request **request);

#endif
