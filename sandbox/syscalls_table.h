/*
 * syscalls_table - the rows of syscalls.c, and nothing else.
 *
 * To allow a call, add a row with the reason; one with a condition gets a
 * check. A call in no row answers EPERM; probes that libraries make before
 * they fall back answer ENOSYS. Only a foreign architecture kills.
 */
#ifndef TERRARIUM_SYSCALLS_TABLE_H
#define TERRARIUM_SYSCALLS_TABLE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "syscalls.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

#define CHECK_VALUES_MAX 10

/* (argument ARG & MASK) must be one of VALUES; all 64 bits count. */
struct syscalls_check {
	bool on;
	unsigned arg;
	uint64_t mask;
	unsigned count;
	uint64_t values[CHECK_VALUES_MAX];
};

#define ALL_BITS UINT64_MAX
#define CHECK(argument, bits, ...)                                           \
	{                                                                    \
		.on = true, .arg = (argument), .mask = (bits),               \
		.count = sizeof((uint64_t[]){__VA_ARGS__}) / 8,              \
		.values = {__VA_ARGS__},                                     \
	}
/* No bit outside ALLOWED. */
#define CHECK_ONLY(argument, allowed) CHECK(argument, ~(uint64_t)(allowed), 0)

struct syscalls_row {
	const char *set; /* what it belongs to */
	const char *name;
	const char *reason;
	struct syscalls_check first, second; /* both must hold */
};

/* The flags with which glibc starts a thread, and no others. */
#define THREAD_FLAGS 0x3d0f00

#define FUTEX_PLAIN (~(uint64_t)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME))

