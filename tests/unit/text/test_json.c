/*
 * test_json - the scanner, against RFC 8259 and against texts that other
 * readers accept.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sandbox/text/json.h"
#include "sandbox/text/json_key.h"

static const char *const good[] = {
	"null", "true", "false", "0", "-0", "12", "-1.5e+10", "1E5", "0.0e-0",
	"1e999", "\"\"", " \t\r\n[ ] \n", "{}", "[1,[2,{\"a\":[]}],3]",
	"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e4\"", "\"\\ud83d\\ude00\"",
	"\"\\uD83D\\uDE00\"", "\"\x7f\xe2\x80\xa8\"", "\"\xc3\xa4\"",
	"{\"\":1,\"__proto__\":2,\"a\":{\"a\":1}}", "[{\"a\":1},{\"a\":1}]",
	"{\"a\":1,\"A\":2}", "{\"e\\u0301\":1,\"\xc3\xa9\":2}",
	"{\"\\ud83d\\ude00\":1,\"\\ud83d\\ude01\":2}",
};

struct bad_row {
	const char *text;
	size_t size;
	const char *code;
	long offset; /* -1: not looked at */
};

static const struct bad_row bad_rows[] = {
	{ LIT(""), "bad_json", 0 },
	{ LIT("   "), "bad_json", 3 },
	{ LIT("{} {}"), "bad_json", 3 },
	{ LIT("{}x"), "bad_json", 2 },
	{ LIT("{}\0"), "bad_json", 2 },
	{ LIT("1 2"), "bad_json", 2 },
	{ LIT("[1,]"), "bad_json", 3 },
	{ LIT("[,1]"), "bad_json", 1 },
	{ LIT("[1 2]"), "bad_json", 3 },
	{ LIT("[1}"), "bad_json", 2 },
	{ LIT("{\"a\":1]"), "bad_json", 6 },
	{ LIT("{\"a\":1,}"), "bad_json", 7 },
	{ LIT("{\"a\" 1}"), "bad_json", 5 },
	{ LIT("{\"a\":}"), "bad_json", 5 },
	{ LIT("{a:1}"), "bad_json", 1 },
	{ LIT("{1:1}"), "bad_json", 1 },
	{ LIT("{'a':1}"), "bad_json", 1 },
	{ LIT("[1]//x"), "bad_json", 3 },
	{ LIT("/**/[]"), "bad_json", 0 },
	{ LIT("NaN"), "bad_json", 0 },
	{ LIT("Infinity"), "bad_json", 0 },
	{ LIT("-Infinity"), "bad_json", 1 },
	{ LIT("nul"), "bad_json", 0 },
	{ LIT("nulll"), "bad_json", 4 },
	{ LIT("True"), "bad_json", 0 },
	{ LIT("00"), "bad_json", 1 },
	{ LIT("01"), "bad_json", 1 },
	{ LIT("+1"), "bad_json", 0 },
	{ LIT("-"), "bad_json", 1 },
	{ LIT(".5"), "bad_json", 0 },
	{ LIT("5."), "bad_json", 2 },
	{ LIT("1.e1"), "bad_json", 2 },
	{ LIT("1e"), "bad_json", 2 },
	{ LIT("1e+"), "bad_json", 3 },
	{ LIT("0x10"), "bad_json", 1 },
	{ LIT("1_000"), "bad_json", 1 },
	{ LIT("\"a"), "bad_json", 2 },
	{ LIT("\"\\"), "bad_json", 2 },
	{ LIT("\"\\x41\""), "bad_json", 2 },
	{ LIT("\"\\\0\""), "bad_json", 2 },
	{ LIT("\"\\u12\""), "bad_json", 5 },
	{ LIT("\"\\u12g4\""), "bad_json", 5 },
	{ LIT("\"\\u\x10" "123\""), "bad_json", 3 },
	{ LIT("\"\\ud800\""), "bad_json", 1 },
	{ LIT("\"\\udc00\""), "bad_json", 1 },
	{ LIT("\"\\ude00\\ud83d\""), "bad_json", 1 },
	{ LIT("\"\\ud800\\u0041\""), "bad_json", 1 },
	{ LIT("\"\\ud800\\ud800\\udc00\""), "bad_json", 1 },
	{ LIT("\"\\ud800\\n\""), "bad_json", 1 },
	{ LIT("\"\\u0000\""), "bad_json", 1 },
	{ LIT("{\"a\\u0000\":1}"), "bad_json", 3 },
	{ LIT("\"\n\""), "bad_json", 1 },
	{ LIT("\"\0\""), "bad_utf8", 0 },
	{ LIT("\"ab\0\""), "bad_json", 3 },
	{ LIT("\"\x1f\""), "bad_json", 1 },
	{ LIT("\xef\xbb\xbf{}"), "bad_json", 0 },
	{ LIT("\xff\xfe{\0}\0"), "bad_utf8", 0 },
	{ LIT("\xfe\xff\0{\0}"), "bad_utf8", 0 },
	{ LIT("{\0}\0"), "bad_utf8", 0 },
	{ LIT("\0{\0}"), "bad_utf8", 0 },
	{ LIT("{\0\0\0}\0\0\0"), "bad_utf8", 0 },
	{ LIT("\"\xc0\x80\""), "bad_utf8", 1 },
	{ LIT("\"\xed\xa0\x80\""), "bad_utf8", 1 },
	{ LIT("\"\xf5\x80\x80\x80\""), "bad_utf8", 1 },
	{ LIT("\"a\xff\""), "bad_utf8", 2 },
	{ LIT("\"\xe2\x82"), "bad_utf8", 1 },
	{ LIT("\xc2\xa0{}"), "bad_json", 0 },
	{ LIT("{\"a\":1,\"b\":2,\"a\":3}"), "duplicate_key", 13 },
	{ LIT("{\"code\":1,\"\\u0063ode\":2}"), "duplicate_key", 10 },
	{ LIT("{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":2}"),
	  "duplicate_key", 18 },
	{ LIT("{\"\xe2\x82\xac\":1,\"\\u20AC\":2}"), "duplicate_key", 9 },
	{ LIT("{\"\\n\":1,\"\\u000a\":2}"), "duplicate_key", 8 },
	{ LIT("{\"\":1,\"\":2}"), "duplicate_key", 6 },
	{ LIT("[{\"x\":{\"a\":1,\"a\":1}}]"), "duplicate_key", 13 },
	{ LIT("{\"a\":{\"b\":1,\"c\":2},\"a\":3}"), "duplicate_key", 19 },
};

