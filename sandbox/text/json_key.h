/*
 * json_key - the keys of JSON objects: read unescaped, and found when they
 * are given twice. For json.c and json_check.c only.
 *
 * "code" and "\u0063ode" are the same key, so keys are compared by what they
 * mean. Offsets are 32 bits wide: the text is smaller than 4 GiB.
 */
#ifndef TERRARIUM_JSON_KEY_H
#define TERRARIUM_JSON_KEY_H

#include "sandbox/base/base.h"

/* Reads the characters of a JSON string that has been checked. */
struct json_key_reader {
	const unsigned char *at, *end;
};

/* SOURCE is the string's text with its quotes. */
struct json_key_reader json_key_open(const char *source, size_t size);

/* The next code point, or -1 at the end. */
int32_t json_key_next(struct json_key_reader *reader);

/* The keys of the objects that are open, the innermost one's last. */
struct json_key {
	uint64_t hash;
	uint32_t offset, size;
};
struct json_keys {
	const char *text;
	struct json_key *list;
	size_t count, room;
	uint64_t seed;
};

/* TEXT is borrowed. */
void json_keys_init(struct json_keys *keys, const char *text);
void json_keys_free(struct json_keys *keys);

/* Remember the string of SIZE bytes at OFFSET. 0 or -ENOMEM. */
int json_keys_add(struct json_keys *keys, size_t offset, size_t size);

/*
 * Look through the keys from number FIRST on and forget them. True when one
 * of them was given before; *OFFSET is where the first such one is then.
 */
bool json_keys_close(struct json_keys *keys, size_t first, size_t *offset);

#endif
