/*
 * test_syscalls - the filter of system calls, looked at from two sides: the
 * compiled program is interpreted here for any number and argument, without
 * a side effect; then it is loaded in children and the kernel is asked.
 */
#include "support.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "../../sandbox/syscalls.h"
#include "../../sandbox/syscalls_table.h"
#include "syscalls_tables.h"

#define NUMBERS 512	/* that are asked of the kernel */
#define X32 0x40000000u /* bit of a call of the x32 kind */
#define HIGH (1ull << 32)

/* The table that is being tested, and what was made of it. */
static enum syscalls_role role;
static struct syscalls_filter filter;

#define ROWS (tables[role].rows)
#define ROWS_COUNT (tables[role].count)

/* Is it a program's, which expects answers? */
static bool is_guest(void)
{
	return role == SYSCALLS_GUEST || role == SYSCALLS_SESSION;
}

static int compile_role(void **state)
{
	fill_tables(state);
	return syscalls_compile(role, &filter);
}

static int release(void **state)
{
	(void)state;
	syscalls_free(&filter);
	return filter.instructions != NULL;
}

/* ---- the program, interpreted ---------------------------------------- */

static bool jumps(const struct sock_filter *at, uint32_t a)
{
	switch (BPF_OP(at->code)) {
	case BPF_JEQ:
		return a == at->k;
	case BPF_JGT:
		return a > at->k;
	case BPF_JGE:
		return a >= at->k;
	case BPF_JSET:
		return a & at->k;
	default:
		fail_msg("jump %#x is not known here", at->code);
		return false;
	}
}

/* The program's answer; see seccomp(2) for its numbers. */
static uint32_t interpret(const struct seccomp_data *data)
{
	const struct sock_filter *program = filter.instructions;
	uint32_t a = 0;

	for (size_t i = 0; i < filter.count; i++) {
		const struct sock_filter *at = &program[i];

		if (at->code == (BPF_LD | BPF_W | BPF_ABS)) {
			assert_true(at->k <= sizeof(*data) - sizeof(a));
			memcpy(&a, (const char *)data + at->k, sizeof(a));
		} else if (at->code == (BPF_ALU | BPF_AND | BPF_K)) {
			a &= at->k;
		} else if (at->code == (BPF_JMP | BPF_JA)) {
			i += at->k;
		} else if (BPF_CLASS(at->code) == BPF_JMP) {
			i += jumps(at, a) ? at->jt : at->jf;
		} else if (at->code == (BPF_RET | BPF_K)) {
			return at->k;
		} else {
			fail_msg("instruction %#x is not known here",
				 at->code);
		}
	}
	fail_msg("the program runs past its end");
	return 0;
}

static uint32_t answer(uint32_t number, const uint64_t args[6])
{
	struct seccomp_data data = {.nr = (int)number,
				    .arch = AUDIT_ARCH_X86_64};

	memcpy(data.args, args, sizeof(data.args));
	return interpret(&data);
}

static const uint64_t patterns[][6] = {
	{0, 0, 0, 0, 0, 0},
	{~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull},
	{HIGH, HIGH, HIGH, HIGH, HIGH, HIGH},
	{1, 1, 1, 1, 1, 1},
};

/* Does the program let NUMBER pass with arguments of some kind? */
static bool passes_somehow(uint32_t number)
{
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
		if (answer(number, patterns[i]) == SECCOMP_RET_ALLOW)
			return true;
	for (size_t i = 0; i < ROWS_COUNT; i++) {
		const struct syscalls_check *first = &ROWS[i].first;
		const struct syscalls_check *second = &ROWS[i].second;
		uint64_t args[6] = {0};

		if (first->on)
			args[first->arg] = first->values[0];
		if (second->on)
			args[second->arg] = second->values[0];
		if (answer(number, args) == SECCOMP_RET_ALLOW)
			return true;
	}
	return false;
}

