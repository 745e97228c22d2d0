/*
 * Steps in a fixed order: sandbox/base/steps.c.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/base/steps.h"

#define ERROR_MAX 40

struct work {
	char taken[8]; /* a letter for each step, in order */
	char *error;
	int second; /* what the second step returns */
};

static int first(struct work *work)
{
	strcat(work->taken, "a");
	return 0;
}

static int second(struct work *work)
{
	strcat(work->taken, "b");
	return work->second;
}

static int third(struct work *work)
{
	strcat(work->taken, "c");
	snprintf(work->error, ERROR_MAX, "its own words");
	return -EIO;
}

static const STEP(struct work *) work_steps[] = {
	{"begin", first},
	{"go on", second},
	{"end", third},
};

static int take(struct work *work, char error[ERROR_MAX])
{
	work->error = error;
	strcpy(error, "of an earlier time");
	return steps_take(work_steps, work, error, ERROR_MAX);
}

static void the_first_failure_ends_it_and_is_named(void **state)
{
	(void)state;
	struct work work = {.second = -EBADF};
	char error[ERROR_MAX];

	assert_int_equal(take(&work, error), -EBADF);
	assert_string_equal(work.taken, "ab");
	assert_string_equal(error, "go on: Bad file descriptor");
}

static void a_step_may_have_words_of_its_own(void **state)
{
	(void)state;
	struct work work = {.second = 7}; /* a count is no failure */
	char error[ERROR_MAX];

	assert_int_equal(take(&work, error), -EIO);
	assert_string_equal(work.taken, "abc");
	assert_string_equal(error, "its own words");
}

static void all_taken_leave_no_error(void **state)
{
	(void)state;
	static const STEP(struct work *) steps[] = {
		{"begin", first}, {"go on", second}, {"begin again", first}};
	struct work work = {.second = 7};
	char error[ERROR_MAX] = "of an earlier time";

	assert_int_equal(steps_take(steps, &work, error, ERROR_MAX), 0);
	assert_string_equal(work.taken, "aba");
	assert_string_equal(error, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_failure_ends_it_and_is_named),
		cmocka_unit_test(a_step_may_have_words_of_its_own),
		cmocka_unit_test(all_taken_leave_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
