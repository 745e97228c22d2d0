/*
 * test_text - the buffer, UTF-8, JSON strings and base64.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <string.h>

#include "sandbox/text/text.h"

#define FFFD "\xef\xbf\xbd"

struct sample {
	const char *in;
	size_t in_size;
	const char *out;
	size_t out_size;
};

static void assert_text(const struct text *text, const char *out, size_t size)
{
	assert_int_equal(text->error, 0);
	assert_int_equal(text->size, size);
	assert_memory_equal(text->data, out, size);
}

static void buffer_grows(void **state)
{
	struct text text = { 0 };

	(void)state;
	for (int i = 0; i < 10000; i++)
		text_format(&text, "%d,", i % 10);
	text_add(&text, "end", 3);
	assert_int_equal(text.size, 20003);
	assert_memory_equal(text.data + 19998, "9,end", 5);
	text_free(&text);
	assert_null(text.data);
}

static void buffer_remembers_failure(void **state)
{
	struct text text = { 0 };

	(void)state;
	text_add(&text, "ab", 2);
	text_add(&text, "x", SIZE_MAX / 2);
	assert_int_equal(text.error, -ENOMEM);
	text_add(&text, "cd", 2);
	assert_int_equal(text.size, 2);
	text_free(&text);
}

/* Bad sequences, and the repaired text. */
static const struct sample repairs[] = {
	{ LIT("plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x7f"),
	  LIT("plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\x7f") },
	{ LIT("\xf4\x8f\xbf\xbf\xee\x80\x80\xed\x9f\xbf\xc2\x80"),
	  LIT("\xf4\x8f\xbf\xbf\xee\x80\x80\xed\x9f\xbf\xc2\x80") },
	{ LIT("a\xff" "b"), LIT("a" FFFD "b") },
	{ LIT("\x80\x80"), LIT(FFFD FFFD) },
	{ LIT("\xc0\x80"), LIT(FFFD FFFD) },
	{ LIT("\xc1\xbf"), LIT(FFFD FFFD) },
	{ LIT("\xe0\x9f\xbf"), LIT(FFFD FFFD FFFD) },
	{ LIT("\xf0\x8f\xbf\xbf"), LIT(FFFD FFFD FFFD FFFD) },
	{ LIT("\xf4\x90\x80\x80"), LIT(FFFD FFFD FFFD FFFD) },
	{ LIT("\xf5\x80\x80\x80"), LIT(FFFD FFFD FFFD FFFD) },
	{ LIT("\xe2\x82" "x"), LIT(FFFD "x") },
	{ LIT("\xf0\x9f\x98"), LIT(FFFD) },
	{ LIT("\xf0\x9f\x98" "x"), LIT(FFFD "x") },
	{ LIT("\xc3"), LIT(FFFD) },
	{ LIT("\xc3\xc3\xa4"), LIT(FFFD "\xc3\xa4") },
	{ LIT("\xed\xa0\x80"), LIT(FFFD) },
	{ LIT("\xed\xbf\xbf"), LIT(FFFD) },
	{ LIT("\xed\xa0\x80\xed\xb0\x80"), LIT(FFFD FFFD) },
	{ LIT("\xed\xa0"), LIT(FFFD FFFD) },
	{ LIT("\xed\xa0x"), LIT(FFFD FFFD "x") },
};

static void utf8_is_repaired(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(repairs); i++) {
		const struct sample *row = &repairs[i];
		struct text text = { 0 };

		text_add_utf8(&text, row->in, row->in_size);
		assert_text(&text, row->out, row->out_size);
		text_free(&text);
	}
}

static void utf8_is_judged(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(repairs); i++) {
		const struct sample *row = &repairs[i];
		bool same = row->in_size == row->out_size &&
			    memcmp(row->in, row->out, row->in_size) == 0;

		assert_int_equal(text_utf8_bad(row->in, row->in_size) ==
				 row->in_size, same);
		assert_int_equal(text_utf8_bad(row->out, row->out_size),
				 row->out_size);
	}
	assert_int_equal(text_utf8_bad(LIT("0123456789abcdef\xff")), 16);
	assert_int_equal(text_utf8_bad(LIT("\xc3\xa4" "1234567\xe2\x82")), 9);
}

