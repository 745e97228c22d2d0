/*
 * test_write_tracer - a write tracer finds the blocks that guests write, which
 * are few, and the files that the start has read. However it ends, its parent
 * goes on, and no process is left behind.
 */
#include "tests/unit/prefork/freeze_support.h"

#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "sandbox/python/interpreter.h"
#include "sandbox/layout/block_layout.h"
#include "sandbox/layout/write_tracer.h"

void *PyObject_Malloc(size_t size); /* as in Python.h */

static const struct limits limits = {.value_kb = 64, .displays = 1,
				     .displays_mb = 1};

/* As the fork server does (box.c), with fewer libraries. */
static int boot(void *context)
{
	char error[INTERPRETER_ERROR_MAX];

	(void)context;
	int rc = interpreter_start(false, error);

	if (rc == 0)
		rc = interpreter_preload("json", "", error);
	return rc < 0 ? rc : interpreter_get_ready(error);
}

static uint32_t count_written(const struct trace *trace)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i <= trace->count; i++)
		count += trace->ranks[i] != 0;
	return count;
}

/* Whether a path of the trace ends as PATTERN, of fnmatch(3), says. */
static bool has_source(const struct trace *trace, const char *pattern)
{
	const char *end = trace->sources + trace->sources_size;
	char whole[64];

	snprintf(whole, sizeof(whole), "/*%s", pattern);
	for (const char *at = trace->sources; at < end; at += strlen(at) + 1)
		if (fnmatch(whole, at, 0) == 0)
			return true;
	return false;
}

static int learned(void *context)
{
	struct trace *trace = trace_open();
	struct block_layout_report report;

	(void)context;
	CHECK(trace && write_tracer_learn(boot, NULL, &limits, trace) == 0);
	uint32_t written = count_written(trace);

	CHECK(trace->count > 50000);
	CHECK(written > 100 && written < trace->count / 50);
	CHECK(has_source(trace, "/json/__init__.py"));
	CHECK(has_source(trace, "/json/__pycache__/__init__.*.pyc"));
	CHECK(has_source(trace, "/libc.so.6"));
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	CHECK(block_layout_begin(trace) == 0);
	CHECK(boot(NULL) == 0);
	block_layout_end(&report);
	CHECK(report.count > 100 && report.count <= written);
	CHECK(report.found >= report.count / 10 * 9);
	return 0;
}

static int decline(void *context)
{
	(void)context;
	return -EINVAL;
}

static int crash(void *context)
{
	(void)context;
	raise(SIGKILL);
	return 0;
}

static int not_learned(void *context)
{
	struct trace *trace = trace_open();

	(void)context;
	CHECK(write_tracer_learn(decline, NULL, &limits, trace) == -EINVAL);
	CHECK(write_tracer_learn(crash, NULL, &limits, trace) == -ECHILD);
	CHECK(count_written(trace) == 0);
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	return 0;
}

#define OFFSPRINGS_BLOCKS 30000u

/* As a preload that forks while it is imported. */
static int boot_and_fork(void *context)
{
	int rc = boot(context), status;
	pid_t pid = rc == 0 ? fork() : 0;

	if (rc == 0 && pid == 0) {
		for (uint32_t i = 0; i < OFFSPRINGS_BLOCKS; i++)
			rc |= !PyObject_Malloc(64);
		_exit(rc);
	}
	return rc < 0 ? rc : waitpid(pid, &status, 0) == pid ? 0 : -ECHILD;
}

static int offspring(void *context)
{
	struct trace *without = trace_open(), *with = trace_open();

	(void)context;
	CHECK(write_tracer_learn(boot, NULL, &limits, without) == 0);
	CHECK(write_tracer_learn(boot_and_fork, NULL, &limits, with) == 0);
	CHECK(with->count < without->count + OFFSPRINGS_BLOCKS / 2);
	return 0;
}

static void what_it_forks_is_not_told_of(void **state)
{
	(void)state;
	in_child(offspring);
}

static void it_finds_what_guests_write(void **state)
{
	(void)state;
	in_child(learned);
}

static void its_end_is_told(void **state)
{
	(void)state;
	in_child(not_learned);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_finds_what_guests_write),
		cmocka_unit_test(what_it_forks_is_not_told_of),
		cmocka_unit_test(its_end_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
