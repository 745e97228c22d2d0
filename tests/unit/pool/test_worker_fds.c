/*
 * test_worker_fds - which descriptors a worker is born with, from a process that
 * has as many as the pool process of a large pool.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fcgi/pool/worker_fds.h"

enum { SLOTS = 3, OTHERS = 700 };

static struct cgroup_slot lent[SLOTS];
static int low; /* one of the pool process's own */

static struct cgroup_slot some_slot(void)
{
	struct cgroup_slot slot = {.kind = CGROUP_V1};
	int *const files[CGROUP_SLOT_FDS] = {
		&slot.entry[0], &slot.entry[1], &slot.entry[2], &slot.weight,
		&slot.events, &slot.limit, &slot.peak};

	for (int i = 0; i < CGROUP_SLOT_FDS; i++)
		*files[i] = fcntl(low, F_DUPFD_CLOEXEC, CGROUP_FD_ABOVE);
	return slot;
}

/* The descriptors of a pool process with two hundred workers, and three
 * descriptor sets to lend. */
static int be_zygote(void **state)
{
	struct rlimit files;

	(void)state;
	if (getrlimit(RLIMIT_NOFILE, &files) < 0)
		return -1;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
	low = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct cgroup_slot first = some_slot();

	if (low < 0 || worker_fds_open(SLOTS, &first) < 0)
		return -1;
	int before = support_count_fds();

	for (unsigned i = 0; i < SLOTS; i++) {
		struct cgroup_slot slot = some_slot();

		if (worker_fds_lend(i, &slot, &lent[i]) < 0)
			return -1;
	}
	/* As many as before, but for the slots' own. */
	if (support_count_fds() != before + SLOTS * CGROUP_SLOT_FDS)
		return -1;
	for (int i = 0; i < OTHERS; i++)
		if (fcntl(low, F_DUPFD_CLOEXEC, CGROUP_FD_ABOVE) < 0)
			return -1;
	return 0;
}

static int be_nobody(void **state)
{
	(void)state;
	close(low);
	return worker_fds_drop();
}

static bool open_now(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* The size of our table. */
static int table_size(void)
{
	char text[4096] = "";
	int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof(text) - 1);
	const char *line = n > 0 ? strstr(text, "\nFDSize:") : NULL;

	close(fd);
	return line ? atoi(line + 8) : -1;
}

/* 0: the child that was forked with descriptor set 1 has what it should. */
static int look_at_ours(void)
{
	for (unsigned i = 0; i < SLOTS; i++)
		if (open_now(lent[i].entry[0]) != (i == 1) ||
		    open_now(lent[i].peak) != (i == 1))
			return 1;
	if (!open_now(low) || cgroup_enter(&lent[1]) < 0)
		return 2;
	for (int fd = CGROUP_FD_ABOVE; fd < CGROUP_FD_ABOVE + OTHERS; fd++)
		if (open_now(fd))
			return 3;
	return 0;
}

static int child_of(unsigned set, int (*act)(void))
{
	fflush(NULL);
	pid_t pid = worker_fds_fork(set);

	if (pid == 0)
		_exit(worker_fds_keep(set) < 0 ? 99 : act());
	assert_true(pid > 0);
	int status = support_wait(pid);

	assert_true(worker_fds_is_free(set));
	return status;
}

static void a_child_has_its_own_and_no_others(void **state)
{
	int before = support_count_fds();

	(void)state;
	assert_true(before > OTHERS);
	assert_int_equal(child_of(1, look_at_ours), 0);
	assert_int_equal(support_count_fds(), before);
}

static int close_much(void)
{
	close(low);
	close(lent[1].entry[0]);
	return open("/dev/zero", O_RDONLY) == low ? 0 : 1;
}

/* From then on, a child closes and opens descriptors of its own. */
static void nothing_is_shared_afterwards(void **state)
{
	char byte;

	(void)state;
	assert_int_equal(child_of(1, close_much), 0);
	assert_true(open_now(lent[1].entry[0]));
	assert_int_equal(read(low, &byte, 1), 0); /* not /dev/zero */
}

static int look_at_the_table(void)
{
	int size = table_size();

	return size > 0 && size <= CGROUP_FD_ABOVE ? 0 : 1;
}

static int have_no_clone3(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int rc = filter ? seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS),
					   SCMP_SYS(clone3), 0)
			: -ENOMEM;

	return rc < 0 ? rc : seccomp_load(filter);
}

static int have_a_child(void *context)
{
	int *without = context;

	if (*without && have_no_clone3() < 0)
		return 9;
	pid_t pid = worker_fds_fork(1);

	if (pid == 0)
		_exit(worker_fds_keep(1) < 0 ? 99
		      : *without             ? look_at_ours()
					     : look_at_the_table());
	return pid < 0 ? 8 : support_wait(pid) != 0;
}

/* A fork is cheap because the other descriptors were never copied. */
static void what_it_does_not_keep_is_not_copied(void **state)
{
	int without = 0;

	(void)state;
	if (syscall(SYS_clone3, NULL, 0) < 0 && errno == ENOSYS)
		support_skip("no clone3(2) here");
	assert_true(table_size() > CGROUP_FD_ABOVE + OTHERS);
	assert_int_equal(support_in_child(have_a_child, &without), 0);
}

static void without_clone3_it_has_the_same(void **state)
{
	int without = 1;

	(void)state;
	assert_int_equal(support_in_child(have_a_child, &without), 0);
}

static int leave(void *context)
{
	(void)context;
	if (worker_fds_drop() < 0)
		return 4;
	for (unsigned i = 0; i < SLOTS; i++)
		if (open_now(lent[i].entry[0]) || open_now(lent[i].peak))
			return 1;
	return open_now(low) && !open_now(CGROUP_FD_ABOVE) ? 0 : 2;
}

static void who_is_born_without_has_none(void **state)
{
	(void)state;
	assert_int_equal(support_in_child(leave, NULL), 0);
}

static void numbers_in_use_are_found(void **state)
{
	(void)state;
	assert_int_equal(worker_fds_open(0, &lent[0]), -EBUSY);
}

/* It shares our table, whatever it is that ends it, and a descriptor set is
 * left once for each birth. */
static void who_dies_before_has_not_left(void **state)
{
	(void)state;
	assert_int_equal(child_of(1, look_at_ours), 0);
	int before = support_count_fds();
	pid_t pid = worker_fds_fork(1);

	if (pid == 0)
		_exit(0);
	assert_true(pid > 0);
	assert_int_equal(support_wait(pid), 0);
	assert_false(worker_fds_is_free(1));
	assert_int_equal(support_count_fds(), before);
	assert_int_equal(child_of(1, look_at_ours), 0);
}

static void so_many_arm_at_one_time(void **state)
{
	(void)state;
	assert_int_equal(worker_fds_count(1), 4);
	assert_int_equal(worker_fds_count(2), 4);
	assert_int_equal(worker_fds_count(5), 10);
	assert_int_equal(worker_fds_count(64), WORKER_FDS_SETS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_child_has_its_own_and_no_others),
		cmocka_unit_test(nothing_is_shared_afterwards),
		cmocka_unit_test(what_it_does_not_keep_is_not_copied),
		cmocka_unit_test(without_clone3_it_has_the_same),
		cmocka_unit_test(who_is_born_without_has_none),
		cmocka_unit_test(numbers_in_use_are_found),
		cmocka_unit_test(who_dies_before_has_not_left),
		cmocka_unit_test(so_many_arm_at_one_time),
	};

	return cmocka_run_group_tests(tests, be_zygote, be_nobody);
}
