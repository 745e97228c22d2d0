/*
 * test_dify - the door of Dify: the time that a run may take.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "fcgi/api/dify.h"

static const char body[] = "{\"language\":\"python3\",\"code\":\"1\"}";

/* The time limit of a run, if the pool's is TIMEOUT_MS. 0: the pool's. */
static int parse(unsigned timeout_ms, uint64_t queued_ms,
		 unsigned *made_ms, struct refusal *why)
{
	const struct door_limits limits = {.timeout_ms = timeout_ms,
					   .queued_ms = queued_ms};
	struct job job = {.body = {strdup(body), strlen(body)}};

	assert_non_null(job.body.data);
	*why = (struct refusal){0};
	int rc = dify_door.parse(&limits, &job, why);

	*made_ms = job.timeout_ms;
	job_free(&job);
	return rc;
}

static void queue_and_run_are_below_a_minute(void **state)
{
	static const struct {
		unsigned timeout_ms;
		uint64_t queued_ms;
		unsigned wanted_ms;
	} rows[] = {{25000, 0, 0},
		    {25000, 30000, 0},
		    {57000, 0, 0},
		    {120000, 0, 57000},
		    {120000, 20000, 37000},
		    {25000, 40000, 17000},
		    {25000, 56000, 1000}};
	struct refusal why;
	unsigned made_ms;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(parse(rows[i].timeout_ms, rows[i].queued_ms,
				       &made_ms, &why), 0);
		assert_int_equal(made_ms, rows[i].wanted_ms);
	}
}

static void a_wait_without_end_is_refused(void **state)
{
	struct refusal why;
	unsigned made_ms;

	(void)state;
	assert_int_equal(parse(25000, 56001, &made_ms, &why), -EINVAL);
	assert_int_equal(why.status, 503);
	assert_int_equal(parse(25000, UINT32_MAX, &made_ms, &why), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queue_and_run_are_below_a_minute),
		cmocka_unit_test(a_wait_without_end_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
