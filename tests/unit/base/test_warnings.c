/*
 * test_warnings - sentences for the client: their order, their number, and
 * where they are cut.
 */
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

#include "sandbox/base/warnings.h"

static void texts_come_in_order(void **state)
{
	struct warnings warnings = {0};

	(void)state;
	assert_null(warnings_next(&warnings, NULL));
	assert_int_equal(warnings_add(&warnings, "one", 3), 0);
	assert_int_equal(warnings_format(&warnings, "%d%s", 2, "nd"), 0);
	assert_int_equal(warnings_add(&warnings, "", 0), 0);
	const char *text = warnings_next(&warnings, NULL);

	assert_string_equal(text, "one");
	assert_string_equal(text = warnings_next(&warnings, text), "2nd");
	assert_string_equal(text = warnings_next(&warnings, text), "");
	assert_null(warnings_next(&warnings, text));
	warnings_free(&warnings);
}

static void number_is_bounded(void **state)
{
	struct warnings warnings = {0};

	(void)state;
	for (unsigned i = 0; i < WARNINGS_MAX + 5; i++)
		assert_int_equal(warnings_format(&warnings, "%u", i), 0);
	assert_int_equal(warnings.count, WARNINGS_MAX);
	warnings_free(&warnings);
	assert_int_equal(warnings.count, 0);
}

static const struct {
	const char *unit; /* repeated to fill TIMES */
	size_t times, kept;
} cuts[] = {
	{"a", WARNINGS_BYTES, WARNINGS_BYTES},
	{"a", WARNINGS_BYTES + 1, WARNINGS_BYTES},
	{"\xe2\x82\xac", 200, WARNINGS_BYTES - WARNINGS_BYTES % 3},
	{"\x80", 600, 0}, /* continues nothing */
};

static void long_texts_are_cut_at_a_character(void **state)
{
	char text[1024];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cuts); i++) {
		struct warnings warnings = {0};
		size_t unit = strlen(cuts[i].unit), size = 0;

		while (size < unit * cuts[i].times)
			size += (size_t)sprintf(text + size, "%s",
						cuts[i].unit);
		assert_int_equal(warnings_add(&warnings, text, size), 0);
		assert_int_equal(strlen(warnings_next(&warnings, NULL)),
				 cuts[i].kept);
		warnings_free(&warnings);
	}
}

static void text_ends_at_its_first_nul(void **state)
{
	struct warnings warnings = {0};

	(void)state;
	assert_int_equal(warnings_add(&warnings, "a\0b", 3), 0);
	const char *text = warnings_next(&warnings, NULL);

	assert_string_equal(text, "a");
	assert_null(warnings_next(&warnings, text));
	warnings_free(&warnings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_come_in_order),
		cmocka_unit_test(number_is_bounded),
		cmocka_unit_test(long_texts_are_cut_at_a_character),
		cmocka_unit_test(text_ends_at_its_first_nul),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
