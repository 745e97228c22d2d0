/*
 * test_freeze - memory that was frozen is the same memory: same bytes, still
 * private, still to be grown and released. Each test freezes a child of its
 * own.
 */
#include "tests/unit/prefork/freeze_support.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox/filesystem/mount_api.h"

#define MOVED_TIMES 500

static char in_data[5000] = "data";
static char in_bss[70000];

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
		sow(small[i], i + 1, i);
	}
	sow(large, 3 << 20, 7);
	sow(in_bss, sizeof(in_bss), 8);
	owned_fd int proc = open("/proc", O_PATH | O_DIRECTORY);

	CHECK(freeze_open(&freeze, proc) == 0);
	char *start = (char *)((uintptr_t)small[0] & ~(uintptr_t)4095);
	size_t size = (size_t)((char *)sbrk(0) - start);
	char *copy = map(size, MAP_SHARED);

	CHECK(copy);
	memcpy(copy, start, size);
	int rc = freeze_heap(freeze, FREEZE_ALL_EXACT, &report);
	bool same = memcmp(copy, start, size) == 0;

	CHECK(rc == 0);
	CHECK(same);
	CHECK(report.mappings > 2 && report.bytes > size);
	freeze_close(&freeze);
	CHECK(!freeze);
	freeze_close(&freeze);
	for (unsigned i = 0; i < ARRAY_LEN(small); i++)
		CHECK(is_sown(small[i], i + 1, i));
	CHECK(is_sown(large, 3 << 20, 7));
	CHECK(is_sown(in_bss, sizeof(in_bss), 8));
	CHECK(strcmp(in_data, "data") == 0);
	return 0;
}

static void every_byte_stays(void **state)
{
	(void)state;
	in_child(keep_bytes);
}

/* Move THREAD between two processors for ever. The kernel then writes the
 * number of the processor into the thread's rseq area (rseq(2)), which glibc
 * has in the thread's own data. */
static void move_for_ever(pid_t thread, const cpu_set_t *may)
{
	for (size_t next = 0;; next = (next + 1) % CPU_SETSIZE) {
		cpu_set_t one;

		CPU_ZERO(&one);
		CPU_SET(next, &one);
		if (CPU_ISSET(next, may))
			sched_setaffinity(thread, sizeof(one), &one);
	}
}

static int freeze_while_moving(void *context)
{
	struct freeze_report report;
	const cpu_set_t *may = context;
	pid_t self = getpid(), mover = support_fork();

	if (mover == 0)
		move_for_ever(self, may);
	sow(in_bss, sizeof(in_bss), 8);
	int rc = freeze(&report);

	kill(mover, SIGKILL);
	waitpid(mover, NULL, 0);
	CHECK(rc == 0);
	CHECK(is_sown(in_bss, sizeof(in_bss), 8));
	return 0;
}

static void a_thread_may_be_moved_meanwhile(void **state)
{
	cpu_set_t may;

	(void)state;
	assert_int_equal(sched_getaffinity(0, sizeof(may), &may), 0);
	if (CPU_COUNT(&may) < 2)
		support_skip("one processor");
	for (unsigned i = 0; i < MOVED_TIMES; i++)
		assert_int_equal(support_in_child(freeze_while_moving, &may),
				 0);
}

/* Zeros, too: pages that are not written to the file. */
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

/* Free memory that malloc keeps is not copied. */
static int leave_reserve(void *context)
{
	struct freeze_report report;
	size_t size = 4 * LARGE;
	char *at = map(size, MAP_PRIVATE);

	(void)context;
	sow(at, 4096, 1);
	at[size / 2] = 0; /* a page of its own, and yet zeros */
	sow(at + size - 4096, 4096, 2);
	CHECK(freeze(&report) == 0);
	CHECK(is_sown(at, 4096, 1) && is_sown(at + size - 4096, 4096, 2));
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

/* Most bytes that one call has asked for, in memory that is not frozen. The
 * call is here instead of the C library's, so that a test can see it. */
static off_t *asked;

int fallocate(int fd, int mode, off_t offset, off_t size)
{
	long rc = syscall(SYS_fallocate, fd, mode, offset, size);

	if (rc == 0 && asked && size > *asked)
		*asked = size;
	return (int)rc;
}

static int map_large(void *context)
{
	struct freeze_report report;
	struct rusage before, after;
	size_t size = 8 * LARGE;
	char *at = map(size, MAP_PRIVATE);

	(void)context;
	sow(at, size, 3);
	asked = (off_t *)(void *)map(sizeof(*asked), MAP_SHARED);
	CHECK(asked && freeze(&report) == 0);
	CHECK(report.large >= size - LARGE);
	CHECK((size_t)*asked >= size);
	CHECK(getrusage(RUSAGE_SELF, &before) == 0);
	CHECK(is_sown(at, size, 3));
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
	sow(at, 4096, 3);
	CHECK(mprotect(at, 4096, PROT_READ) == 0);
	CHECK(freeze_but(0, &report) == 0); /* it is no library's */
	CHECK(is_sown(at, 4096, 3));
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
	sow(before, 1 << 20, 5);
	CHECK(freeze(&report) == 0);
	char *after = sbrk(1 << 20);

	CHECK(after == before + (1 << 20));
	CHECK(after[0] == 0 && after[(1 << 20) - 1] == 0);
	sow(after, 1 << 20, 6);
	CHECK(is_sown(before, 1 << 20, 5));
	CHECK(sbrk(-(3 << 19)) == after + (1 << 20));
	CHECK(is_sown(before, 1 << 19, 5));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_byte_stays),
		cmocka_unit_test(a_thread_may_be_moved_meanwhile),
		cmocka_unit_test(zeros_stay_zeros),
		cmocka_unit_test(large_holes_are_fresh_memory),
		cmocka_unit_test(large_pages_are_mapped_at_once),
		cmocka_unit_test(writes_are_nobody_elses),
		cmocka_unit_test(what_was_read_only_is),
		cmocka_unit_test(malloc_goes_on),
		cmocka_unit_test(the_break_moves_both_ways),
	};

	return cmocka_run_group_tests_name("freeze", tests, NULL, NULL);
}
