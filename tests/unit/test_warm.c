/*
 * test_warm - a guest's pages are learned and taken: what a guest wrote of
 * the frozen heap is there, written, in the next one before it has run.
 */
#include "run_support.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include "../../sandbox/python.h"

static long faults(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt : -1;
}

static void something_is_learned(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	const struct warm *warm = &run_box.warm;

	assert_true(warm->count > 0 && warm->count < WARM_RANGES_MAX);
	assert_true(warm->written > 50);
	for (size_t i = 0; i < warm->count; i++) {
		assert_int_equal(warm->ranges[i].start % 4096, 0);
		assert_true(warm->ranges[i].size > 0);
	}
}

static int take_and_write(void *context)
{
	const struct warm *warm = context;

	warm_take(warm);
	long before = faults();

	for (size_t i = 0; i < warm->count; i++) {
		volatile char *at = (volatile char *)warm->ranges[i].start;

		if (warm->ranges[i].advice != 23) /* MADV_POPULATE_WRITE */
			continue;
		for (size_t page = 0; page < warm->ranges[i].size;
		     page += 4096)
			at[page] = at[page];
	}
	RUN_CHECK(faults() - before < 5);
	return 0;
}

static void what_is_taken_faults_no_more(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(take_and_write, &run_box.warm);
}

static int write_untaken(void *context)
{
	const struct warm *warm = context;
	long before = faults();

	for (size_t i = 0; i < warm->count; i++) {
		volatile char *at = (volatile char *)warm->ranges[i].start;

		if (warm->ranges[i].advice == 23)
			*at = *at;
	}
	RUN_CHECK(faults() - before > 20);
	return 0;
}

static void without_it_each_page_faults(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(write_untaken, &run_box.warm);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(something_is_learned),
		cmocka_unit_test(what_is_taken_faults_no_more),
		cmocka_unit_test(without_it_each_page_faults),
	};

	return run_support_main("warm", tests, ARRAY_LEN(tests));
}
