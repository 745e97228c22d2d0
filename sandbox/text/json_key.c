/*
 * json_key - see json_key.h. Sorting finds equal keys in n log n, whatever the
 * keys are.
 *
 * Keys sort by a hash first, so that long keys with a common beginning are not
 * read many times. The hash has a new random seed for each text. A collision
 * costs a comparison and gives no wrong result.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* qsort_r */
#endif
#include "json_key.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#define KEYS_ROOM_FIRST 64

struct json_key_reader json_key_open(const char *source, size_t size)
{
	const unsigned char *at = (const unsigned char *)source;

	if (size < 2)
		return (struct json_key_reader){ at, at };
	return (struct json_key_reader){ at + 1, at + size - 1 };
}

static int32_t json_key_hex_digit(unsigned char byte)
{
	return byte <= '9' ? byte - '0' : (byte | 32) - 'a' + 10;
}

/* The four digits of \uXXXX; AT is on the first. */
static int32_t json_key_hex_unit(const unsigned char *at)
{
	return json_key_hex_digit(at[0]) << 12 |
	       json_key_hex_digit(at[1]) << 8 | json_key_hex_digit(at[2]) << 4 |
	       json_key_hex_digit(at[3]);
}

/* The reader is after the backslash. */
static int32_t json_key_next_escape(struct json_key_reader *reader)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	unsigned char letter = *reader->at++;
	const char *found = strchr(from, letter);
	int32_t unit;

	if (letter != 'u')
		return found ? to[found - from] : letter;
	unit = json_key_hex_unit(reader->at);
	reader->at += 4;
	if (unit < 0xd800 || unit > 0xdbff)
		return unit;
	unit = (unit - 0xd800) << 10 |
	       (json_key_hex_unit(reader->at + 2) - 0xdc00);
	reader->at += 6;
	return unit + 0x10000;
}

int32_t json_key_next(struct json_key_reader *reader)
{
	int32_t unit;
	int more;

	if (reader->at == reader->end)
		return -1;
	unit = *reader->at++;
	if (unit == '\\')
		return json_key_next_escape(reader);
	if (unit < 0x80)
		return unit;
	more = unit >= 0xf0 ? 3 : unit >= 0xe0 ? 2 : 1;
	unit &= 0x3f >> more;
	while (more--)
		unit = unit << 6 | (*reader->at++ & 0x3f);
	return unit;
}

void json_keys_init(struct json_keys *keys, const char *text)
{
	*keys = (struct json_keys){ .text = text };
	if (getrandom(&keys->seed, sizeof(keys->seed), GRND_NONBLOCK) < 0)
		keys->seed = (uintptr_t)keys;
}

void json_keys_free(struct json_keys *keys)
{
	free(keys->list);
	keys->list = NULL;
}

static struct json_key_reader json_key_reader_of(const struct json_keys *keys,
						 const struct json_key *key)
{
	return json_key_open(keys->text + key->offset, key->size);
}

static uint64_t json_key_hash(const struct json_keys *keys,
			      const struct json_key *key)
{
	struct json_key_reader reader = json_key_reader_of(keys, key);
	uint64_t hash = keys->seed;
	int32_t unit;

	while ((unit = json_key_next(&reader)) >= 0) {
		hash = (hash ^ (uint64_t)unit) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

int json_keys_add(struct json_keys *keys, size_t offset, size_t size)
{
	struct json_key *key;

	if (keys->count == keys->room) {
		size_t room = keys->room ? keys->room * 2 : KEYS_ROOM_FIRST;

		key = reallocarray(keys->list, room, sizeof(*key));
		if (!key)
			return -ENOMEM;
		keys->list = key;
		keys->room = room;
	}
	key = &keys->list[keys->count++];
	key->offset = (uint32_t)offset;
	key->size = (uint32_t)size;
	key->hash = json_key_hash(keys, key);
	return 0;
}

static int json_key_compare_text(const struct json_keys *keys,
				 const struct json_key *a,
				 const struct json_key *b)
{
	struct json_key_reader left = json_key_reader_of(keys, a);
	struct json_key_reader right = json_key_reader_of(keys, b);
	int32_t x, y;

	do {
		x = json_key_next(&left);
		y = json_key_next(&right);
	} while (x == y && x >= 0);
	return (x > y) - (x < y);
}

static int json_key_compare(const void *left, const void *right, void *context)
{
	const struct json_key *a = left, *b = right;
	int rc = (a->hash > b->hash) - (a->hash < b->hash);

	if (rc == 0)
		rc = json_key_compare_text(context, a, b);
	return rc ? rc : (a->offset > b->offset) - (a->offset < b->offset);
}

bool json_keys_close(struct json_keys *keys, size_t first, size_t *offset)
{
	size_t count = keys->count - first;
	struct json_key *list;
	bool found = false;

	keys->count = first;
	if (count < 2)
		return false;
	list = keys->list + first;
	qsort_r(list, count, sizeof(*list), json_key_compare, keys);
	for (size_t i = 1; i < count; i++) {
		if (list[i - 1].hash != list[i].hash ||
		    json_key_compare_text(keys, &list[i - 1], &list[i]) != 0)
			continue;
		if (!found || list[i].offset < *offset)
			*offset = list[i].offset;
		found = true;
	}
	return found;
}