static const struct sample ascii[] = {
	{ LIT(""), LIT("") },
	{ LIT("{\"a\":\"\\u0000\x7f\"}\n"), LIT("{\"a\":\"\\u0000\x7f\"}\n") },
	{ LIT("\xc2\x80\xdf\xbf"), LIT("\\u0080\\u07ff") },
	{ LIT("\xe0\xa0\x80\xe2\x80\xa8\xef\xbf\xbf"),
	  LIT("\\u0800\\u2028\\uffff") },
	{ LIT("\xf0\x90\x80\x80\xf0\x9f\x90\x8d\xf4\x8f\xbf\xbf"),
	  LIT("\\ud800\\udc00\\ud83d\\udc0d\\udbff\\udfff") },
	{ LIT("x\xff" "y\xe2\x82"), LIT("x\\ufffdy\\ufffd") },
};

static void json_becomes_ascii(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(ascii); i++) {
		const struct sample *row = &ascii[i];
		struct text text = {0};

		text_add_ascii(&text, row->in, row->in_size);
		assert_int_equal(text.size, row->out_size);
		if (text.size)
			assert_memory_equal(text.data, row->out, text.size);
		text_free(&text);
	}
}

/* Every text of up to four of these bytes, cut anywhere. */
static void a_cut_text_is_repaired_as_in_one_piece(void **state)
{
	static const char bytes[] = {'a',    '\x80', '\x9f', '\xa0', '\xbf',
				     '\xc0', '\xc3', '\xe0', '\xe2', '\xed',
				     '\xf0', '\xf4', '\xf5', '\xff'};
	const size_t count = ARRAY_LEN(bytes);

	(void)state;
	for (size_t n = 0; n < count * count * count * count; n++) {
		const char in[] = {bytes[n % count], bytes[n / count % count],
				   bytes[n / count / count % count],
				   bytes[n / count / count / count]};
		struct text whole = {0};

		text_add_utf8(&whole, in, sizeof(in));
		for (size_t cut = 1; cut < sizeof(in); cut++) {
			size_t held = text_utf8_unfinished(in, cut);
			struct text text = {0};

			assert_in_range(held, 0, cut);
			text_add_utf8(&text, in, cut - held);
			text_add_utf8(&text, in + cut - held,
				      sizeof(in) - cut + held);
			assert_int_equal(text.size, whole.size);
			assert_memory_equal(text.data, whole.data, text.size);
			text_free(&text);
		}
		text_free(&whole);
	}
}

static const struct sample strings[] = {
	{ LIT(""), LIT("\"\"") },
	{ LIT("a\"b\\c/"), LIT("\"a\\\"b\\\\c/\"") },
	{ LIT("\b\f\n\r\t"), LIT("\"\\b\\f\\n\\r\\t\"") },
	{ LIT("\0\x01\x1f"), LIT("\"\\u0000\\u0001\\u001f\"") },
	{ LIT("\x7f\xe2\x80\xa8\xe2\x80\xa9"),
	  LIT("\"\x7f\xe2\x80\xa8\xe2\x80\xa9\"") },
	{ LIT("x\xff\n\xed\xa0\x80" "y\xe2\x82"),
	  LIT("\"x" FFFD "\\n" FFFD "y" FFFD "\"") },
};

static void json_strings_are_escaped(void **state)
{
	struct text none = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(strings); i++) {
		struct text text = { 0 };

		text_add_json(&text, strings[i].in, strings[i].in_size);
		assert_text(&text, strings[i].out, strings[i].out_size);
		text_free(&text);
	}
	text_add_json(&none, NULL, 0);
	assert_text(&none, LIT("\"\""));
	text_free(&none);
}

static void shown_text_is_short(void **state)
{
	char out[TEXT_SHOW_SIZE], many[200];

	(void)state;
	assert_string_equal(text_show(out, LIT("a\n\\\"\xff")),
			    "a\\x0a\\x5c\"\\xff");
	memset(many, 'x', sizeof(many));
	text_show(out, many, 64);
	assert_int_equal(strlen(out), 64);
	text_show(out, many, 65);
	assert_int_equal(strlen(out), 67);
	assert_string_equal(out + 64, "...");
	memset(many, '\n', sizeof(many));
	text_show(out, many, sizeof(many));
	assert_int_equal(strlen(out), 67);
}

static const struct sample good_base64[] = {
	{ LIT(""), LIT("") },
	{ LIT("Zg=="), LIT("f") },
	{ LIT("Zm8="), LIT("fo") },
	{ LIT("Zm9v"), LIT("foo") },
	{ LIT("Zm9vYg=="), LIT("foob") },
	{ LIT("Zm9vYmE="), LIT("fooba") },
	{ LIT("Zm9vYmFy"), LIT("foobar") },
	{ LIT("+/+/AAAA"), LIT("\xfb\xff\xbf\0\0\0") },
};

