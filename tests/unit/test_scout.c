/*
 * test_scout - a write tracer finds what guests write, which is little of what
 * there is; whatever becomes of it, its parent goes on, and nobody is left
 * behind.
 */
#include "freeze_support.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "sandbox/python/interpreter.h"
#include "sandbox/prefork/write_tracer.h"

void *PyObject_Malloc(size_t size); /* what interpreter.c takes from Python.h */

static const struct limits limits = {.value_kb = 64, .displays = 1,
				     .displays_mb = 1};

/* As the fork server does (box.c), with fewer libraries. */
static int boot(void *context)
{
	char error[INTERPRETER_ERROR_MAX];

	(void)context;
	int rc = interpreter_start(error);

	if (rc == 0)
		rc = interpreter_preload("json", "", error);
	return rc < 0 ? rc : interpreter_get_ready(error);
}

static uint32_t count_written(const struct block_layout_list *list)
{
	uint32_t count = 0;

	for (uint32_t i = 1; i <= list->count; i++)
		count += list->ranks[i] != 0;
	return count;
}

static int learned(void *context)
{
	struct block_layout_list *list = block_layout_list_open();
	struct block_layout_report report;

	(void)context;
	CHECK(list && write_tracer_learn(boot, NULL, &limits, list) == 0);
	uint32_t written = count_written(list);

	CHECK(list->count > 50000);
	CHECK(written > 100 && written < list->count / 50);
	CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
	CHECK(block_layout_begin(list) == 0);
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
	struct block_layout_list *list = block_layout_list_open();

	(void)context;
	CHECK(write_tracer_learn(decline, NULL, &limits, list) == -EINVAL);
	CHECK(write_tracer_learn(crash, NULL, &limits, list) == -ECHILD);
	CHECK(count_written(list) == 0);
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
	struct block_layout_list *without = block_layout_list_open(),
				 *with = block_layout_list_open();

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
