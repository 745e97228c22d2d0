/*
 * test_stall - a wait goes on as long as there is progress, and no longer; and
 * the progress that a start reports.
 */
#include "tests/unit/support.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

#include "sandbox/base/io.h"
#include "sandbox/base/pidfd.h"
#include "sandbox/base/stage.h"
#include "sandbox/base/stall.h"

#define STALL_MS 300

/* Fork a child that uses processor time for BUSY_MS, then waits until it is
 * killed if it is to STAY. */
static pid_t start(int busy_ms, bool stay)
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	while (clock() < (clock_t)busy_ms * (CLOCKS_PER_SEC / 1000))
		;
	while (stay)
		pause();
	_exit(0);
}

/* Wait for PID's end; *MS is how long that took. */
static int wait_for(pid_t pid, int *ms)
{
	owned_fd int fd = pidfd_of(pid);
	int64_t begun = io_now_ms();
	int rc = stall_wait(fd, pid, STALL_MS);

	*ms = (int)(io_now_ms() - begun);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return rc;
}

static void what_moves_is_waited_for(void **state)
{
	int ms;

	(void)state;
	assert_int_equal(wait_for(start(5 * STALL_MS, false), &ms), 1);
	assert_in_range(ms, 4 * STALL_MS, 100 * STALL_MS);
}

static void what_stands_still_is_given_up(void **state)
{
	int ms;

	(void)state;
	assert_int_equal(wait_for(start(0, true), &ms), 0);
	assert_in_range(ms, STALL_MS, 10 * STALL_MS);
	/* It moved first: that counts, until it does not. */
	assert_int_equal(wait_for(start(3 * STALL_MS, true), &ms), 0);
	assert_in_range(ms, 4 * STALL_MS - 50, 100 * STALL_MS);
}

static void a_stopped_process_stands_still(void **state)
{
	pid_t pid = start(1 << 20, false);
	int ms;

	(void)state;
	kill(pid, SIGSTOP);
	assert_int_equal(wait_for(pid, &ms), 0);
}

/* Without a process it is a plain wait. */
static void nobody_makes_no_progress(void **state)
{
	int ends[2];

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(stall_wait(ends[0], 0, 50), 0);
	assert_int_equal(write(ends[1], "", 1), 1);
	assert_int_equal(stall_wait(ends[0], 0, 50), 1);
	close(ends[0]);
	close(ends[1]);
}

static void a_number_that_stays_is_no_progress(void **state)
{
	struct stall stall = {0};

	(void)state;
	assert_false(stall_stands(&stall, 7, 1000, 100));
	assert_false(stall_stands(&stall, 7, 1099, 100));
	assert_true(stall_stands(&stall, 7, 1100, 100));
	assert_false(stall_stands(&stall, 8, 1100, 100));
	assert_false(stall_stands(&stall, 7, 1150, 100));
	assert_true(stall_stands(&stall, 7, 1250, 100));
	/* We were not there ourselves. */
	stall = (struct stall){0};
	assert_false(stall_stands(&stall, 7, 1000, 5000));
	assert_false(stall_stands(&stall, 7, 600000, 5000));
	assert_false(stall_stands(&stall, 7, 601000, 5000));
	for (int i = 1; i < 6; i++)
		assert_int_equal(stall_stands(&stall, 7, 601000 + 500 * i,
					      5000), false);
	assert_true(stall_stands(&stall, 7, 604000, 5000));
}

/* ---- stages ---------------------------------------------------------- */

static void a_stage_is_told_by_children(void **state)
{
	struct stage *stage = mmap(NULL, sizeof(*stage),
				   PROT_READ | PROT_WRITE,
				   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	(void)state;
	stage_enter(STAGE_IMPORT); /* there is none: nothing happens */
	stage_begin(stage);
	assert_string_equal(stage_words(stage), "begin");
	uint64_t moved = stage_moved(stage, 0);

	stage_use(stage);
	pid_t pid = fork();

	if (pid == 0) {
		stage_enter(STAGE_IMPORT);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	assert_string_equal(stage_words(stage), "import preload");
	assert_true(stage_moved(stage, 0) != moved);
	moved = stage_moved(stage, 0);
	assert_true(stage_moved(stage, 0) == moved);
	pid = start(200, true);
	stage_join(pid);
	poll(NULL, 0, 50);
	assert_true(stage_moved(stage, 0) != moved);
	stage_use(NULL);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	atomic_store(&stage->step, 12345); /* somebody writes nonsense */
	assert_string_equal(stage_words(stage), "begin");
	munmap(stage, sizeof(*stage));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_moves_is_waited_for),
		cmocka_unit_test(what_stands_still_is_given_up),
		cmocka_unit_test(a_stopped_process_stands_still),
		cmocka_unit_test(nobody_makes_no_progress),
		cmocka_unit_test(a_number_that_stays_is_no_progress),
		cmocka_unit_test(a_stage_is_told_by_children),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
