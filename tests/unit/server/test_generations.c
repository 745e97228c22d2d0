/*
 * test_generations - which generation starts session keepers.
 */
#include "tests/unit/support.h"

#include <string.h>

#include "fcgi/server/generations.h"

static void sessions_begin_with_the_first_armed_worker(void **state)
{
	(void)state;
	struct generations all = {.current = -1};

	for (size_t i = 0; i < GENERATIONS_MAX; i++)
		generation_handle_init(&all.handles[i]);
	assert_int_equal(generations_orders(&all), -1);
	all.handles[0] = (struct generation_handle){
		.used = true, .prepared = true, .pool = 1, .leave = 5,
		.orders = 6};
	assert_int_equal(generations_orders(&all), -1); /* it stands by */
	all.handles[0].activated = true;
	assert_int_equal(generations_orders(&all), 6);
	all.handles[1] = all.handles[0];
	all.handles[1].ready = true;
	all.handles[1].orders = 7;
	all.current = 1;
	assert_int_equal(generations_orders(&all), 7);
	all.current = -1;
	all.handles[0].leave = all.handles[1].leave = -1; /* both leave */
	assert_int_equal(generations_orders(&all), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sessions_begin_with_the_first_armed_worker),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
