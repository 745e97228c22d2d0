/*
 * syscalls_table - the system calls that each role may make.
 *
 * A row has a call, the reason for it and its conditions. To allow a call, add
 * a row. A row with UNLESS is only for architectures that lack the call which
 * UNLESS names. A call that is in no row fails with EPERM. Calls that libraries
 * try before they fall back fail with ENOSYS: syscalls_refused[] at the end. A
 * call of a foreign architecture kills the process.
 */
#ifndef TERRARIUM_SYSCALLS_TABLE_H
#define TERRARIUM_SYSCALLS_TABLE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "sandbox/base/pidfd.h"
#include "syscalls.h"

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

#define CHECKS_MAX 3
#define CHECK_VALUES_MAX 8

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
	const char *set; /* a word for the purpose, for the printed table */
	const char *name;
	const char *reason;
	struct syscalls_check checks[CHECKS_MAX]; /* all must hold */
	const char *unless; /* NULL, or: only if there is no such call */
};

/* The flags with which glibc starts a thread, and no others. */
#define THREAD_FLAGS 0x3d0f00

/* Flags that do not change the kind of a mapping (MAP_TYPE). */
#define MAP_PLAIN \
	(MAP_FIXED | MAP_NORESERVE | MAP_STACK | MAP_DENYWRITE | MAP_POPULATE)

/* The bits of a process or thread id: the kernel has 2^22 of them. */
#define PID_BITS 0x3fffff

/* The bit of O_TMPFILE besides O_DIRECTORY, which O_TMPFILE includes. */
#define ONLY_TMPFILE (O_TMPFILE & ~O_DIRECTORY)

#define FUTEX_PLAIN (~(uint64_t)(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME))

