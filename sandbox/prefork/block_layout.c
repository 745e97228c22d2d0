/* block_layout - see block_layout.h. */
#include "block_layout.h"

#include <errno.h>

#include "heap.h"
#include "sandbox/base/anon_pages.h"

/* Two starts are alike but for a block more or less now and then, of what
 * depends on an address or on the time. Sizes tell, of so many blocks. */
#define BLOCK_LAYOUT_SEEN 32u
#define BLOCK_LAYOUT_ASTRAY \
	(BLOCK_LAYOUT_SEEN / 2) /* others than expected: look around ... */
#define BLOCK_LAYOUT_ALIKE \
	(BLOCK_LAYOUT_SEEN - 4) /* ... for where so many are as expected, */
#define BLOCK_LAYOUT_AROUND 512 /* so far back and ahead */
#define BLOCK_LAYOUT_WAIT \
	512u /* blocks before we look again where we found nothing */

/* The state of one start; its array is a mapping of its own, which is gone
 * before the heap is frozen. */
static struct block_layout {
	const struct block_layout_list *list;
	void **kept;		 /* what was set aside, by place in the list */
	uint32_t phase;		 /* what is asked for is in it */
	int64_t shift; /* how many more were asked for by the write tracer */
	uint16_t seen[BLOCK_LAYOUT_SEEN]; /* the last sizes, by number */
	uint64_t wrong;		 /* a bit for each of them */
	uint32_t wait;		 /* before we look around */
	struct block_layout_report report;
} layout;

/* ---- the list -------------------------------------------------------- */

struct block_layout_list *block_layout_list_open(void)
{
	return anon_pages_open(sizeof(struct block_layout_list), true);
}

void block_layout_list_close(struct block_layout_list **list)
{
	anon_pages_close(*list, sizeof(**list));
	*list = NULL;
}

static uint16_t block_layout_size(const struct python_block *block)
{
	return block->size < UINT16_MAX ? (uint16_t)block->size : UINT16_MAX;
}

uint32_t block_layout_list_add(struct block_layout_list *list,
			       const struct python_block *block)
{
	if (list->count == BLOCK_LAYOUT_BLOCKS - 1 ||
	    block->phase >= BLOCK_LAYOUT_PHASES)
		return 0;
	if (block->number == 1)
		list->begins[block->phase] = list->count;
	list->sizes[++list->count] = block_layout_size(block);
	return list->count;
}

static bool block_layout_is(const struct block_layout_list *list,
			    uint32_t place)
{
	return list->ranks[place] != 0 &&
	       list->sizes[place] <= BLOCK_LAYOUT_LARGEST;
}

/* ---- its blocks, set aside ------------------------------------------- */

/* Those of a rank one behind the other, of whatever size: Python's allocator
 * has pages of its own for each. Returns the next rank that there is, or 0. */
static uint8_t block_layout_set_aside(uint8_t rank)
{
	const struct block_layout_list *list = layout.list;
	uint8_t next = 0;

	for (uint32_t i = 1; i <= list->count; i++) {
		if (!block_layout_is(list, i) || list->ranks[i] < rank)
			continue;
		if (list->ranks[i] > rank) {
			if (next == 0 || list->ranks[i] < next)
				next = list->ranks[i];
			continue;
		}
		layout.kept[i] = alloc_hook_take(list->sizes[i]);
		layout.report.count++;
	}
	return next;
}

static void block_layout_prepare(void *context)
{
	(void)context;
	heap_settle(); /* or they would lie in its holes */
	for (uint8_t rank = block_layout_set_aside(0); rank > 0;)
		rank = block_layout_set_aside(rank);
}

/* ---- met again ------------------------------------------------------- */

/* Where in the list the block NUMBER of this phase would be; 0: nowhere. */
static uint32_t block_layout_place(uint32_t number, int64_t shift)
{
	int64_t place = layout.list->begins[layout.phase] + (int64_t)number +
			shift;

	return place > 0 && place <= layout.list->count ? (uint32_t)place : 0;
}

/* How many of the last blocks, up to NUMBER, are as expected. */
static unsigned block_layout_alike(uint32_t number, int64_t shift)
{
	unsigned alike = 0;

	for (uint32_t i = 0; i < BLOCK_LAYOUT_SEEN; i++) {
		uint32_t place = block_layout_place(number - i, shift);

		alike += place != 0 &&
			 layout.list->sizes[place] ==
				 layout.seen[(number - i) % BLOCK_LAYOUT_SEEN];
	}
	return alike;
}

/* The nearest shift by which the last blocks are as expected. */
static void block_layout_look_around(uint32_t number)
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

/* Note what was asked for. Returns its place in the list, or 0. */
static uint32_t block_layout_meet(const struct python_block *asked)
{
	if (asked->phase >= BLOCK_LAYOUT_PHASES)
		return 0;
	if (asked->phase != layout.phase)
		block_layout_enter_phase(asked->phase);
	uint32_t place = block_layout_place(asked->number, layout.shift);
	bool expected = place &&
			layout.list->sizes[place] == block_layout_size(asked);

	layout.seen[asked->number % BLOCK_LAYOUT_SEEN] = block_layout_size(
		asked);
	layout.wrong = (layout.wrong << 1 | !expected) &
		       ((1ull << BLOCK_LAYOUT_SEEN) - 1);
	if (layout.wait > 0)
		layout.wait--;
	else if (__builtin_popcountll(layout.wrong) > (int)BLOCK_LAYOUT_ASTRAY)
		block_layout_look_around(asked->number);
	return expected ? place : 0;
}

static void *block_layout_give(void *context, const struct python_block *asked)
{
	uint32_t place = block_layout_meet(asked);

	(void)context;
	if (place == 0 || !layout.kept[place])
		return NULL;
	layout.report.found++;
	layout.report.bytes += asked->size;
	return take_ptr(&layout.kept[place]);
}

int block_layout_begin(const struct block_layout_list *list)
{
	static const struct alloc_hook_user user = {
		.begin = block_layout_prepare, .give = block_layout_give};

	layout = (struct block_layout){.list = list, .wait = BLOCK_LAYOUT_SEEN};
	layout.kept = anon_pages_open(
		BLOCK_LAYOUT_BLOCKS * sizeof(*layout.kept), false);
	if (!layout.kept)
		return -ENOMEM;
	alloc_hook_use(&user);
	return 0;
}

void block_layout_end(struct block_layout_report *report)
{
	alloc_hook_leave();
	for (uint32_t i = 1; i <= layout.list->count; i++)
		if (block_layout_is(layout.list, i) && layout.kept[i])
			alloc_hook_put(layout.kept[i]);
	anon_pages_close(layout.kept,
			 BLOCK_LAYOUT_BLOCKS * sizeof(*layout.kept));
	*report = layout.report;
	layout = (struct block_layout){0};
}
