/* syscalls - see syscalls.h. No other file includes seccomp.h. */
#include "syscalls.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "sandbox/base/io.h"
#include "syscalls_table.h"

#define SYSCALLS_INSTRUCTION sizeof(struct sock_filter)
#define SYSCALLS_COUNT_MAX 4096 /* BPF_MAXINSNS */

#define ROWS(table) {(table), ARRAY_LEN(table)}
static const struct {
	struct {
		const struct syscalls_row *rows;
		size_t count;
	} own, more;
	const char *who;
	bool refuses; /* syscalls_refused[] applies: it runs a program */
	bool brief; /* its process makes few calls: syscalls_uncached */
} syscalls_tables[SYSCALLS_ROLES] = {
	[SYSCALLS_GUEST] = {ROWS(syscalls_guest), {0}, "a guest", true, true},
	[SYSCALLS_SESSION] = {ROWS(syscalls_guest), ROWS(syscalls_session),
			      "a guest with a session", true, false},
	[SYSCALLS_WORKER] = {ROWS(syscalls_worker),
			     {0},
			     "the status process, or that of streams,",
			     false,
			     true},
	[SYSCALLS_CALLER] = {ROWS(syscalls_worker),
			     ROWS(syscalls_caller),
			     "a worker that waits for its request",
			     false,
			     true},
	[SYSCALLS_KEEPER] = {ROWS(syscalls_worker), ROWS(syscalls_keeper),
			     "a session's keeper", false, false},
	[SYSCALLS_ARCHIVE] = {ROWS(syscalls_worker), ROWS(syscalls_archive),
			      "the archive process", false, false},
	[SYSCALLS_INIT] = {ROWS(syscalls_init),
			   {0},
			   "the init of a guest's pid namespace",
			   false,
			   true},
	[SYSCALLS_QUEUE] = {ROWS(syscalls_worker), ROWS(syscalls_queue),
			    "the queue", false, false},
};

/* Row I of ROLE's table; NULL after the last one. */
static const struct syscalls_row *syscalls_row(enum syscalls_role role,
					       size_t i)
{
	size_t own = syscalls_tables[role].own.count;

	if (i < own)
		return &syscalls_tables[role].own.rows[i];
	return i - own < syscalls_tables[role].more.count
		       ? &syscalls_tables[role].more.rows[i - own] : NULL;
}

static void syscalls_release(scmp_filter_ctx *context)
{
	if (*context)
		seccomp_release(*context);
}

static struct scmp_arg_cmp syscalls_compare(const struct syscalls_check *check,
					    uint64_t value)
{
	return SCMP_CMP64(check->arg, SCMP_CMP_MASKED_EQ, check->mask, value);
}

/* Add a rule for each combination of the values of check AT and of later
 * checks. RULE has a value of each earlier check. */
static int syscalls_allow_from(scmp_filter_ctx context, int number,
			       const struct syscalls_row *row, unsigned at,
			       struct scmp_arg_cmp rule[CHECKS_MAX])
{
	const struct syscalls_check *check = &row->checks[at];
	int rc = 0;

	if (at == CHECKS_MAX || !check->on)
		return seccomp_rule_add_array(context, SCMP_ACT_ALLOW, number,
					      at, rule);
	for (unsigned i = 0; i < check->count && rc == 0; i++) {
		rule[at] = syscalls_compare(check, check->values[i]);
		rc = syscalls_allow_from(context, number, row, at + 1, rule);
	}
	return rc;
}

static int syscalls_allow(scmp_filter_ctx context, int number,
			  const struct syscalls_row *row)
{
	struct scmp_arg_cmp rule[CHECKS_MAX];

	return syscalls_allow_from(context, number, row, 0, rule);
}

/* Add a rule for each value of the check, or one rule without a check. */
static int syscalls_refuse(scmp_filter_ctx context, int number, size_t i)
{
	const struct syscalls_check *check = &syscalls_refused[i].check;
	uint32_t action = SCMP_ACT_ERRNO((uint32_t)syscalls_refused[i].error);
	int rc = check->on ? 0 : seccomp_rule_add(context, action, number, 0);

	for (unsigned v = 0; v < check->count && rc == 0; v++) {
		struct scmp_arg_cmp compare =
			syscalls_compare(check, check->values[v]);

		rc = seccomp_rule_add_array(context, action, number, 1,
					    &compare);
	}
	return rc;
}

/* The number of ROW's call; negative if this architecture lacks the call, or
 * has the call of ROW->unless. */
