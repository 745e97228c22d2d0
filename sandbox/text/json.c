/*
 * json - see json.h: walks checked JSON text and reads its scalars. The check
 * is in json_check.c.
 *
 * These functions do not check the text again, but never read past its end.
 */
#include "json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <string.h>

#include "json_key.h"

const char *const json_kind_names[JSON_KINDS] = {
	[JSON_NULL] = "null",	  [JSON_BOOL] = "a boolean",
	[JSON_NUMBER] = "a number", [JSON_STRING] = "a string",
	[JSON_ARRAY] = "an array",  [JSON_OBJECT] = "an object",
};

static bool json_is_blank(char byte)
{
	return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
}

static const char *json_skip_blank(const char *at, const char *end)
{
	while (at < end && json_is_blank(*at))
		at++;
	return at;
}

struct json_span json_whole(const char *data, size_t size)
{
	const char *end = data + size;

	data = json_skip_blank(data, end);
	while (end > data && json_is_blank(end[-1]))
		end--;
	return (struct json_span){ data, (size_t)(end - data) };
}

enum json_kind json_kind(struct json_span span)
{
	static const unsigned char kinds[256] = {
		['n'] = JSON_NULL,   ['t'] = JSON_BOOL,	  ['f'] = JSON_BOOL,
		['"'] = JSON_STRING, ['['] = JSON_ARRAY,  ['{'] = JSON_OBJECT,
		['-'] = JSON_NUMBER, ['0'] = JSON_NUMBER, ['1'] = JSON_NUMBER,
		['2'] = JSON_NUMBER, ['3'] = JSON_NUMBER, ['4'] = JSON_NUMBER,
		['5'] = JSON_NUMBER, ['6'] = JSON_NUMBER, ['7'] = JSON_NUMBER,
		['8'] = JSON_NUMBER, ['9'] = JSON_NUMBER,
	};

	return span.size ? kinds[(unsigned char)span.data[0]] : JSON_NULL;
}

#define SKIP_BLOCK 16384 /* bytes that fit into a cache */

/* The end of the string at AT, the opening quote. Most strings, such as base64,
 * have no backslash, so two searches find the end. Blocks keep the text in the
 * cache for the second search. */
static const char *json_skip_string(const char *at, const char *end)
{
	const char *slash;

	at++;
	while (at < end) {
		size_t left = (size_t)(end - at);
		size_t block = left < SKIP_BLOCK ? left : SKIP_BLOCK;
		const char *quote = memchr(at, '"', block);
		const char *stop = quote ? quote : at + block;

		slash = memchr(at, '\\', (size_t)(stop - at));
		if (!slash && quote)
			return quote + 1;
		at = slash ? slash + 2 : stop;
	}
	return end;
}

static const char *json_skip_container(const char *at, const char *end)
{
	size_t depth = 0;

	while (at < end) {
		if (*at == '"') {
			at = json_skip_string(at, end);
			continue;
		}
		if (*at == '{' || *at == '[')
			depth++;
		else if (*at == '}' || *at == ']')
			depth--;
		at++;
		if (depth == 0)
			break;
	}
	return at;
}

static bool json_ends_scalar(char byte)
{
	return json_is_blank(byte) || byte == ',' || byte == '}' || byte == ']';
}

static const char *json_skip_value(const char *at, const char *end)
{
	if (at == end)
		return end;
	if (*at == '"')
		return json_skip_string(at, end);
	if (*at == '{' || *at == '[')
		return json_skip_container(at, end);
	while (at < end && !json_ends_scalar(*at))
		at++;
	return at;
}

struct json_walk json_walk(struct json_span container)
{
	struct json_walk walk = { 0 };

	if (container.size < 2)
		return walk;
	walk.keyed = container.data[0] == '{';
	walk.at = container.data + 1;
	walk.end = container.data + container.size - 1;
	return walk;
}

static struct json_span json_next_span(struct json_walk *walk)
{
	const char *start = json_skip_blank(walk->at, walk->end);

	walk->at = json_skip_value(start, walk->end);
	return (struct json_span){ start, (size_t)(walk->at - start) };
}