static const struct syscalls_row syscalls_rows[] = {
	/* memory */
	{"memory", "brk", "malloc", {0}, {0}},
	{"memory", "mmap", "malloc, files; never executable",
	 CHECK(2, PROT_EXEC, 0), {0}},
	{"memory", "mmap", "shared libraries: from a file, not writable",
	 CHECK(2, PROT_EXEC | PROT_WRITE, PROT_EXEC),
	 CHECK(3, MAP_ANONYMOUS, 0)},
	{"memory", "munmap", "free", {0}, {0}},
	{"memory", "mremap", "realloc", {0}, {0}},
	{"memory", "mprotect", "thread stacks; never to executable",
	 CHECK(2, PROT_EXEC, 0), {0}},
	{"memory", "madvise", "free; advice without side effects",
	 CHECK(2, ALL_BITS, MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL,
	       MADV_WILLNEED, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE,
	       MADV_NOHUGEPAGE, MADV_DONTDUMP), {0}},
	{"memory", "msync", "mmap.flush", {0}, {0}},
	/* files by descriptor */
	{"descriptors", "read", "files, pipes", {0}, {0}},
	{"descriptors", "write", "files, pipes", {0}, {0}},
	{"descriptors", "readv", "os.readv", {0}, {0}},
	{"descriptors", "writev", "os.writev, the result pipe", {0}, {0}},
	{"descriptors", "pread64", "sqlite", {0}, {0}},
	{"descriptors", "pwrite64", "sqlite", {0}, {0}},
	{"descriptors", "lseek", "files", {0}, {0}},
	{"descriptors", "close", "files", {0}, {0}},
	{"descriptors", "dup", "os.dup", {0}, {0}},
	{"descriptors", "dup2", "os.dup2: redirecting output", {0}, {0}},
	{"descriptors", "dup3", "os.dup2 by default", {0}, {0}},
	{"descriptors", "pipe2", "os.pipe", {0}, {0}},
	{"descriptors", "fstat", "older glibc", {0}, {0}},
	{"descriptors", "fcntl", "flags; who holds a lock (nobody: sqlite)",
	 CHECK(1, ALL_BITS, F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL,
	       F_GETLK, F_DUPFD_CLOEXEC), {0}},
	{"descriptors", "ioctl", "isatty, terminal size, non-blocking",
	 CHECK(1, ALL_BITS, TCGETS, TIOCGWINSZ, FIONBIO, FIONREAD, FIOCLEX,
	       FIONCLEX), {0}},
	{"descriptors", "fsync", "durable by habit", {0}, {0}},
	{"descriptors", "fdatasync", "sqlite", {0}, {0}},
	{"descriptors", "ftruncate", "files", {0}, {0}},
	{"descriptors", "fallocate", "plain modes only", CHECK_ONLY(1, 3),
	 {0}},
	{"descriptors", "fchmod", "no set-id, no sticky bit",
	 CHECK(1, ~(uint64_t)0777, 0), {0}},
	{"descriptors", "getdents64", "os.listdir", {0}, {0}},
	{"descriptors", "fstatfs", "os.fstatvfs", {0}, {0}},
	/* files by name: the read-only root and Landlock say which */
	{"files", "openat", "open", {0}, {0}},
	{"files", "open", "older libraries", {0}, {0}},
	{"files", "newfstatat", "stat", {0}, {0}},
	{"files", "statx", "stat of some libraries", {0}, {0}},
	{"files", "statfs", "shutil.disk_usage", {0}, {0}},
	{"files", "access", "os.access", {0}, {0}},
	{"files", "faccessat", "os.access", {0}, {0}},
	{"files", "faccessat2", "os.access", {0}, {0}},
	{"files", "readlink", "realpath", {0}, {0}},
	{"files", "readlinkat", "realpath", {0}, {0}},
	{"files", "getcwd", "os.getcwd", {0}, {0}},
	{"files", "chdir", "os.chdir", {0}, {0}},
	{"files", "mkdir", "os.mkdir", {0}, {0}},
	{"files", "rmdir", "os.rmdir", {0}, {0}},
	{"files", "unlink", "os.remove", {0}, {0}},
	{"files", "unlinkat", "shutil.rmtree", {0}, {0}},
	{"files", "rename", "os.rename", {0}, {0}},
	{"files", "link", "os.link", {0}, {0}},
	{"files", "symlink", "os.symlink", {0}, {0}},
	{"files", "truncate", "os.truncate", {0}, {0}},
	{"files", "chmod", "no set-id, no sticky bit",
	 CHECK(1, ~(uint64_t)0777, 0), {0}},
	{"files", "fchmodat", "no set-id, no sticky bit",
	 CHECK(2, ~(uint64_t)0777, 0), {0}},
	{"files", "umask", "os.umask", {0}, {0}},
	{"files", "utimensat", "os.utime, shutil.copy2", {0}, {0}},
	/* waiting */
	{"waiting", "poll", "selectors", {0}, {0}},
	{"waiting", "ppoll", "selectors", {0}, {0}},
	{"waiting", "select", "selectors", {0}, {0}},
	{"waiting", "pselect6", "selectors, time.sleep", {0}, {0}},
	{"waiting", "epoll_create1", "asyncio", {0}, {0}},
	{"waiting", "epoll_ctl", "asyncio", {0}, {0}},
	{"waiting", "epoll_wait", "asyncio", {0}, {0}},
	{"waiting", "epoll_pwait", "asyncio", {0}, {0}},
	{"waiting", "eventfd2", "os.eventfd", {0}, {0}},
	{"waiting", "nanosleep", "sleep", {0}, {0}},
	{"waiting", "clock_nanosleep", "time.sleep",
	 CHECK_ONLY(0, 15), {0}},
	{"waiting", "pause", "signal.pause", {0}, {0}},
	{"waiting", "restart_syscall", "the kernel's own", {0}, {0}},
	/* a socket pair with itself, for asyncio's wake-ups; no network */
	{"asyncio", "socketpair", "a stream pair of unix sockets",
	 CHECK(0, ALL_BITS, AF_UNIX),
	 CHECK(1, ~(uint64_t)(SOCK_CLOEXEC | SOCK_NONBLOCK), SOCK_STREAM)},
	{"asyncio", "sendto", "send without address, no urgent data",
	 CHECK_ONLY(3, MSG_DONTWAIT | MSG_NOSIGNAL), CHECK(4, ALL_BITS, 0)},
	{"asyncio", "recvfrom", "recv, no urgent data",
	 CHECK_ONLY(3, MSG_DONTWAIT | MSG_NOSIGNAL), {0}},
	{"asyncio", "shutdown", "close of a pair", {0}, {0}},
	{"asyncio", "getsockname", "socket objects", {0}, {0}},
	/* threads */
	{"threads", "clone", "pthread_create, never a process",
	 CHECK(0, ALL_BITS, THREAD_FLAGS), {0}},
	{"threads", "futex", "locks; no priority inheritance",
	 CHECK(1, FUTEX_PLAIN, FUTEX_WAIT, FUTEX_WAKE, FUTEX_WAIT_BITSET,
	       FUTEX_WAKE_BITSET), {0}},
	{"threads", "set_robust_list", "pthread_create", {0}, {0}},
	{"threads", "rseq", "pthread_create", {0}, {0}},
	{"threads", "gettid", "threading", {0}, {0}},
	{"threads", "sched_yield", "spin locks", {0}, {0}},
	{"threads", "sched_getaffinity", "os.cpu_count and kin", {0}, {0}},
	{"threads", "exit", "the end of a thread", {0}, {0}},
	{"threads", "exit_group", "the end", {0}, {0}},
	/* signals to itself */
	{"signals", "rt_sigaction", "signal.signal", {0}, {0}},
	{"signals", "rt_sigprocmask", "signal.pthread_sigmask", {0}, {0}},
	{"signals", "rt_sigreturn", "the return from a handler", {0}, {0}},
	{"signals", "rt_sigpending", "signal.sigpending", {0}, {0}},
	{"signals", "rt_sigtimedwait", "signal.sigwait", {0}, {0}},
	{"signals", "sigaltstack", "faulthandler, threads", {0}, {0}},
	{"signals", "kill", "os.kill of itself",
	 CHECK(0, ALL_BITS, SYSCALLS_GUEST_PID), {0}},
	{"signals", "tgkill", "abort, raise",
	 CHECK(0, ALL_BITS, SYSCALLS_GUEST_PID), {0}},
	{"signals", "alarm", "signal.alarm", {0}, {0}},
	{"signals", "setitimer", "signal.setitimer", {0}, {0}},
	{"signals", "getitimer", "signal.getitimer", {0}, {0}},
	{"signals", "wait4", "ECHILD, as it should be", {0}, {0}},
	/* questions */
	{"identity", "getpid", "os.getpid", {0}, {0}},
	{"identity", "getppid", "os.getppid: 0", {0}, {0}},
	{"identity", "getpgid", "os.getpgid", {0}, {0}},
	{"identity", "getpgrp", "os.getpgrp", {0}, {0}},
	{"identity", "getsid", "os.getsid", {0}, {0}},
	{"identity", "getuid", "expanduser", {0}, {0}},
	{"identity", "geteuid", "getpass", {0}, {0}},
	{"identity", "getgid", "os.getgid", {0}, {0}},
	{"identity", "getegid", "os.getegid", {0}, {0}},
	{"identity", "getresuid", "os.getresuid", {0}, {0}},
	{"identity", "getresgid", "os.getresgid", {0}, {0}},
	{"identity", "getgroups", "os.getgroups", {0}, {0}},
	{"identity", "uname", "platform: a constant name", {0}, {0}},
	{"identity", "getrlimit", "resource.getrlimit", {0}, {0}},
	{"identity", "prlimit64", "ask for one's own limits, never set",
	 CHECK(0, ALL_BITS, 0), CHECK(2, ALL_BITS, 0)},
	{"identity", "getrusage", "resource.getrusage", {0}, {0}},
	{"identity", "times", "os.times", {0}, {0}},
	{"identity", "getrandom", "os.urandom, secrets", {0}, {0}},
	{"identity", "prctl", "thread names",
	 CHECK(0, ALL_BITS, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA), {0}},
	/* time */
	{"time", "clock_gettime", "time", CHECK_ONLY(0, 15), {0}},
	{"time", "clock_getres", "time.get_clock_info", CHECK_ONLY(0, 15),
	 {0}},
	{"time", "gettimeofday", "older libraries", {0}, {0}},
	{"time", "time", "older libraries", {0}, {0}},
};

