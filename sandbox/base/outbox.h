/*
 * outbox - bytes on their way to a socket, which are sent as far as it takes
 * them without waiting.
 */
#ifndef TERRARIUM_OUTBOX_H
#define TERRARIUM_OUTBOX_H

#include "base.h"

/* Bytes from which on a sink should get no more output, and below which it
 * should again. */
#define OUTBOX_FULL (64u << 10)
#define OUTBOX_LOW (32u << 10)

/* All zero but FD is an empty one. */
struct outbox {
	int fd; /* a socket, borrowed */
	char *data;
	size_t at, size, room; /* of DATA: sent, filled, allocated */
	uint64_t sent; /* bytes in all */
	int64_t moved; /* io_now_ms() of the last byte sent, or of the first
			* that had to wait */
	int error; /* -ENOMEM, or of send(2): -EPIPE, ...; then nothing is
		    * added or sent */
};

void outbox_add(struct outbox *outbox, const void *data, size_t size);

/* Send as much as the socket takes now. */
void outbox_push(struct outbox *outbox);

/* Bytes that wait. */
size_t outbox_left(const struct outbox *outbox);

/* Should it get no more? FULL is the last answer. */
bool outbox_is_full(const struct outbox *outbox, bool full);

/* Release the memory; nothing waits any more. */
void outbox_free(struct outbox *outbox);

#endif