static const struct syscalls_row syscalls_guest[] = {
	/* memory */
	{"memory", "brk", "malloc", {{0}}, NULL},
	{"memory", "mmap", "malloc, files; never executable",
	 {CHECK_ONLY(2, PROT_READ | PROT_WRITE),
	  CHECK(3, ~(uint64_t)(MAP_PLAIN | MAP_ANONYMOUS), MAP_PRIVATE)},
	 NULL},
	{"memory", "mmap", "files; an anonymous one makes a kernel file",
	 {CHECK_ONLY(2, PROT_READ | PROT_WRITE),
	  CHECK(3, ~(uint64_t)MAP_PLAIN, MAP_SHARED)}, NULL},
	{"memory", "mmap", "shared libraries: from a file, not writable",
	 {CHECK(2, ~(uint64_t)PROT_READ, PROT_EXEC),
	  CHECK(3, ~(uint64_t)MAP_PLAIN, MAP_PRIVATE)}, NULL},
	{"memory", "munmap", "free", {{0}}, NULL},
	{"memory", "mremap", "realloc; never to a place of its choice",
	 {CHECK_ONLY(3, MREMAP_MAYMOVE)}, NULL},
	{"memory", "mprotect", "thread stacks; never to executable",
	 {CHECK_ONLY(2, PROT_READ | PROT_WRITE)}, NULL},
	{"memory", "madvise", "free; large pages for arrays",
	 {CHECK(2, ALL_BITS, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE)}, NULL},
	/* files by descriptor */
	{"descriptors", "read", "files, pipes", {{0}}, NULL},
	{"descriptors", "write", "files, pipes", {{0}}, NULL},
	{"descriptors", "pread64", "sqlite", {{0}}, NULL},
	{"descriptors", "pwrite64", "sqlite", {{0}}, NULL},
	{"descriptors", "lseek", "files", {{0}}, NULL},
	{"descriptors", "close", "files", {{0}}, NULL},
	{"descriptors", "dup2", "redirecting output", {{0}}, NULL},
	{"descriptors", "pipe2", "os.pipe; bytes, not packets",
	 {CHECK_ONLY(1, O_CLOEXEC | O_NONBLOCK)}, NULL},
	{"descriptors", "fstat", "glibc of 2.39 and later", {{0}}, NULL},
	{"descriptors", "fcntl", "flags; ask for a lock's owner (none: sqlite)",
	 {CHECK(1, ALL_BITS, F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_GETLK,
	  F_DUPFD_CLOEXEC)}, NULL},
	{"descriptors", "fcntl", "blocking or not; a pipe of bytes, no signals",
	 {CHECK(1, ALL_BITS, F_SETFL), CHECK(2, O_DIRECT | O_ASYNC, 0)},
	 NULL},
	{"descriptors", "ioctl", "isatty, terminal size, non-blocking",
	 {CHECK(1, ALL_BITS, TCGETS, TIOCGWINSZ, FIONBIO, FIONREAD, FIOCLEX,
	  FIONCLEX)}, NULL},
	{"descriptors", "ftruncate", "files", {{0}}, NULL},
	{"descriptors", "fallocate", "plain modes only", {CHECK_ONLY(1, 3)},
	 NULL},
	{"descriptors", "getdents64", "os.listdir", {{0}}, NULL},
	/* files by name: the read-only root and Landlock restrict them */
	{"files", "openat", "open; with a name, no set-id, no sticky bit",
	 {CHECK(2, O_PATH | ONLY_TMPFILE | O_DIRECT | O_ASYNC, 0),
	  CHECK(3, 07000, 0)}, NULL},
	{"files", "newfstatat", "stat", {CHECK_ONLY(3, AT_SYMLINK_NOFOLLOW |
	  AT_EMPTY_PATH | AT_NO_AUTOMOUNT)}, NULL},
	{"files", "access", "os.access", {{0}}, NULL},
	{"files", "readlink", "realpath", {{0}}, NULL},
	{"files", "getcwd", "os.getcwd", {{0}}, NULL},
	{"files", "chdir", "os.chdir", {{0}}, NULL},
	{"files", "mkdir", "os.mkdir; no sticky bit", {CHECK(1, 07000, 0)},
	 NULL},
	{"files", "rmdir", "os.rmdir", {{0}}, NULL},
	{"files", "unlink", "os.remove", {{0}}, NULL},
	{"files", "unlinkat", "shutil.rmtree", {{0}}, NULL},
	{"files", "rename", "os.rename", {{0}}, NULL},
	{"files", "link", "os.link", {{0}}, NULL},
	{"files", "symlink", "os.symlink", {{0}}, NULL},
	{"files", "truncate", "os.truncate", {{0}}, NULL},
	{"files", "chmod", "no set-id, no sticky bit", {CHECK(1, 07000, 0)},
	 NULL},
	{"files", "umask", "os.umask", {{0}}, NULL},
	{"files", "utimensat", "os.utime, shutil.copy2", {{0}}, NULL},
	/* waiting; asyncio runs on poll, so there is no epoll */
	{"waiting", "poll", "selectors", {{0}}, NULL},
	{"waiting", "pselect6", "selectors, time.sleep", {{0}}, NULL},
	{"waiting", "clock_nanosleep", "time.sleep", {CHECK_ONLY(0, 15)}, NULL},
	{"waiting", "restart_syscall", "the kernel's own", {{0}}, NULL},
	/* a socket pair with itself, for asyncio's wake-ups; no network */
	{"asyncio", "socketpair", "a stream pair of unix sockets",
	 {CHECK(0, ALL_BITS, AF_UNIX),
	  CHECK(1, ~(uint64_t)(SOCK_CLOEXEC | SOCK_NONBLOCK), SOCK_STREAM),
	  CHECK(2, ALL_BITS, 0)}, NULL},
	{"asyncio", "sendto", "send without address, no urgent data",
	 {CHECK_ONLY(3, MSG_DONTWAIT | MSG_NOSIGNAL), CHECK(4, ALL_BITS, 0)},
	 NULL},
	{"asyncio", "recvfrom", "recv, no urgent data",
	 {CHECK_ONLY(3, MSG_DONTWAIT | MSG_NOSIGNAL)}, NULL},
	{"asyncio", "shutdown", "close of a pair", {{0}}, NULL},
	{"asyncio", "getsockname", "socket objects", {{0}}, NULL},
	/* threads */
	{"threads", "clone", "pthread_create, never a process",
	 {CHECK(0, ALL_BITS, THREAD_FLAGS)}, NULL},
	{"threads", "futex", "locks; no priority inheritance",
	 {CHECK(1, FUTEX_PLAIN, FUTEX_WAIT, FUTEX_WAKE, FUTEX_WAIT_BITSET,
	  FUTEX_WAKE_BITSET)}, NULL},
	{"threads", "rseq", "pthread_create", {{0}}, NULL},
	{"threads", "gettid", "threading", {{0}}, NULL},
	{"threads", "sched_getaffinity",
	 "os.cpu_count; pthread_getattr_np, by a thread's number",
	 {CHECK_ONLY(0, PID_BITS)}, NULL},
	{"threads", "exit", "the end of a thread", {{0}}, NULL},
	{"threads", "exit_group", "the end", {{0}}, NULL},
	/* signals to itself */
	{"signals", "rt_sigaction", "signal.signal", {{0}}, NULL},
	{"signals", "rt_sigprocmask", "signal.pthread_sigmask", {{0}}, NULL},
	{"signals", "rt_sigreturn", "the return from a handler", {{0}}, NULL},
	{"signals", "rt_sigtimedwait", "signal.sigwait", {{0}}, NULL},
	{"signals", "sigaltstack", "faulthandler, threads", {{0}}, NULL},
	{"signals", "kill", "os.kill of itself",
	 {CHECK(0, ALL_BITS, SYSCALLS_GUEST_PID)}, NULL},
	{"signals", "tgkill", "abort, raise",
	 {CHECK(0, ALL_BITS, SYSCALLS_GUEST_PID)}, NULL},
	{"signals", "alarm", "signal.alarm", {{0}}, NULL},
	{"signals", "setitimer", "signal.setitimer: of real time",
	 {CHECK(0, ALL_BITS, ITIMER_REAL)}, NULL},
	/* its own identity and use */
	{"identity", "getpid", "os.getpid", {{0}}, NULL},
	{"identity", "getuid", "expanduser", {{0}}, NULL},
	{"identity", "geteuid", "getpass", {{0}}, NULL},
	{"identity", "getgid", "os.getgid", {{0}}, NULL},
	{"identity", "getegid", "os.getegid", {{0}}, NULL},
	{"identity", "uname", "platform: a constant name", {{0}}, NULL},
	{"identity", "prlimit64", "ask for one's own limits, never set",
	 {CHECK(0, ALL_BITS, 0), CHECK(2, ALL_BITS, 0)}, NULL},
	{"identity", "getrusage", "resource.getrusage", {{0}}, NULL},
	{"identity", "times", "os.times", {{0}}, NULL},
	{"identity", "getrandom", "os.urandom, secrets", {{0}}, NULL},
	/* time */
	{"time", "clock_gettime", "time", {CHECK_ONLY(0, 15)}, NULL},
	{"time", "clock_getres", "time.get_clock_info", {CHECK_ONLY(0, 15)},
	 NULL},
	/* for architectures without the older call */
	{"files", "faccessat", "os.access", {{0}}, "access"},
	{"files", "readlinkat", "realpath", {{0}}, "readlink"},
	{"files", "mkdirat", "os.mkdir; no sticky bit", {CHECK(2, 07000, 0)},
	 "mkdir"},
	{"files", "renameat", "os.rename", {{0}}, "rename"},
	{"files", "linkat", "os.link", {{0}}, "link"},
	{"files", "symlinkat", "os.symlink", {{0}}, "symlink"},
	{"files", "fchmodat", "no set-id, no sticky bit", {CHECK(2, 07000, 0)},
	 "chmod"},
	{"descriptors", "dup3", "redirecting output", {{0}}, "dup2"},
	{"waiting", "ppoll", "selectors", {{0}}, "poll"},
};

