/*
 * json - JSON text from strangers: first checked whole, then read in place.
 *
 * json_check() is a strict RFC 8259 scanner over the whole text. What passed
 * it can be walked by spans: a span is the exact source text of one value, so
 * an integer of a thousand digits stays what it was, and a field that nobody
 * wants costs no memory. All sizes and offsets are in bytes.
 */
#ifndef TERRARIUM_JSON_H
#define TERRARIUM_JSON_H

#include "sandbox/base/job.h"

struct json_limits {
	unsigned depth; /* containers inside one another, 1 or more; each
			 * one allowed takes 24 bytes during the check */
	size_t keys;	/* members of one object; 0: as many as fit */
	bool nul;	/* "\u0000" in a string is allowed */
	bool twice;	/* a key may be given twice in one object */
};

/* For a request: depth 200, 10,000 keys, no NUL, no key twice. */
extern const struct json_limits json_limits_request;

/*
 * Check SIZE bytes of DATA. Takes linear time (n log n for keys), no stack
 * that grows, and memory for the keys of the objects that are open.
 *
 * Returns 0; -EINVAL with *WHY filled in, status 400 and the offset of the
 * mistake: bad_utf8, bad_json, too_deep, duplicate_key, too_many_keys (413
 * too_large above 4 GiB); -ENOMEM when memory ran out.
 */
int json_check(const char *data, size_t size, const struct json_limits *limits,
	       struct refusal *why);

/*
 * The same for JSON text that a guest made, before it goes into a reply.
 * NUL and any number of keys are fine; a key twice is not what we would
 * write, but it is JSON. Returns 0, -EINVAL or -ENOMEM.
 */
int json_check_value(const char *data, size_t size);

/* The source text of one value, without white space around it. Borrowed from
 * the text that was checked. */
struct json_span {
	const char *data;
	size_t size;
};

enum json_kind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY,
		 JSON_OBJECT, JSON_KINDS };

/* "null", "a boolean", "a number", "a string", "an array", "an object". */
extern const char *const json_kind_names[JSON_KINDS];

/* The whole text as a span. From here on the text must have been checked. */
struct json_span json_whole(const char *data, size_t size);

enum json_kind json_kind(struct json_span span);

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

/* Is the JSON string KEY the ASCII string NAME, once unescaped? */
bool json_is(struct json_span key, const char *name);

/* Do two JSON strings say the same, once unescaped? */
bool json_same(struct json_span a, struct json_span b);

/* Find the member NAME of an object. False when there is none. */
bool json_member(struct json_span object, const char *name,
		 struct json_span *value);

/*
 * Decode a JSON string. OUT->data is allocated, takes at most the span's size
 * while decoding, and has a NUL behind its last byte; the caller frees it.
 * For text in which NUL was refused. Returns 0 or -ENOMEM.
 */
int json_string(struct json_span span, struct bytes *out);

/*
 * Decode the string that lies at AT, with its quotes SIZE bytes long, where it
 * lies: the text is spoilt there. OUT points into it, and has a NUL behind its
 * last byte. For text in which NUL was refused.
 */
void json_string_in_place(char *at, size_t size, struct bytes *out);

/*
 * Read a JSON number that is written as an integer. Returns 0; -EINVAL when
 * it has a fraction or an exponent; -ERANGE when it does not fit.
 */
int json_integer(struct json_span span, long long *out);

#endif
