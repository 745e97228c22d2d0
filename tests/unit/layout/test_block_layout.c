/*
 * test_block_layout - blocks that a trace marks get memory side by side when
 * they come again, also behind a block more or less. All other blocks are as
 * before. Each test uses Python's real allocator in a child of its own.
 */
#include "tests/unit/prefork/freeze_support.h"

#include <string.h>

#include "sandbox/layout/block_layout.h"
#include "sandbox/python/interpreter.h"

/* As in Python.h, which tests do not include. */
void *PyObject_Malloc(size_t size);
void *PyObject_Calloc(size_t count, size_t size);
void *PyObject_Realloc(void *block, size_t size);
void PyObject_Free(void *block);

#define BLOCKS 20000u
#define EVERY 40u /* of so many one is written */
#define WRITTEN (BLOCKS / EVERY)
#define LATER 100		/* bytes */
#define LARGE (TRACE_LARGEST + 1)

static struct trace *trace;
static void *blocks[BLOCKS + 1];

/* As sizes of a real start are: no two stretches of it are alike. */
static uint32_t size_of(uint32_t number)
{
	return 16 + (number * 2654435761u >> 20) % 480;
}

static bool is_written(uint32_t number)
{
	return number % EVERY == 0;
}

/* The trace of a write tracer that saw phase 1, and two blocks more. */
static void make_trace(void)
{
	trace = trace_open();
	for (uint32_t i = 1; i <= BLOCKS; i++) {
		const struct python_block block = {1, i, size_of(i)};
		uint32_t place = trace_add(trace, &block);

		trace->ranks[place] = is_written(i) ? (uint8_t)(1 + i % 3) : 0;
	}
	const struct python_block later = {2, 1, LATER};
	const struct python_block large = {2, 2, LARGE};

	trace->ranks[trace_add(trace, &later)] = 1;
	trace->ranks[trace_add(trace, &large)] = 1;
}

/* The next phase's: one that is written, and one too large to group. */
static int ask_later(void)
{
	alloc_hook_enter_phase();
	CHECK(PyObject_Malloc(LATER) && PyObject_Malloc(LARGE));
	return 0;
}

/* Leave free memory that is not zero. */
static void fill_with_garbage(void)
{
	for (uint32_t i = 1; i <= BLOCKS; i++) {
		blocks[i] = PyObject_Malloc(size_of(i));
		memset(blocks[i], 0xa5, size_of(i));
	}
	for (uint32_t i = 1; i <= BLOCKS; i++)
		PyObject_Free(blocks[i]);
}

/* A start: phase 0 is Python's own. */
static int begin(void)
{
	char error[INTERPRETER_ERROR_MAX];

	CHECK(interpreter_start(false, error) == 0);
	fill_with_garbage();
	make_trace();
	CHECK(block_layout_begin(trace) == 0);
	alloc_hook_enter_phase();
	alloc_hook_enter_phase();
	return 0;
}

/* Ask for those from FROM up to TO. */
static void ask(uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i <= to; i++) {
		blocks[i] = PyObject_Malloc(size_of(i));
		memset(blocks[i], (int)i, size_of(i));
	}
}

/* How many pages hold the written ones from FROM up to TO. */
static size_t pages(uint32_t from, uint32_t to)
{
	static uintptr_t seen[WRITTEN];
	size_t count = 0;

	for (uint32_t i = from; i <= to; i++) {
		uintptr_t page = (uintptr_t)blocks[i] >> 12;
		size_t k = 0;

		if (!is_written(i))
			continue;
		while (k < count && seen[k] != page)
			k++;
		if (k == count)
			seen[count++] = page;
	}
	return count;
}

static int check_bytes(void)
{
	for (uint32_t i = 1; i <= BLOCKS; i++) {
		const unsigned char *at = blocks[i];

		CHECK(at[0] == (unsigned char)i &&
		      at[size_of(i) - 1] == (unsigned char)i);
	}
	return 0;
}

static int side_by_side(void *context)
{
	struct block_layout_report report;

	(void)context;
	CHECK(begin() == 0);
	ask(1, BLOCKS);
	block_layout_end(&report);
	CHECK(report.count == WRITTEN + 1 && report.found == WRITTEN);
	CHECK(report.bytes > WRITTEN * 200 && report.bytes < WRITTEN * 300);
	/* Some 130 kB, and 16 bytes of malloc's for each. */
	CHECK(pages(1, BLOCKS) < 50);
	CHECK(check_bytes() == 0);
	for (uint32_t i = 1; i <= BLOCKS; i++)
		PyObject_Free(blocks[i]);
	trace_close(&trace);
	CHECK(!trace);
	return 0;
}

