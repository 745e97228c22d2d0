/*
 * test_snekbox - the door of snekbox: its options.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <string.h>

#include "fcgi/snekbox/snekbox.h"

static const char path[] =
	"{\"input\":\"1\",\"executable_path\":\"/snekbin/python/3.14t/bin/python\"}";
static const char empty[] = "{\"input\":\"1\",\"executable_path\":\"\"}";

static int parse(const struct door_limits *limits, const char *body,
		 struct job *job, struct refusal *why)
{
	*job = (struct job){.body = {strdup(body), strlen(body)}};
	*why = (struct refusal){0};
	assert_non_null(job->body.data);
	return snekbox_door.parse(limits, job, why);
}

static void strict_refuses_each_path(void **state)
{
	struct door_limits limits = {.files = 1};
	struct refusal why;
	struct job job;

	(void)state;
	assert_int_equal(parse(&limits, path, &job, &why), 0);
	job_free(&job);
	limits.snekbox_strict = true;
	assert_int_equal(parse(&limits, empty, &job, &why), 0);
	job_free(&job);
	assert_int_equal(parse(&limits, path, &job, &why), -EINVAL);
	assert_int_equal(why.status, 400);
	assert_string_equal(why.code, "no_executable");
	job_free(&job);
}

static void colors_are_asked_for(void **state)
{
	struct door_limits limits = {.files = 1};
	struct refusal why;
	struct job job;

	(void)state;
	assert_int_equal(parse(&limits, empty, &job, &why), 0);
	assert_int_equal(job.env_count, 0);
	job_free(&job);
	limits.snekbox_colors = true;
	assert_int_equal(parse(&limits, empty, &job, &why), 0);
	assert_int_equal(job.env_count, 1);
	assert_string_equal(job.env[0].assignment, "PYTHON_COLORS=1");
	job_free(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(strict_refuses_each_path),
		cmocka_unit_test(colors_are_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