/* Does the row count here? Some are for other architectures. */
static bool counts(const struct syscalls_row *row)
{
	return !row->unless || seccomp_syscall_resolve_name(row->unless) < 0;
}

static bool in_table(uint32_t number)
{
	for (size_t i = 0; i < ROWS_COUNT; i++)
		if (counts(&ROWS[i]) &&
		    seccomp_syscall_resolve_name(ROWS[i].name) ==
			    (int)number)
			return true;
	return false;
}

static int refused_errno(uint32_t number)
{
	for (size_t i = 0; is_guest() &&
			   i < ARRAY_LEN(syscalls_refused); i++)
		if (!syscalls_refused[i].check.on &&
		    seccomp_syscall_resolve_name(syscalls_refused[i].name) ==
			    (int)number)
			return syscalls_refused[i].error;
	return EPERM;
}

static void the_program_is_whole(void **state)
{
	const struct sock_filter *program = filter.instructions;

	(void)state;
	assert_in_range(filter.count, 50, BPF_MAXINSNS);
	assert_int_equal(BPF_CLASS(program[filter.count - 1].code), BPF_RET);
}

static void what_passes_is_what_the_table_allows(void **state)
{
	unsigned count = 0;

	(void)state;
	for (uint32_t number = 0; number < 2 * NUMBERS; number++) {
		bool passes = passes_somehow(number);

		if (passes != in_table(number))
			fail_msg("call %u %s", number,
				 passes ? "passes" : "does not pass");
		count += passes;
	}
	assert_int_equal(count, syscalls_allowed(role));
}

static void every_other_number_is_refused(void **state)
{
	(void)state;
	for (uint64_t number = 0; number < X32;
	     number += number < 4096 ? 1 : 65521) {
		uint32_t want = SECCOMP_RET_ERRNO |
				(uint32_t)refused_errno((uint32_t)number);

		for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
			if (!in_table((uint32_t)number))
				assert_int_equal(answer((uint32_t)number,
							patterns[i]), want);
	}
}

static void other_architectures_are_killed(void **state)
{
	static const uint32_t architectures[] = {
		AUDIT_ARCH_I386, AUDIT_ARCH_AARCH64, AUDIT_ARCH_ARM, 0,
		UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(architectures); i++)
		for (int number = -1; number < 2 * NUMBERS; number++) {
			struct seccomp_data data = {
				.nr = number, .arch = architectures[i]};

			assert_int_equal(interpret(&data),
					 SECCOMP_RET_KILL_PROCESS);
		}
	for (uint32_t number = 0; number < 2 * NUMBERS; number++)
		assert_int_equal(answer(number | X32, patterns[0]),
				 SECCOMP_RET_KILL_PROCESS);
}

/* Whatever becomes of the table, these stay out of it. */
static void some_calls_never_pass(void **state)
{
	static const char *const names[] = {
		"fork", "vfork", "clone3", "execve", "execveat", "ptrace",
		"process_vm_readv", "process_vm_writev", "kcmp", "unshare",
		"setns", "mount", "umount2", "pivot_root", "chroot", "fsopen",
		"move_mount", "open_tree", "mount_setattr", "setuid",
		"setresuid", "setgid", "setgroups", "capset", "setrlimit",
		"seccomp", "bpf", "perf_event_open", "userfaultfd",
		"io_uring_setup", "io_uring_enter", "keyctl", "add_key",
		"request_key", "socket", "connect", "bind", "listen",
		"accept", "sendmsg", "sendmmsg", "recvmsg", "mknod",
		"mknodat", "personality", "modify_ldt", "arch_prctl",
		"iopl", "ioperm", "init_module", "finit_module", "kexec_load",
		"open_by_handle_at", "name_to_handle_at", "pidfd_getfd",
		"pidfd_send_signal", "process_madvise", "memfd_create",
		"splice", "tee", "vmsplice", "shmget", "shmat", "semget",
		"msgget", "mq_open", "mbind", "move_pages", "pkey_mprotect",
		"remap_file_pages", "landlock_create_ruleset", "setsid",
		"setpgid", "sched_setaffinity", "sched_setscheduler",
		"setpriority", "syslog", "reboot", "swapon", "sysinfo",
		"flock", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
		"chown", "fchown", "lchown", "fchownat", "signalfd4",
		"fanotify_init", "inotify_init1", "timer_create",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		int number = seccomp_syscall_resolve_name(names[i]);

		assert_true(number >= 0);
		if (passes_somehow((uint32_t)number))
			fail_msg("%s passes", names[i]);
	}
}

