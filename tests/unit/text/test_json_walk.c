/*
 * test_json_walk - walking JSON that the scanner let through: members, items,
 * strings, numbers.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "sandbox/text/json.h"

static void assert_span(struct json_span span, const char *text)
{
	assert_int_equal(span.size, strlen(text));
	assert_memory_equal(span.data, text, span.size);
}

static void members_are_exact_spans(void **state)
{
	static const char text[] =
		" { \"a\" : 123456789012345678901234567890 , \"b\":[ 1 , {} ]"
		",\"\\u0063\":{\"d\" : \"]}\\\"\\\\\" } , \"e\":\"\\\\\",\"f\""
		":-1.5 } ";
	struct json_span body = json_whole(LIT(text)), span;

	(void)state;
	assert_true(json_member(body, "a", &span));
	assert_span(span, "123456789012345678901234567890");
	assert_true(json_member(body, "b", &span));
	assert_span(span, "[ 1 , {} ]");
	assert_true(json_member(body, "c", &span));
	assert_span(span, "{\"d\" : \"]}\\\"\\\\\" }");
	assert_true(json_member(body, "e", &span));
	assert_span(span, "\"\\\\\"");
	assert_true(json_member(body, "f", &span));
	assert_span(span, "-1.5");
	assert_false(json_member(body, "d", &span));
	assert_false(json_member(body, "", &span));
	assert_false(json_member(body, "aa", &span));
	assert_false(json_is(json_whole(LIT("\"a\\u0000b\"")), "a"));
	assert_true(json_is(json_whole(LIT("\"\"")), ""));
}

static void arrays_are_walked(void **state)
{
	static const char *const want[] = { "1", "\"a,]\"", "[[],2]", "{}",
					    "null" };
	static const char text[] = "[ 1,\"a,]\", [[],2] ,{} , null\n]";
	struct json_walk walk = json_walk(json_whole(LIT(text)));
	size_t count = 0;

	(void)state;
	for (; json_next(&walk); count++) {
		assert_int_equal(walk.index, count);
		assert_span(walk.value, want[count]);
	}
	assert_int_equal(count, ARRAY_LEN(want));
	walk = json_walk(json_whole(LIT(" [ ] ")));
	assert_false(json_next(&walk));
	walk = json_walk(json_whole(LIT("{}")));
	assert_false(json_next(&walk));
}

static void strings_are_decoded(void **state)
{
	struct bytes out;

	(void)state;
	assert_int_equal(json_string(json_whole(LIT(
		"\"\\u00e4\\ud83d\\ude00\\n\\/\xe2\x82\xac\"")), &out), 0);
	assert_string_equal(out.data,
			    "\xc3\xa4\xf0\x9f\x98\x80\n/\xe2\x82\xac");
	assert_int_equal(out.size, 11);
	free(out.data);
	assert_int_equal(json_string(json_whole(LIT("\"\"")), &out), 0);
	assert_int_equal(out.size, 0);
	assert_string_equal(out.data, "");
	free(out.data);
}

static void strings_are_decoded_in_place(void **state)
{
	static const struct {
		const char *text, *meaning;
	} rows[] = {
		{ "\"\"", "" }, { "\"a\"", "a" }, { "\"\\n\"", "\n" },
		{ "\"a\\u00e4b\\ud83d\\ude00c\\n\\/\xe2\x82\xac\"",
		  "a\xc3\xa4" "b\xf0\x9f\x98\x80" "c\n/\xe2\x82\xac" },
		{ "\"\\u007f\\u0080\\u07ff\\u0800\\uffff\"",
		  "\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf" },
		{ "\"\\ud800\\udc00\\udbff\\udfff\\\\\"",
		  "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\\" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		owned_free char *copy = strdup(rows[i].text);
		struct bytes out;

		json_string_in_place(copy, strlen(rows[i].text), &out);
		assert_string_equal(out.data, rows[i].meaning);
		assert_int_equal(out.size, strlen(rows[i].meaning));
		assert_ptr_equal(out.data, copy + 1);
	}
}

/* Quotes and backslashes on both sides of where a search is broken up. */
static void long_strings_are_walked(void **state)
{
	enum { LONG = 40000 };
	static const char *const ends[] = { "\"", "\\\"\"", "\\\\\"",
					    "\\\"x\"" };
	owned_free char *text = malloc(LONG + 16);

	(void)state;
	for (size_t size = 16370; size < 16400; size++)
		for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
			struct json_walk walk;

			memset(text, 'x', LONG);
			memcpy(text, "[\"", 2);
			strcpy(text + size, ends[i]);
			strcat(text, ",7]");
			walk = json_walk(json_whole(text, strlen(text)));
			assert_true(json_next(&walk));
			assert_int_equal(walk.value.size,
					 size - 1 + strlen(ends[i]));
			assert_true(json_next(&walk));
			assert_span(walk.value, "7");
			assert_false(json_next(&walk));
		}
}

static void integers_are_exact(void **state)
{
	static const struct {
		const char *text;
		int rc;
		long long number;
	} rows[] = {
		{ "0", 0, 0 }, { "-0", 0, 0 }, { "-17", 0, -17 },
		{ "9223372036854775807", 0, INT64_MAX },
		{ "9223372036854775808", -ERANGE, 0 },
		{ "1.0", -EINVAL, 0 }, { "1e3", -EINVAL, 0 },
		{ "1000000000000000000000000000000000", -ERANGE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		long long number = 0;
		struct json_span span = json_whole(rows[i].text,
						   strlen(rows[i].text));

		assert_int_equal(json_integer(span, &number), rows[i].rc);
		if (rows[i].rc == 0)
			assert_true(number == rows[i].number);
	}
}

static void kinds_are_told_apart(void **state)
{
	static const char *const texts[JSON_KINDS] = {
		"null", "true", "-1", "\"\"", "[]", "{}",
	};

	(void)state;
	for (size_t i = 0; i < JSON_KINDS; i++)
		assert_int_equal(json_kind(json_whole(texts[i],
						      strlen(texts[i]))), i);
	assert_int_equal(json_kind(json_whole(LIT("false"))), JSON_BOOL);
	assert_int_equal(json_kind(json_whole(LIT("7"))), JSON_NUMBER);
}

/* Many escapes before a distant quote: one pass, not one for each. */
static void walking_is_linear(void **state)
{
	enum { SIZE = 4000000 };
	owned_free char *text = malloc(SIZE);
	struct json_walk walk;
	int64_t start = io_now_ms();

	(void)state;
	memset(text, '\\', SIZE);
	memcpy(text, "[\"", 2);
	for (size_t i = 3; i < SIZE - 2; i += 2)
		text[i] = 'n';
	memcpy(text + SIZE - 2, "\"]", 2);
	walk = json_walk(json_whole(text, SIZE));
	assert_true(json_next(&walk));
	assert_int_equal(walk.value.size, SIZE - 2);
	assert_false(json_next(&walk));
	assert_true(io_now_ms() - start < 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_are_exact_spans),
		cmocka_unit_test(arrays_are_walked),
		cmocka_unit_test(strings_are_decoded),
		cmocka_unit_test(strings_are_decoded_in_place),
		cmocka_unit_test(long_strings_are_walked),
		cmocka_unit_test(integers_are_exact),
		cmocka_unit_test(kinds_are_told_apart),
		cmocka_unit_test(walking_is_linear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
