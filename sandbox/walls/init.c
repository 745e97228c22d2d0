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

/* The init sees it as long as it lives. */
struct init {
	char stack[INIT_STACK] __attribute__((aligned(16)));
	const struct syscalls_filter *filter;
	int parent; /* a descriptor */
	_Atomic int state;
};

/* Children that no process waits for need no burial if SIGCHLD is ignored. */
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

/* What enters the namespace is asked as ptrace(2) does, so the shared memory
 * stays dumpable; confine.c takes that back. */
static int init_lock(const struct init *init)
{
	(void)init;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0;
}

static int init_filter(const struct init *init)
{
	return syscalls_load(init->filter);
}

/* In this order; the filter is the last. */
static int (*const init_steps[])(const struct init *init) = {
	init_signals, init_descriptors, init_capabilities, init_lock,
	init_filter};

static int init_main(void *arg) NORETURN;

static int init_main(void *arg)
{
	struct init *init = arg;
	int rc = 0;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (pidfd_wait(init->parent, 0)) /* it died before it could be said */
		_exit(0);
	for (size_t i = 0; i < ARRAY_LEN(init_steps) && rc == 0; i++)
		rc = init_steps[i](init);
	/* If it has failed it lives on until its parent has read that: its end
	 * would be the guest's, which may have words of its own. */
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
	/* Born with its descriptor: there is no init that cannot be killed. */
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
