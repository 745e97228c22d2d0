/* cradle - see cradle.h, clone(2), close_range(2). */
#include "worker_fds.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/base/anon_pages.h"

#define CRADLE_PAGE 4096
#define CRADLES_MIN 4
#define CRADLES_PER_CORE 2

/* Shared with children until they have what is theirs. */
static atomic_bool *cradles_left;

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

int cradle_lay(unsigned cradle, const struct cgroup_slot *slot,
	       struct cgroup_slot *lent)
{
	return cgroup_lend(slot, cradle_first(cradle), lent);
}

int cradle_open(unsigned count, const struct cgroup_slot *slot)
{
	struct cgroup_slot lent;
	int rc = 0;

	for (int fd = CRADLE_FIRST; fd < CRADLE_END; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return -EBUSY;
	void *page = pages_open(CRADLE_PAGE, true);

	if (!page)
		return -errno;
	cradles_left = page;
	for (unsigned i = 0; i < count && rc == 0; i++)
		rc = cradle_lay(i, slot, &lent);
	return rc;
}

/* Who confines us in turn may know no clone3(2); a child that shares nothing
 * has more to close. */
pid_t cradle_fork(unsigned cradle)
{
	struct clone_args args = {.flags = CLONE_FILES,
				  .exit_signal = SIGCHLD};

	atomic_store(&cradles_left[cradle], false);
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

/* Nobody but CRADLE's child, and no stranger that it may hear, can say that it
 * has left. */
static int cradle_say_left(unsigned cradle)
{
	if (cradle < CRADLES_MAX)
		atomic_store(&cradles_left[cradle], true);
	return munmap(cradles_left, CRADLE_PAGE) < 0 ? -errno : 0;
}

int cradle_keep(unsigned cradle)
{
	const int own = cradle_first(cradle);
	int rc = cgroup_leave_behind();

	if (rc == 0)
		rc = cradle_say_left(cradle);
	if (rc == 0)
		rc = cradle_close(CRADLE_FIRST, own);
	if (rc == 0)
		rc = cradle_close(own + CGROUP_SLOT_FDS, CRADLE_END);
	return rc;
}

int cradle_leave(void)
{
	return cradle_keep(CRADLES_MAX);
}

bool cradle_is_left(unsigned cradle)
{
	return atomic_load(&cradles_left[cradle]);
}
