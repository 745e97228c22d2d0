/*
 * test_freeze_bounds - memory that is not frozen, the savings, and that no
 * file is left behind. Each test freezes a child of its own.
 */
#include "tests/unit/prefork/freeze_support.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"

#define BIG (48u << 20)

/* ---- memory that cannot be frozen ------------------------------------ */

static int keep_special(void *context)
{
	struct freeze_report report;
	char *shared = map(4096, MAP_SHARED), *wiped = map(4096, MAP_PRIVATE);
	char *own = map(4096, MAP_PRIVATE), *locked = map(4096, MAP_PRIVATE);
	char *stack = map(1 << 20, MAP_PRIVATE | MAP_GROWSDOWN);
	int on_stack = 42;

	(void)context;
	shared[0] = wiped[0] = own[0] = locked[0] = stack[(1 << 20) - 1] = 1;
	CHECK(madvise(wiped, 4096, MADV_WIPEONFORK) == 0);
	CHECK(madvise(own, 4096, MADV_DONTFORK) == 0);
	bool may_lock = mlock(locked, 4096) == 0;

	CHECK(freeze(&report) == 0);
	long lock_kb = status_kb("\nVmLck:");

	CHECK(lock_kb == (may_lock ? 4 : 0));
	CHECK(on_stack == 42 && stack[(1 << 20) - 1] == 1);
	CHECK(wiped[0] == 1 && own[0] == 1 && locked[0] == 1);
	pid_t pid = support_fork();

	if (pid == 0) {
		shared[0] = 2;
		_exit(wiped[0] != 0); /* a secret that is not inherited */
	}
	CHECK(support_wait(pid) == 0);
	CHECK(shared[0] == 2);
	pid = support_fork();
	if (pid == 0)
		_exit(own[0]); /* dies of it: it is not there */
	CHECK(WIFSIGNALED(support_wait(pid)));
	return 0;
}

static void what_is_special_stays_so(void **state)
{
	(void)state;
	in_child(keep_special);
}

/* More mappings than there is room for: an error, and nothing has changed. */
static int have_too_many(void *context)
{
	struct freeze_report report;
	const size_t page = 4096, count = 20000;
	char *at = map(count * page, MAP_PRIVATE);

	(void)context;
	for (size_t i = 0; i < count; i++) {
		at[i * page] = (char)i;
		if (i % 2)
			CHECK(mprotect(at + i * page, page, PROT_READ) == 0);
	}
	int rc = freeze(&report);

	CHECK(rc == -E2BIG || rc == -EFBIG);
	CHECK(report.mappings == 0 && report.bytes == 0);
	for (size_t i = 0; i < count; i++)
		CHECK(at[i * page] == (char)i);
	return 0;
}

static void too_many_mappings_are_an_error(void **state)
{
	(void)state;
	in_child(have_too_many);
}

/* ---- the purpose ----------------------------------------------------- */

/* The page tables of a forked child, in kB. */
static long child_tables_kb(void)
{
	int pipes[2];
	long kb = -1;

	if (pipe2(pipes, O_CLOEXEC) < 0)
		return -1;
	pid_t pid = support_fork();

	if (pid == 0) {
		kb = status_kb("\nVmPTE:");
		_exit(write(pipes[1], &kb, sizeof(kb)) != sizeof(kb));
	}
	if (read(pipes[0], &kb, sizeof(kb)) != sizeof(kb) ||
	    support_wait(pid) != 0)
		return -1;
	return kb;
}

static int save_tables(void *context)
{
	struct freeze_report report;
	char *at = map(BIG, MAP_PRIVATE);

	(void)context;
	CHECK(at && madvise(at, BIG, MADV_NOHUGEPAGE) == 0);
	for (size_t i = 0; i < BIG; i += 4096)
		at[i] = 1;
	long before = child_tables_kb();

	CHECK(before >= (long)(BIG >> 19)); /* 8 bytes for each 4096 */
	CHECK(freeze(&report) == 0);
	CHECK(report.bytes >= BIG);
	long after = child_tables_kb();

	CHECK(after > 0);
	CHECK(before - after >= (long)(BIG >> 19) * 9 / 10);
	CHECK(at[0] == 1 && at[BIG - 4096] == 1);
	return 0;
}

static void a_fork_copies_fewer_page_tables(void **state)
{
	(void)state;
	in_child(save_tables);
}

static const char constant[] = "beside it lies what the loader filled in";

/* Mappings of files that may be used as PERMS say: "r--p". */
static unsigned count_of_files(const char *perms)
{
	struct bytes text;
	unsigned count = 0;

	if (io_read_file(AT_FDCWD, "/proc/self/maps", 1 << 20, &text) < 0)
		return 0;
	for (char *rest = text.data, *line; (line = strsep(&rest, "\n"));)
		count += strstr(line, perms) && strchr(line, '/');
	free(text.data);
	return count;
}

/* Where the library of SYMBOL begins, with its headers. */
static char *headers_of(void *symbol)
{
	Dl_info info;

	return dladdr(symbol, &info) ? info.dli_fbase : NULL;
}