/* A guest's further calls with walls.jit. */
static const struct syscalls_row syscalls_jit[] = {
	{"memory", "mprotect", "machine code that was written before: numba",
	 {CHECK(2, ~(uint64_t)PROT_READ, PROT_EXEC)}, NULL},
};

/* A worker after it has armed its guest. It accepts a request, reads it, feeds
 * the guest, watches it, kills it, reads its files and answers. */
static const struct syscalls_row syscalls_worker[] = {
	{"memory", "brk", "malloc", {{0}}, NULL},
	{"memory", "mmap", "malloc; never executable", {CHECK(2, PROT_EXEC, 0)},
	 NULL},
	{"memory", "munmap", "free", {{0}}, NULL},
	{"memory", "mremap", "realloc; never to a place of its choice",
	 {CHECK_ONLY(3, MREMAP_MAYMOVE)}, NULL},
	{"memory", "madvise", "free; large pages for large bodies",
	 {CHECK(2, ALL_BITS, MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE)}, NULL},
	{"waiting", "epoll_wait", "for a connection", {{0}}, NULL},
	{"waiting", "epoll_pwait", "where there is no epoll_wait", {{0}},
	 "epoll_wait"},
	{"waiting", "poll", "on the guest and the client", {{0}}, NULL},
	{"waiting", "ppoll", "where there is no poll", {{0}}, "poll"},
	{"waiting", "restart_syscall", "the kernel's own", {{0}}, NULL},
	{"waiting", "clock_gettime", "deadlines, the guest's processor time",
	 {{0}}, NULL},
	{"descriptors", "accept4", "one connection",
	 {CHECK_ONLY(3, SOCK_CLOEXEC | SOCK_NONBLOCK)}, NULL},
	{"descriptors", "setsockopt", "its time limit",
	 {CHECK(1, ALL_BITS, SOL_SOCKET), CHECK(2, ALL_BITS, SO_SNDTIMEO)},
	 NULL},
	{"descriptors", "recvfrom", "its bytes", {{0}}, NULL},
	{"descriptors", "sendto", "its bytes, to no other address",
	 {CHECK(4, ALL_BITS, 0)}, NULL},
	{"descriptors", "sendmsg", "a connection, to the queue", {{0}}, NULL},
	{"descriptors", "recvmsg", "one from the queue", {{0}}, NULL},
	{"descriptors", "memfd_create", "a request's head, for libfcgi",
	 {CHECK(1, ALL_BITS, MFD_CLOEXEC)}, NULL},
	{"descriptors", "read", "connection, pipes, files", {{0}}, NULL},
	{"descriptors", "write", "connection, pipes, files", {{0}}, NULL},
	{"descriptors", "pread64", "output files, control groups", {{0}}, NULL},
	{"descriptors", "pwrite64", "control groups, a request's head", {{0}},
	 NULL},
	{"descriptors", "close", "all of them", {{0}}, NULL},
	{"descriptors", "fcntl", "flags",
	 {CHECK(1, ALL_BITS, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC)},
	 NULL},
	{"descriptors", "lseek", "directories", {{0}}, NULL},
	{"descriptors", "getdents64", "output files", {{0}}, NULL},
	{"descriptors", "newfstatat", "output files", {{0}}, NULL},
	{"descriptors", "fstat", "glibc of 2.39 and later", {{0}}, NULL},
	{"descriptors", "fstatfs", "whether home was written to", {{0}}, NULL},
	{"files", "openat", "input files, beneath home", {{0}}, NULL},
	{"files", "openat2", "output files, beneath home", {{0}}, NULL},
	{"files", "mkdirat", "input directories", {{0}}, NULL},
	{"files", "setfsuid", "files of the guest's own", {{0}}, NULL},
	{"files", "setfsgid", "files of the guest's own", {{0}}, NULL},
	{"guest", "pidfd_send_signal", "end it, ask it where it is; no other process can be named",
	 {CHECK(1, ALL_BITS, SIGKILL, SIGXCPU, SIGURG), CHECK(2, ALL_BITS, 0),
	  CHECK(3, ALL_BITS, 0)}, NULL},
	{"guest", "wait4", "reap it", {{0}}, NULL},
	{"guest", "waitid", "see how it died", {{0}}, NULL},
	{"guest", "prlimit64", "lower its memory and its tasks",
	 {CHECK(1, ALL_BITS, RLIMIT_AS, RLIMIT_DATA, RLIMIT_NPROC)}, NULL},
	{"itself", "getpid", "log lines", {{0}}, NULL},
	{"itself", "gettid", "abort", {{0}}, NULL},
	{"itself", "tgkill", "abort", {{0}}, NULL},
	{"itself", "geteuid", "the uid to return to", {{0}}, NULL},
	{"itself", "getegid", "the gid to return to", {{0}}, NULL},
	{"itself", "getrandom", "ids", {{0}}, NULL},
	{"itself", "rt_sigaction", "signals", {{0}}, NULL},
	{"itself", "rt_sigprocmask", "signals", {{0}}, NULL},
	{"itself", "rt_sigreturn", "signals", {{0}}, NULL},
	{"itself", "exit_group", "the end", {{0}}, NULL},
};