/* Skip blanks and the comma or colon after them. */
static void json_skip_mark(struct json_walk *walk)
{
	walk->at = json_skip_blank(walk->at, walk->end);
	if (walk->at < walk->end)
		walk->at++;
}

bool json_next(struct json_walk *walk)
{
	if (!walk->at || json_skip_blank(walk->at, walk->end) == walk->end)
		return false;
	if (walk->keyed) {
		walk->key = json_next_span(walk);
		json_skip_mark(walk);
	}
	walk->value = json_next_span(walk);
	json_skip_mark(walk);
	walk->index = walk->next++;
	return true;
}

bool json_is_true(struct json_span span)
{
	return span.size == 4 && span.data[0] == 't';
}

bool json_is(struct json_span key, const char *name)
{
	struct json_key_reader reader = json_key_open(key.data, key.size);
	int32_t unit;

	for (; (unit = json_key_next(&reader)) >= 0; name++)
		if (unit != (unsigned char)*name || !*name)
			return false;
	return *name == '\0';
}

bool json_same(struct json_span a, struct json_span b)
{
	struct json_key_reader left = json_key_open(a.data, a.size);
	struct json_key_reader right = json_key_open(b.data, b.size);
	int32_t unit;

	do {
		unit = json_key_next(&left);
		if (unit != json_key_next(&right))
			return false;
	} while (unit >= 0);
	return true;
}

bool json_member(struct json_span object, const char *name,
		 struct json_span *value)
{
	struct json_walk walk = json_walk(object);

	while (json_next(&walk)) {
		if (!json_is(walk.key, name))
			continue;
		*value = walk.value;
		return true;
	}
	return false;
}

int json_string(struct json_span span, struct bytes *out)
{
	cJSON *node = cJSON_ParseWithLengthOpts(span.data, span.size, NULL, 0);

	*out = (struct bytes){ 0 };
	if (!node)
		return -ENOMEM;
	out->data = take_ptr(&node->valuestring);
	cJSON_Delete(node);
	if (!out->data)
		return -ENOMEM;
	out->size = strlen(out->data);
	/* cJSON allocates for the escaped length. */
	if (memchr(span.data, '\\', span.size)) {
		char *less = realloc(out->data, out->size + 1);

		if (less)
			out->data = less;
	}
	return 0;
}

static char *json_put_character(char *to, uint32_t unit)
{
	static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
	int size = unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit < 0x10000 ? 3 : 4;

	for (int i = size - 1; i > 0; i--, unit >>= 6)
		to[i] = (char)(0x80 | (unit & 0x3f));
	to[0] = (char)(leads[size] | unit);
	return to + size;
}

/* An escape is never shorter than its character in UTF-8, so the write position
 * never passes the read position. */
void json_string_in_place(char *at, size_t size, struct bytes *out)
{
	char *from = at + 1, *end = at + size - 1, *to = from;

	out->data = to;
	while (from < end) {
		char *slash = memchr(from, '\\', (size_t)(end - from));
		size_t plain = (size_t)((slash ? slash : end) - from);

		if (to != from)
			memmove(to, from, plain);
		to += plain;
		if (!slash)
			break;
		struct json_key_reader reader = {(unsigned char *)slash,
						 (unsigned char *)end};

		to = json_put_character(to, (uint32_t)json_key_next(&reader));
		from = slash + (reader.at - (unsigned char *)slash);
	}
	*to = '\0';
	out->size = (size_t)(to - out->data);
}

int json_string_bytes(struct json_span span, struct bytes *out)
{
	char *copy = malloc(span.size + 1);

	*out = (struct bytes){ 0 };
	if (!copy)
		return -ENOMEM;
	memcpy(copy, span.data, span.size);
	json_string_in_place(copy, span.size, out);
	out->data = memmove(copy, out->data, out->size + 1);
	return 0;
}

int json_integer(struct json_span span, long long *out)
{
	char digits[24];

	for (size_t i = 0; i < span.size; i++)
		if (span.data[i] != '-' &&
		    (span.data[i] < '0' || span.data[i] > '9'))
			return -EINVAL;
	if (span.size >= sizeof(digits))
		return -ERANGE;
	memcpy(digits, span.data, span.size);
	digits[span.size] = '\0';
	errno = 0;
	*out = strtoll(digits, NULL, 10);
	return -errno;
}
