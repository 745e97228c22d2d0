/*
 * json - untrusted JSON text: checked as a whole, then read in place.
 *
 * json_check() is a strict RFC 8259 scanner of the whole text. A text that has
 * passed it can be walked by spans. A span is the exact source text of one
 * value. So an integer of a thousand digits keeps its value, and an unused
 * field costs no memory. All sizes and offsets are in bytes.
 */
#ifndef TERRARIUM_JSON_H
#define TERRARIUM_JSON_H

#include "sandbox/base/job.h"

struct json_limits {
	unsigned depth; /* most nested containers, 1 or more; each takes 24
			 * bytes during the check */
	size_t keys;	/* most members of one object; 0: no limit */
	bool nul;	/* "\u0000" in a string is allowed */
	bool twice;	/* equal keys are allowed in one object */
};

/* For a request: depth 200, 10,000 keys, no NUL, no equal keys. */
extern const struct json_limits json_limits_request;

/*
 * Check SIZE bytes of DATA. The time is linear (n log n for keys), the stack is
 * constant, and the memory is that for the keys of open objects.
 *
 * Returns 0; -EINVAL with *WHY filled in, with status 400 and the offset of the
 * mistake: bad_utf8, bad_json, too_deep, duplicate_key, too_many_keys (above 4
 * GiB: 413 too_large); or -ENOMEM.
 */
int json_check(const char *data, size_t size, const struct json_limits *limits,
	       struct refusal *why);

/*
 * The same for JSON text of a guest, before it goes into a reply. NUL, equal
 * keys and any number of keys are allowed. 0, -EINVAL or -ENOMEM.
 */
int json_check_value(const char *data, size_t size);

/* The source text of one value, without white space around it. It is borrowed
 * from the checked text. */
struct json_span {
	const char *data;
	size_t size;
};

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY,
		 JSON_OBJECT, JSON_KINDS };

/* "null", "a boolean", "a number", "a string", "an array", "an object". */
extern const char *const json_kind_names[JSON_KINDS];

/* The whole text as a span. This and all functions below need a text that
 * json_check() has passed. */
struct json_span json_whole(const char *data, size_t size);

enum json_kind json_kind(struct json_span span);
bool json_is_true(struct json_span span);

/*
 * Walk the members of an object or the elements of an array:
 *	struct json_walk walk = json_walk(span);
 *	while (json_next(&walk)) ... walk.key, walk.value ...
 */
struct json_walk {
	struct json_span key;	/* a string, with quotes; empty in an array */
	struct json_span value;
	size_t index;		/* of VALUE, from 0 */
	/* private */
	const char *at, *end;
	size_t next;
	bool keyed;
};
struct json_walk json_walk(struct json_span container);
bool json_next(struct json_walk *walk);

/* Whether the JSON string KEY, unescaped, is the ASCII string NAME. */
bool json_is(struct json_span key, const char *name);

/* Whether two JSON strings are the same, unescaped. */
bool json_same(struct json_span a, struct json_span b);

/* Find the member NAME of an object. False: there is none. */
bool json_member(struct json_span object, const char *name,
		 struct json_span *value);

/*
 * Decode a JSON string, of a text in which NUL was refused. OUT->data is
 * allocated, NUL terminated and the caller's; while decoding it takes at most
 * the span's size. 0 or -ENOMEM.
 */
int json_string(struct json_span span, struct bytes *out);

/* The same for a text in which NUL is allowed: OUT may hold some. */
int json_string_bytes(struct json_span span, struct bytes *out);

/*
 * Decode in place the JSON string of SIZE bytes, with its quotes, at AT, of a
 * text in which NUL was refused. OUT points into the string and is NUL
 * terminated. The text is not JSON afterwards.
 */
void json_string_in_place(char *at, size_t size, struct bytes *out);

/*
 * Read a JSON number without a fraction or an exponent (else -EINVAL). 0, or
 * -ERANGE if it does not fit.
 */
int json_integer(struct json_span span, long long *out);

#endif