/* The guest of a session, in addition to a guest's calls. */
static const struct syscalls_row syscalls_session[] = {
	{"session",
	 "clone",
	 "fork, if the session keeper allows it: the gate",
	 {CHECK(0, ALL_BITS, SYSCALLS_FORK_FLAGS)},
	 NULL},
	{"session",
	 "kill",
	 "of itself, which the session keeper checks: the gate",
	 {{0}},
	 NULL},
	{"session",
	 "tgkill",
	 "the same, because a copy has another process id",
	 {{0}},
	 NULL},
};

/* A worker of a server, in addition to a worker's calls: it calls sessions and
 * streams. */
static const struct syscalls_row syscalls_caller[] = {
	{"sessions", "socketpair", "one for each call of a session or stream",
	 {CHECK(0, ALL_BITS, AF_UNIX)}, NULL},
};

/* A session keeper, in addition to a worker's calls: it serves the gate. */
static const struct syscalls_row syscalls_keeper[] = {
	{"sessions", "ioctl", "the gate of its guest; how a copy died",
	 {CHECK(1, ALL_BITS, SECCOMP_IOCTL_NOTIF_RECV, SECCOMP_IOCTL_NOTIF_SEND,
	  SECCOMP_IOCTL_NOTIF_ID_VALID, PIDFD_INFO)}, NULL},
	{"sessions", "pidfd_open", "a copy of its guest", {{0}}, NULL},
	{"files", "renameat", "uploads, beneath home", {{0}}, NULL},
	{"files", "unlinkat", "files that a client removes", {{0}}, NULL},
	{"files", "readlinkat", "where a link points, for a client", {{0}},
	 NULL},
	{"sessions", "pidfd_send_signal", "stop it between calls",
	 {CHECK(1, ALL_BITS, SIGSTOP, SIGCONT), CHECK(2, ALL_BITS, 0),
	  CHECK(3, ALL_BITS, 0)}, NULL},
};