/* ---- arguments ------------------------------------------------------- */

#define PASSES (-1)

/* One call, and the errno with which it is answered unless it passes. DRY:
 * the kernel is not asked, as it would act, or answer EPERM of its own. */
static const struct example {
	long number;
	int want;
	bool dry;
	uint64_t args[6];
} examples[] = {
	{SYS_clone, PASSES, true, {THREAD_FLAGS}},
	{SYS_clone, EPERM, false, {0}},
	{SYS_clone, EPERM, false, {SIGCHLD}},
	{SYS_clone, EPERM, false, {CLONE_VM | CLONE_VFORK | SIGCHLD}},
	{SYS_clone, EPERM, false, {THREAD_FLAGS | CLONE_NEWUSER}},
	{SYS_clone, EPERM, false, {THREAD_FLAGS | CLONE_UNTRACED}},
	{SYS_clone, EPERM, false, {THREAD_FLAGS & ~(uint64_t)CLONE_THREAD}},
	{SYS_clone, EPERM, false, {THREAD_FLAGS | HIGH}},
	{SYS_mmap, PASSES, false, {0, 4096, PROT_READ | PROT_WRITE,
				 MAP_PRIVATE | MAP_ANONYMOUS, ~0ull}},
	{SYS_mmap, PASSES, false, {0, 4096, PROT_NONE,
				 MAP_PRIVATE | MAP_ANONYMOUS, ~0ull}},
	{SYS_mmap, PASSES, false, {0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE,
				 ~0ull}},
	{SYS_mmap, PASSES, false, {0, 4096, PROT_EXEC, MAP_PRIVATE, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_READ | PROT_EXEC,
				  MAP_PRIVATE | MAP_ANONYMOUS, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_WRITE | PROT_EXEC,
				  MAP_PRIVATE, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096,
				  PROT_READ | PROT_WRITE | PROT_EXEC,
				  MAP_SHARED | MAP_ANONYMOUS, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, HIGH | PROT_WRITE | PROT_EXEC,
				  HIGH | MAP_PRIVATE, ~0ull}},
	{SYS_mprotect, PASSES, false, {0, 0, PROT_READ | PROT_WRITE}},
	{SYS_mprotect, PASSES, false, {0, 0, PROT_NONE}},
	{SYS_mprotect, EPERM, false, {0, 0, PROT_EXEC}},
	{SYS_mprotect, EPERM, false, {0, 0, PROT_READ | PROT_EXEC}},
	{SYS_mprotect, EPERM, false, {0, 0, HIGH | PROT_EXEC}},
	{SYS_madvise, PASSES, false, {0, 0, MADV_DONTNEED}},
	{SYS_madvise, PASSES, false, {0, 0, MADV_FREE}},
	{SYS_madvise, EPERM, false, {0, 0, MADV_REMOVE}},
	{SYS_madvise, EPERM, false, {0, 0, MADV_DONTFORK}},
	{SYS_madvise, EPERM, false, {0, 0, MADV_MERGEABLE}},
	{SYS_madvise, EPERM, false, {0, 0, MADV_WIPEONFORK}},
	{SYS_madvise, EPERM, false, {0, 0, MADV_POPULATE_WRITE}},
	{SYS_madvise, EPERM, false, {0, 0, 25}}, /* collapse */
	{SYS_madvise, EPERM, false, {0, 0, MADV_HWPOISON}},
	{SYS_madvise, EPERM, false, {0, 0, 102}}, /* guard */
	{SYS_madvise, EPERM, false, {0, 0, HIGH | MADV_DONTNEED}},
	{SYS_ioctl, PASSES, false, {~0ull, TCGETS}},
	{SYS_ioctl, PASSES, false, {~0ull, TIOCGWINSZ}},
	{SYS_ioctl, PASSES, false, {~0ull, FIONBIO}},
	{SYS_ioctl, PASSES, false, {~0ull, FIOCLEX}},
	{SYS_ioctl, EPERM, false, {~0ull, TIOCSTI}},
	{SYS_ioctl, EPERM, false, {~0ull, TIOCLINUX}},
	{SYS_ioctl, EPERM, false, {~0ull, TIOCSCTTY}},
	{SYS_ioctl, EPERM, false, {~0ull, 0x8912}}, /* SIOCGIFCONF */
	{SYS_ioctl, EPERM, false, {~0ull, HIGH | TIOCSTI}},
	{SYS_ioctl, EPERM, false, {~0ull, HIGH | TCGETS}},
	{SYS_fcntl, PASSES, false, {~0ull, F_GETFL}},
	{SYS_fcntl, PASSES, false, {~0ull, F_GETLK}},
	{SYS_fcntl, 0, false, {~0ull, F_SETLK}},
	{SYS_fcntl, 0, false, {~0ull, F_SETLKW}},
	{SYS_fcntl, EPERM, false, {~0ull, HIGH | F_SETLK}},
	{SYS_fcntl, PASSES, false, {~0ull, F_DUPFD_CLOEXEC}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETOWN}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETSIG}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETLEASE}},
	{SYS_fcntl, EPERM, false, {~0ull, F_NOTIFY}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETPIPE_SZ}},
	{SYS_fcntl, EPERM, false, {~0ull, F_OFD_SETLK}},
	{SYS_fcntl, EPERM, false, {~0ull, F_ADD_SEALS}},
	{SYS_fcntl, EPERM, false, {~0ull, HIGH | F_GETFL}},
	{SYS_prctl, PASSES, false, {PR_GET_NAME}},
	{SYS_prctl, PASSES, false, {PR_SET_VMA, ~0ull}},
	{SYS_prctl, EPERM, false, {PR_SET_PDEATHSIG}},
	{SYS_prctl, EPERM, false, {PR_SET_DUMPABLE, 1}},
	{SYS_prctl, EPERM, false, {PR_SET_SECCOMP}},
	{SYS_prctl, EPERM, false, {PR_SET_NO_NEW_PRIVS, 1}},
	{SYS_prctl, EPERM, false, {PR_SET_MM}},
	{SYS_prctl, EPERM, false, {PR_SET_PTRACER}},
	{SYS_prctl, EPERM, false, {PR_CAP_AMBIENT}},
	{SYS_prctl, EPERM, false, {PR_SET_CHILD_SUBREAPER}},
	{SYS_prctl, EPERM, false, {HIGH | PR_GET_NAME}},
	{SYS_futex, PASSES, false, {0, FUTEX_WAIT}},
	{SYS_futex, PASSES, false, {0, FUTEX_WAKE | FUTEX_PRIVATE_FLAG}},
	{SYS_futex, PASSES, false, {0, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG |
				  FUTEX_CLOCK_REALTIME}},
	{SYS_futex, EPERM, false, {0, FUTEX_FD}},
	{SYS_futex, EPERM, false, {0, FUTEX_REQUEUE}},
	{SYS_futex, EPERM, false, {0, FUTEX_WAKE_OP}},
	{SYS_futex, EPERM, false, {0, FUTEX_LOCK_PI}},
	{SYS_futex, EPERM, false, {0, FUTEX_LOCK_PI_PRIVATE}},
	{SYS_futex, EPERM, false, {0, FUTEX_CMP_REQUEUE_PI}},
	{SYS_futex, EPERM, false, {0, FUTEX_WAIT_REQUEUE_PI}},
	{SYS_futex, EPERM, false, {0, HIGH | FUTEX_WAIT}},
	{SYS_kill, PASSES, true, {SYSCALLS_GUEST_PID}},
	{SYS_kill, EPERM, false, {0}},
	{SYS_kill, EPERM, false, {1}},
	{SYS_kill, EPERM, false, {3}},
	{SYS_kill, EPERM, false, {~0ull}},
	{SYS_kill, EPERM, false, {HIGH | SYSCALLS_GUEST_PID}},
	{SYS_tgkill, PASSES, true, {SYSCALLS_GUEST_PID, 3}},
	{SYS_tgkill, EPERM, false, {1, 1}},
	{SYS_tgkill, EPERM, false, {~0ull, SYSCALLS_GUEST_PID}},
	{SYS_prlimit64, PASSES, false, {0, 0, 0, 0}},
	{SYS_prlimit64, EPERM, false, {0, 0, 8, 0}},
	{SYS_prlimit64, EPERM, false, {0, 0, HIGH, 0}},
	{SYS_prlimit64, EPERM, false, {1, 0, 0, 0}},
	{SYS_socketpair, PASSES, false, {AF_UNIX, SOCK_STREAM}},
	{SYS_socketpair, PASSES, false, {AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC |
				       SOCK_NONBLOCK}},
	{SYS_socketpair, EPERM, false, {AF_UNIX, SOCK_DGRAM}},
	{SYS_socketpair, EPERM, false, {AF_UNIX, SOCK_SEQPACKET}},
	{SYS_socketpair, EPERM, false, {AF_INET, SOCK_STREAM}},
	{SYS_socketpair, EPERM, false, {40, SOCK_STREAM}}, /* AF_VSOCK */
	{SYS_socketpair, EPERM, false, {HIGH | AF_UNIX, SOCK_STREAM}},
	{SYS_sendto, PASSES, false, {~0ull, 0, 0, 0, 0}},
	{SYS_sendto, PASSES, false, {~0ull, 0, 0, MSG_DONTWAIT | MSG_NOSIGNAL,
				   0}},
	{SYS_sendto, EPERM, false, {~0ull, 0, 0, MSG_OOB, 0}},
	{SYS_sendto, EPERM, false, {~0ull, 0, 0, 0x4000000, 0}},
	{SYS_sendto, EPERM, false, {~0ull, 0, 0, 0, 8}},
	{SYS_sendto, EPERM, false, {~0ull, 0, 0, 0, HIGH}},
	{SYS_recvfrom, PASSES, false, {~0ull, 0, 0, 0}},
	{SYS_recvfrom, PASSES, false, {~0ull, 0, 0, MSG_DONTWAIT}},
	{SYS_recvfrom, EPERM, false, {~0ull, 0, 0, MSG_OOB}},
	{SYS_recvfrom, EPERM, false, {~0ull, 0, 0, MSG_PEEK | MSG_OOB}},
	{SYS_recvfrom, EPERM, false, {~0ull, 0, 0, HIGH}},
	{SYS_chmod, PASSES, false, {0, 0755}},
	{SYS_chmod, EPERM, false, {0, 04755}},
	{SYS_chmod, EPERM, false, {0, 02755}},
	{SYS_chmod, EPERM, false, {0, 01777}},
	{SYS_fchmod, PASSES, false, {~0ull, 0777}},
	{SYS_fchmod, EPERM, false, {~0ull, 04000}},
	{SYS_fchmod, EPERM, false, {~0ull, HIGH | 0777}},
	{SYS_fchmodat, PASSES, false, {~0ull, 0, 0600}},
	{SYS_fchmodat, EPERM, false, {~0ull, 0, 06600}},
	{SYS_fallocate, PASSES, false, {~0ull, 0}},
	{SYS_fallocate, PASSES, false, {~0ull, 3}},
	{SYS_fallocate, EPERM, false, {~0ull, 4}},
	{SYS_fallocate, EPERM, false, {~0ull, 8}},
	{SYS_fallocate, EPERM, false, {~0ull, 0x40}},
	{SYS_fallocate, EPERM, false, {~0ull, HIGH}},
	{SYS_clock_gettime, PASSES, false, {CLOCK_MONOTONIC}},
	{SYS_clock_gettime, PASSES, false, {CLOCK_PROCESS_CPUTIME_ID}},
	{SYS_clock_gettime, PASSES, false, {CLOCK_TAI}},
	{SYS_clock_gettime, EPERM, false, {16}},
	{SYS_clock_gettime, EPERM, false, {~(uint64_t)0xd}},
	{SYS_clock_gettime, EPERM, false, {0xfffffff2}},
	{SYS_clock_gettime, EPERM, false, {HIGH}},
	{SYS_clock_getres, PASSES, false, {CLOCK_REALTIME}},
	{SYS_clock_getres, EPERM, false, {0xfffffff2}},
	{SYS_clock_nanosleep, PASSES, false, {CLOCK_REALTIME}},
	{SYS_clock_nanosleep, EPERM, false, {0xfffffff2}},
	/* no condition at all */
	{SYS_openat, PASSES, false, {~0ull, 0, 0}},
	{SYS_read, PASSES, false, {~0ull, 0, 0}},
	{SYS_getpid, PASSES, false, {0}},
};