/* Else each lies on a page of its own, nearly: so the test above can fail. */
static int scattered_without(void *context)
{
	(void)context;
	CHECK(begin() == 0);
	struct block_layout_report report;

	block_layout_end(&report);
	CHECK(report.count == 0 && report.found == 0);
	ask(1, BLOCKS);
	CHECK(pages(1, BLOCKS) > WRITTEN / 4 * 3);
	return 0;
}

/* CONTEXT blocks more than the write tracer has seen, or less. */
static int astray(void *context)
{
	int more = (int)(intptr_t)context;
	struct block_layout_report report;

	CHECK(begin() == 0);
	ask(1, BLOCKS / 2);
	for (int i = 0; i < more; i++)
		CHECK(PyObject_Malloc(40));
	ask((uint32_t)((int)BLOCKS / 2 + 1 - (more < 0 ? more : 0)), BLOCKS);
	block_layout_end(&report);
	CHECK(report.found <= report.count && report.found > WRITTEN - 50);
	return 0;
}

/* Nothing is as expected; and the next phase is not the worse for it. */
static int lost(void *context)
{
	struct block_layout_report report;

	(void)context;
	CHECK(begin() == 0);
	for (uint32_t i = 0; i < BLOCKS; i++)
		CHECK(PyObject_Malloc(24 + i % 7));
	CHECK(ask_later() == 0);
	block_layout_end(&report);
	CHECK(report.count == WRITTEN + 1 && report.found > 0 &&
	      report.found < WRITTEN / 10);
	return 0;
}

static int phases(void *context)
{
	struct block_layout_report report;

	(void)context;
	CHECK(begin() == 0);
	ask(1, 100);
	CHECK(ask_later() == 0);
	block_layout_end(&report);
	CHECK(report.count == WRITTEN + 1 && report.found == 100 / EVERY + 1);
	return 0;
}

/* Given memory is cleared, resized and freed as any. */
static int as_any(void *context)
{
	struct block_layout_report report;

	(void)context;
	CHECK(begin() == 0);
	ask(1, EVERY - 1);
	unsigned char *clear = PyObject_Calloc(1, size_of(EVERY));

	for (uint32_t i = 0; i < size_of(EVERY); i++)
		CHECK(clear[i] == 0);
	ask(EVERY + 1, 2 * EVERY);
	unsigned char *kept = PyObject_Realloc(blocks[2 * EVERY], LARGE);

	for (uint32_t i = 0; i < size_of(2 * EVERY); i++)
		CHECK(kept[i] == (unsigned char)(2 * EVERY));
	PyObject_Free(kept);
	PyObject_Free(clear);
	block_layout_end(&report);
	CHECK(report.found == 2);
	return 0;
}

/* Blocks without room are left out. */
static int bounds(void *context)
{
	const struct python_block large = {0, 1, LARGE};
	const struct python_block far = {TRACE_PHASES, 1, 100};

	(void)context;
	trace = trace_open();
	CHECK(trace);
	uint32_t place = trace_add(trace, &large);

	CHECK(place == 1 && trace->sizes[place] == LARGE);
	CHECK(trace_add(trace, &far) == 0);
	trace->count = TRACE_BLOCKS_MAX - 1;
	CHECK(trace_add(trace, &large) == 0);
	return 0;
}

static void what_is_written_lies_together(void **state)
{
	(void)state;
	in_child(side_by_side);
	in_child(scattered_without);
}

static int one_more(void *context)
{
	(void)context;
	return astray((void *)1);
}

static int many_more(void *context)
{
	(void)context;
	return astray((void *)300);
}

static int one_less(void *context)
{
	(void)context;
	return astray((void *)-1);
}

static void it_finds_its_way_back(void **state)
{
	(void)state;
	in_child(one_more);
	in_child(many_more);
	in_child(one_less);
}

static void who_is_lost_is_no_worse(void **state)
{
	(void)state;
	in_child(lost);
}

static void a_phase_begins_anew(void **state)
{
	(void)state;
	in_child(phases);
}

static void it_is_memory_as_any(void **state)
{
	(void)state;
	in_child(as_any);
}

static void the_trace_has_bounds(void **state)
{
	(void)state;
	in_child(bounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_lies_together),
		cmocka_unit_test(it_finds_its_way_back),
		cmocka_unit_test(who_is_lost_is_no_worse),
		cmocka_unit_test(a_phase_begins_anew),
		cmocka_unit_test(it_is_memory_as_any),
		cmocka_unit_test(the_trace_has_bounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
