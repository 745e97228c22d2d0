/* hot - see hot.h. */
#include "block_layout.h"

#include <errno.h>

#include "malloc_settle.h"
#include "sandbox/base/anon_pages.h"

/* Two starts are alike but for a block more or less now and then, of what
 * depends on an address or on the time. Sizes tell, of so many blocks. */
#define HOT_SEEN 32u
#define HOT_ASTRAY (HOT_SEEN / 2) /* others than expected: look around ... */
#define HOT_ALIKE (HOT_SEEN - 4)  /* ... for where so many are as expected, */
#define HOT_AROUND 512		  /* so far back and ahead */
#define HOT_WAIT 512u /* blocks before we look again where we found nothing */

/* The state of one start; its array is a mapping of its own, which is gone
 * before the heap is frozen. */
static struct hot {
	const struct hot_list *list;
	void **kept;		 /* what was set aside, by place in the list */
	uint32_t phase;		 /* what is asked for is in it */
	int64_t shift;		 /* how many more were asked for by the scout */
	uint16_t seen[HOT_SEEN]; /* the last sizes, by number */
	uint64_t wrong;		 /* a bit for each of them */
	uint32_t wait;		 /* before we look around */
	struct hot_report report;
} hot;

/* ---- the list -------------------------------------------------------- */

struct hot_list *hot_list_open(void)
{
	return pages_open(sizeof(struct hot_list), true);
}

void hot_list_close(struct hot_list **list)
{
	pages_close(*list, sizeof(**list));
	*list = NULL;
}

static uint16_t hot_size(const struct python_block *block)
{
	return block->size < UINT16_MAX ? (uint16_t)block->size : UINT16_MAX;
}

uint32_t hot_list_add(struct hot_list *list, const struct python_block *block)
{
	if (list->count == HOT_BLOCKS - 1 || block->phase >= HOT_PHASES)
		return 0;
	if (block->number == 1)
		list->begins[block->phase] = list->count;
	list->sizes[++list->count] = hot_size(block);
	return list->count;
}

static bool hot_is(const struct hot_list *list, uint32_t place)
{
	return list->ranks[place] != 0 && list->sizes[place] <= HOT_LARGEST;
}

/* ---- its blocks, set aside ------------------------------------------- */

/* Those of a rank one behind the other, of whatever size: Python's allocator
 * has pages of its own for each. Returns the next rank that there is, or 0. */
static uint8_t hot_set_aside(uint8_t rank)
{
	const struct hot_list *list = hot.list;
	uint8_t next = 0;

	for (uint32_t i = 1; i <= list->count; i++) {
		if (!hot_is(list, i) || list->ranks[i] < rank)
			continue;
		if (list->ranks[i] > rank) {
			if (next == 0 || list->ranks[i] < next)
				next = list->ranks[i];
			continue;
		}
		hot.kept[i] = python_memory_take(list->sizes[i]);
		hot.report.count++;
	}
	return next;
}

static void hot_prepare(void *context)
{
	(void)context;
	heap_settle(); /* or they would lie in its holes */
	for (uint8_t rank = hot_set_aside(0); rank > 0;)
		rank = hot_set_aside(rank);
}

/* ---- met again ------------------------------------------------------- */

/* Where in the list the block NUMBER of this phase would be; 0: nowhere. */
static uint32_t hot_place(uint32_t number, int64_t shift)
{
	int64_t place = hot.list->begins[hot.phase] + (int64_t)number + shift;

	return place > 0 && place <= hot.list->count ? (uint32_t)place : 0;
}

/* How many of the last blocks, up to NUMBER, are as expected. */
static unsigned hot_alike(uint32_t number, int64_t shift)
{
	unsigned alike = 0;

	for (uint32_t i = 0; i < HOT_SEEN; i++) {
		uint32_t place = hot_place(number - i, shift);

		alike += place != 0 && hot.list->sizes[place] ==
					       hot.seen[(number - i) % HOT_SEEN];
	}
	return alike;
}

/* The nearest shift by which the last blocks are as expected. */
static void hot_look_around(uint32_t number)
{
	hot.wrong = 0;
	for (int64_t by = 1; by <= HOT_AROUND; by++) {
		if (hot_alike(number, hot.shift + by) >= HOT_ALIKE) {
			hot.shift += by;
			return;
		}
		if (hot_alike(number, hot.shift - by) >= HOT_ALIKE) {
			hot.shift -= by;
			return;
		}
	}
	hot.wait = HOT_WAIT;
}

static void hot_enter_phase(uint32_t phase)
{
	hot.phase = phase;
	hot.shift = 0;
	hot.wrong = 0;
	hot.wait = HOT_SEEN;
}

/* Note what was asked for. Returns its place in the list, or 0. */
static uint32_t hot_meet(const struct python_block *asked)
{
	if (asked->phase >= HOT_PHASES)
		return 0;
	if (asked->phase != hot.phase)
		hot_enter_phase(asked->phase);
	uint32_t place = hot_place(asked->number, hot.shift);
	bool expected = place && hot.list->sizes[place] == hot_size(asked);

	hot.seen[asked->number % HOT_SEEN] = hot_size(asked);
	hot.wrong = (hot.wrong << 1 | !expected) & ((1ull << HOT_SEEN) - 1);
	if (hot.wait > 0)
		hot.wait--;
	else if (__builtin_popcountll(hot.wrong) > (int)HOT_ASTRAY)
		hot_look_around(asked->number);
	return expected ? place : 0;
}

static void *hot_give(void *context, const struct python_block *asked)
{
	uint32_t place = hot_meet(asked);

	(void)context;
	if (place == 0 || !hot.kept[place])
		return NULL;
	hot.report.found++;
	hot.report.bytes += asked->size;
	return take_ptr(&hot.kept[place]);
}

int hot_begin(const struct hot_list *list)
{
	static const struct python_memory_user user = {
		.begin = hot_prepare, .give = hot_give};

	hot = (struct hot){.list = list, .wait = HOT_SEEN};
	hot.kept = pages_open(HOT_BLOCKS * sizeof(*hot.kept), false);
	if (!hot.kept)
		return -ENOMEM;
	python_memory_use(&user);
	return 0;
}

void hot_end(struct hot_report *report)
{
	python_memory_leave();
	for (uint32_t i = 1; i <= hot.list->count; i++)
		if (hot_is(hot.list, i) && hot.kept[i])
			python_memory_put(hot.kept[i]);
	pages_close(hot.kept, HOT_BLOCKS * sizeof(*hot.kept));
	*report = hot.report;
	hot = (struct hot){0};
}
