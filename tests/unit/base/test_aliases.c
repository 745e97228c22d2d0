/*
 * test_aliases - the lists of paths that lead to home: which are refused, and
 * what is removed from a file's name.
 */
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

#include "sandbox/base/aliases.h"

static const char *const good[] = {
	"", "/a", "/mnt/data:/workspace:/sandbox:/content:/home/earth",
	"/home/x.y-z", "/mnt/data:/mnt/data2", "/a/b/c/d", "/homes", "/users"};

static const char *const bad[] = {
	"/", "a", ":", "/a:", ":/a", "/a::/b", "/a/", "//a", "/a//b", "/.",
	"/..", "/a/..", "/a/.b", "/-a", "/a b", "/a\n", "/\xc3\xa4",
	"/a/b/c/d/e",
	/* a path of the system */
	"/usr", "/usr/share/x", "/lib", "/lib64", "/etc/x", "/dev/shm",
	"/proc", "/sys/x", "/tmp", "/tmp/x", "/bin", "/var/x", "/run/x",
	/* below /home one name that is free */
	"/home", "/home/user", "/home/tmp", "/home/a/b", "/home/user/x",
	/* within another */
	"/a:/a", "/a:/a/b", "/a/b:/a", "/x:/a:/y:/a/b"};

static void bad_lists_are_refused(void **state)
{
	char many[4 * ALIASES_TEXT_MAX] = "";

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		if (!aliases_valid(good[i]))
			fail_msg("'%s' is refused", good[i]);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		if (aliases_valid(bad[i]))
			fail_msg("'%s' is taken", bad[i]);
	for (int i = 0; i < ALIASES_COUNT_MAX; i++)
		sprintf(many + strlen(many), "%s/a%d", i ? ":" : "", i);
	assert_true(aliases_valid(many));
	strcat(many, ":/b");
	assert_false(aliases_valid(many));
	memset(many, 'a', sizeof(many));
	many[0] = '/';
	many[ALIASES_PATH_MAX] = '\0';
	assert_false(aliases_valid(many));
	many[ALIASES_PATH_MAX - 1] = '\0';
	assert_true(aliases_valid(many));
}

static const struct {
	const char *name, *left;
} names[] = {
	{"/mnt/data/x", "x"}, {"/mnt/data//x/y", "x/y"}, {"/home/me/x", "x"},
	{"/home/user/x", "x"}, {"/mnt/data/mnt/data/x", "mnt/data/x"},
	{"/mnt/data/", ""}, {"/mnt/data/../x", "../x"},
	/* not below an alias */
	{"/mnt/data", "/mnt/data"}, {"/mnt/database/x", "/mnt/database/x"},
	{"mnt/data/x", "mnt/data/x"}, {"/x", "/x"}, {"", ""},
	{"//mnt/data/x", "//mnt/data/x"},
};

static void names_become_relative(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		char name[64];

		strcpy(name, names[i].name);
		aliases_strip("/mnt/data:/home/me", name);
		assert_string_equal(name, names[i].left);
	}
}

static void a_list_is_walked(void **state)
{
	const char *list = "/a:/home/b";
	char path[ALIASES_PATH_MAX];

	(void)state;
	list = aliases_next(list, path);
	assert_string_equal(path, "/a");
	assert_null(aliases_below_home(path));
	list = aliases_next(list, path);
	assert_string_equal(path, "/home/b");
	assert_string_equal(aliases_below_home(path), "b");
	assert_null(aliases_next(list, path));
	assert_null(aliases_next(NULL, path));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bad_lists_are_refused),
		cmocka_unit_test(names_become_relative),
		cmocka_unit_test(a_list_is_walked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
