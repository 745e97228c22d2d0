/*
 * test_syscalls_args - the filter's rules on the arguments of a program's
 * system calls: each row is asked of the compiled program, interpreted
 * here, and of the kernel, in a child that has loaded it.
 */
#include "tests/unit/walls/syscalls_support.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#define PASSES (-1)
#define MAP_PLAIN_PRIVATE (MAP_PRIVATE | MAP_ANONYMOUS)

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
	{SYS_mmap, PASSES, false, {0, 4096, PROT_READ, MAP_SHARED, ~0ull}},
	{SYS_mmap, PASSES, false, {0, 4096, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK |
				   MAP_NORESERVE, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_READ,
				  MAP_SHARED | MAP_ANONYMOUS, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_READ, MAP_SHARED_VALIDATE,
				  ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_READ, 0x28, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_READ, MAP_PLAIN_PRIVATE |
				  MAP_HUGETLB, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_READ, MAP_PLAIN_PRIVATE |
				  MAP_GROWSDOWN, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_READ, MAP_PLAIN_PRIVATE |
				  MAP_LOCKED, ~0ull}},
	{SYS_mmap, PASSES, false, {0, 4096, PROT_READ, MAP_PLAIN_PRIVATE |
				  MAP_POPULATE, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_READ, HIGH |
				  MAP_PLAIN_PRIVATE, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_GROWSDOWN,
				  MAP_PLAIN_PRIVATE, ~0ull}},
	{SYS_mmap, EPERM, false, {0, 4096, PROT_EXEC, MAP_SHARED, ~0ull}},
	{SYS_mremap, PASSES, false, {1, 4096, 4096, 0}},
	{SYS_mremap, PASSES, false, {1, 4096, 4096, MREMAP_MAYMOVE}},
	{SYS_mremap, EPERM, false, {1, 4096, 4096, MREMAP_MAYMOVE |
				    MREMAP_FIXED}},
	{SYS_mremap, EPERM, false, {1, 4096, 4096, MREMAP_MAYMOVE |
				    MREMAP_DONTUNMAP}},
	{SYS_mprotect, PASSES, false, {0, 0, PROT_READ | PROT_WRITE}},
	{SYS_mprotect, EPERM, false, {0, 0, PROT_GROWSDOWN | PROT_READ}},
	{SYS_mprotect, PASSES, false, {0, 0, PROT_NONE}},
	{SYS_mprotect, EPERM, false, {0, 0, PROT_EXEC}},
	{SYS_mprotect, EPERM, false, {0, 0, PROT_READ | PROT_EXEC}},
	{SYS_mprotect, EPERM, false, {0, 0, HIGH | PROT_EXEC}},
	{SYS_madvise, PASSES, false, {0, 0, MADV_DONTNEED}},
	{SYS_madvise, PASSES, false, {0, 0, MADV_FREE}},
	{SYS_madvise, PASSES, false, {0, 0, MADV_HUGEPAGE}},
	{SYS_madvise, 0, false, {0, 0, MADV_WILLNEED}},
	{SYS_madvise, 0, false, {0, 0, MADV_RANDOM}},
	{SYS_madvise, 0, false, {0, 0, MADV_SEQUENTIAL}},
	{SYS_madvise, EPERM, false, {0, 0, HIGH | MADV_RANDOM}},
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
	{SYS_fcntl, PASSES, false, {~0ull, F_SETFL, O_NONBLOCK | O_APPEND}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETFL, O_DIRECT}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETFL, O_ASYNC | O_NONBLOCK}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETOWN}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETSIG}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETLEASE}},
	{SYS_fcntl, EPERM, false, {~0ull, F_NOTIFY}},
	{SYS_fcntl, EPERM, false, {~0ull, F_SETPIPE_SZ}},
	{SYS_fcntl, 0, false, {~0ull, F_OFD_SETLK}},
	{SYS_fcntl, 0, false, {~0ull, F_OFD_SETLKW}},
	{SYS_fcntl, EPERM, false, {~0ull, HIGH | F_OFD_SETLK}},
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
	{SYS_clock_getres, PASSES, false, {CLOCK_PROCESS_CPUTIME_ID}},
	{SYS_clock_getres, EPERM, false, {16}},
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
	{SYS_openat, PASSES, false, {~0ull, 0, O_CREAT | O_RDWR, 0777}},
	{SYS_openat, PASSES, false, {~0ull, 0, O_DIRECTORY}},
	{SYS_openat, EOPNOTSUPP, false, {~0ull, 0, O_PATH}},
	{SYS_openat, EPERM, false, {~0ull, 0, O_DIRECT}},
	{SYS_openat, EPERM, false, {~0ull, 0, O_ASYNC}},
	{SYS_openat, EOPNOTSUPP, false, {~0ull, 0, O_TMPFILE | O_RDWR}},
	{SYS_openat, EPERM, false, {~0ull, 0, O_CREAT, 04755}},
	{SYS_mkdir, PASSES, false, {0, 0777}},
	{SYS_mkdir, EPERM, false, {0, 01777}},
	{SYS_newfstatat, PASSES, false, {~0ull, 0, 0, AT_EMPTY_PATH}},
	{SYS_newfstatat, EPERM, false, {~0ull, 0, 0, AT_STATX_FORCE_SYNC}},
	{SYS_statfs, ENOSYS, false, {0}},
	{SYS_fstatfs, ENOSYS, false, {~0ull}},
	{SYS_pipe2, PASSES, false, {0, O_CLOEXEC | O_NONBLOCK}},
	{SYS_pipe2, EPERM, false, {0, O_DIRECT}},
	{SYS_pipe2, EPERM, false, {0, O_EXCL}}, /* notices */
	{SYS_setitimer, PASSES, false, {ITIMER_REAL, 0}},
	{SYS_setitimer, EPERM, false, {ITIMER_VIRTUAL, 0}},
	{SYS_setitimer, EPERM, false, {ITIMER_PROF, 0}},
	{SYS_sched_getaffinity, PASSES, false, {0}},
	{SYS_sched_getaffinity, PASSES, false, {SYSCALLS_GUEST_PID}},
	{SYS_sched_getaffinity, PASSES, false, {1000}},
	{SYS_sched_getaffinity, EPERM, false, {1 << 22}},
	{SYS_socketpair, EPERM, false, {AF_UNIX, SOCK_STREAM, 1}},
	/* no condition at all */
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
		uint32_t is = filter_answer((uint32_t)row->number, row->args);

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
		if (row_counts(&ROWS[i]) && ROWS[i].checks[0].on &&
		    (!seen[0] || !seen[1]))
			fail_msg("no examples for %s", ROWS[i].name);
	}
}

static int try_examples(void *context)
{
	int *found = context;

	if (!load_filter())
		return 1;
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		if (!examples[i].dry)
			found[i] = ask_kernel(examples[i].number,
					      examples[i].args);
	return leave(0);
}

static void the_kernel_agrees_about_arguments(void **state)
{
	const size_t size = ARRAY_LEN(examples) * sizeof(int);
	int *found = new_findings(size);

	(void)state;
	assert_int_equal(support_in_child(try_examples, found), 0);
	for (size_t i = 0; i < ARRAY_LEN(examples); i++)
		if (!examples[i].dry &&
		    (wanted(&examples[i]) == PASSES
			     ? found[i] == EPERM
			     : found[i] != wanted(&examples[i])))
			fail_msg("row %zu, call %ld: %s", i,
				 examples[i].number,
				 strerror(found[i]));
	munmap(found, size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arguments_decide),
		cmocka_unit_test(each_rule_has_its_examples),
		cmocka_unit_test(the_kernel_agrees_about_arguments),
	};

	return cmocka_run_group_tests_name("syscalls' arguments", tests,
					   compile_role, release_filter);
}
