/*
 * fastcgi_in - one FastCGI request as it arrives on a connection, looked at
 * byte by byte before any library sees it.
 *
 * Taken is what a web server sends, and nothing else of the protocol: one
 * request in the role of a responder; its parameters, whole, and then its
 * body, to the record that ends it. What comes behind that is not read.
 */
#ifndef TERRARIUM_INTAKE_H
#define TERRARIUM_INTAKE_H

#include "sandbox/base/job.h"

#define FASTCGI_IN_PARAMS_MAX \
	65536 /* bytes of parameters, with their lengths */
#define FASTCGI_IN_NAMES_MAX 256 /* number of parameters */
#define FASTCGI_IN_HEADER 8 /* bytes of a record's */
#define FASTCGI_IN_CONTENT_MAX 65528 /* without padding */

struct fastcgi_in {
	int fd; /* borrowed */
	int head; /* a file to be read before it; -1: none; borrowed */
	unsigned timeout_ms;
	int64_t end; /* when we lose patience; io_now_ms() */
	uint16_t id; /* the peer's number of the request */
	bool over;   /* the body has ended, or broken off: no more is read */
	size_t content, padding; /* left of the present record */
	size_t at, size;	 /* of buffer: used, filled */
	char buffer[65536];
	size_t params_size;
	char params[FASTCGI_IN_PARAMS_MAX]; /* names and values as they came */
};

/*
 * Read the parameters of the request on FD. They have TIMEOUT_MS to arrive,
 * all of them, however often something comes. 0; -ENODATA when the peer left
 * without a word, -ETIMEDOUT, -ECONNRESET when it left later, -E2BIG for too
 * many parameters, -EPROTO for anything that is no request.
 */
int fastcgi_in_open(struct fastcgi_in *intake, int fd, unsigned timeout_ms);

/* The same, for a connection of which a part was read: HEAD has that part, as
 * fastcgi_in_undo() has made it. */
int fastcgi_in_resume(struct fastcgi_in *intake, int head, int fd,
		      unsigned timeout_ms);

/* All that was read so far, from the parameters on, as a file for
 * fastcgi_in_resume(); nothing of the body may have been taken. A descriptor,
 * or a negative errno value. */
int fastcgi_in_undo(const struct fastcgi_in *intake);

/* Copy the value of the parameter NAME to TEXT, cut at SIZE - 1 bytes; "" when
 * it was not sent. */
void fastcgi_in_param(const struct fastcgi_in *intake, const char *name,
		      char *text, size_t size);

/*
 * Read at most SIZE bytes of the body. Returns their number, 0 at its end, or
 * an error as above. Each megabyte has the time-out that was given.
 */
ssize_t fastcgi_in_read(struct fastcgi_in *intake, char *data, size_t size);

/* Read and forget what the peer still sends, until it has sent its request,
 * has left, or the time-out has passed: it then finds its answer instead of
 * an error. */
void fastcgi_in_drain(struct fastcgi_in *intake);

/* A record of the answer to it: SIZE bytes of content, at most
 * FASTCGI_IN_CONTENT_MAX, lie behind FASTCGI_IN_HEADER bytes of room at RECORD.
 */
int fastcgi_in_answer(const struct fastcgi_in *intake, char *record,
		      size_t size);

/* The parameters as a request of their own without a body, as a file to be
 * read from its start. A descriptor, or a negative errno value. */
int fastcgi_in_head(const struct fastcgi_in *intake);

#endif