static void base64_is_decoded(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good_base64); i++) {
		const struct sample *row = &good_base64[i];
		char data[16];
		size_t size;

		memcpy(data, row->in, row->in_size);
		assert_int_equal(text_base64_decode(data, row->in_size, &size),
				 0);
		assert_int_equal(size, row->out_size);
		assert_memory_equal(data, row->out, size);
	}
}

/* White space and missing padding, and what stays wrong (NULL). */
static const struct {
	const char *in, *out;
} loose_base64[] = {
	{"", ""}, {" \n", ""}, {"Zg", "f"}, {"Zg=", "f"}, {"Zg==", "f"},
	{"Zm8", "fo"}, {" Z m 8 = \r\n", "fo"}, {"Zm9v\n", "foo"},
	{"Zm9vYg", "foob"}, {"Zm9vYmFy", "foobar"},
	{"Zm9v\r\nYmFy\r\nZm9v\r\nYmFy\r\n", "foobarfoobar"},
	{"Zm9vYmFyZm9vYmFyZm9vYmE", "foobarfoobarfooba"},
	{"Zm9vYmFyZm9vYmFyZm9v Yg =", "foobarfoobarfoob"},
	{"Z", NULL}, {"=", NULL}, {"==", NULL}, {"Zm9v=", NULL},
	{"Zm9v==", NULL}, {"Zg===", NULL}, {"Zm8==", NULL}, {"Zg==Zg==", NULL},
	{"Zh", NULL}, {"Zm9vYmFyZm9vYmFy-m9v", NULL}, {"Zg\xc2\xa0==", NULL},
	{"Zm9vYmFyZm9vYm*yZm9vYmFy", NULL}, {"Zm9v*mFyZm9v", NULL},
};

static void base64_is_decoded_loosely(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(loose_base64); i++) {
		const char *in = loose_base64[i].in, *out = loose_base64[i].out;
		char data[64];
		size_t size = strlen(in);

		memcpy(data, in, size);
		int rc = text_base64_decode_loosely(data, size, &size);

		if (rc != (out ? 0 : -EINVAL))
			fail_msg("\"%s\": %d", in, rc);
		if (!out)
			continue;
		assert_int_equal(size, strlen(out));
		assert_memory_equal(data, out, size);
	}
}

static void base64_is_strict(void **state)
{
	static const char *const rows[] = {
		"Z", "Zg", "Zg=", "Zg===", "=", "==", "====", "A===", "=AAA",
		"A=AA", "AA=A", "Zh==", "Zo==", "Zm9=", "Zm+=",
		"Zm9v\n", "Zm9v\n===", " Zg==",
		"Zg==Zg==", "Zm 9v===", "-_-_", "Zm9*", "Zm\xc3\xa4",
		"*m9vZm9v", "Zm8=Zm8=", "Zm9vZg==Zm9v", "AAAA\nAAA", "AA==AAAA",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char data[16];
		size_t size;

		memcpy(data, rows[i], strlen(rows[i]));
		if (text_base64_decode(data, strlen(rows[i]), &size) != -EINVAL)
			fail_msg("\"%s\" was accepted", rows[i]);
	}
}

/* Encode IN in pieces of STEP bytes and compare. */
static void encode_in_steps(const struct sample *row, size_t step)
{
	struct text_base64 encoder = { 0 };
	char out[32];
	size_t used = 0;

	for (size_t at = 0; at < row->out_size; at += step) {
		size_t size = row->out_size - at;

		size = size < step ? size : step;
		used += text_base64_encode(&encoder, row->out + at, size,
					   out + used);
	}
	used += text_base64_finish(&encoder, out + used);
	assert_int_equal(used, row->in_size);
	assert_int_equal(used, text_base64_length(row->out_size));
	assert_memory_equal(out, row->in, used);
}

static void base64_is_encoded(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good_base64); i++)
		for (size_t step = 1; step < 8; step++)
			encode_in_steps(&good_base64[i], step);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffer_grows),
		cmocka_unit_test(buffer_remembers_failure),
		cmocka_unit_test(utf8_is_repaired),
		cmocka_unit_test(utf8_is_judged),
		cmocka_unit_test(json_strings_are_escaped),
		cmocka_unit_test(json_becomes_ascii),
		cmocka_unit_test(a_cut_text_is_repaired_as_in_one_piece),
		cmocka_unit_test(shown_text_is_short),
		cmocka_unit_test(base64_is_decoded),
		cmocka_unit_test(base64_is_decoded_loosely),
		cmocka_unit_test(base64_is_strict),
		cmocka_unit_test(base64_is_encoded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
