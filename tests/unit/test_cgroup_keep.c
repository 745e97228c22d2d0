/*
 * test_cgroup_keep - who keeps which files of a slot's control group.
 */
#include "support.h"

#include <errno.h>
#include <fcntl.h>

#include "../../sandbox/cgroup.h"

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

/* A mold's part and a zygote's; and of who has neither none enters, which is
 * not the same as a host without groups. */
static void each_keeps_its_part(void **state)
{
	int before = support_count_fds();
	struct cgroup_slot mold = some_slot(), zygote = some_slot();

	(void)state;
	cgroup_keep_entry(&mold);
	cgroup_keep_use(&zygote);
	assert_false(cgroup_has_pace(&mold));
	assert_true(cgroup_has_pace(&zygote));
	assert_int_equal(cgroup_enter(&mold), 0);
	assert_int_equal(cgroup_enter(&zygote), -EBADF);
	cgroup_forget(&mold);
	cgroup_forget(&zygote);
	assert_int_equal(cgroup_enter(&mold), -EBADF);
	assert_int_equal(support_count_fds(), before);
}

/* Of all slots one's own, which may be none of them. */
static void a_worker_keeps_its_own(void **state)
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
		cmocka_unit_test(each_keeps_its_part),
		cmocka_unit_test(a_worker_keeps_its_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