/* What is not done, but answers something other than EPERM, and why. An
 * error of 0 says that it was done. */
static const struct {
	const char *name;
	int error;
	const char *reason;
	struct syscalls_check check;
} syscalls_refused[] = {
	{"fcntl", 0, "a lock: a process never conflicts with itself, and the "
	 "kernel's record of it is memory that no control group counts",
	 CHECK(1, ALL_BITS, F_SETLK, F_SETLKW)},
	{"fadvise64", 0, "advice only; the host's page cache is not ours",
	 {0}},
	{"clone3", ENOSYS, "glibc falls back to clone, which can be checked", {0}},
	{"close_range", ENOSYS, "falls back to close", {0}},
	{"openat2", ENOSYS, "falls back to openat", {0}},
	{"pidfd_open", ENOSYS, "asyncio falls back", {0}},
	{"io_uring_setup", ENOSYS, "a probe", {0}},
	{"io_uring_enter", ENOSYS, "a probe", {0}},
	{"io_uring_register", ENOSYS, "a probe", {0}},
	{"memfd_create", ENOSYS, "falls back to a file", {0}},
	{"memfd_secret", ENOSYS, "a probe", {0}},
	{"inotify_init", ENOSYS, "falls back to polling", {0}},
	{"inotify_init1", ENOSYS, "falls back to polling", {0}},
	{"userfaultfd", ENOSYS, "a probe", {0}},
	{"preadv2", ENOSYS, "falls back to preadv", {0}},
	{"pwritev2", ENOSYS, "falls back to pwritev", {0}},
	{"membarrier", ENOSYS, "a probe", {0}},
	{"epoll_pwait2", ENOSYS, "falls back to epoll_wait", {0}},
	{"timerfd_create", ENOSYS, "a probe", {0}},
	{"futex_waitv", ENOSYS, "a probe", {0}},
	{"renameat2", ENOSYS, "falls back to rename", {0}},
	{"copy_file_range", ENOSYS, "shutil falls back to read and write", {0}},
	{"sendfile", ENOSYS, "shutil falls back to read and write", {0}},
	{"getxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"lgetxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"fgetxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"listxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"llistxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"flistxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"setxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"lsetxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"fsetxattr", ENOTSUP, "shutil.copy2 passes over it", {0}},
	{"socket", EAFNOSUPPORT, "there is no network", {0}},
};

#endif