/* The queue process, in addition to a worker's calls. */
static const struct syscalls_row syscalls_queue[] = {
	{"waiting", "epoll_ctl", "connections that wait", {{0}}, NULL},
};

/* The archive process, in addition to a worker's calls. */
static const struct syscalls_row syscalls_archive[] = {
	{"files", "unlinkat", "remove the oldest runs", {{0}}, NULL},
};

/* The init of a guest's pid namespace: it waits until it is killed. */
static const struct syscalls_row syscalls_init[] = {
	{"waiting", "ppoll", "for nothing", {CHECK(1, ALL_BITS, 0)}, NULL},
	{"waiting", "restart_syscall", "the kernel's own", {{0}}, NULL},
	{"itself", "exit_group", "the end", {{0}}, NULL},
};

/* Calls that are not made, but return another error than EPERM, and the reason
 * for that. An error of 0 means that the program sees success. */
static const struct {
	const char *name;
	int error;
	const char *reason;
	struct syscalls_check check;
} syscalls_refused[] = {
	{"fcntl", 0, "a lock: a process never conflicts with itself, and the "
	 "kernel's record of it is memory that no control group counts",
	 CHECK(1, ALL_BITS, F_SETLK, F_SETLKW)},
	{"fcntl", 0, "a lock of an open file: as for flock",
	 CHECK(1, ALL_BITS, F_OFD_SETLK, F_OFD_SETLKW)},
	{"flock", 0, "a lock: on a shared file other guests and the host would "
	 "see it; its files are a program's own", {0}},
	{"madvise", 0, "advice only", CHECK(2, ALL_BITS, MADV_NORMAL,
	 MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED, MADV_NOHUGEPAGE,
	 MADV_DONTDUMP)},
	{"openat", EOPNOTSUPP, "tempfile falls back to a name",
	 CHECK(2, ONLY_TMPFILE, ONLY_TMPFILE)},
	{"openat", EOPNOTSUPP, "as for fchmodat2, which glibc emulates with it",
	 CHECK(2, O_PATH, O_PATH)},
	{"statfs", ENOSYS, "free room of file systems that are not ours; "
	 "os.statvfs answers by itself", {0}},
	{"fstatfs", ENOSYS, "the same", {0}},
	{"fadvise64", 0, "advice only; the host's page cache is not ours",
	 {0}},
	{"fsync", 0, "a tmpfs has nothing to write to", {0}},
	{"fdatasync", 0, "a tmpfs has nothing to write to", {0}},
	{"msync", 0, "a tmpfs has nothing to write to", {0}},
	{"mlock", 0, "advice here: nothing is locked; libgcrypt, which OpenCV "
	 "loads, complains on standard error when it fails", {0}},
	{"getppid", 0, "the true answer: it has no parent", {0}},
	{"getgroups", 0, "the true answer: none", {0}},
	{"wait4", ECHILD, "the true answer: there are no children", {0}},
	{"set_robust_list", 0, "for locks between processes", {0}},
	{"sched_yield", 0, "a hint", {0}},
	{"dup3", ENOSYS, "os.dup2 falls back to dup2", {0}},
	{"statx", ENOSYS, "falls back to newfstatat", {0}},
	{"faccessat2", ENOSYS, "falls back to newfstatat", {0}},
	{"fchmodat2", ENOSYS, "os.chmod without following: NotImplementedError",
	 {0}},
	{"clone3", ENOSYS, "glibc falls back to clone, which can be checked",
	 {0}},
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
