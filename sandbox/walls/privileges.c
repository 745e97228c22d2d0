/* privileges - see privileges.h, capabilities(7), prctl(2). */
#include "privileges.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1UL
#endif

int privileges_become(uid_t uid)
{
	if (setresgid(uid, uid, uid) < 0 || setresuid(uid, uid, uid) < 0)
		return -errno;
	return 0;
}

int privileges_empty_bounding_set(void)
{
	/* The first number that the kernel does not know fails with EINVAL. */
	for (int cap = 0; cap <= 63; cap++)
		if (prctl(PR_CAPBSET_DROP, cap, 0, 0, 0) < 0)
			return errno == EINVAL && cap > 0 ? 0 : -errno;
	return 0;
}

/* KEEP has a bit for each capability below 32; no other is kept. */
static int privileges_set_capabilities(uint32_t keep)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[2] = {
		{.effective = keep, .permitted = keep, .inheritable = 0}};

	if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) < 0)
		return -errno;
	if (syscall(SYS_capset, &header, sets) < 0)
		return -errno;
	return 0;
}

int privileges_drop_capabilities(void)
{
	return privileges_set_capabilities(0);
}

int privileges_keep_worker_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct have[2];

	if (syscall(SYS_capget, &header, have) < 0)
		return -errno;
	return privileges_set_capabilities(
		have[0].permitted &
		(1u << CAP_DAC_OVERRIDE | 1u << CAP_KILL | 1u << CAP_SETUID |
		 1u << CAP_SETGID | 1u << CAP_SYS_RESOURCE));
}

int privileges_lock_worker(void)
{
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return 0;
}

int privileges_lock(void)
{
	if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ||
	    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) < 0 &&
	    errno != EINVAL)
		return -errno;
	return 0;
}

int privileges_die_with(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0)
		return -errno;
	return getppid() == parent ? 0 : -ESRCH;
}

int privileges_give_up(uid_t uid, pid_t parent)
{
	if (geteuid() == 0 &&
	    (setgroups(0, NULL) < 0 || privileges_become(uid) < 0))
		return -errno;
	int rc = privileges_drop_capabilities();

	if (rc == 0)
		rc = privileges_die_with(parent);
	return rc < 0 ? rc : privileges_lock();
}
