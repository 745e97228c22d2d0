/*
 * session_pieces - the results of a session's call as they come, on the way
 * from its session keeper to the worker's sink (sink.h).
 *
 * A piece is the head of an answer, SESSION_ORDER_PIECE, and its bytes with
 * their size (transfer.h). When the worker does not take them, the sink of the
 * session keeper is full, so the program waits.
 */
#ifndef TERRARIUM_SESSION_PIECES_H
#define TERRARIUM_SESSION_PIECES_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outbox.h"
#include "sandbox/base/sink.h"
#include "sandbox/ipc/transfer.h"

/* ---- session keeper -------------------------------------------------- */

struct session_pieces {
	struct sink sink; /* the first member: the run gets it */
	struct outbox out;
};

/* FD is the call's channel. */
void session_pieces_init(struct session_pieces *pieces, int fd);

/* Send those that wait, and release their memory. All zero has none. */
void session_pieces_finish(struct session_pieces *pieces,
			   struct transfer *channel);

/* ---- worker ---------------------------------------------------------- */

/* The most that may still come, in bytes and in number. */
struct session_pieces_left {
	uint64_t out, err, displays;
	unsigned displays_count;
};

struct session_pieces_left session_pieces_left(const struct limits *limits);

/* Wait until CHANNEL can be read, TIMEOUT_MS at most, while SINK is served.
 * Until SINK can take more, that does not count as readable. False with an
 * error in CHANNEL: -ECANCELED also when SINK has one. */
bool session_pieces_wait(struct sink *sink, struct transfer *channel,
			 int timeout_ms);

/* Receive the bytes of a piece, whose head said KIND, and pass them to SINK.
 * False with an error in CHANNEL. */
bool session_pieces_pass(struct sink *sink, struct transfer *channel,
			 uint32_t kind, struct session_pieces_left *left);

#endif
