/* syscalls - see syscalls.h. The one file that includes seccomp.h. */
#include "syscalls.h"

#include <linux/seccomp.h>
#include <seccomp.h>
#include <string.h>
#include <sys/syscall.h>

#include "io.h"
#include "syscalls_table.h"

#define SYSCALLS_INSTRUCTION 8 /* bytes of a struct sock_filter */
#define SYSCALLS_COUNT_MAX 4096 /* BPF_MAXINSNS */

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

/* One rule for each value of the first check, each with the second. */
static int syscalls_allow(scmp_filter_ctx context, int number,
			  const struct syscalls_row *row)
{
	struct scmp_arg_cmp both[2];
	unsigned count = 0;

	if (!row->first.on)
		return seccomp_rule_add(context, SCMP_ACT_ALLOW, number, 0);
	if (row->second.on)
		both[1] = syscalls_compare(&row->second,
					   row->second.values[0]);
	count = row->second.on ? 2 : 1;
	for (unsigned i = 0; i < row->first.count; i++) {
		both[0] = syscalls_compare(&row->first, row->first.values[i]);
		int rc = seccomp_rule_add_array(context, SCMP_ACT_ALLOW,
						number, count, both);

		if (rc < 0)
			return rc;
	}
	return 0;
}

/* One rule for each value of the check, or one without. */
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

/* The number of row I's call; negative when this architecture has no such
 * call, or has the one that makes the row needless. */
static int syscalls_number(size_t i)
{
	const char *unless = syscalls_rows[i].unless;

	if (unless && seccomp_syscall_resolve_name(unless) >= 0)
		return -1;
	return seccomp_syscall_resolve_name(syscalls_rows[i].name);
}

static bool syscalls_is_allowed(int number)
{
	for (size_t i = 0; i < ARRAY_LEN(syscalls_rows); i++)
		if (syscalls_number(i) == number)
			return true;
	return false;
}

static int syscalls_add_rows(scmp_filter_ctx context)
{
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(syscalls_rows) && rc == 0; i++) {
		int number = syscalls_number(i);

		if (number >= 0)
			rc = syscalls_allow(context, number,
					    &syscalls_rows[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(syscalls_refused) && rc == 0; i++) {
		int number = seccomp_syscall_resolve_name(
			syscalls_refused[i].name);

		/* What is needed here is not refused here. */
		if (number >= 0 && (syscalls_refused[i].check.on ||
				    !syscalls_is_allowed(number)))
			rc = syscalls_refuse(context, number, i);
	}
	return rc;
}

static int syscalls_build(scmp_filter_ctx *out)
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
		rc = syscalls_add_rows(context);
	if (rc < 0)
		return rc;
	*out = context;
	context = NULL;
	return 0;
}

int syscalls_compile(struct syscalls_filter *filter)
{
	__attribute__((cleanup(syscalls_release))) scmp_filter_ctx context =
		NULL;
	owned_fd int file = memfd_create("filter", MFD_CLOEXEC);
	struct bytes program = {0};
	int rc = file < 0 ? -errno : syscalls_build(&context);

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

void syscalls_free(struct syscalls_filter *filter)
{
	free(filter->instructions);
	*filter = (struct syscalls_filter){0};
}

int syscalls_load(const struct syscalls_filter *filter)
{
	struct {
		unsigned short count;
		void *instructions;
	} program = {filter->count, filter->instructions};

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
		return -errno;
	return 0;
}

unsigned syscalls_allowed(void)
{
	unsigned count = 0;

	for (size_t i = 0; i < ARRAY_LEN(syscalls_rows); i++) {
		int number = syscalls_number(i);

		/* The rows of one call stand together. */
		count += number >= 0 &&
			 (i == 0 || number != syscalls_number(i - 1));
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

int syscalls_print(FILE *out)
{
	__attribute__((cleanup(syscalls_release))) scmp_filter_ctx context =
		NULL;
	int rc = syscalls_build(&context);

	for (size_t i = 0; i < ARRAY_LEN(syscalls_rows); i++) {
		if (syscalls_number(i) < 0)
			continue;
		fprintf(out, "%-12s %-18s %s", syscalls_rows[i].set,
			syscalls_rows[i].name, syscalls_rows[i].reason);
		syscalls_print_check(&syscalls_rows[i].first, out);
		syscalls_print_check(&syscalls_rows[i].second, out);
		fputc('\n', out);
	}
	for (size_t i = 0; i < ARRAY_LEN(syscalls_refused); i++)
		syscalls_print_refused(i, out);
	fprintf(out, "\n%u calls allowed; any other answers EPERM; a foreign "
		"architecture is killed.\n\n", syscalls_allowed());
	fflush(out);
	return rc < 0 ? rc : seccomp_export_pfc(context, fileno(out));
}
