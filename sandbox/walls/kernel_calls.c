/*
 * kernel_calls - see kernel_calls.h.
 *
 * One child tries the rows of a table, in order, and writes each result at
 * once. If a filter kills the child, the row after the last result is the
 * reason.
 */
#include "kernel_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/fsuid.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"

#define KERNEL_CALLS_MS 60000
#define KERNEL_CALLS_GROUPS 256 /* supplementary groups, at most */

/* In the child: descriptors that a row opens for later rows. */
struct kernel_calls_probe {
	int pidfd; /* of the child itself */
	int fs;	   /* of a tmpfs that is being configured */
	int tmpfs; /* the mount of it */
	int tree;  /* a copy of mounts */
};

static int kernel_calls_result(long rc)
{
	return rc < 0 ? -errno : 0;
}

/* RC is a new descriptor, for *FD, or -1. */
static int kernel_calls_opened(long rc, int *fd)
{
	*fd = (int)rc;
	return kernel_calls_result(rc);
}

/* ---- processes and descriptors --------------------------------------- */

static int try_pidfd_open(struct kernel_calls_probe *probe)
{
	probe->pidfd = pidfd_of(getpid());
	return probe->pidfd < 0 ? probe->pidfd : 0;
}

static int try_pidfd_send_signal(struct kernel_calls_probe *probe)
{
	if (probe->pidfd < 0)
		return -KERNEL_CALLS_UNTRIED;
	return pidfd_signal(probe->pidfd, 0);
}

static int try_close_range(struct kernel_calls_probe *probe)
{
	(void)probe;
	return kernel_calls_result(syscall(SYS_close_range, ~0U - 1, ~0U, 0));
}

static int try_memfd_create(struct kernel_calls_probe *probe)
{
	owned_fd int fd = memfd_create("try", MFD_CLOEXEC);

	(void)probe;
	return kernel_calls_result(fd);
}

/* As collect.c opens a directory. */
static int try_openat2(struct kernel_calls_probe *probe)
{
	struct open_how how = {
		.flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK |
			 O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
			   RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV};
	owned_fd int top = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);
	owned_fd int fd = (int)syscall(SYS_openat2, top, ".", &how,
				       sizeof(how));

	(void)probe;
	return kernel_calls_result(fd);
}

static int try_clone3(struct kernel_calls_probe *probe)
{
	struct clone_args args = {.flags = CLONE_FILES,
				  .exit_signal = SIGCHLD};
	long pid = syscall(SYS_clone3, &args, sizeof(args));

	(void)probe;
	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return -errno;
	return kernel_calls_result(waitpid((pid_t)pid, NULL, 0));
}

static int try_prlimit64(struct kernel_calls_probe *probe)
{
	struct rlimit limit;

	(void)probe;
	if (getrlimit(RLIMIT_CORE, &limit) < 0)
		return -errno;
	return kernel_calls_result(setrlimit(RLIMIT_CORE, &limit));
}

static int try_setpriority(struct kernel_calls_probe *probe)
{
	(void)probe;
	errno = 0;
	int nice = getpriority(PRIO_PROCESS, 0);

	if (nice == -1 && errno != 0)
		return -errno;
	return kernel_calls_result(setpriority(PRIO_PROCESS, 0, nice));
}

/* ---- identities ------------------------------------------------------ */

static int try_setgroups(struct kernel_calls_probe *probe)
{
	gid_t groups[KERNEL_CALLS_GROUPS];
	int count = getgroups(KERNEL_CALLS_GROUPS, groups);

	(void)probe;
	/* Only root makes the call. More groups than fit are not tried. */
	if (geteuid() != 0 || count < 0)
		return 0;
	return kernel_calls_result(setgroups((size_t)count, groups));
}

static int try_setresuid(struct kernel_calls_probe *probe)
{
	const uid_t same = (uid_t)-1;

	(void)probe;
	if (setresgid(same, same, same) < 0)
		return -errno;
	return kernel_calls_result(setresuid(same, same, same));
}

/* The call returns the earlier id, and no error. */
static int try_setfsuid(struct kernel_calls_probe *probe)
{
	const uid_t same = (uid_t)-1;

	(void)probe;
	return (uid_t)setfsuid(same) == geteuid() &&
			       (gid_t)setfsgid(same) == getegid()
		       ? 0 : -EPERM;
}

static int try_capset(struct kernel_calls_probe *probe)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

	(void)probe;
	if (syscall(SYS_capget, &header, sets) < 0)
		return -errno;
	return kernel_calls_result(syscall(SYS_capset, &header, sets));
}

/* ---- namespaces and mounts ------------------------------------------- */

/* Enter namespaces for the rows with INSIDE. Not a row, because another check
 * reports missing namespaces in a sentence of its own. */
static bool kernel_calls_enter(struct kernel_calls_probe *probe)
{
	(void)probe;
	/* Entering a user namespace clears the dumpable flag, which setns(2)
	 * into the pid namespace needs. */
	return unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID) == 0 &&
	       prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

