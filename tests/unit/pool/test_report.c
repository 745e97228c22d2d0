/*
 * test_report - workers' reports to their pool process, sane or not.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

#include "fcgi/shared/report.h"
#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/outcome.h"

#define SLOTS 4

static int ends[2];

static int open_pipe(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN);
	log_set_level(LOG_LEVEL_ERROR); /* the warnings are expected */
	return pipe2(ends, O_CLOEXEC | O_NONBLOCK);
}

static int close_pipe(void **state)
{
	(void)state;
	close(ends[0]);
	base_release_fd(&ends[1]);
	return 0;
}

static void a_report_is_never_mixed(void **state)
{
	(void)state;
	assert_true(sizeof(struct report) <= PIPE_BUF);
}

static void a_report_arrives(void **state)
{
	const struct report sent = {
		.event = REPORT_DONE, .slot = SLOTS - 1, .ran = 1,
		.verdict = OUTCOME_VERDICTS - 1, .status = 200,
		.runtime_ms = 1, .queue_ms = UINT64_MAX, .cpu_ms = 3,
		.bytes_in = 4, .bytes_out = 5, .error = "words"};
	struct report got;

	(void)state;
	assert_int_equal(report_read(ends[0], &got, SLOTS), 0);
	report_send(ends[1], &sent);
	report_send(ends[1], &sent);
	assert_int_equal(report_read(ends[0], &got, SLOTS), 1);
	assert_memory_equal(&got, &sent, sizeof(sent));
	assert_int_equal(report_read(ends[0], &got, SLOTS), 1);
	assert_int_equal(report_read(ends[0], &got, SLOTS), 0);
}

static void nonsense_is_passed_over(void **state)
{
	static const struct report bad[] = {
		{.event = REPORT_EVENTS},
		{.event = UINT32_MAX},
		{.slot = SLOTS},
		{.slot = UINT32_MAX},
		{.verdict = OUTCOME_VERDICTS},
		{.verdict = UINT32_MAX},
	};
	const struct report good = {.event = REPORT_BUSY, .slot = 2};
	struct report got;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		report_send(ends[1], &bad[i]);
	report_send(ends[1], &good);
	assert_int_equal(report_read(ends[0], &got, SLOTS), 1);
	assert_int_equal(got.event, REPORT_BUSY);
	assert_int_equal(got.slot, 2);
	assert_int_equal(report_read(ends[0], &got, SLOTS), 0);
}

static void words_always_end(void **state)
{
	struct report sent = {.event = REPORT_ARM_FAILED}, got;

	(void)state;
	memset(sent.error, 'w', sizeof(sent.error));
	report_send(ends[1], &sent);
	assert_int_equal(report_read(ends[0], &got, SLOTS), 1);
	assert_int_equal(strlen(got.error), REPORT_ERROR_MAX - 1);
}

static void half_a_report_is_none(void **state)
{
	struct report got;

	(void)state;
	assert_int_equal(io_write_full(ends[1], "half", 4), 0);
	assert_int_equal(report_read(ends[0], &got, SLOTS), 0);
	base_release_fd(&ends[1]);
	assert_int_equal(report_read(ends[0], &got, SLOTS), 0);
}

static void a_zygote_that_does_not_read_holds_nobody_up(void **state)
{
	const struct report sent = {.event = REPORT_ARMED};
	struct report got;
	int count = 0;

	(void)state;
	log_set_fd(-1);
	for (int i = 0; i < 2000; i++)
		report_send(ends[1], &sent);
	while (report_read(ends[0], &got, SLOTS))
		count++;
	log_set_fd(2);
	assert_in_range(count, 1, 1999);
	close(ends[0]);
	report_send(ends[1], &sent); /* nor one that is gone */
	ends[0] = -1;
}

#define WITH_PIPE(test)                                                      \
	cmocka_unit_test_setup_teardown(test, open_pipe, close_pipe)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_report_is_never_mixed),
		WITH_PIPE(a_report_arrives),
		WITH_PIPE(nonsense_is_passed_over),
		WITH_PIPE(words_always_end),
		WITH_PIPE(half_a_report_is_none),
		WITH_PIPE(a_zygote_that_does_not_read_holds_nobody_up),
	};

	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
