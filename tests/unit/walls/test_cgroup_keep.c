/*
 * test_cgroup_keep - which process keeps which files of a slot's group.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "sandbox/walls/cgroup.h"

enum { SLOTS = 5 };

/* A group that has been opened, of files that may be written. */
static struct cgroup_slot some_slot(void)
{
	struct cgroup_slot slot;
	int *const files[] = {&slot.entry[0], &slot.entry[1], &slot.entry[2],
			      &slot.weight, &slot.events, &slot.limit,
			      &slot.peak};

	cgroup_slot_none(&slot);
	slot.kind = CGROUP_V1;
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		*files[i] = open("/dev/null", O_RDWR);
	return slot;
}

/* Entry files are closed first. A process without them enters no group, which
 * differs from a host without groups. */
static void entries_are_forgotten_alone(void **state)
{
	int before = support_count_fds();
	struct cgroup_slot slot = some_slot();

	(void)state;
	assert_int_equal(cgroup_enter(&slot), 0);
	cgroup_forget_entry(&slot);
	assert_int_equal(cgroup_enter(&slot), -EBADF);
	assert_true(cgroup_has_weight(&slot));
	assert_int_equal(support_count_fds(),
			 before + CGROUP_SLOT_FDS - CGROUP_CONTROLLERS);
	cgroup_forget(&slot);
	assert_false(cgroup_has_weight(&slot));
	assert_int_equal(support_count_fds(), before);
}

static bool same_file(int a, int b)
{
	struct stat one, other;

	return fstat(a, &one) == 0 && fstat(b, &other) == 0 &&
	       one.st_rdev == other.st_rdev;
}

/* Two slots after each other at the same numbers: the second's are there. */
static void what_is_lent_takes_the_place_of_what_was(void **state)
{
	enum { FIRST = 100 };
	int before = support_count_fds();
	struct cgroup_slot first = some_slot(), second = some_slot(), lent;

	(void)state;
	base_release_fd(&second.limit);
	second.limit = open("/dev/zero", O_RDONLY);
	assert_int_equal(cgroup_lend(&first, FIRST, &lent), 0);
	assert_int_equal(lent.entry[0], FIRST);
	assert_true(same_file(lent.limit, first.limit));
	assert_int_equal(cgroup_lend(&second, FIRST, &lent), 0);
	assert_true(same_file(lent.limit, second.limit));
	assert_int_equal(fcntl(lent.limit, F_GETFD), FD_CLOEXEC);
	assert_int_equal(support_count_fds(), before + 3 * CGROUP_SLOT_FDS);
	cgroup_forget(&first);
	assert_int_equal(cgroup_enter(&lent), 0);
	cgroup_forget(&lent);
	cgroup_forget(&second);
	assert_int_equal(support_count_fds(), before);
}

/* Without control groups, or without one of their files. */
static void what_is_not_there_is_not_lent(void **state)
{
	struct cgroup_slot none, lent;
	int before = support_count_fds();

	(void)state;
	cgroup_slot_none(&none);
	assert_int_equal(cgroup_lend(&none, 100, &lent), 0);
	assert_memory_equal(&lent, &none, sizeof(lent));
	assert_int_equal(support_count_fds(), before);
	none.peak = 99; /* closed */
	assert_int_equal(cgroup_lend(&none, 100, &lent), -EBADF);
}

/* Of all slots one's own, which may be none of them. */
static void a_keeper_keeps_its_own(void **state)
{
	(void)state;
	for (unsigned own = 0; own <= SLOTS; own++) {
		int before = support_count_fds();
		struct cgroup_slot slots[SLOTS];

		for (unsigned i = 0; i < SLOTS; i++)
			slots[i] = some_slot();
		cgroup_keep_own(slots, SLOTS, own);
		for (unsigned i = 0; i < SLOTS; i++)
			assert_int_equal(cgroup_enter(&slots[i]),
					 i == own ? 0 : -EBADF);
		if (own < SLOTS)
			cgroup_forget(&slots[own]);
		assert_int_equal(support_count_fds(), before);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_forgotten_alone),
		cmocka_unit_test(what_is_lent_takes_the_place_of_what_was),
		cmocka_unit_test(what_is_not_there_is_not_lent),
		cmocka_unit_test(a_keeper_keeps_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