static int check(const char *text, size_t size, struct refusal *why)
{
	/* An exact copy, so that a sanitizer sees a byte too many. */
	owned_free char *copy = malloc(size ? size : 1);

	*why = (struct refusal){ 0 };
	memcpy(copy, text, size);
	return json_check(copy, size, &json_limits_request, why);
}

static void good_text_passes(void **state)
{
	struct refusal why = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		if (check(good[i], strlen(good[i]), &why))
			fail_msg("%s: %s", good[i], why.message);
		assert_int_equal(json_check_value(good[i], strlen(good[i])), 0);
	}
}

static void bad_text_is_refused(void **state)
{
	struct refusal why = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad_rows); i++) {
		const struct bad_row *row = &bad_rows[i];

		if (check(row->text, row->size, &why) != -EINVAL)
			fail_msg("row %zu was accepted: %s", i, row->text);
		if (strcmp(why.code, row->code) != 0 || !why.has_offset ||
		    (long)why.offset != row->offset)
			fail_msg("row %zu, %s: %s at %zu, want %s at %ld: %s",
				 i, row->text, why.code, why.offset, row->code,
				 row->offset, why.message);
		assert_int_equal(why.status, 400);
	}
}

static void every_cut_is_refused(void **state)
{
	static const char text[] =
		"{\"code\":\"a\\u00e4\\ud83d\\ude00\xe2\x82\xac\",\"n\":[1.5e3,"
		"true,null,{}],\"o\":{\"k\":\"v\"}}";
	struct refusal why = { 0 };

	(void)state;
	assert_int_equal(check(LIT(text), &why), 0);
	for (size_t cut = 0; cut < sizeof(text) - 1; cut++) {
		assert_int_equal(check(text, cut, &why), -EINVAL);
		assert_true(why.offset <= cut);
	}
}

