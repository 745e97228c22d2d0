/*
 * test_privileges - a process that must not outlive another does not, whenever
 * that other dies.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "sandbox/base/io.h"
#include "sandbox/walls/privileges.h"

#define LONG_MS 20000 /* for a wait that ends at once; no process lives as long */
#define GONE INT32_MIN

static int channel[2]; /* the report of a child's child */

static int open_channel(void **state)
{
	(void)state;
	return pipe2(channel, O_CLOEXEC);
}

static int close_channel(void **state)
{
	(void)state;
	base_release_fd(&channel[0]);
	base_release_fd(&channel[1]);
	return 0;
}

static void say(int word)
{
	if (write(channel[1], &word, sizeof(word)) != sizeof(word))
		_exit(1);
}

/* The report; GONE when every process that could send it has ended. */
static int hear(void)
{
	int word;

	base_release_fd(&channel[1]);
	assert_int_equal(io_wait_readable(channel[0], LONG_MS), 1);
	return read(channel[0], &word, sizeof(word)) == sizeof(word)
		       ? word : GONE;
}

/* Fork a child that says how the call went, which it makes only when it is
 * ORPHANED, if it shall be. */
static int have_a_child(bool orphaned)
{
	pid_t parent = getpid();

	if (fork() != 0)
		return 0;
	while (orphaned && getppid() == parent)
		poll(NULL, 0, 1);
	int rc = privileges_die_with(parent);

	say(rc);
	if (rc == 0) {
		poll(NULL, 0, LONG_MS / 4);
		say(1); /* it was let live */
	}
	_exit(0);
}

/* Its parent lives until it has said it. */
static int leave_a_child(void *context)
{
	struct pollfd said = {.fd = channel[0], .events = POLLIN};

	(void)context;
	have_a_child(false);
	return poll(&said, 1, LONG_MS) == 1 ? 0 : 1;
}

static int leave_an_orphan(void *context)
{
	(void)context;
	return have_a_child(true);
}

static void a_child_dies_with_its_parent(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(leave_a_child, NULL), 0);
	assert_int_equal(hear(), 0);
	assert_int_equal(hear(), GONE);
}

static void whose_parent_is_dead_is_told(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(leave_an_orphan, NULL), 0);
	assert_int_equal(hear(), -ESRCH);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_child_dies_with_its_parent,
						open_channel, close_channel),
		cmocka_unit_test_setup_teardown(whose_parent_is_dead_is_told,
						open_channel, close_channel),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
