/*
 * test_semver - ranges of versions, compared with 3.11.2.
 */
#include "tests/unit/support.h"

#include <string.h>

#include "fcgi/piston/semver.h"

static const char *const in[] = {
	"", " ", "*", "x", "X", "3", "3.x", "3.*", "3.X.X", "3.11", "3.11.x",
	"3.11.2", "v3.11.2", "=3.11.2", "= 3.11.2", "3.11.2+build.5", ">=3.8",
	">= 3.8", ">3.8", ">3.10", "<4", "<3.12", "<=3", "<=3.11", "<=3.11.2",
	">=3.11.2", ">3.11.1", "<3.11.3", "^3", "^3.8", "^3.11.0", "^3.x", "~3",
	"~3.11", "~3.11.1", "~>3.11", ">=3.8 <4", ">=3.8  <3.12 ", "3.8 - 3.12",
	"3.8 - 3.11", "3.11.2 - 3.11.2", "2 || 3", "2||3.11.x", "||", "2 ||",
	">=3.8.0-0", "^0 || ^3", ">=3.8 <3.9 || 3.11", "3.x.7"};

static const char *const out[] = {
	"2", "4", "3.1", "3.10.0", "3.12", "3.11.1", "3.11.3", ">3.11", ">3",
	">*", "<*", "<3.11.2", "<3.11", "<3", "<=3.10", ">3.11.2", ">=3.12",
	"^2", "^4", "^3.12", "^0.3.11", "^3.11.3", "~3.10", "~3.11.3",
	">=3.12 <4", "3.8 - 3.10", "3.8 - 3.11.1", "2 || 4", "3 2",
	"3.11.2-rc1", "^0.0.3", "^0"};

static const char *const no_ranges[] = {
	"latest", "3.11.2.1", "3..1", "3.", ".3", ">", ">=", "3 -", "- 3",
	"3 - ", "3-", "3.11.2 foo", "3,4", "3;4", "-1", "3.1048576",
	"99999999999999999999", "3.a", "vv3", "3||a", "\xff", "3\n",
	"~", "><3"};

static struct semver read_one(const char *range)
{
	return semver_read(range, "3.11.2");
}

static void ranges_match(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(in); i++)
		if (!read_one(in[i]).valid || !read_one(in[i]).matches)
			fail_msg("\"%s\" does not match", in[i]);
	for (size_t i = 0; i < ARRAY_LEN(out); i++)
		if (!read_one(out[i]).valid || read_one(out[i]).matches)
			fail_msg("\"%s\" matches, or is no range", out[i]);
}

static void other_texts_are_no_ranges(void **state)
{
	char longest[SEMVER_MAX + 2];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(no_ranges); i++)
		if (read_one(no_ranges[i]).valid ||
		    read_one(no_ranges[i]).matches)
			fail_msg("\"%s\" is a range", no_ranges[i]);
	memset(longest, ' ', sizeof(longest));
	longest[SEMVER_MAX] = '\0';
	assert_true(read_one(longest).matches);
	longest[SEMVER_MAX] = ' ';
	longest[SEMVER_MAX + 1] = '\0';
	assert_false(read_one(longest).valid);
}

static void one_version_is_exact(void **state)
{
	static const struct {
		const char *range;
		bool exact;
		unsigned named, minor;
	} rows[] = {{"3.10.0", true, 3, 10}, {"v3.9", true, 2, 9},
		    {"=3.12.x", true, 2, 12}, {"3", true, 1, 0},
		    {"*", false, 0, 0}, {">=3.10", false, 2, 10},
		    {"3.10.0-rc1", false, 3, 10}, {"3.10 3.11", false, 2, 11},
		    {"3.9 || 3.10", false, 2, 10}, {"3.8 - 3.10", false, 2, 10}};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct semver found = read_one(rows[i].range);

		assert_int_equal(found.exact, rows[i].exact);
		assert_int_equal(found.named, rows[i].named);
		assert_int_equal(found.parts[1], rows[i].minor);
	}
}

static void a_version_may_have_a_suffix(void **state)
{
	(void)state;
	assert_true(semver_read("3.13.0", "3.13.0rc1").matches);
	assert_true(semver_read("3.14", "3.14").matches);
	assert_false(semver_read("3", "").matches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ranges_match),
		cmocka_unit_test(other_texts_are_no_ranges),
		cmocka_unit_test(one_version_is_exact),
		cmocka_unit_test(a_version_may_have_a_suffix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
