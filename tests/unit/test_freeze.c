/*
 * test_freeze - memory that was frozen is the same memory: same bytes, still
 * private, still to be grown and released; only cheaper to fork. Each test
 * freezes a child of its own.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "../../sandbox/freeze.h"
#include "../../sandbox/io.h"
#include "../../sandbox/mount_api.h"

#if defined(__SANITIZE_ADDRESS__)
#define FREEZE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define FREEZE_SANITIZED 1
#endif
#endif
#ifndef FREEZE_SANITIZED
#define FREEZE_SANITIZED 0
#endif

#define BIG (48u << 20)

/* In a child: say what is not so, and fail. */
#define CHECK(truth)                                                         \
	do {                                                                 \
		if (!(truth)) {                                              \
			fprintf(stderr, "# %s:%d: not so: %s\n", __FILE__,   \
				__LINE__, #truth);                           \
			return 1;                                            \
		}                                                            \
	} while (0)

static char in_data[5000] = "data";
static char in_bss[70000];

static char *map(size_t size, int flags)
{
	char *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			flags | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

static void fill(char *at, size_t size, unsigned seed)
{
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1103515245 + 12345;
		at[i] = (char)(seed >> 16);
	}
}

static bool is_filled(const char *at, size_t size, unsigned seed)
{
	for (size_t i = 0; i < size; i++) {
		seed = seed * 1103515245 + 12345;
		if (at[i] != (char)(seed >> 16))
			return false;
	}
	return true;
}

static int freeze(struct freeze_report *report)
{
	struct freeze *freeze = NULL;
	owned_fd int proc = open("/proc", O_PATH | O_DIRECTORY);
	int rc = freeze_open(&freeze, proc);

	if (rc == 0)
		rc = freeze_heap(freeze, report);
	freeze_close(&freeze);
	return rc;
}

/* The number of kB behind NAME in our own /proc/self/status. */
static long status_kb(const char *name)
{
	struct bytes text;

	if (io_read_file(AT_FDCWD, "/proc/self/status", 1 << 16, &text) < 0)
		return -1;
	const char *line = strstr(text.data, name);
	long kb = line ? atol(line + strlen(name)) : -1;

	free(text.data);
	return kb;
}

static void in_child(int (*act)(void *context))
{
	if (FREEZE_SANITIZED)
		support_skip("a sanitizer's shadow memory is too much to "
			     "freeze");
	int status = support_in_child(act, NULL);

	if (WIFSIGNALED(status))
		fail_msg("died of signal %d", WTERMSIG(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* ---- the same memory ------------------------------------------------- */

/* A copy of the whole heap, in memory that is not frozen. */
static int keep_bytes(void *context)
{
	struct freeze_report report;
	char *small[1000], *large = malloc(3 << 20);
	struct freeze *freeze = NULL;

	(void)context;
	for (unsigned i = 0; i < ARRAY_LEN(small); i++) {
		small[i] = malloc(i + 1);
		fill(small[i], i + 1, i);
	}
	fill(large, 3 << 20, 7);
	fill(in_bss, sizeof(in_bss), 8);
	owned_fd int proc = open("/proc", O_PATH | O_DIRECTORY);

	CHECK(freeze_open(&freeze, proc) == 0);
	char *start = (char *)((uintptr_t)small[0] & ~(uintptr_t)4095);
	size_t size = (size_t)((char *)sbrk(0) - start);
	char *copy = map(size, MAP_SHARED);

	CHECK(copy);
	memcpy(copy, start, size);
	int rc = freeze_heap(freeze, &report);
	bool same = memcmp(copy, start, size) == 0;

	CHECK(rc == 0);
	CHECK(same);
	CHECK(report.mappings > 2 && report.bytes > size);
	freeze_close(&freeze);
	CHECK(!freeze);
	freeze_close(&freeze);
	for (unsigned i = 0; i < ARRAY_LEN(small); i++)
		CHECK(is_filled(small[i], i + 1, i));
	CHECK(is_filled(large, 3 << 20, 7));
	CHECK(is_filled(in_bss, sizeof(in_bss), 8));
	CHECK(strcmp(in_data, "data") == 0);
	return 0;
}

static void every_byte_stays(void **state)
{
	(void)state;
	in_child(keep_bytes);
}

/* Zeros, too: pages that are holes of the file. */
static int keep_zeros(void *context)
{
	struct freeze_report report;
	char *at = map(64 * 4096, MAP_PRIVATE);

	(void)context;
	memset(at, 0, 64 * 4096);
	at[5 * 4096] = 1;	     /* first byte of a page */
	at[7 * 4096 + 4095] = 2; /* last byte of one */
	CHECK(freeze(&report) == 0);
	for (size_t i = 0; i < 64 * 4096; i++)
		CHECK(at[i] == (i == 5 * 4096 ? 1
				: i == 7 * 4096 + 4095 ? 2 : 0));
	return 0;
}

static void zeros_stay_zeros(void **state)
{
	(void)state;
	in_child(keep_zeros);
}

#define LARGE (2u << 20) /* bytes, of a large page */

static bool is_frozen(const void *at)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uintptr_t start, end;
	bool frozen = false;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps))
		if (sscanf(line, "%lx-%lx", &start, &end) == 2 &&
		    (uintptr_t)at >= start && (uintptr_t)at < end)
			frozen = strstr(line, FREEZE_NAME) != NULL;
	if (maps)
		fclose(maps);
	return frozen;
}

/* What malloc keeps for later is not copied, and costs no copies. */
static int leave_reserve(void *context)
{
	struct freeze_report report;
	size_t size = 4 * LARGE;
	char *at = map(size, MAP_PRIVATE);

	(void)context;
	fill(at, 4096, 1);
	at[size / 2] = 0; /* a page of its own, and yet zeros */
	fill(at + size - 4096, 4096, 2);
	CHECK(freeze(&report) == 0);
	CHECK(is_filled(at, 4096, 1) && is_filled(at + size - 4096, 4096, 2));
	CHECK(is_frozen(at) && is_frozen(at + size - 4096));
	CHECK(!is_frozen(at + 4096) && !is_frozen(at + size - 8192));
	for (size_t i = 4096; i < size - 4096; i++)
		CHECK(at[i] == 0);
	at[size / 2] = 1;
	CHECK(at[size / 2] == 1);
	return 0;
}

static void large_holes_are_fresh_memory(void **state)
{
	(void)state;
	in_child(leave_reserve);
}

static int map_large(void *context)
{
	struct freeze_report report;
	struct rusage before, after;
	size_t size = 8 * LARGE;
	char *at = map(size, MAP_PRIVATE);

	(void)context;
	fill(at, size, 3);
	CHECK(freeze(&report) == 0);
	CHECK(getrusage(RUSAGE_SELF, &before) == 0);
	CHECK(is_filled(at, size, 3));
	CHECK(getrusage(RUSAGE_SELF, &after) == 0);
	/* By windows of 64 kB there would be 256. */
	CHECK(after.ru_minflt - before.ru_minflt < 128);
	return 0;
}

static void large_pages_are_mapped_at_once(void **state)
{
	static const struct mount_api_option large[] = {
		{"huge", "within_size"}, {NULL, NULL}};
	owned_fd int fd = mount_api_tmpfs(large, 0);

	(void)state;
	if (fd < 0)
		support_skip("here is no tmpfs of large pages to be had");
	in_child(map_large);
}

static int stay_private(void *context)
{
	struct freeze_report report;
	char *at = map(4096, MAP_PRIVATE);
	int pipes[2];
	char byte = 0;

	(void)context;
	at[0] = 'a';
	in_data[0] = 'a';
	CHECK(freeze(&report) == 0);
	CHECK(pipe2(pipes, O_CLOEXEC) == 0);
	pid_t first = support_fork();

	if (first == 0) {
		at[0] = in_data[0] = 'b';
		_exit(write(pipes[1], "x", 1) != 1);
	}
	CHECK(read(pipes[0], &byte, 1) == 1);
	CHECK(at[0] == 'a' && in_data[0] == 'a');
	CHECK(support_wait(first) == 0);
	at[0] = 'c';
	pid_t second = support_fork();

	if (second == 0)
		_exit(at[0] != 'c' || in_data[0] != 'a');
	at[0] = 'd';
	CHECK(support_wait(second) == 0);
	return 0;
}

static void writes_are_nobody_elses(void **state)
{
	(void)state;
	in_child(stay_private);
}

static int keep_protection(void *context)
{
	struct freeze_report report;
	char *at = map(4096, MAP_PRIVATE);

	(void)context;
	fill(at, 4096, 3);
	CHECK(mprotect(at, 4096, PROT_READ) == 0);
	CHECK(freeze(&report) == 0);
	CHECK(is_filled(at, 4096, 3));
	pid_t pid = support_fork();

	if (pid == 0)
		at[0] = 1; /* dies of it */
	int status = support_wait(pid);

	CHECK(WIFSIGNALED(status));
	CHECK(mprotect(at, 4096, PROT_READ | PROT_WRITE) == 0);
	at[0] = 1;
	return 0;
}

static void what_was_read_only_is(void **state)
{
	(void)state;
	in_child(keep_protection);
}

/* ---- going on -------------------------------------------------------- */

static int go_on(void *context)
{
	struct freeze_report report;
	char *blocks[500] = {NULL};
	unsigned seed = 1;

	(void)context;
	for (size_t i = 0; i < ARRAY_LEN(blocks); i += 2)
		blocks[i] = malloc(100 + i);
	CHECK(freeze(&report) == 0);
	for (int round = 0; round < 20000; round++) {
		seed = seed * 1103515245 + 12345;
		size_t i = (seed >> 8) % ARRAY_LEN(blocks);
		size_t size = (seed >> 4) % 20000 + 2;

		blocks[i] = realloc(blocks[i], size);
		CHECK(blocks[i]);
		blocks[i][0] = blocks[i][size - 1] = (char)i;
	}
	for (size_t i = 0; i < ARRAY_LEN(blocks); i++) {
		CHECK(!blocks[i] || blocks[i][0] == (char)i);
		free(blocks[i]);
	}
	return 0;
}

static void malloc_goes_on(void **state)
{
	(void)state;
	in_child(go_on);
}

static int move_break(void *context)
{
	struct freeze_report report;
	char *before = sbrk(1 << 20);

	(void)context;
	fill(before, 1 << 20, 5);
	CHECK(freeze(&report) == 0);
	char *after = sbrk(1 << 20);

	CHECK(after == before + (1 << 20));
	CHECK(after[0] == 0 && after[(1 << 20) - 1] == 0);
	fill(after, 1 << 20, 6);
	CHECK(is_filled(before, 1 << 20, 5));
	CHECK(sbrk(-(3 << 19)) == after + (1 << 20));
	CHECK(is_filled(before, 1 << 19, 5));
	char *again = sbrk(1 << 19);

	CHECK(again == before + (1 << 19));
	for (size_t i = 0; i < 1 << 19; i++)
		CHECK(again[i] == 0);
	return 0;
}

static void the_break_moves_both_ways(void **state)
{
	(void)state;
	in_child(move_break);
}

/* ---- what cannot be frozen ------------------------------------------- */

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

/* ---- what it is for -------------------------------------------------- */

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

/* What is frozen already is not frozen again. */
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
		cmocka_unit_test(every_byte_stays),
		cmocka_unit_test(zeros_stay_zeros),
		cmocka_unit_test(large_holes_are_fresh_memory),
		cmocka_unit_test(large_pages_are_mapped_at_once),
		cmocka_unit_test(writes_are_nobody_elses),
		cmocka_unit_test(what_was_read_only_is),
		cmocka_unit_test(malloc_goes_on),
		cmocka_unit_test(the_break_moves_both_ways),
		cmocka_unit_test(what_is_special_stays_so),
		cmocka_unit_test(too_many_mappings_are_an_error),
		cmocka_unit_test(a_fork_copies_fewer_page_tables),
		cmocka_unit_test(twice_is_harmless),
		cmocka_unit_test(no_descriptor_is_left),
	};

	return cmocka_run_group_tests_name("freeze", tests, NULL, NULL);
}
