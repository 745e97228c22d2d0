/*
 * fields - reading the members of a request's JSON object by a table.
 *
 * The whole body is checked first. Then its fields are found as spans, so that
 * an unknown field costs no memory, however large it is.
 */
#ifndef TERRARIUM_FIELDS_H
#define TERRARIUM_FIELDS_H

#include "json.h"
#include "shape.h"

#define FIELD_ANY JSON_KINDS /* a kind: any value, null included */
#define FIELD_NUMBER (JSON_KINDS + 1) /* a kind: a number, also a fraction */
#define FIELDS_MAX 16	     /* rows of a table */

struct field {
	const char *name;
	unsigned kind; /* enum json_kind, or one of the above. JSON_NUMBER:
			* an integer */
	bool required;	     /* null is a wrong type; TAKE is also called for
			      * a missing field, with a span of no data */
	int (*take)(void *request, struct json_span span);
	/* For the description of the API: the value's form (shape.h; NULL: that
	 * of its kind), and a sentence. */
	const char *shape, *about;
};

/* The fields of an API, in the order in which they are taken. */
struct fields {
	const struct field *rows;
	size_t count;
	int bad_type; /* HTTP status of a wrong type */
	/* Called for each member that is in no row, with its name; may be
	 * NULL. 0 or a negative errno value. */
	int (*unknown)(void *request, struct json_span key);
};

/*
 * Check BODY, find its fields, then call each field's take() with REQUEST. A
 * wrong type of any field is reported before any error of a take(). Returns 0;
 * -EINVAL with *WHY filled in; or -ENOMEM with *WHY filled in, status 500.
 */
int fields_read(const char *body, size_t size, const struct fields *fields,
		void *request, struct refusal *why);

/* The same for an object of a text that was checked before. */
int fields_read_object(struct json_span object, const struct fields *fields,
		       void *request, struct refusal *why);

/* For a take(): read the number SPAN as an integer from 1 to MOST, which is
 * this server's limit. NAME is for the refusal. 0, or -EINVAL with *WHY filled
 * in. */
int fields_limit(struct json_span span, const char *name, unsigned most,
		 unsigned *out, struct refusal *why);

/* For a take(): copy the source text of SPAN, NUL terminated. 0 or -ENOMEM. */
int fields_copy(struct json_span span, struct bytes *out);

/*
 * For a take(): get the source text of SPAN, or the string that SPAN is, NUL
 * terminated, for JOB to own. If SPAN is in the job's body, OUT points into the
 * body and the body is modified there; otherwise OUT is a copy. 0 or -ENOMEM.
 */
int fields_source(const struct job *job, struct json_span span,
		  struct bytes *out);
int fields_string(const struct job *job, struct json_span span,
		  struct bytes *out);

/* Describe FIELDS as the members of an object (shape.h), those that are
 * required first. */
void fields_describe(const struct fields *fields,
		     struct shape_row rows[FIELDS_MAX]);

/* Whether TEXT is empty or only white space. */
bool fields_blank(const struct bytes *text);

#endif