/* In a child: its exit status, or the signal of which it dies. */
static int write_to(const char *at)
{
	pid_t pid = support_fork();

	if (pid == 0) {
		*(volatile char *)(uintptr_t)at = 1;
		_exit(0);
	}
	return support_wait(pid);
}

static int keep_constants(void *context)
{
	struct freeze_report report;

	(void)context;
	CHECK(freeze(&report) == 0);
	CHECK(write_to(constant) == SIGSEGV);
	CHECK(write_to(strerror(EINVAL)) == SIGSEGV); /* the C library's */
	CHECK(write_to(headers_of((void *)(uintptr_t)qsort)) == SIGSEGV);
	return 0;
}

/* The program is the first of the loader's objects. */
static int keep_the_programs(void *context)
{
	struct freeze_report report;

	(void)context;
	CHECK(freeze_but(1, &report) == 0);
	CHECK(write_to(constant) == SIGSEGV);
	CHECK(write_to(strerror(EINVAL)) == 0);
	return 0;
}

/* Where a library's constants are not mapped with its text. */
static int join_constants(void *context)
{
	struct freeze_report report;
	unsigned before = count_of_files("r--p");
	unsigned texts = count_of_files("r-xp");
	char *libc = headers_of((void *)(uintptr_t)qsort), head[4096];

	(void)context;
	if (before < 2 * texts)
		return 0;
	memcpy(head, libc, sizeof(head));
	CHECK(freeze_but(0, &report) == 0);
	CHECK(memcmp(head, libc, sizeof(head)) == 0);
	/* Not all headers: the first library has no data in front of it. */
	CHECK(count_of_files("r--p") < texts);
	CHECK(count_of_files("r-xp") == texts);
	CHECK(count_of_files("rwx") == 0);
	CHECK(dlsym(RTLD_DEFAULT, "qsort") == (void *)(uintptr_t)qsort);
	CHECK(write_to(constant) == 0);
	CHECK(*(const volatile char *)constant == 'b');
	return 0;
}

static void constants_are_constant(void **state)
{
	(void)state;
	in_child(keep_constants);
	in_child(keep_the_programs);
}

static void a_library_is_fewer_mappings(void **state)
{
	(void)state;
	in_child(join_constants);
}

static int by_value(const void *one, const void *other)
{
	return *(const int *)one - *(const int *)other;
}

static int freeze_code(void *context)
{
	const void *own = (void *)(uintptr_t)by_value;
	const void *libc = (void *)(uintptr_t)qsort;
	unsigned texts = count_of_files("r-xp");
	struct freeze_report report;
	int values[] = {3, 1, 2};

	(void)context;
	CHECK(!is_frozen(own) && !is_frozen(libc));
	CHECK(freeze_but(1, &report) == 0);
	CHECK(is_frozen(own) && !is_frozen(libc));
	CHECK(freeze(&report) == 0);
	CHECK(is_frozen(own) && is_frozen(libc));
	CHECK(count_of_files("r-xp") == texts && count_of_files("wx") == 0);
	CHECK(write_to(own) == SIGSEGV && write_to(libc) == SIGSEGV);
	qsort(values, ARRAY_LEN(values), sizeof(values[0]), by_value);
	CHECK(values[0] == 1 && values[1] == 2 && values[2] == 3);
	return 0;
}

static void code_of_all_is_frozen_and_runs(void **state)
{
	(void)state;
	in_child(freeze_code);
}

/* Frozen memory is not frozen again. */
static int freeze_twice(void *context)
{
	struct freeze_report first, second;
	char *at = map(BIG, MAP_PRIVATE);

	(void)context;
	memset(at, 1, BIG);
	CHECK(freeze(&first) == 0);
	at[0] = 2;
	CHECK(freeze(&second) == 0);
	CHECK(first.bytes >= BIG);
	CHECK(second.mappings <= first.mappings);
	CHECK(at[0] == 2 && at[1] == 1 && at[BIG - 1] == 1);
	return 0;
}

static void twice_is_harmless(void **state)
{
	(void)state;
	in_child(freeze_twice);
}

static int leave_descriptors(void *context)
{
	struct freeze_report report;
	int before = support_count_fds();

	(void)context;
	CHECK(freeze(&report) == 0);
	CHECK(support_count_fds() == before);
	return 0;
}

static void no_descriptor_is_left(void **state)
{
	(void)state;
	in_child(leave_descriptors);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_special_stays_so),
		cmocka_unit_test(too_many_mappings_are_an_error),
		cmocka_unit_test(a_fork_copies_fewer_page_tables),
		cmocka_unit_test(constants_are_constant),
		cmocka_unit_test(a_library_is_fewer_mappings),
		cmocka_unit_test(code_of_all_is_frozen_and_runs),
		cmocka_unit_test(twice_is_harmless),
		cmocka_unit_test(no_descriptor_is_left),
	};

	return cmocka_run_group_tests_name("freeze_bounds", tests, NULL, NULL);
}
