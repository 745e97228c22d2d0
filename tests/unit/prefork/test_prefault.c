/*
 * test_prefault - pages of the frozen heap that one guest has written are
 * faulted in, writable, in the next one before it runs.
 */
#include "tests/unit/guest/run_support.h"

#include <sys/resource.h>

#include "sandbox/python/interpreter.h"

static long faults(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_minflt : -1;
}

static void something_is_learned(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	const struct prefault_ranges *lists[] = {&run_box.prefault.written,
						 &run_box.prefault.read};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		assert_true(lists[i]->count > 10);
		assert_true(lists[i]->count < PREFAULT_RANGES_MAX);
		for (size_t j = 0; j < lists[i]->count; j++) {
			assert_int_equal((uintptr_t)lists[i]->ranges[j]
						 .iov_base % 4096, 0);
			assert_true(lists[i]->ranges[j].iov_len > 0);
		}
	}
}

/* Write to, or read, each page of LIST; returns the faults that took. */
static long touch(const struct prefault_ranges *list, bool to_write)
{
	long before = faults();

	for (size_t i = 0; i < list->count; i++) {
		volatile char *at = list->ranges[i].iov_base;

		for (size_t page = 0; page < list->ranges[i].iov_len;
		     page += 4096) {
			if (to_write) /* at once: not read first */
				__atomic_fetch_or(&at[page], 0,
						  __ATOMIC_RELAXED);
			else
				(void)at[page];
		}
	}
	return faults() - before;
}

static int take_and_touch(void *context)
{
	const struct prefault *prefault = context;

	prefault_take(prefault);
	RUN_CHECK(touch(&prefault->written, true) < 5);
	RUN_CHECK(touch(&prefault->read, false) < 5);
	return 0;
}

static void what_is_taken_faults_no_more(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(take_and_touch, &run_box.prefault);
}

static int touch_untaken(void *context)
{
	const struct prefault *prefault = context;

	RUN_CHECK(touch(&prefault->written, true) > 20);
	/* Each, but for chance: none comes along with another. */
	RUN_CHECK(touch(&prefault->read, false) >
		  (long)prefault->read.count * 9 / 10);
	return 0;
}

static void without_it_each_page_faults(void **state)
{
	(void)state;
	RUN_NEEDS_BOX();
	run_in_worker(touch_untaken, &run_box.prefault);
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