static int syscalls_number(const struct syscalls_row *row)
{
	if (row->unless && seccomp_syscall_resolve_name(row->unless) >= 0)
		return -1;
	return seccomp_syscall_resolve_name(row->name);
}

static bool syscalls_is_allowed(enum syscalls_role role, int number)
{
	const struct syscalls_row *row;

	for (size_t i = 0; (row = syscalls_row(role, i)); i++)
		if (syscalls_number(row) == number)
			return true;
	return false;
}

static int syscalls_add_allowed(enum syscalls_role role,
				scmp_filter_ctx context)
{
	const struct syscalls_row *row;
	int rc = 0;

	for (size_t i = 0; rc == 0 && (row = syscalls_row(role, i)); i++) {
		int number = syscalls_number(row);

		if (number >= 0)
			rc = syscalls_allow(context, number, row);
	}
	return rc;
}

/* A call that a row allows on this architecture is not refused. */
static int syscalls_add_refused(enum syscalls_role role,
				scmp_filter_ctx context)
{
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(syscalls_refused) && rc == 0; i++) {
		int number = seccomp_syscall_resolve_name(
			syscalls_refused[i].name);

		if (number >= 0 && (syscalls_refused[i].check.on ||
				    !syscalls_is_allowed(role, number)))
			rc = syscalls_refuse(context, number, i);
	}
	return rc;
}

static int syscalls_build(enum syscalls_role role, scmp_filter_ctx *out)
{
	__attribute__((cleanup(syscalls_release))) scmp_filter_ctx context =
		seccomp_init(SCMP_ACT_ERRNO(EPERM));

	if (!context)
		return -ENOMEM;
	int rc = seccomp_attr_set(context, SCMP_FLTATR_ACT_BADARCH,
				  SCMP_ACT_KILL_PROCESS);

	if (rc == 0)
		rc = seccomp_attr_set(context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
	if (rc == 0)
		rc = syscalls_add_allowed(role, context);
	if (rc == 0 && syscalls_tables[role].refuses)
		rc = syscalls_add_refused(role, context);
	if (rc < 0)
		return rc;
	*out = context;
	context = NULL;
	return 0;
}

/*
 * An instruction at the start of a filter that keeps the kernel from caching
 * the filter's results. At load time the kernel evaluates the filter for each
 * call number and remembers the calls that are always allowed. It stops at an
 * instruction that it does not emulate (seccomp_cache_prepare(), since Linux
 * 5.11). The evaluation costs as much as about 2,500 calls gain by it, and most
 * programs make a few hundred.
 */
static const struct sock_filter syscalls_uncached =
	BPF_STMT(BPF_LDX | BPF_IMM, 0);

static int syscalls_export(scmp_filter_ctx context, bool brief,
			   struct syscalls_filter *filter)
{
	owned_fd int file = memfd_create("filter", MFD_CLOEXEC);
	struct bytes program = {0};
	int rc = 0;

	if (file < 0)
		return -errno;
	if (brief)
		rc = io_write_full(file, &syscalls_uncached,
				   sizeof(syscalls_uncached));
	if (rc == 0)
		rc = seccomp_export_bpf(context, file);
	if (rc == 0 && lseek(file, 0, SEEK_SET) < 0)
		rc = -errno;
	if (rc == 0)
		rc = io_read_fd(file,
				SYSCALLS_COUNT_MAX * SYSCALLS_INSTRUCTION,
				&program);
	if (rc < 0)
		return rc;
	*filter = (struct syscalls_filter){
		.count = (unsigned short)(program.size / SYSCALLS_INSTRUCTION),
		.instructions = program.data};
	return 0;
}

int syscalls_compile(enum syscalls_role role, struct syscalls_filter *filter)
{
	return syscalls_compile_guest(role, false, filter);
}

int syscalls_compile_guest(enum syscalls_role role, bool jit,
			   struct syscalls_filter *filter)
{
	__attribute__((cleanup(syscalls_release))) scmp_filter_ctx context =
		NULL;
	int rc = syscalls_build(role, &context);

	for (size_t i = 0; jit && i < ARRAY_LEN(syscalls_jit) && rc == 0; i++)
		rc = syscalls_allow(context, syscalls_number(&syscalls_jit[i]),
				    &syscalls_jit[i]);
	return rc < 0 ? rc : syscalls_export(context,
					     syscalls_tables[role].brief,
					     filter);
}

/* The calls of a session's guest that the session keeper decides on. */
static const struct {
	const char *name;
	struct syscalls_check check;
} syscalls_gate[] = {
	{"clone", CHECK(0, ALL_BITS, SYSCALLS_FORK_FLAGS)},
	{"kill", {0}}, /* each copy of the guest has another process id */
	{"tgkill", {0}},
};

int syscalls_compile_gate(struct syscalls_filter *filter)
{
	__attribute__((cleanup(syscalls_release))) scmp_filter_ctx context =
		seccomp_init(SCMP_ACT_ALLOW);

	if (!context)
		return -ENOMEM;
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(syscalls_gate) && rc == 0; i++) {
		struct scmp_arg_cmp compare =
			syscalls_compare(&syscalls_gate[i].check,
					 syscalls_gate[i].check.values[0]);

		rc = seccomp_rule_add_array(
			context, SCMP_ACT_NOTIFY,
			seccomp_syscall_resolve_name(syscalls_gate[i].name),
			syscalls_gate[i].check.on, &compare);
	}
	return rc < 0 ? rc : syscalls_export(context, false, filter);
}