/* Enter the pid namespace of a child, which is its init. */
static int try_setns(struct kernel_calls_probe *probe)
{
	if (probe->pidfd < 0)
		return -KERNEL_CALLS_UNTRIED;
	pid_t pid = fork();

	/* A filter may kill the parent at setns(2). The child must end then,
	 * too: its copy of the pipe would keep the grandparent waiting. */
	if (pid == 0) {
		pidfd_wait(probe->pidfd, -1);
		_exit(0);
	}
	if (pid < 0)
		return -errno;
	owned_fd int pidfd = pidfd_of(pid);
	int rc = pidfd < 0 ? -KERNEL_CALLS_UNTRIED
			   : kernel_calls_result(setns(pidfd, CLONE_NEWPID));

	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return rc;
}

static int try_mount(struct kernel_calls_probe *probe)
{
	(void)probe;
	return kernel_calls_result(
		mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
}

static int try_fsopen(struct kernel_calls_probe *probe)
{
	return kernel_calls_opened(
		syscall(SYS_fsopen, "tmpfs", FSOPEN_CLOEXEC), &probe->fs);
}

static int try_fsconfig(struct kernel_calls_probe *probe)
{
	return kernel_calls_result(syscall(
		SYS_fsconfig, probe->fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0));
}

static int try_fsmount(struct kernel_calls_probe *probe)
{
	return kernel_calls_opened(
		syscall(SYS_fsmount, probe->fs, FSMOUNT_CLOEXEC,
			MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV),
		&probe->tmpfs);
}

static int try_open_tree(struct kernel_calls_probe *probe)
{
	return kernel_calls_opened(
		syscall(SYS_open_tree, AT_FDCWD, "/usr",
			OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE),
		&probe->tree);
}

static int try_mount_setattr(struct kernel_calls_probe *probe)
{
	struct mount_attr attr = {.attr_set = MOUNT_ATTR_RDONLY |
					      MOUNT_ATTR_NOSUID};

	return kernel_calls_result(syscall(SYS_mount_setattr, probe->tree, "",
					   AT_EMPTY_PATH | AT_RECURSIVE, &attr,
					   sizeof(attr)));
}

static int try_move_mount(struct kernel_calls_probe *probe)
{
	return kernel_calls_result(syscall(SYS_move_mount, probe->tmpfs, "",
					   AT_FDCWD, "/tmp",
					   MOVE_MOUNT_F_EMPTY_PATH));
}

static int try_pivot_root(struct kernel_calls_probe *probe)
{
	if (fchdir(probe->tmpfs) < 0)
		return -errno;
	return kernel_calls_result(syscall(SYS_pivot_root, ".", "."));
}

static int try_umount2(struct kernel_calls_probe *probe)
{
	(void)probe;
	return kernel_calls_result(umount2(".", MNT_DETACH));
}

/* ---- the filter ------------------------------------------------------ */

static int try_seccomp(struct kernel_calls_probe *probe)
{
	struct sock_filter all[] = {
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	const struct sock_fprog program = {ARRAY_LEN(all), all};

	(void)probe;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return kernel_calls_result(syscall(
		SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program));
}

/* ---- the table ------------------------------------------------------- */

enum { NEEDED = true, OPTIONAL = false };

/* In this order, because a row may use descriptors of rows above. To add a call
 * that the server makes, add a row. */
static const struct kernel_calls_row {
	const char *name;
	/* 0, a negative errno value, or -KERNEL_CALLS_UNTRIED */
	int (*attempt)(struct kernel_calls_probe *probe);
	bool needed; /* false: the server works without it */
	bool inside; /* it is tried inside namespaces of its own */
	const char *lost; /* without it */
} kernel_calls_rows[] = {
	{"pidfd_open", try_pidfd_open, NEEDED, false,
	 "no guest could be watched"},
	{"pidfd_send_signal", try_pidfd_send_signal, NEEDED, false,
	 "no guest could be ended"},
	{"close_range", try_close_range, NEEDED, false,
	 "guests would keep descriptors of their parents"},
	{"memfd_create", try_memfd_create, NEEDED, false,
	 "processes could not share memory"},
	{"openat2", try_openat2, NEEDED, false,
	 "no input or output file of a program could be opened"},
	{"clone3", try_clone3, OPTIONAL, false,
	 "workers take longer to fork and to close inherited descriptors"},
	{"prlimit64", try_prlimit64, NEEDED, false,
	 "guests would have no resource limits"},
	{"setpriority", try_setpriority, OPTIONAL, false,
	 "without the cpu controller long programs keep their priority"},
	{"setgroups", try_setgroups, NEEDED, false,
	 "guests would keep the groups of the server's user"},
	{"setresuid, setresgid", try_setresuid, NEEDED, false,
	 "workers and guests would keep the server's uid"},
	{"setfsuid, setfsgid", try_setfsuid, NEEDED, false,
	 "input files would not belong to the guest"},
	{"capget, capset", try_capset, NEEDED, false,
	 "guests would keep capabilities"},
	{"setns", try_setns, NEEDED, true,
	 "no guest could be forked into a pid namespace of its own"},
	{"mount", try_mount, NEEDED, true, "mounts could not be made private"},
	{"fsopen", try_fsopen, NEEDED, true, "no tmpfs could be made"},
	{"fsconfig", try_fsconfig, NEEDED, true, "no tmpfs could be made"},
	{"fsmount", try_fsmount, NEEDED, true, "no tmpfs could be mounted"},
	{"open_tree", try_open_tree, NEEDED, true,
	 "the guests' root could not be built of mounts"},
	{"mount_setattr", try_mount_setattr, NEEDED, true,
	 "the guests' root could not be mounted read-only"},
	{"move_mount", try_move_mount, NEEDED, true,
	 "the guests' root could not be mounted"},
	{"pivot_root", try_pivot_root, NEEDED, true,
	 "guests would see the host's root"},
	{"umount2", try_umount2, NEEDED, true,
	 "guests would see the host's root"},
	{"seccomp", try_seccomp, NEEDED, false,
	 "guests would run without a filter of system calls"},
};

_Static_assert(ARRAY_LEN(kernel_calls_rows) <= KERNEL_CALLS_MAX,
	       "a result for each");

/* ---- the child ------------------------------------------------------- */

static void kernel_calls_child(int out) NORETURN;

static void kernel_calls_child(int out)
{
	struct kernel_calls_probe probe = {-1, -1, -1, -1};
	bool asked = false, inside = false;

	signal(SIGCHLD, SIG_DFL);
	for (size_t i = 0; i < ARRAY_LEN(kernel_calls_rows); i++) {
		const struct kernel_calls_row *row = &kernel_calls_rows[i];
		int error = KERNEL_CALLS_UNTRIED;

		if (row->inside && !asked)
			inside = kernel_calls_enter(&probe), asked = true;
		if (!row->inside || inside)
			error = -row->attempt(&probe);
		/* Later rows would fail for a missing descriptor. */
		if (row->inside && error != 0)
			inside = false;
		if (io_write_full(out, &error, sizeof(error)) < 0)
			_exit(1);
	}
	_exit(0);
}

/* ---- the parent ------------------------------------------------------ */

/* Read a child's results, up to the row that killed it. */
static int kernel_calls_read(int in, struct kernel_calls *calls)
{
	int64_t end = io_now_ms() + KERNEL_CALLS_MS;

	for (size_t i = 0; i < ARRAY_LEN(kernel_calls_rows); i++)
		calls->errors[i] = KERNEL_CALLS_UNTRIED;
	for (size_t i = 0; i < ARRAY_LEN(kernel_calls_rows); i++) {
		int left = (int)(end - io_now_ms());

		if (io_wait_readable(in, left > 0 ? left : 0) <= 0)
			return -ETIMEDOUT;
		if (io_read_full(in, &calls->errors[i], sizeof(int)) < 0) {
			calls->errors[i] = KERNEL_CALLS_KILLED;
			break;
		}
	}
	return 0;
}

int kernel_calls_try(struct kernel_calls *calls)
{
	int ends[2];

	*calls = (struct kernel_calls){0};
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	owned_fd int in = ends[0], out = ends[1];
	pid_t pid = fork();

	if (pid == 0)
		kernel_calls_child(out);
	base_release_fd(&out);
	int rc = pid < 0 ? -errno : kernel_calls_read(in, calls);

	if (pid < 0)
		return rc;
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return rc;
}

/* ---- words ----------------------------------------------------------- */

static bool kernel_calls_fails(int error)
{
	return error != 0 && error != KERNEL_CALLS_UNTRIED;
}

unsigned kernel_calls_lacking(const struct kernel_calls *calls, bool needed,
			      char words[KERNEL_CALLS_WORDS_MAX])
{
	unsigned count = 0;
	size_t used = 0;

	*words = '\0';
	for (size_t i = 0; i < ARRAY_LEN(kernel_calls_rows); i++) {
		const struct kernel_calls_row *row = &kernel_calls_rows[i];
		int error = calls->errors[i];

		if (row->needed != needed || !kernel_calls_fails(error))
			continue;
		count++;
		int n = snprintf(words + used, KERNEL_CALLS_WORDS_MAX - used,
				 "%s%s (%s: %s)", used ? ", " : "", row->name,
				 error == KERNEL_CALLS_KILLED
					 ? "it kills the caller"
					 : log_errno(-error),
				 row->lost);

		if (n > 0 && used + (size_t)n < KERNEL_CALLS_WORDS_MAX)
			used += (size_t)n;
	}
	return count;
}

unsigned kernel_calls_working(const struct kernel_calls *calls)
{
	unsigned count = 0;

	for (size_t i = 0; i < ARRAY_LEN(kernel_calls_rows); i++)
		count += calls->errors[i] == 0;
	return count;
}

unsigned kernel_calls_count(void)
{
	return ARRAY_LEN(kernel_calls_rows);
}