/* A call that has left the table is refused with any argument. */
static int wanted(const struct example *row)
{
	return in_table((uint32_t)row->number)
		       ? row->want : refused_errno((uint32_t)row->number);
}

static void arguments_decide(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		const struct example *row = &examples[i];
		uint32_t is = answer((uint32_t)row->number, row->args);

		if (is != (wanted(row) == PASSES
				   ? SECCOMP_RET_ALLOW
				   : SECCOMP_RET_ERRNO | (uint32_t)wanted(row)))
			fail_msg("row %zu, call %ld: answer %#x", i,
				 row->number, is);
	}
}

/* Each rule that looks at arguments has a row of both kinds above. */
static void each_rule_has_its_examples(void **state)
{
	(void)state;
	for (size_t i = 0; i < ROWS_COUNT; i++) {
		int number = seccomp_syscall_resolve_name(
			ROWS[i].name);
		unsigned seen[2] = {0};

		for (size_t j = 0; j < ARRAY_LEN(examples); j++)
			if (examples[j].number == number)
				seen[examples[j].want == PASSES]++;
		if (counts(&ROWS[i]) && ROWS[i].first.on &&
		    (!seen[0] || !seen[1]))
			fail_msg("no examples for %s", ROWS[i].name);
		/* syscalls.c compiles one value of a second check. */
		assert_in_range(ROWS[i].second.count, 0, 1);
	}
}

