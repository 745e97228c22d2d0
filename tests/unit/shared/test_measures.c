/*
 * test_measures - the cost of runs, by door and outcome, and clients' counters.
 */
#include "tests/unit/support.h"

#include <stdio.h>
#include <string.h>

#include "fcgi/shared/measures.h"
#include "sandbox/base/log.h"
#include "sandbox/base/digest.h"

static struct measures measures;

static int empty(void **state)
{
	(void)state;
	log_set_level(LOG_LEVEL_ERROR);
	memset(&measures, 0, sizeof(measures));
	return 0;
}

static struct report done(const char *client, const char *door)
{
	struct report report = {.event = REPORT_DONE, .ran = 1, .status = 200,
				.verdict = OUTCOME_RAISED};

	snprintf(report.client, sizeof(report.client), "%s", client);
	snprintf(report.door, sizeof(report.door), "%s", door);
	return report;
}

static void a_bound_is_inclusive(void **state)
{
	struct report report = done("a", "door");
	const uint64_t *bounds = measure_rows[MEASURE_RUN].bounds;
	const struct measure_histogram *run =
		&measures.of[MEASURE_RUN][1][OUTCOME_RAISED];

	(void)state;
	for (unsigned i = 0; i < MEASURES_BOUNDS; i++) {
		report.runtime_ms = bounds[i];
		measures_done(&measures, &report);
		assert_int_equal(run->buckets[i], 1);
		assert_true(i == 0 || bounds[i] > bounds[i - 1]);
	}
	report.runtime_ms = UINT64_MAX;
	measures_done(&measures, &report);
	assert_int_equal(run->buckets[MEASURES_BOUNDS], 1);
	assert_true(measures_has(measures.doors, 1));
	assert_false(measures_has(measures.doors, 2));
}

static void clients_without_room_are_one(void **state)
{
	char name[16];

	(void)state;
	for (int i = 1; i < MEASURES_CLIENTS + 10; i++) {
		snprintf(name, sizeof(name), "client %d", i);
		const struct report report = done(name, "door");

		measures_done(&measures, &report);
		measures_done(&measures, &report);
	}
	assert_int_equal(measures.counts[0][MEASURE_RUNS], 20);
	for (int i = 1; i < MEASURES_CLIENTS; i++)
		assert_int_equal(measures.counts[i][MEASURE_RUNS], 2);
}

static void a_refusal_is_no_run(void **state)
{
	struct report report = done("a", "door");

	(void)state;
	report.ran = 0;
	report.status = 400;
	measures_done(&measures, &report);
	report.status = 503;
	measures_done(&measures, &report);
	assert_int_equal(measures.counts[1][MEASURE_RUNS], 0);
	assert_int_equal(measures.counts[1][MEASURE_REFUSED], 1);
	assert_int_equal(measures.counts[1][MEASURE_FAILED], 1);
	assert_false(measures_has(measures.doors, 1));
}

/* The process that took the row died before it wrote the text. */
static void a_name_that_was_not_written_is_completed(void **state)
{
	const struct report report = done("a", "door");
	const struct report other = done("b", "door");

	(void)state;
	measures.clients[1].hash = digest_text("a");
	assert_false(measures_has(measures.clients, 1));
	measures_done(&measures, &other);
	assert_int_equal(measures.counts[2][MEASURE_RUNS], 1);
	measures_done(&measures, &report);
	assert_int_equal(measures.counts[1][MEASURE_RUNS], 1);
	assert_true(measures_has(measures.clients, 1));
	assert_string_equal(measures.clients[1].text, "a");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_bound_is_inclusive, empty),
		cmocka_unit_test_setup(clients_without_room_are_one, empty),
		cmocka_unit_test_setup(a_refusal_is_no_run, empty),
		cmocka_unit_test_setup(
			a_name_that_was_not_written_is_completed, empty),
	};

	return cmocka_run_group_tests_name("measures", tests, NULL, NULL);
}
