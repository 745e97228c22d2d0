/* syscalls_support - see syscalls_support.h. */
#include "tests/unit/walls/syscalls_support.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

struct syscalls_rows tables[SYSCALLS_ROLES];
enum syscalls_role tested_role;
struct syscalls_filter filter;

const char *const role_names[SYSCALLS_ROLES] = {
	[SYSCALLS_GUEST] = "syscalls of a guest",
	[SYSCALLS_WORKER] = "syscalls of the status process",
	[SYSCALLS_SESSION] = "syscalls of a session's guest",
	[SYSCALLS_CALLER] = "syscalls of a worker",
	[SYSCALLS_KEEPER] = "syscalls of a keeper",
	[SYSCALLS_ARCHIVE] = "syscalls of the archive process",
	[SYSCALLS_INIT] = "syscalls of an init",
	[SYSCALLS_QUEUE] = "syscalls of the queue"};

const uint64_t patterns[PATTERNS][6] = {
	{0, 0, 0, 0, 0, 0},
	{~0ull, ~0ull, ~0ull, ~0ull, ~0ull, ~0ull},
	{HIGH, HIGH, HIGH, HIGH, HIGH, HIGH},
	{1, 1, 1, 1, 1, 1},
};

/* ---- tables and filters ---------------------------------------------- */

static void add_rows(size_t to, const struct syscalls_row *rows, size_t count)
{
	assert_true(tables[to].count + count <= ARRAY_LEN(tables[to].rows));
	memcpy(tables[to].rows + tables[to].count, rows,
	       count * sizeof(*rows));
	tables[to].count += count;
}

int fill_tables(void **state)
{
	(void)state;
	for (size_t i = 0; i < SYSCALLS_ROLES; i++) {
		bool guest = i == SYSCALLS_GUEST || i == SYSCALLS_SESSION;

		tables[i].count = 0;
		if (i == SYSCALLS_INIT)
			continue;
		add_rows(i, guest ? syscalls_guest : syscalls_worker,
			 guest ? ARRAY_LEN(syscalls_guest)
			       : ARRAY_LEN(syscalls_worker));
	}
	add_rows(SYSCALLS_SESSION, syscalls_session,
		 ARRAY_LEN(syscalls_session));
	add_rows(SYSCALLS_CALLER, syscalls_caller,
		 ARRAY_LEN(syscalls_caller));
	add_rows(SYSCALLS_KEEPER, syscalls_keeper,
		 ARRAY_LEN(syscalls_keeper));
	add_rows(SYSCALLS_ARCHIVE, syscalls_archive,
		 ARRAY_LEN(syscalls_archive));
	add_rows(SYSCALLS_INIT, syscalls_init, ARRAY_LEN(syscalls_init));
	add_rows(SYSCALLS_QUEUE, syscalls_queue, ARRAY_LEN(syscalls_queue));
	return 0;
}

bool is_guest(void)
{
	return tested_role == SYSCALLS_GUEST || tested_role == SYSCALLS_SESSION;
}

int compile_role(void **state)
{
	fill_tables(state);
	return syscalls_compile(tested_role, &filter);
}

int release_filter(void **state)
{
	(void)state;
	syscalls_free(&filter);
	return filter.instructions != NULL;
}

int run_for_roles(const struct CMUnitTest *tests, size_t count)
{
	int wrong = 0;

	for (tested_role = 0; tested_role < SYSCALLS_ROLES; tested_role++)
		wrong += _cmocka_run_group_tests(
			role_names[tested_role], tests,
			tested_role == SYSCALLS_GUEST ? count : count - 1,
			compile_role, release_filter);
	return wrong;
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

uint32_t interpret(const struct seccomp_data *data)
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
		} else if (at->code == (BPF_LDX | BPF_IMM)) {
			continue; /* nothing here uses that register */
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

uint32_t filter_answer(uint32_t number, const uint64_t args[6])
{
	struct seccomp_data data = {.nr = (int)number,
				    .arch = AUDIT_ARCH_X86_64};

	memcpy(data.args, args, sizeof(data.args));
	return interpret(&data);
}

bool passes_somehow(uint32_t number)
{
	for (size_t i = 0; i < PATTERNS; i++)
		if (filter_answer(number, patterns[i]) == SECCOMP_RET_ALLOW)
			return true;
	for (size_t i = 0; i < ROWS_COUNT; i++) {
		uint64_t args[6] = {0};

		for (size_t j = 0; j < CHECKS_MAX; j++)
			if (ROWS[i].checks[j].on)
				args[ROWS[i].checks[j].arg] =
					ROWS[i].checks[j].values[0];
		if (filter_answer(number, args) == SECCOMP_RET_ALLOW)
			return true;
	}
	return false;
}

bool row_counts(const struct syscalls_row *row)
{
	return !row->unless || seccomp_syscall_resolve_name(row->unless) < 0;
}

bool in_table(uint32_t number)
{
	for (size_t i = 0; i < ROWS_COUNT; i++)
		if (row_counts(&ROWS[i]) &&
		    seccomp_syscall_resolve_name(ROWS[i].name) ==
			    (int)number)
			return true;
	return false;
}

int refused_errno(uint32_t number)
{
	for (size_t i = 0; is_guest() &&
			   i < ARRAY_LEN(syscalls_refused); i++)
		if (!syscalls_refused[i].check.on &&
		    seccomp_syscall_resolve_name(syscalls_refused[i].name) ==
			    (int)number)
			return syscalls_refused[i].error;
	return EPERM;
}

/* ---- the kernel ------------------------------------------------------ */

bool load_filter(void)
{
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       syscalls_load(&filter) == 0;
}

int leave(int status)
{
	syscall(SYS_exit_group, status);
	return status;
}

int ask_kernel(long number, const uint64_t *args)
{
	errno = 0;
	if (syscall(number, args[0], args[1], args[2], args[3], args[4],
		    args[5]) != -1)
		return 0;
	return errno;
}

void *new_findings(size_t size)
{
	void *found = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(found != MAP_FAILED);
	return found;
}