/* ---- the kernel ------------------------------------------------------ */

static bool load(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscalls_load(&filter) == 0;
}

/* Exit without what a sanitizer does at an exit: it is refused. */
static int leave(int status)
{
	syscall(SYS_exit_group, status);
	return status;
}

/* The errno of a call with six equal bit patterns; 0 when it succeeded. */
static int ask(long number, const uint64_t *args)
{
	errno = 0;
	if (syscall(number, args[0], args[1], args[2], args[3], args[4],
		    args[5]) != -1)
		return 0;
	return errno;
}

/* What a child found, in memory that it shares. */
struct findings {
	bool skipped[NUMBERS];
	int want[NUMBERS];
	int is[NUMBERS][ARRAY_LEN(patterns) + 1];
	int examples[ARRAY_LEN(examples)];
};

static struct findings *new_findings(void)
{
	struct findings *found = mmap(NULL, sizeof(*found),
				      PROT_READ | PROT_WRITE,
				      MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(found != MAP_FAILED);
	return found;
}

static int sweep(void *context)
{
	struct findings *found = context;
	const size_t count = ARRAY_LEN(patterns);

	if (!load())
		return 1;
	for (long number = 0; number < NUMBERS; number++) {
		if (found->skipped[number])
			continue;
		for (size_t i = 0; i < count; i++)
			found->is[number][i] = ask(number, patterns[i]);
		/* The kernel looks at 32 bits of the number. */
		found->is[number][count] = ask((long)HIGH | number,
					       patterns[1]);
	}
	return leave(0);
}

static void the_kernel_refuses_the_rest(void **state)
{
	struct findings *found = new_findings();

	(void)state;
	for (uint32_t i = 0; i < NUMBERS; i++) {
		found->want[i] = refused_errno(i);
		/* Linux passes uretprobe and uprobe by every filter; they
		 * do nothing but in a trampoline of the kernel's own. */
		found->skipped[i] = in_table(i) || i == 335 || i == 336;
	}
	assert_int_equal(support_in_child(sweep, found), 0);
	for (uint32_t i = 0; i < NUMBERS; i++)
		for (size_t j = 0; j < ARRAY_LEN(found->is[i]); j++)
			if (!found->skipped[i] &&
			    found->is[i][j] != found->want[i])
				fail_msg("call %u, pattern %zu: %s", i, j,
					 strerror(found->is[i][j]));
	munmap(found, sizeof(*found));
}

static int try_examples(void *context)
{
	struct findings *found = context;

	if (!load())
		return 1;
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		if (!examples[i].dry)
			found->examples[i] = ask(examples[i].number,
						 examples[i].args);
	return leave(0);
}

static void the_kernel_agrees_about_arguments(void **state)
{
	struct findings *found = new_findings();

	(void)state;
	assert_int_equal(support_in_child(try_examples, found), 0);
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		if (!examples[i].dry &&
		    (wanted(&examples[i]) == PASSES
			     ? found->examples[i] == EPERM
			     : found->examples[i] != wanted(&examples[i])))
			fail_msg("row %zu, call %ld: %s", i,
				 examples[i].number,
				 strerror(found->examples[i]));
	munmap(found, sizeof(*found));
}

static int call_x32(void *context)
{
	long number = *(const long *)context;

	if (load())
		syscall(number | (long)X32);
	return 0;
}

static void x32_calls_kill(void **state)
{
	long numbers[] = {SYS_read, SYS_getpid, SYS_ptrace, 512, 520, 547};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		int status = support_in_child(call_x32, &numbers[i]);

		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), SIGSYS);
	}
}

