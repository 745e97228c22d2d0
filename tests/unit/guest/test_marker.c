/*
 * test_marker - a text is counted however the bytes around it are cut.
 */
#include "tests/unit/support.h"

#include <string.h>

#include "sandbox/guest/output.h"

static const struct {
	const char *bytes;
	uint64_t count;
} rows[] = {
	{"", 0}, {"xyz", 0}, {"MARK", 1}, {"xMARKx", 1}, {"MARKMARK", 2},
	{"MAMARK", 1}, {"MMMARK", 1}, {"MAR", 0}, {"MARMARMARK", 1},
	{"mark", 1}, {"MaRkmArK", 2}, {"mMMaRK", 1}, {"marMARk", 1},
	{"M\xc1RK", 0}, {"-ark", 0},
	{"MARxK", 0}, {"MARKARK", 1}, {"MARK MAR MARK MA RK", 2},
};

/* ROW in pieces of SIZE. */
static uint64_t count(const char *row, size_t size)
{
	struct output_marker marker = {.text = {(char *)(uintptr_t)"MARK", 4}};
	size_t left = strlen(row);

	while (left > 0) {
		size_t part = left < size ? left : size;

		output_marker_pass(&marker, row, part);
		row += part;
		left -= part;
	}
	return marker.count;
}

static void cuts_do_not_matter(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		for (size_t size = 1; size <= 20; size++)
			assert_int_equal(count(rows[i].bytes, size),
					 rows[i].count);
}

static void nothing_is_counted_without_one(void **state)
{
	struct output_marker marker = {0};

	(void)state;
	output_marker_pass(&marker, "MARK", 4);
	assert_int_equal(marker.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cuts_do_not_matter),
		cmocka_unit_test(nothing_is_counted_without_one),
	};

	return cmocka_run_group_tests_name("marker", tests, NULL, NULL);
}
