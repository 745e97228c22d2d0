/*
 * test_block_map - an address is found in its block, and in none that was
 * freed.
 */
#include "tests/unit/support.h"

#include "sandbox/layout/block_map.h"

#define BASE ((uintptr_t)0x7f0000000000)

static const void *at(uintptr_t offset)
{
	return (const void *)(BASE + offset);
}

static int open_ledger(void **state)
{
	struct block_map *map;
	int rc = block_map_open(&map);

	*state = map;
	return rc;
}

static int close_ledger(void **state)
{
	struct block_map *map = *state;

	block_map_close(&map);
	assert_null(map);
	return 0;
}

static void an_address_is_in_the_block_before_it(void **state)
{
	struct block_map *map = *state;
	size_t offset = 0;

	block_map_note(map, at(64), 1);
	block_map_note(map, at(112), 2);
	assert_int_equal(block_map_find(map, BASE + 64, &offset), 1);
	assert_int_equal(offset, 0);
	assert_int_equal(block_map_find(map, BASE + 111, &offset), 1);
	assert_int_equal(offset, 47);
	assert_int_equal(block_map_find(map, BASE + 112, &offset), 2);
	assert_int_equal(block_map_find(map, BASE + 63, &offset), 0);
}

static void a_block_reaches_into_the_next_page(void **state)
{
	struct block_map *map = *state;
	size_t offset = 0;

	block_map_note(map, at(BLOCK_MAP_PAGE - 16), 7);
	block_map_note(map, at(BLOCK_MAP_PAGE + 2048), 8);
	assert_int_equal(
		block_map_find(map, BASE + BLOCK_MAP_PAGE + 1000, &offset), 7);
	assert_int_equal(offset, 1016);
}

static void what_is_far_behind_is_in_none(void **state)
{
	struct block_map *map = *state;
	size_t offset = 0;

	block_map_note(map, at(0), 1);
	for (uintptr_t page = 1; page < 3; page++) {
		block_map_note(map, at(page * BLOCK_MAP_PAGE), 2);
		block_map_forget(map, at(page * BLOCK_MAP_PAGE));
	}
	assert_int_equal(
		block_map_find(map, BASE + BLOCK_MAP_LARGEST - 1, &offset), 1);
	assert_int_equal(
		block_map_find(map, BASE + BLOCK_MAP_LARGEST + 16, &offset), 0);
}

static void what_was_freed_is_forgotten(void **state)
{
	struct block_map *map = *state;
	size_t offset = 0;

	block_map_note(map, at(0), 1);
	block_map_forget(map, at(0));
	assert_int_equal(block_map_find(map, BASE + 8, &offset), 0);
	block_map_note(map, at(0), 2);
	assert_int_equal(block_map_find(map, BASE + 8, &offset), 2);
	block_map_forget(map, at(1 << 20)); /* never seen */
}

static void pages_are_known_by_their_places(void **state)
{
	struct block_map *map = *state;

	assert_int_equal(block_map_place(map, BASE), -1);
	block_map_note(map, at(32), 1);
	int place = block_map_place(map, BASE + 4000);

	assert_int_equal(place, 0);
	assert_int_equal(block_map_page(map, 1), 0);
	assert_int_equal(block_map_page(map, place), BASE);
	assert_true(block_map_used(map, place));
	block_map_forget(map, at(32));
	assert_false(block_map_used(map, place));
	assert_int_equal(block_map_page(map, place), BASE);
}

/* More pages than there are places: those that came first are still found,
 * and it comes to an end. */
static void it_is_full_at_some_time(void **state)
{
	struct block_map *map = *state;
	size_t offset = 0;
	uint32_t noted = 0;

	for (uintptr_t page = 0; page < BLOCK_MAP_PAGES + 10; page++)
		block_map_note(map, at(page * BLOCK_MAP_PAGE),
			       (uint32_t)page + 1);
	for (uintptr_t page = 0; page < BLOCK_MAP_PAGES + 10; page++)
		noted += block_map_find(map, BASE + page * BLOCK_MAP_PAGE,
					&offset) == page + 1;
	assert_int_equal(noted, BLOCK_MAP_PAGES);
	assert_int_equal(block_map_find(map, BASE, &offset), 1);
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
