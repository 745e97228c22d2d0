/*
 * fields - the members of a request's JSON object, by a table.
 *
 * The body is checked whole, then its fields are found as spans, so that a
 * field nobody knows costs no memory however large it is.
 */
#ifndef TERRARIUM_FIELDS_H
#define TERRARIUM_FIELDS_H

#include "json.h"

#define FIELD_ANY JSON_KINDS /* a kind: whatever it is, null too */
#define FIELDS_MAX 16	     /* rows of a table */

struct field {
	const char *name;
	enum json_kind kind; /* JSON_NUMBER: an integer */
	bool required;	     /* null is a wrong type; taken when missing, too,
			      * with a span whose data is NULL */
	int (*take)(void *request, struct json_span span);
};

/* A door's fields, in the order in which they are taken. */
struct fields {
	const struct field *rows;
	size_t count;
	int bad_type; /* HTTP status of a wrong type */
};

/*
 * Check BODY, find its fields, then take each; REQUEST is handed on. A wrong
 * type anywhere comes before what a take() says. Returns 0; -EINVAL with
 * *WHY filled in; -ENOMEM with *WHY filled in, status 500.
 */
int fields_read(const char *body, size_t size, const struct fields *fields,
		void *request, struct refusal *why);

/* For a take(): SPAN, a number, as an integer from 1 to MOST, which is this
 * server's limit. NAME is for the refusals. */
int fields_limit(struct json_span span, const char *name, unsigned most,
		 unsigned *out, struct refusal *why);

/* For a take(): a copy of the source text of SPAN, NUL terminated. */
int fields_copy(struct json_span span, struct bytes *out);

/*
 * For a take(), what JOB is to own: the source text of SPAN, or the string
 * that it is, with a NUL behind. If SPAN lies in the job's body that is where
 * it stays, and the text there is spoilt; else it is a copy. 0 or -ENOMEM.
 */
int fields_source(const struct job *job, struct json_span span,
		  struct bytes *out);
int fields_string(const struct job *job, struct json_span span,
		  struct bytes *out);

/* Nothing but white space? */
bool fields_blank(const struct bytes *text);

#endif
