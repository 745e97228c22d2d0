/*
 * fastcgi_in - one FastCGI request as it arrives on a connection, checked
 * byte by byte before any library reads it.
 *
 * It accepts the part of the protocol that web servers use: one request in the
 * role of a responder; all of its parameters, and then its body, to the record
 * that ends it. It reads no further.
 */
#ifndef TERRARIUM_FASTCGI_IN_H
#define TERRARIUM_FASTCGI_IN_H

#include "sandbox/base/job.h"

#define FASTCGI_IN_PARAMS_MAX 65536 /* bytes, with the lengths of each */
#define FASTCGI_IN_NAMES_MAX 256 /* number of parameters */
#define FASTCGI_IN_HEADER 8 /* bytes of a record's header */
#define FASTCGI_IN_CONTENT_MAX 65528 /* bytes of a record without padding */

struct fastcgi_in {
	int fd; /* borrowed */
	int head; /* a file to be read before FD; -1: none; borrowed */
	unsigned timeout_ms;
	int64_t end; /* deadline, io_now_ms() */
	uint16_t id; /* the peer's number of the request */
	bool over;   /* the body has ended or broken off: read no more */
	size_t content, padding; /* left of the present record */
	size_t at, size;	 /* of buffer: used, filled */
	char buffer[65536];
	size_t params_size;
	char params[FASTCGI_IN_PARAMS_MAX]; /* names and values as they came */
};

/*
 * Read the parameters of the request on FD. All of them must arrive within
 * TIMEOUT_MS, in however many pieces. 0; -ENODATA if the peer left before its
 * first byte, -ECONNRESET if it left later; -ETIMEDOUT; -E2BIG for too many
 * parameters; -EPROTO for bytes that are no such request.
 */
int fastcgi_in_open(struct fastcgi_in *in, int fd, unsigned timeout_ms);

/* The same for a connection that was read in part. HEAD holds that part, as
 * made by fastcgi_in_undo(). */
int fastcgi_in_resume(struct fastcgi_in *in, int head, int fd,
		      unsigned timeout_ms);

/* All bytes read so far, as a file for fastcgi_in_resume(). No byte of the body
 * may have been taken. A descriptor, or a negative errno value. */
int fastcgi_in_undo(const struct fastcgi_in *in);

/* Copy the value of the parameter NAME to TEXT, cut at SIZE - 1 bytes. "" if it
 * was not sent. */
void fastcgi_in_param(const struct fastcgi_in *in, const char *name,
		      char *text, size_t size);

/*
 * Read at most SIZE bytes of the body. Returns their number, 0 at its end, or
 * an error as above. The time-out holds for each megabyte.
 */
ssize_t fastcgi_in_read(struct fastcgi_in *in, char *data, size_t size);

/* Read and drop the rest of the request, until its end, the peer's hang-up or
 * the time-out. Without this the peer would get a reset instead of its answer.
 */
void fastcgi_in_drain(struct fastcgi_in *in);

/* Write the header of a record of the answer with SIZE bytes of content, at most
 * FASTCGI_IN_CONTENT_MAX. */
void fastcgi_in_answer_header(const struct fastcgi_in *in,
			      char header[FASTCGI_IN_HEADER], size_t size);

/* Send a record of the answer. RECORD begins with FASTCGI_IN_HEADER bytes of
 * room for its header; SIZE bytes of content follow, at most
 * FASTCGI_IN_CONTENT_MAX. 0 or a negative errno value. */
int fastcgi_in_answer(const struct fastcgi_in *in, char *record,
		      size_t size);

/* The parameters as a request without a body, in a file to be read from its
 * start. A descriptor, or a negative errno value. */
int fastcgi_in_head(const struct fastcgi_in *in);

#endif
