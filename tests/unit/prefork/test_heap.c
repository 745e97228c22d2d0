/*
 * test_heap - children allocate from fresh memory behind all that is in use:
 * little of it in small pages, arrays in large ones, larger ones apart. Each
 * in a child of its own, because it changes malloc(3) for good.
 */
#include "tests/unit/prefork/freeze_support.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sandbox/prefork/heap.h"

#define PIECES 2000
#define ARRAY (1u << 20) /* bytes */
#define ARRAYS 12	 /* fit in the reserve */

/* A heap with holes, as after many imports. */
static void scatter(void)
{
	static void *pieces[PIECES];

	for (size_t i = 0; i < PIECES; i++)
		pieces[i] = malloc(24 + i % 900);
	for (size_t i = 0; i < PIECES; i += 2)
		free(pieces[i]);
}

/* Whether the mapping of AT has FLAG (proc(5), VmFlags). */
static bool has_flag(uintptr_t at, const char *flag)
{
	FILE *maps = fopen("/proc/self/smaps", "re");
	char line[512];
	uintptr_t start = 0, end = 0;
	bool found = false;

	while (maps && fgets(line, sizeof(line), maps)) {
		uintptr_t low, high;

		if (sscanf(line, "%lx-%lx ", &low, &high) == 2)
			start = low, end = high;
		if (start <= at && at < end && strstr(line, "VmFlags:"))
			found = strstr(line, flag) != NULL;
	}
	if (maps)
		fclose(maps);
	return found;
}

static int settled(void *context)
{
	(void)context;
	scatter();
	malloc_trim(0);
	uintptr_t end = (uintptr_t)sbrk(0);

	heap_settle();
	for (size_t size = 24; size < 900; size += 16)
		CHECK((uintptr_t)malloc(size) + size >= end);
	return 0;
}

static int reserved(void *context)
{
	(void)context;
	scatter();
	heap_settle();
	size_t taken;

	CHECK(heap_reserve(&taken) == 0);
	uintptr_t end = (uintptr_t)sbrk(0), little = (uintptr_t)malloc(100);

	CHECK(taken >= 16u << 20 && taken < 32u << 20);
	CHECK(!has_flag(little, " hg "));
	for (size_t i = 0; i < ARRAYS; i++) {
		uintptr_t at = (uintptr_t)malloc(ARRAY);

		CHECK(at > little && at + ARRAY < end);
		CHECK(i == 0 || has_flag(at + ARRAY / 2, " hg "));
	}
	CHECK((uintptr_t)sbrk(0) == end);
	return 0;
}

static int untouched(void *context)
{
	unsigned char here[32u << 20 >> 12];

	(void)context;
	scatter();
	heap_settle();
	uintptr_t before = (uintptr_t)sbrk(0);
	size_t taken;

	CHECK(heap_reserve(&taken) == 0);
	CHECK(taken > 0 && taken < sizeof(here) << 12);
	before &= ~(uintptr_t)4095;
	CHECK(mincore((void *)before, taken, here) == 0);
	size_t pages = 0;

	for (size_t i = 0; i < taken >> 12; i++)
		pages += here[i] & 1;
	CHECK(pages <= 4);
	return 0;
}

/* At any distance to the next large page: free small pieces must not be taken
 * for it. */
static int wherever_it_ends(void *context)
{
	size_t pad = (size_t)(uintptr_t)context, taken;

	scatter();
	heap_settle();
	uintptr_t end = (uintptr_t)malloc(70000) + 70000;

	CHECK(malloc(((2u << 20) - (256u << 10) - pad - end) % (2u << 20)));
	CHECK(heap_reserve(&taken) == 0);
	return 0;
}

static int larger_is_apart(void *context)
{
	(void)context;
	size_t taken;

	heap_settle();
	CHECK(heap_reserve(&taken) == 0);
	uintptr_t low = (uintptr_t)malloc(100), end = (uintptr_t)sbrk(0);
	void *large = malloc(24u << 20);

	CHECK((uintptr_t)large < low || (uintptr_t)large > end);
	CHECK((uintptr_t)sbrk(0) == end);
	free(large);
	return 0;
}

static int stays_for_the_next(void *context)
{
	(void)context;
	size_t taken;

	heap_settle();
	CHECK(heap_reserve(&taken) == 0);
	uintptr_t end = (uintptr_t)sbrk(0);
	void *array = malloc(4u << 20);

	free(array);
	CHECK(malloc(4u << 20) == array);
	CHECK((uintptr_t)sbrk(0) == end);
	return 0;
}

static void small_pieces_are_fresh(void **state)
{
	(void)state;
	in_child(settled);
}

static void arrays_lie_in_large_pages(void **state)
{
	(void)state;
	if (access("/sys/kernel/mm/transparent_hugepage", F_OK) < 0)
		support_skip("this kernel has no large pages");
	in_child(reserved);
}

static void the_reserve_is_untouched(void **state)
{
	(void)state;
	in_child(untouched);
}

static void there_is_one_wherever_the_heap_ends(void **state)
{
	(void)state;
	for (size_t pad = 0; pad < 1200; pad += 48)
		assert_int_equal(support_in_child(wherever_it_ends,
						  (void *)(uintptr_t)pad), 0);
}

static void a_large_array_is_a_mapping(void **state)
{
	(void)state;
	in_child(larger_is_apart);
}

static void what_is_freed_is_used_again(void **state)
{
	(void)state;
	in_child(stays_for_the_next);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_pieces_are_fresh),
		cmocka_unit_test(arrays_lie_in_large_pages),
		cmocka_unit_test(the_reserve_is_untouched),
		cmocka_unit_test(there_is_one_wherever_the_heap_ends),
		cmocka_unit_test(a_large_array_is_a_mapping),
		cmocka_unit_test(what_is_freed_is_used_again),
	};

	return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
