/* cradle - see cradle.h, clone(2), close_range(2). */
#include "cradle.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CRADLES_MIN 4
#define CRADLES_PER_CORE 2

unsigned cradle_count(unsigned cores)
{
	unsigned count = cores * CRADLES_PER_CORE;

	return count < CRADLES_MIN   ? CRADLES_MIN
	       : count > CRADLES_MAX ? CRADLES_MAX : count;
}

static int cradle_first(unsigned cradle)
{
	return CRADLE_FIRST + (int)cradle * CGROUP_SLOT_FDS;
}

int cradle_check(void)
{
	for (int fd = CRADLE_FIRST; fd < CRADLE_END; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return -EBUSY;
	return 0;
}

int cradle_lay(unsigned cradle, const struct cgroup_slot *slot,
	       struct cgroup_slot *lent)
{
	return cgroup_lend(slot, cradle_first(cradle), lent);
}

/* Who confines us in turn may know no clone3(2); a child that shares nothing
 * has more to close. */
static pid_t cradle_clone(void)
{
	struct clone_args args = {.flags = CLONE_FILES,
				  .exit_signal = SIGCHLD};
	long pid = syscall(SYS_clone3, &args, sizeof(args));

	return pid < 0 && (errno == ENOSYS || errno == EPERM) ? fork()
							      : (pid_t)pid;
}

/* From FIRST up to END, which is the first that stays. */
static int cradle_close(int first, int end)
{
	return first < end && syscall(SYS_close_range, first, end - 1, 0) < 0
		       ? -errno : 0;
}

int cradle_leave(void)
{
	int rc = cgroup_leave_behind();

	return rc < 0 ? rc : cradle_close(CRADLE_FIRST, CRADLE_END);
}

pid_t cradle_fork(unsigned cradle)
{
	const int own = cradle_first(cradle);
	pid_t pid = cradle_clone();

	if (pid != 0)
		return pid;
	if (cgroup_leave_behind() < 0 || cradle_close(CRADLE_FIRST, own) < 0 ||
	    cradle_close(own + CGROUP_SLOT_FDS, CRADLE_END) < 0)
		_exit(1);
	return 0;
}
