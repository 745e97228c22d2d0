/*
 * test_ledger - an address is found to be in the block that it is in, and in
 * none that is no more.
 */
#include "support.h"

#include "sandbox/prefork/block_map.h"

#define BASE ((uintptr_t)0x7f0000000000)

static const void *at(uintptr_t offset)
{
	return (const void *)(BASE + offset);
}

static int open_ledger(void **state)
{
	struct ledger *ledger;
	int rc = ledger_open(&ledger);

	*state = ledger;
	return rc;
}

static int close_ledger(void **state)
{
	struct ledger *ledger = *state;

	ledger_close(&ledger);
	assert_null(ledger);
	return 0;
}

static void an_address_is_in_the_block_before_it(void **state)
{
	struct ledger *ledger = *state;
	size_t offset = 0;

	ledger_note(ledger, at(64), 1);
	ledger_note(ledger, at(112), 2);
	assert_int_equal(ledger_find(ledger, BASE + 64, &offset), 1);
	assert_int_equal(offset, 0);
	assert_int_equal(ledger_find(ledger, BASE + 111, &offset), 1);
	assert_int_equal(offset, 47);
	assert_int_equal(ledger_find(ledger, BASE + 112, &offset), 2);
	assert_int_equal(ledger_find(ledger, BASE + 63, &offset), 0);
}

static void a_block_reaches_into_the_next_page(void **state)
{
	struct ledger *ledger = *state;
	size_t offset = 0;

	ledger_note(ledger, at(LEDGER_PAGE - 16), 7);
	ledger_note(ledger, at(LEDGER_PAGE + 2048), 8);
	assert_int_equal(
		ledger_find(ledger, BASE + LEDGER_PAGE + 1000, &offset), 7);
	assert_int_equal(offset, 1016);
}

static void what_is_far_behind_is_in_none(void **state)
{
	struct ledger *ledger = *state;
	size_t offset = 0;

	ledger_note(ledger, at(0), 1);
	for (uintptr_t page = 1; page < 3; page++) {
		ledger_note(ledger, at(page * LEDGER_PAGE), 2);
		ledger_forget(ledger, at(page * LEDGER_PAGE));
	}
	assert_int_equal(ledger_find(ledger, BASE + LEDGER_LARGEST - 1,
				     &offset), 1);
	assert_int_equal(ledger_find(ledger, BASE + LEDGER_LARGEST + 16,
				     &offset), 0);
}

static void what_was_freed_is_forgotten(void **state)
{
	struct ledger *ledger = *state;
	size_t offset = 0;

	ledger_note(ledger, at(0), 1);
	ledger_forget(ledger, at(0));
	assert_int_equal(ledger_find(ledger, BASE + 8, &offset), 0);
	ledger_note(ledger, at(0), 2);
	assert_int_equal(ledger_find(ledger, BASE + 8, &offset), 2);
	ledger_forget(ledger, at(1 << 20)); /* never seen */
}

static void pages_are_known_by_their_places(void **state)
{
	struct ledger *ledger = *state;

	assert_int_equal(ledger_place(ledger, BASE), -1);
	ledger_note(ledger, at(32), 1);
	int place = ledger_place(ledger, BASE + 4000);

	assert_int_equal(place, 0);
	assert_int_equal(ledger_page(ledger, 1), 0);
	assert_int_equal(ledger_page(ledger, place), BASE);
	assert_true(ledger_used(ledger, place));
	ledger_forget(ledger, at(32));
	assert_false(ledger_used(ledger, place));
	assert_int_equal(ledger_page(ledger, place), BASE);
}

/* More pages than there are places: those that came first are still found,
 * and it comes to an end. */
static void it_is_full_at_some_time(void **state)
{
	struct ledger *ledger = *state;
	size_t offset = 0;
	uint32_t noted = 0;

	for (uintptr_t page = 0; page < LEDGER_PAGES + 10; page++)
		ledger_note(ledger, at(page * LEDGER_PAGE),
			    (uint32_t)page + 1);
	for (uintptr_t page = 0; page < LEDGER_PAGES + 10; page++)
		noted += ledger_find(ledger, BASE + page * LEDGER_PAGE,
				     &offset) == page + 1;
	assert_int_equal(noted, LEDGER_PAGES);
	assert_int_equal(ledger_find(ledger, BASE, &offset), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_ledger, \
						   close_ledger)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(an_address_is_in_the_block_before_it),
		TEST(a_block_reaches_into_the_next_page),
		TEST(what_is_far_behind_is_in_none),
		TEST(what_was_freed_is_forgotten),
		TEST(pages_are_known_by_their_places),
		TEST(it_is_full_at_some_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