void syscalls_free(struct syscalls_filter *filter)
{
	free(filter->instructions);
	*filter = (struct syscalls_filter){0};
}

/* In a debug build the kernel logs each refused call, by number and with the
 * caller's role (seccomp(2), SECCOMP_FILTER_FLAG_LOG). In production a program
 * could flood the log that way. */
#ifdef TERRARIUM_DEBUG
#define SYSCALLS_FLAGS SECCOMP_FILTER_FLAG_LOG
#else
#define SYSCALLS_FLAGS 0
#endif

static int syscalls_install(const struct syscalls_filter *filter,
			    unsigned flags)
{
	struct {
		unsigned short count;
		void *instructions;
	} program = {filter->count, filter->instructions};
	long rc = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags,
			  &program);

	return rc < 0 ? -errno : (int)rc;
}

int syscalls_load(const struct syscalls_filter *filter)
{
	return syscalls_install(filter, SYSCALLS_FLAGS);
}

int syscalls_load_gate(const struct syscalls_filter *filter)
{
	return syscalls_install(filter, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

unsigned syscalls_allowed(enum syscalls_role role)
{
	const struct syscalls_row *row;
	unsigned count = 0;

	for (size_t i = 0; (row = syscalls_row(role, i)); i++) {
		int number = syscalls_number(row);
		size_t first = 0;

		while (syscalls_number(syscalls_row(role, first)) != number)
			first++;
		count += number >= 0 && first == i;
	}
	return count;
}

static void syscalls_print_check(const struct syscalls_check *check, FILE *out)
{
	if (!check->on)
		return;
	fprintf(out, " [argument %u", check->arg);
	if (check->mask != ALL_BITS)
		fprintf(out, " & %#llx", (unsigned long long)check->mask);
	for (unsigned i = 0; i < check->count; i++)
		fprintf(out, "%s%#llx", i ? ", " : " is ",
			(unsigned long long)check->values[i]);
	fputc(']', out);
}

static void syscalls_print_refused(size_t i, FILE *out)
{
	int error = syscalls_refused[i].error;

	fprintf(out, "%-12s %-18s %s: %s", "not done",
		syscalls_refused[i].name, error ? strerrorname_np(error) : "0",
		syscalls_refused[i].reason);
	syscalls_print_check(&syscalls_refused[i].check, out);
	fputc('\n', out);
}

static void syscalls_print_row(const struct syscalls_row *row, FILE *out)
{
	if (syscalls_number(row) < 0)
		return;
	fprintf(out, "%-12s %-18s %s", row->set, row->name, row->reason);
	for (unsigned i = 0; i < CHECKS_MAX; i++)
		syscalls_print_check(&row->checks[i], out);
	fputc('\n', out);
}

int syscalls_print(enum syscalls_role role, FILE *out)
{
	__attribute__((cleanup(syscalls_release))) scmp_filter_ctx context =
		NULL;
	const struct syscalls_row *row;
	int rc = syscalls_build(role, &context);

	fprintf(out, "Calls that %s may make:\n\n", syscalls_tables[role].who);
	for (size_t i = 0; (row = syscalls_row(role, i)); i++)
		syscalls_print_row(row, out);
	for (size_t i = 0; syscalls_tables[role].refuses &&
			   i < ARRAY_LEN(syscalls_refused); i++)
		syscalls_print_refused(i, out);
	fprintf(out, "\n%u calls allowed; any other answers EPERM; a foreign "
		"architecture is killed.\n\n", syscalls_allowed(role));
	fflush(out);
	return rc < 0 ? rc : seccomp_export_pfc(context, fileno(out));
}
