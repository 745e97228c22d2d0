/* block_layout - see block_layout.h. */
#include "block_layout.h"

#include <errno.h>

#include "sandbox/base/anon_pages.h"
#include "sandbox/prefork/heap.h"

/* Two starts differ by a block more or less now and then, because some
 * allocations depend on an address or on the time. The sizes of the last blocks
 * tell where in the trace this start is. */
#define BLOCK_LAYOUT_SEEN 32u
#define BLOCK_LAYOUT_ASTRAY \
	(BLOCK_LAYOUT_SEEN / 2) /* so many unexpected sizes: search ... */
#define BLOCK_LAYOUT_ALIKE \
	(BLOCK_LAYOUT_SEEN - 4) /* ... for so many expected ones */
#define BLOCK_LAYOUT_AROUND 512 /* blocks back and ahead */
#define BLOCK_LAYOUT_WAIT \
	512u /* blocks before the next search after one \
	      * that has failed */

/* The state of one start. KEPT is a mapping of its own, which is gone before
 * the heap is frozen. */
static struct block_layout {
	const struct trace *trace;
	void **kept; /* memory that was set aside, by place in the trace */
	uint32_t phase; /* of the last request */
	int64_t shift; /* blocks that the trace has more than this start */
	uint16_t seen[BLOCK_LAYOUT_SEEN]; /* the last sizes, by number */
	uint64_t wrong; /* a bit for each of them: unexpected */
	uint32_t wait; /* blocks before the next search */
	struct block_layout_report report;
} layout;

/* ---- memory, set aside ----------------------------------------------- */

/* Set aside memory for the blocks of RANK, one behind another in spite of their
 * sizes: Python's allocator would use other pages for each size. Returns the
 * next rank that the trace has, or 0. */
static uint8_t block_layout_set_aside(uint8_t rank)
{
	const struct trace *trace = layout.trace;
	uint8_t next = 0;

	for (uint32_t i = 1; i <= trace->count; i++) {
		if (!trace_is_grouped(trace, i) || trace->ranks[i] < rank)
			continue;
		if (trace->ranks[i] > rank) {
			if (next == 0 || trace->ranks[i] < next)
				next = trace->ranks[i];
			continue;
		}
		layout.kept[i] = alloc_hook_take(trace->sizes[i]);
		layout.report.count++;
	}
	return next;
}

static void block_layout_prepare(void *context)
{
	(void)context;
	heap_settle(); /* or the memory would lie in holes of the heap */
	for (uint8_t rank = block_layout_set_aside(0); rank > 0;)
		rank = block_layout_set_aside(rank);
}

/* ---- blocks that come again ------------------------------------------ */

/* The place in the trace of this phase's block NUMBER; 0: it has none. */
static uint32_t block_layout_place(uint32_t number, int64_t shift)
{
	int64_t place = layout.trace->begins[layout.phase] + (int64_t)number +
			shift;

	return place > 0 && place <= layout.trace->count ? (uint32_t)place : 0;
}

/* How many of the last blocks, up to NUMBER, have the size that the trace has
 * with SHIFT. */
static unsigned block_layout_alike(uint32_t number, int64_t shift)
{
	unsigned alike = 0;

	for (uint32_t i = 0; i < BLOCK_LAYOUT_SEEN; i++) {
		uint32_t place = block_layout_place(number - i, shift);

		alike += place != 0 &&
			 layout.trace->sizes[place] ==
				 layout.seen[(number - i) % BLOCK_LAYOUT_SEEN];
	}
	return alike;
}

/* Search for the nearest shift with which the last blocks are as expected. */
static void block_layout_search(uint32_t number)
{
	layout.wrong = 0;
	for (int64_t by = 1; by <= BLOCK_LAYOUT_AROUND; by++) {
		if (block_layout_alike(number, layout.shift + by) >=
		    BLOCK_LAYOUT_ALIKE) {
			layout.shift += by;
			return;
		}
		if (block_layout_alike(number, layout.shift - by) >=
		    BLOCK_LAYOUT_ALIKE) {
			layout.shift -= by;
			return;
		}
	}
	layout.wait = BLOCK_LAYOUT_WAIT;
}

static void block_layout_enter_phase(uint32_t phase)
{
	layout.phase = phase;
	layout.shift = 0;
	layout.wrong = 0;
	layout.wait = BLOCK_LAYOUT_SEEN;
}

/* Follow the trace by one block. Returns its place there, or 0: this start
 * asks for another one. */
static uint32_t block_layout_follow(const struct python_block *asked)
{
	if (asked->phase >= TRACE_PHASES)
		return 0;
	if (asked->phase != layout.phase)
		block_layout_enter_phase(asked->phase);
	uint32_t place = block_layout_place(asked->number, layout.shift);
	bool expected = place &&
			layout.trace->sizes[place] == trace_size(asked);

	layout.seen[asked->number % BLOCK_LAYOUT_SEEN] = trace_size(asked);
	layout.wrong = (layout.wrong << 1 | !expected) &
		       ((1ull << BLOCK_LAYOUT_SEEN) - 1);
	if (layout.wait > 0)
		layout.wait--;
	else if (!expected &&
		 __builtin_popcountll(layout.wrong) > (int)BLOCK_LAYOUT_ASTRAY)
		block_layout_search(asked->number);
	return expected ? place : 0;
}

static void *block_layout_give(void *context, const struct python_block *asked)
{
	uint32_t place = block_layout_follow(asked);

	(void)context;
	if (place == 0 || !layout.kept[place])
		return NULL;
	layout.report.found++;
	layout.report.bytes += asked->size;
	return take_ptr(&layout.kept[place]);
}

int block_layout_begin(const struct trace *trace)
{
	static const struct alloc_hook_user user = {
		.begin = block_layout_prepare, .give = block_layout_give};

	layout = (struct block_layout){.trace = trace,
				       .wait = BLOCK_LAYOUT_SEEN};
	layout.kept = anon_pages_open(TRACE_BLOCKS_MAX * sizeof(*layout.kept),
				      false);
	if (!layout.kept)
		return -ENOMEM;
	alloc_hook_use(&user);
	return 0;
}

void block_layout_end(struct block_layout_report *report)
{
	alloc_hook_leave();
	for (uint32_t i = 1; i <= layout.trace->count; i++)
		if (trace_is_grouped(layout.trace, i) && layout.kept[i])
			alloc_hook_put(layout.kept[i]);
	anon_pages_close(layout.kept, TRACE_BLOCKS_MAX * sizeof(*layout.kept));
	*report = layout.report;
	layout = (struct block_layout){0};
}
