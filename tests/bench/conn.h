/*
 * conn - one client's connection of the load generator: TLS, kept alive,
 * one request at a time.
 */
#ifndef BENCH_CONN_H
#define BENCH_CONN_H

#include <openssl/ssl.h>

#include "sandbox/base/base.h"

enum conn_state { CONN_CLOSED, CONN_IDLE, CONN_SENDING, CONN_READING };

struct text {
	char *data;
	size_t size;
};

/* The reply. BODY is borrowed until the next request. */
struct conn_reply {
	int status;
	bool retry_after;
	bool closing; /* the server closes the connection behind it */
	const char *body;
	size_t size;
};

struct conn {
	enum conn_state state;
	int fd;
	SSL *ssl;
	const struct text *request; /* borrowed */
	size_t sent;
	char *in;
	size_t have, room;
	size_t head; /* bytes up to the body; 0: not all here */
	struct conn_reply reply;
	int64_t begun; /* ns, the caller's */
};

/* Connect to PORT of this host and shake hands, blocking. */
int conn_open(struct conn *conn, SSL_CTX *tls, unsigned port);

void conn_close(struct conn *conn);

void conn_release(struct conn *conn);

/* Send as much of REQUEST as fits without waiting; conn_step() goes on with it.
 * Returns 0, or -ECONNRESET. */
int conn_begin(struct conn *conn, const struct text *request);

/*
 * Go on without waiting. Returns 1 when conn->reply is whole,
 * 0 when it is not, or a negative errno value: -ECONNRESET for an end in
 * the middle, -EBADMSG for what is not HTTP as nginx speaks it.
 */
int conn_step(struct conn *conn);

#endif
