/*
 * fuzz_json - any bytes as JSON.
 *
 * Besides memory errors: a refusal points inside the text; what passes can be
 * walked, each span is JSON by itself, spans and what lies between them make
 * up the whole; and a string survives decoding and encoding.
 */
#include <string.h>

#include "sandbox/text/json.h"
#include "sandbox/text/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void want(bool truth)
{
	if (!truth)
		abort();
}

static bool is_ascii(const char *text)
{
	while (*text > 0)
		text++;
	return !*text;
}

/* Decoded in place, the text equals a decoded copy. */
static void fuzz_in_place(struct json_span span, const struct bytes *copy)
{
	owned_free char *text = malloc(span.size);
	struct bytes out;

	want(text);
	memcpy(text, span.data, span.size);
	json_string_in_place(text, span.size, &out);
	want(out.size == copy->size &&
	     memcmp(out.data, copy->data, out.size + 1) == 0);
}

/* Decode, encode, decode: the same again. */
static void fuzz_string(struct json_span span)
{
	struct text text = { 0 };
	struct bytes first, second;

	want(json_string(span, &first) == 0);
	fuzz_in_place(span, &first);
	want(text_utf8_bad(first.data, first.size) == first.size);
	text_add_json(&text, first.data, first.size);
	want(text.error == 0);
	want(json_string(json_whole(text.data, text.size), &second) == 0);
	want(first.size == second.size &&
	     memcmp(first.data, second.data, first.size) == 0);
	want(json_is(span, first.data) || !is_ascii(first.data));
	text_free(&text);
	free(first.data);
	free(second.data);
}

static void fuzz_walk(struct json_span span);

static void fuzz_container(struct json_span span)
{
	struct json_walk walk = json_walk(span);
	const char *at = span.data + 1;

	while (json_next(&walk)) {
		if (walk.keyed) {
			want(walk.key.data >= at);
			fuzz_string(walk.key);
			at = walk.key.data + walk.key.size;
		}
		want(walk.value.data >= at);
		at = walk.value.data + walk.value.size;
		want(at < span.data + span.size);
		fuzz_walk(walk.value);
	}
}

static void fuzz_walk(struct json_span span)
{
	enum json_kind kind = json_kind(span);
	long long number;

	want(span.size > 0);
	want(json_check_value(span.data, span.size) == 0);
	if (kind == JSON_STRING)
		fuzz_string(span);
	if (kind == JSON_NUMBER)
		(void)json_integer(span, &number);
	if (kind == JSON_ARRAY || kind == JSON_OBJECT)
		fuzz_container(span);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct json_limits limits = { .depth = 12, .keys = 20 };
	struct refusal why = { 0 };
	int rc = json_check((const char *)data, size, &limits, &why);

	if (rc == 0) {
		fuzz_walk(json_whole((const char *)data, size));
		return 0;
	}
	want(why.status == 400 && why.has_offset && why.offset <= size);
	want(why.message[0] && strlen(why.message) < sizeof(why.message) - 1);
	(void)json_check_value((const char *)data, size);
	return 0;
}
