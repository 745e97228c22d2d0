/*
 * json_key - the keys of JSON objects: reads them unescaped, and finds keys
 * that an object has twice. For json.c and json_check.c only.
 *
 * Keys are compared unescaped, because "code" and "\u0063ode" are the same key.
 * Offsets have 32 bits, because the text is smaller than 4 GiB.
 */
#ifndef TERRARIUM_JSON_KEY_H
#define TERRARIUM_JSON_KEY_H

#include "sandbox/base/base.h"

/* Reads the characters of a JSON string that has been checked. */
struct json_key_reader {
	const unsigned char *at, *end;
};

/* A reader of the string SOURCE, of SIZE bytes with its quotes. */
struct json_key_reader json_key_open(const char *source, size_t size);

/* The next code point, or -1 at the end. */
int32_t json_key_next(struct json_key_reader *reader);

/* The keys of all open objects; those of the innermost object are the last. */
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

/* Add the key of SIZE bytes at OFFSET. 0 or -ENOMEM. */
int json_keys_add(struct json_keys *keys, size_t offset, size_t size);

/*
 * Remove the keys from number FIRST on. True if there are equal keys among
 * them; then *OFFSET is that of the first key that repeats an earlier one.
 */
bool json_keys_close(struct json_keys *keys, size_t first, size_t *offset);

#endif
