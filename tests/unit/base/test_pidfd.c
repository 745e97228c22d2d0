/*
 * Process file descriptors: sandbox/base/pidfd.c.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "sandbox/base/pidfd.h"

#define SOON_MS 10000

static pid_t start_child(void)
{
	pid_t pid = support_fork();

	if (pid == 0)
		for (;;)
			poll(NULL, 0, -1);
	return pid;
}

static void a_process_ends_by_its_descriptor(void **state)
{
	(void)state;
	pid_t pid = start_child();
	owned_fd int fd = pidfd_of(pid);
	int status;

	assert_true(fd >= 0);
	assert_int_equal(pidfd_signal(fd, 0), 0);
	assert_false(pidfd_wait(fd, 0));
	assert_int_equal(pidfd_signal(fd, SIGKILL), 0);
	assert_true(pidfd_wait(fd, SOON_MS));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(WTERMSIG(status), SIGKILL);
	assert_int_equal(pidfd_signal(fd, 0), -ESRCH);
	assert_int_equal(pidfd_of(pid), -ESRCH);
}

static void a_status_is_known_after_the_reaping(void **state)
{
	(void)state;
	pid_t pid = start_child();
	owned_fd int fd = pidfd_of(pid);
	int early = pidfd_status(fd);

	pidfd_signal(fd, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	int late = pidfd_status(fd);

	if (early != -EAGAIN) /* before Linux 6.15 */
		assert_true(early < 0 && late == early);
	else
		assert_int_equal(late, SIGKILL);
}

static void other_descriptors_are_refused(void **state)
{
	(void)state;
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pidfd_signal(ends[0], 0), -EBADF);
	assert_true(pidfd_status(ends[0]) < 0);
	assert_int_not_equal(pidfd_status(ends[0]), -EAGAIN);
	assert_int_equal(pidfd_of(0), -EINVAL);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_process_ends_by_its_descriptor),
		cmocka_unit_test(a_status_is_known_after_the_reaping),
		cmocka_unit_test(other_descriptors_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
