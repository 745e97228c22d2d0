/* init - see init.h, pid_namespaces(7). */
#include "init.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sandbox/base/pidfd.h"
#include "privileges.h"

#define INIT_STACK 16384

enum { INIT_STARTS = 1, INIT_LOCKED = 0 }; /* else a negative errno value */

/* Shared with the init as long as it lives. */
struct init {
	char stack[INIT_STACK] __attribute__((aligned(16)));
	const struct syscalls_filter *filter;
	int parent; /* a descriptor */
	_Atomic int state;
};

/* With SIGCHLD ignored the kernel reaps orphans of the namespace. */
static int init_signals(const struct init *init)
{
	sigset_t all;

	(void)init;
	sigfillset(&all);
	if (signal(SIGCHLD, SIG_IGN) == SIG_ERR ||
	    sigprocmask(SIG_SETMASK, &all, NULL) < 0)
		return -errno;
	return 0;
}

static int init_descriptors(const struct init *init)
{
	(void)init;
	return syscall(SYS_close_range, 0, ~0U, 0) < 0 ? -errno : 0;
}

static int init_capabilities(const struct init *init)
{
	(void)init;
	return privileges_drop_capabilities();
}

/* Not privileges_lock(): the shared memory must stay dumpable, because setns(2)
 * into the namespace makes the same check as ptrace(2). confine.c clears the
 * flag later. */
static int init_lock(const struct init *init)
{
	(void)init;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0;
}

static int init_filter(const struct init *init)
{
	return syscalls_load(init->filter);
}

/* In this order; the filter is the last. Not a table of steps.h, because no
 * text can be composed in the memory of the parent, which runs at the same
 * time. */
static int (*const init_steps[])(const struct init *init) = {
	init_signals, init_descriptors, init_capabilities, init_lock,
	init_filter};

static int init_main(void *arg) NORETURN;

static int init_main(void *arg)
{
	struct init *init = arg;
	int rc = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (pidfd_wait(init->parent, 0)) /* it died before the prctl(2) */
		_exit(0);
	for (size_t i = 0; i < ARRAY_LEN(init_steps) && rc == 0; i++)
		rc = init_steps[i](init);
	/* After a failure, live on until the parent has read the state. The end
	 * of the init would kill the guest, which may report an error of its
	 * own. */
	atomic_store(&init->state, rc);
	for (;;)
		ppoll(NULL, 0, NULL, NULL);
}

static struct init init_own = {.state = INIT_STARTS};

int init_start(const struct syscalls_filter *filter, bool entered,
	       pid_t *pid, int *pidfd)
{
	owned_fd int self = pidfd_of(getpid());

	if (self < 0)
		return self;
	if (unshare(CLONE_NEWPID) < 0)
		return -errno;
	if (entered && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) < 0)
		return -errno;
	init_own.filter = filter;
	init_own.parent = self;
	atomic_store(&init_own.state, INIT_STARTS);
	/* CLONE_PIDFD opens the descriptor with the process, so that there is
	 * no init that cannot be killed. */
	*pid = clone(init_main, init_own.stack + INIT_STACK,
		     CLONE_VM | CLONE_PIDFD | SIGCHLD, &init_own, pidfd);
	return *pid < 0 ? -errno : 0;
}

int init_await(int ms)
{
	for (int i = 0; i < ms; i++) {
		int state = atomic_load(&init_own.state);

		if (state != INIT_STARTS)
			return state;
		poll(NULL, 0, 1);
	}
	return -ETIMEDOUT;
}
