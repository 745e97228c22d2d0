/*
 * test_syscalls - the filter of system calls, its compiled program
 * interpreted here for any number, without a side effect. Rules on arguments
 * are tested in test_syscalls_args.c; the kernel's answers, in
 * test_syscalls_kernel.c.
 */
#include "tests/unit/walls/syscalls_support.h"

#include <errno.h>
#include <linux/audit.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>

static void the_program_is_whole(void **state)
{
	const struct sock_filter *program = filter.instructions;

	(void)state;
	assert_in_range(filter.count, 10, BPF_MAXINSNS);
	assert_int_equal(BPF_CLASS(program[filter.count - 1].code), BPF_RET);
}

/* A filter that is loaded for each request begins with a check that keeps the
 * kernel from testing it with each number. Filters that only sessions and the
 * archive process load do not. */
static void a_brief_one_is_not_asked_beforehand(void **state)
{
	static const bool brief[SYSCALLS_ROLES] = {
		[SYSCALLS_GUEST] = true, [SYSCALLS_WORKER] = true,
		[SYSCALLS_CALLER] = true, [SYSCALLS_INIT] = true};
	const struct sock_filter *first = filter.instructions;

	(void)state;
	if (brief[tested_role])
		assert_int_equal(first->code, BPF_LDX | BPF_IMM);
	else
		assert_int_equal(first->code, BPF_LD | BPF_W | BPF_ABS);
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
	assert_int_equal(count, syscalls_allowed(tested_role));
}

static void every_other_number_is_refused(void **state)
{
	(void)state;
	for (uint64_t number = 0; number < X32;
	     number += number < 4096 ? 1 : 65521) {
		uint32_t want = SECCOMP_RET_ERRNO |
				(uint32_t)refused_errno((uint32_t)number);

		for (size_t i = 0; i < PATTERNS; i++)
			if (!in_table((uint32_t)number))
				assert_int_equal(filter_answer((uint32_t)number,
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
		assert_int_equal(filter_answer(number | X32, patterns[0]),
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

static void the_table_can_be_read(void **state)
{
	char text[256];
	owned_free char *all = calloc(1, 1 << 20);
	FILE *out = tmpfile();

	(void)state;
	assert_non_null(out);
	assert_non_null(all);
	assert_int_equal(syscalls_print(tested_role, out), 0);
	rewind(out);
	assert_true(fread(all, 1, (1 << 20) - 1, out) > 0);
	fclose(out);
	for (size_t i = 0; i < ROWS_COUNT; i++) {
		if (!row_counts(&ROWS[i]))
			continue;
		snprintf(text, sizeof(text), "%-18s %s", ROWS[i].name,
			 ROWS[i].reason);
		assert_non_null(strstr(all, text));
	}
	snprintf(text, sizeof(text), "\n%u calls allowed",
		 syscalls_allowed(tested_role));
	assert_non_null(strstr(all, text));
	if (is_guest())
		assert_non_null(strstr(all,
				       "socket             EAFNOSUPPORT: "));
	assert_non_null(strstr(all, "# pseudo filter code start"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_program_is_whole),
		cmocka_unit_test(a_brief_one_is_not_asked_beforehand),
		cmocka_unit_test(what_passes_is_what_the_table_allows),
		cmocka_unit_test(every_other_number_is_refused),
		cmocka_unit_test(other_architectures_are_killed),
		cmocka_unit_test(the_table_can_be_read),
		cmocka_unit_test(some_calls_never_pass),
	};

	return run_for_roles(tests, ARRAY_LEN(tests));
}