/* The bytes of "int $0x80; ret", on a page that could be executed before
 * the filter came; number 20 is that architecture's getpid. */
static int call_i386(void *context)
{
	static const unsigned char code[] = {0xcd, 0x80, 0xc3};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long result = 20;

	if (page == MAP_FAILED)
		return 2;
	memcpy(page, code, sizeof(code));
	if (*(const bool *)context && !load())
		return 3;
	__asm__ volatile("call *%1" : "+a"(result) : "r"(page)
			 : "memory", "rcx", "r8", "r9", "r10", "r11");
	return result == getpid() ? 0 : 4;
}

static void i386_calls_kill(void **state)
{
	bool filtered = false;

	(void)state;
	int status = support_in_child(call_i386, &filtered);

	if (!WIFEXITED(status) || WEXITSTATUS(status) == 4)
		support_skip("this kernel has no i386 calls");
	assert_int_equal(WEXITSTATUS(status), 0);
	filtered = true;
	status = support_in_child(call_i386, &filtered);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGSYS);
}

static void *thread_main(void *context)
{
	*(int *)context = 42;
	return context;
}

static int start_thread(void *context)
{
	pthread_t thread;
	int answer_of_thread = 0;

	(void)context;
	if (!load() || pthread_create(&thread, NULL, thread_main,
				      &answer_of_thread) != 0)
		return 1;
	pthread_join(thread, NULL);
	return answer_of_thread == 42 && fork() < 0 && errno == EPERM ? 0 : 2;
}

