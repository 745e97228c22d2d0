/* worker_fds - see worker_fds.h, clone(2), close_range(2). */
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

#define WORKER_FDS_PAGE 4096
#define WORKER_FDS_SETS_MIN 4
#define WORKER_FDS_PER_CORE 2

/* One flag for each set, in a page shared with the children. A child sets the
 * flag once it has a table of its own. */
static atomic_bool *worker_fds_free;

unsigned worker_fds_count(unsigned cores)
{
	unsigned count = cores * WORKER_FDS_PER_CORE;

	return count < WORKER_FDS_SETS_MIN ? WORKER_FDS_SETS_MIN
	       : count > WORKER_FDS_SETS   ? WORKER_FDS_SETS
					   : count;
}

static int worker_fds_first(unsigned set)
{
	return WORKER_FDS_FIRST + (int)set * CGROUP_SLOT_FDS;
}

int worker_fds_lend(unsigned set, const struct cgroup_slot *slot,
		    struct cgroup_slot *lent)
{
	return cgroup_lend(slot, worker_fds_first(set), lent);
}

int worker_fds_open(unsigned count, const struct cgroup_slot *slot)
{
	struct cgroup_slot lent;
	int rc = 0;

	for (int fd = WORKER_FDS_FIRST; fd < WORKER_FDS_END; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			return -EBUSY;
	void *page = anon_pages_open(WORKER_FDS_PAGE, true);

	if (!page)
		return -errno;
	worker_fds_free = page;
	for (unsigned i = 0; i < count && rc == 0; i++)
		rc = worker_fds_lend(i, slot, &lent);
	return rc;
}

/* An outer sandbox may refuse clone3(2). Then use fork(2): the child has its
 * own table, but more descriptors to close. */
pid_t worker_fds_fork(unsigned set)
{
	struct clone_args args = {.flags = CLONE_FILES,
				  .exit_signal = SIGCHLD};

	atomic_store(&worker_fds_free[set], false);
	long pid = syscall(SYS_clone3, &args, sizeof(args));

	return pid < 0 && (errno == ENOSYS || errno == EPERM) ? fork()
							      : (pid_t)pid;
}

/* Close from FIRST up to END, which stays open. */
static int worker_fds_close(int first, int end)
{
	return first < end && syscall(SYS_close_range, first, end - 1, 0) < 0
		       ? -errno : 0;
}

/* Only the child of SET sets the flag. The page is unmapped before the child
 * reads untrusted input, so no client can set it. */
static int worker_fds_mark_free(unsigned set)
{
	if (set < WORKER_FDS_SETS)
		atomic_store(&worker_fds_free[set], true);
	return munmap(worker_fds_free, WORKER_FDS_PAGE) < 0 ? -errno : 0;
}

int worker_fds_keep(unsigned set)
{
	const int own = worker_fds_first(set);
	int rc = cgroup_leave_behind();

	if (rc == 0)
		rc = worker_fds_mark_free(set);
	if (rc == 0)
		rc = worker_fds_close(WORKER_FDS_FIRST, own);
	if (rc == 0)
		rc = worker_fds_close(own + CGROUP_SLOT_FDS, WORKER_FDS_END);
	return rc;
}

int worker_fds_drop(void)
{
	return worker_fds_keep(WORKER_FDS_SETS);
}

bool worker_fds_is_free(unsigned set)
{
	return atomic_load(&worker_fds_free[set]);
}
