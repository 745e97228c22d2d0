/*
 * test_word - which characters are part of a word.
 */
#include <string.h>

#include "tests/unit/support.h"
#include "sandbox/text/word.h"

static const struct {
	const char *text;
	size_t bytes; /* of its first character, if that is part of a word */
} word_examples[] = {
	{"a", 1}, {"Z", 1}, {"0", 1}, {"_", 1}, {"", 0}, {"-", 0}, {".", 0},
	{"/", 0}, {" ", 0}, {"\n", 0}, {"\x7f", 0}, {"@", 0}, {"[", 0},
	{"`", 0}, {"{", 0}, {"\xc3\xa4", 2},	      /* a with dots */
	{"\xc2\xa0", 0},			      /* a space */
	{"\xc3\x97", 0},			      /* a sign */
	{"\xe4\xb8\xad", 3},			      /* Chinese */
	{"\xe2\x80\xa8", 0},			      /* the end of a line */
	{"\xe2\x80\xae", 0},			      /* the direction of text */
	{"\xef\xbb\xbf", 0},			      /* a byte order mark */
	{"\xf0\x9f\x98\x80", 0},		      /* a face */
	{"\xf0\xa0\x80\x80", 4},		      /* rare Chinese */
	{"\xf4\x8f\xbf\xbf", 0},		      /* the last code point */
};

static void characters_of_words(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(word_examples); i++) {
		const char *text = word_examples[i].text;

		assert_int_equal(word_character(text, strlen(text)),
				 word_examples[i].bytes);
	}
	assert_int_equal(word_character("\xe4\xb8", 2), 0); /* cut */
}

static void characters_are_counted(void **state)
{
	(void)state;
	assert_int_equal(word_count("", 0), 0);
	assert_int_equal(word_count("a\xe4\xb8\xad\xf0\x9f\x98\x80z", 9), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(characters_of_words),
		cmocka_unit_test(characters_are_counted),
	};

	return cmocka_run_group_tests_name("word", tests, NULL, NULL);
}