static void threads_start_and_processes_do_not(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(start_thread, NULL), 0);
}

static int load_nothing(void *context)
{
	const struct syscalls_filter none = {0};

	(void)context;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return 1;
	return syscalls_load(&none) == -EINVAL ? 0 : 2;
}

static void an_empty_filter_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(load_nothing, NULL), 0);
}

static int load_twice(void *context)
{
	(void)context;
	return leave(!load() || syscalls_load(&filter) != -EPERM);
}

static void a_loaded_filter_is_the_last(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(load_twice, NULL), 0);
}

static void the_table_can_be_read(void **state)
{
	char text[256];
	owned_free char *all = calloc(1, 1 << 20);
	FILE *out = tmpfile();

	(void)state;
	assert_non_null(out);
	assert_non_null(all);
	assert_int_equal(syscalls_print(role, out), 0);
	rewind(out);
	assert_true(fread(all, 1, (1 << 20) - 1, out) > 0);
	fclose(out);
	for (size_t i = 0; i < ROWS_COUNT; i++) {
		if (!counts(&ROWS[i]))
			continue;
		snprintf(text, sizeof(text), "%-18s %s", ROWS[i].name,
			 ROWS[i].reason);
		assert_non_null(strstr(all, text));
	}
	snprintf(text, sizeof(text), "\n%u calls allowed", syscalls_allowed(role));
	assert_non_null(strstr(all, text));
	if (is_guest())
		assert_non_null(strstr(all,
				       "socket             EAFNOSUPPORT: "));
	assert_non_null(strstr(all, "# pseudo filter code start"));
}