/* COUNT times OPEN, then COUNT times CLOSE. */
static char *nested(const char *open, const char *close, size_t count,
		    size_t *size)
{
	size_t a = strlen(open), b = strlen(close);
	char *text = malloc(count * (a + b) + 1);

	for (size_t i = 0; i < count; i++)
		memcpy(text + i * a, open, a);
	for (size_t i = 0; i < count; i++)
		memcpy(text + count * a + i * b, close, b);
	*size = count * (a + b);
	return text;
}

static int check_nested(const char *open, const char *close, size_t count,
			const struct json_limits *limits, struct refusal *why)
{
	size_t size;
	owned_free char *text = nested(open, close, count, &size);

	return json_check(text, size, limits, why);
}

static void depth_is_capped(void **state)
{
	const struct json_limits *limits = &json_limits_request;
	struct json_limits deep = { .depth = 65535 };
	struct refusal why = { 0 };

	(void)state;
	assert_int_equal(check_nested("[", "]", 200, limits, &why), 0);
	assert_int_equal(check_nested("[", "]", 201, limits, &why), -EINVAL);
	assert_string_equal(why.code, "too_deep");
	assert_int_equal(why.offset, 200);
	assert_int_equal(check_nested("{\"a\":", "}", 201, limits, &why),
			 -EINVAL);
	assert_string_equal(why.code, "too_deep");
	assert_int_equal(check_nested("[", "", 1000000, limits, &why), -EINVAL);
	assert_string_equal(why.code, "too_deep");
	assert_int_equal(check_nested("[", "]", 65535, &deep, &why), 0);
	assert_int_equal(check_nested("[", "]", 65536, &deep, &why), -EINVAL);
}

/* An object with COUNT keys, the last like the first if TWICE. */
static char *many_keys(size_t count, bool twice, const char *stem)
{
	char *text = malloc(count * (strlen(stem) + 16) + 2), *at = text;

	*at++ = '{';
	for (size_t i = 0; i < count; i++)
		at += sprintf(at, "%s\"%s%zu\":1", i ? "," : "", stem,
			      twice && i + 1 == count ? 0 : i);
	strcpy(at, "}");
	return text;
}

static int check_keys(size_t count, bool twice, struct refusal *why)
{
	owned_free char *text = many_keys(count, twice, "k");

	return json_check(text, strlen(text), &json_limits_request, why);
}

