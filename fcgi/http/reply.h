/*
 * reply - a reply: a status, a few headers and a body made of parts.
 *
 * The body's length is known before its first byte is sent, so every reply has
 * a Content-Length, and clients notice one that is cut short. A part is text in
 * memory, or a file that is sent as base64 without being held in memory.
 *
 * reply.c builds a reply; request.c has reply_send(), because it alone uses
 * libfcgi.
 */
#ifndef TERRARIUM_REPLY_H
#define TERRARIUM_REPLY_H

#include "sandbox/base/job.h"

struct reply_part {
	char *text;	/* owned; NULL for a file */
	size_t size;	/* bytes of text, or of the file before encoding */
	int fd;		/* borrowed, read from offset 0 with pread(2) */
	bool raw;	/* the file is sent as it is */
};

struct reply {
	int status;
	const char *content_type; /* "application/json" unless set */
	const char *allow;	  /* Allow header, for 405 */
	unsigned retry_after_s;	  /* Retry-After header, when not 0 */
	const char *id;		  /* X-Request-Id, when not NULL */
	bool attachment;	  /* Content-Disposition, for a file */
	unsigned next;		  /* X-Next-Token header, when not 0 */
	struct reply_part *parts;
	size_t parts_count;
	struct text *open;	  /* the text part being written */
	int error;		  /* of the first failure, -ENOMEM; or 0 */
};

void reply_init(struct reply *reply);
void reply_free(struct reply *reply);

/* Append. A failure is noted in reply->error. */
void reply_text(struct reply *reply, const char *text);
void reply_bytes(struct reply *reply, const char *data, size_t size);
void reply_format(struct reply *reply, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Append DATA as a JSON string with its quotes. Invalid UTF-8, also encoded
 * surrogates, becomes U+FFFD, one for each maximal bad sequence. */
void reply_json_string(struct reply *reply, const char *data, size_t size);

void reply_string(struct reply *reply, const char *text);

/* Append checked JSON text on one line. A raw line end in checked JSON is blank
 * space, so it can be replaced. */
void reply_json(struct reply *reply, const struct bytes *json);

/* Append the SIZE bytes of the open file FD as base64 in quotes. */
void reply_base64_file(struct reply *reply, int fd, uint64_t size);

/* Append the SIZE bytes of the open file FD as they are. */
void reply_raw_file(struct reply *reply, int fd, uint64_t size);

/* Set REPLY's status and write the answer to a request that was not run, in the
 * shape of the native API. It has the members that each answer has, so that a
 * client that does not look at the status sees a failure, too. */
void reply_refusal(struct reply *reply, const struct refusal *why);

/* Append `"success":false,"error":{...},` for WHY. */
void reply_failure(struct reply *reply, const struct refusal *why);

/* Length of the whole body in bytes. */
uint64_t reply_length(const struct reply *reply);

#endif