#define FOR_ALL                                                             \
	cmocka_unit_test(the_program_is_whole),                              \
	cmocka_unit_test(what_passes_is_what_the_table_allows),              \
	cmocka_unit_test(every_other_number_is_refused),                     \
	cmocka_unit_test(other_architectures_are_killed),                    \
	cmocka_unit_test(the_kernel_refuses_the_rest),                       \
	cmocka_unit_test(x32_calls_kill),                                    \
	cmocka_unit_test(i386_calls_kill),                                   \
	cmocka_unit_test(an_empty_filter_is_an_error),                       \
	cmocka_unit_test(a_loaded_filter_is_the_last),                       \
	cmocka_unit_test(the_table_can_be_read)

int main(void)
{
	const struct CMUnitTest guest[] = {
		FOR_ALL,
		cmocka_unit_test(some_calls_never_pass),
		cmocka_unit_test(arguments_decide),
		cmocka_unit_test(each_rule_has_its_examples),
		cmocka_unit_test(the_kernel_agrees_about_arguments),
		cmocka_unit_test(threads_start_and_processes_do_not),
	};
	const struct CMUnitTest others[] = {FOR_ALL};
	static const char *const names[SYSCALLS_ROLES] = {
		[SYSCALLS_WORKER] = "syscalls of a worker",
		[SYSCALLS_SESSION] = "syscalls of a session's guest",
		[SYSCALLS_CALLER] = "syscalls of a worker with sessions",
		[SYSCALLS_KEEPER] = "syscalls of a keeper",
		[SYSCALLS_ARCHIVIST] = "syscalls of an archivist"};
	int wrong = cmocka_run_group_tests_name("syscalls of a guest", guest,
						compile_role, release);

	for (role = SYSCALLS_WORKER; role < SYSCALLS_ROLES; role++)
		wrong += cmocka_run_group_tests_name(names[role], others,
						     compile_role, release);
	return wrong;
}