static void keys_are_capped(void **state)
{
	struct refusal why = { 0 };

	(void)state;
	assert_int_equal(check_keys(10000, false, &why), 0);
	assert_int_equal(check_keys(10001, false, &why), -EINVAL);
	assert_string_equal(why.code, "too_many_keys");
	assert_int_equal(check_keys(10000, true, &why), -EINVAL);
	assert_string_equal(why.code, "duplicate_key");
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* How long it takes to check TEXT with LIMITS. */
static double time_of(const char *text, const struct json_limits *limits)
{
	struct refusal why = { 0 };
	double start = seconds();

	(void)json_check(text, strlen(text), limits, &why);
	return seconds() - start;
}

/* Keys with a long beginning in common: each is read a few times, not once
 * for each comparison of a sort, which takes some thirty times as long as
 * the check without them. */
static void long_keys_cost_little(void **state)
{
	const struct json_limits lax = { .depth = 200, .twice = true };
	static char stem[2001];
	owned_free char *text = NULL;
	double fast, slow;

	(void)state;
	memset(stem, 'k', 2000);
	text = many_keys(9999, false, stem);
	fast = time_of(text, &lax);
	slow = time_of(text, &json_limits_request);
	assert_true(slow < 12 * fast + 0.05);
}

static void the_first_repeat_is_named(void **state)
{
	struct refusal why = { 0 };

	(void)state;
	assert_int_equal(check(LIT("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,"
				   "\"f\":1,\"g\":1,\"h\":1,\"h\":1,\"g\":1,"
				   "\"f\":1,\"e\":1,\"d\":1,\"c\":1,\"b\":1,"
				   "\"a\":1}"), &why), -EINVAL);
	assert_int_equal(why.offset, 49);
}

/* Keys with the same hash are told apart by their text. */
static void collisions_cost_no_answer(void **state)
{
	static const char text[] = "\"a\"\"b\"\"c\"\"d\"\"e\"\"f\"\"b\"";
	struct json_keys keys;

	(void)state;
	for (size_t count = 6; count <= 7; count++) {
		size_t offset = 0;

		json_keys_init(&keys, text);
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(json_keys_add(&keys, 3 * i, 3), 0);
			keys.list[i].hash = 1;
		}
		assert_int_equal(json_keys_close(&keys, 0, &offset),
				 count == 7);
		assert_int_equal(offset, count == 7 ? 18 : 0);
		json_keys_free(&keys);
	}
}

static void encodings_are_named(void **state)
{
	struct refusal why = { 0 };

	(void)state;
	(void)check(LIT("\xef\xbb\xbf{}"), &why);
	assert_non_null(strstr(why.message, "byte order mark"));
	(void)check(LIT("\xff\xfe{\0}\0"), &why);
	assert_non_null(strstr(why.message, "UTF-16"));
	(void)check(LIT("\xfe\xff\0{\0}"), &why);
	assert_non_null(strstr(why.message, "UTF-16"));
	(void)check(LIT("{\0}\0"), &why);
	assert_non_null(strstr(why.message, "UTF-16"));
}

static void refusals_echo_little(void **state)
{
	static char text[400100];
	struct refusal why = { 0 };
	int n = sprintf(text, "{\"%*s\":1,\"%*s\":2}", 200000, "\x01", 200000,
			"x");

	(void)state;
	assert_int_equal(check(text, (size_t)n, &why), -EINVAL);
	n = sprintf(text, "{\"%200000s\":1,\"%200000s\":2}", "x", "x");
	assert_int_equal(check(text, (size_t)n, &why), -EINVAL);
	assert_string_equal(why.code, "duplicate_key");
	assert_true(strlen(why.message) < 140);
}

static void guests_may_do_more(void **state)
{
	owned_free char *text = many_keys(20000, false, "k");

	(void)state;
	assert_int_equal(json_check_value(text, strlen(text)), 0);
	assert_int_equal(json_check_value(LIT("\"\\u0000\"")), 0);
	assert_int_equal(json_check_value(LIT("{\"1\":1,\"1\":2}")), 0);
	assert_int_equal(json_check_value(LIT("NaN")), -EINVAL);
	assert_int_equal(json_check_value(LIT("1,\"success\":true")), -EINVAL);
	assert_int_equal(json_check_value(LIT("\"\xff\"")), -EINVAL);
	assert_int_equal(json_check_value(LIT("")), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good_text_passes),
		cmocka_unit_test(bad_text_is_refused),
		cmocka_unit_test(every_cut_is_refused),
		cmocka_unit_test(depth_is_capped),
		cmocka_unit_test(keys_are_capped),
		cmocka_unit_test(long_keys_cost_little),
		cmocka_unit_test(the_first_repeat_is_named),
		cmocka_unit_test(collisions_cost_no_answer),
		cmocka_unit_test(encodings_are_named),
		cmocka_unit_test(refusals_echo_little),
		cmocka_unit_test(guests_may_do_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
