/* ledger - see ledger.h. */
#include "block_map.h"

#include <errno.h>

#include "sandbox/base/anon_pages.h"

#define LEDGER_STEP 16u /* bytes between places where blocks can begin */
#define LEDGER_STEPS (LEDGER_PAGE / LEDGER_STEP)
#define LEDGER_SLOT_BITS 19
#define LEDGER_SLOTS (1u << LEDGER_SLOT_BITS) /* twice as many as pages */

/* Places are given in the order in which pages are seen, and found by an open
 * table: what is used lies together. */
struct ledger {
	uint32_t slots[LEDGER_SLOTS]; /* a place and 1; 0: free */
	uint32_t pages;
	uintptr_t page[LEDGER_PAGES + 1]; /* by place; 0 behind the last */
	uint32_t begins[LEDGER_PAGES][LEDGER_STEPS]; /* numbers; 0: none */
};

int ledger_open(struct ledger **out)
{
	*out = pages_open(sizeof(struct ledger), false);
	return *out ? 0 : -errno;
}

void ledger_close(struct ledger **ledger)
{
	pages_close(*ledger, sizeof(**ledger));
	*ledger = NULL;
}

static uintptr_t ledger_round(uintptr_t at)
{
	return at & ~(uintptr_t)(LEDGER_PAGE - 1);
}

/* Where PAGE is in the table, or would be. */
static uint32_t ledger_look(const struct ledger *ledger, uintptr_t page)
{
	/* Fibonacci's hashing: 64 bits by the golden ratio, the upper ones. */
	uint64_t mixed = page / LEDGER_PAGE * 0x9E3779B97F4A7C15ull;
	uint32_t slot = (uint32_t)(mixed >> (64 - LEDGER_SLOT_BITS));

	while (ledger->slots[slot] &&
	       ledger->page[ledger->slots[slot] - 1] != page)
		slot = (slot + 1) % LEDGER_SLOTS;
	return slot;
}

int ledger_place(const struct ledger *ledger, uintptr_t at)
{
	uint32_t slot = ledger_look(ledger, ledger_round(at));

	return (int)ledger->slots[slot] - 1;
}

uintptr_t ledger_page(const struct ledger *ledger, int place)
{
	return ledger->page[place];
}

bool ledger_used(const struct ledger *ledger, int place)
{
	for (size_t i = 0; i < LEDGER_STEPS; i++)
		if (ledger->begins[place][i])
			return true;
	return false;
}

/* The place of the page of AT, new if need be; -1: there is no room. */
static int ledger_make_place(struct ledger *ledger, uintptr_t at)
{
	uint32_t slot = ledger_look(ledger, ledger_round(at));

	if (ledger->slots[slot] == 0 && ledger->pages < LEDGER_PAGES) {
		ledger->page[ledger->pages] = ledger_round(at);
		ledger->slots[slot] = ++ledger->pages;
	}
	return (int)ledger->slots[slot] - 1;
}

void ledger_note(struct ledger *ledger, const void *at, uint32_t number)
{
	uintptr_t begin = (uintptr_t)at;
	int place = ledger_make_place(ledger, begin);

	if (place >= 0)
		ledger->begins[place][begin % LEDGER_PAGE / LEDGER_STEP] =
			number;
}

void ledger_forget(struct ledger *ledger, const void *at)
{
	uintptr_t begin = (uintptr_t)at;
	int place = ledger_place(ledger, begin);

	if (place >= 0)
		ledger->begins[place][begin % LEDGER_PAGE / LEDGER_STEP] = 0;
}

uint32_t ledger_find(const struct ledger *ledger, uintptr_t at,
		     size_t *offset)
{
	uintptr_t begin = at - at % LEDGER_STEP;
	uint32_t number = 0;

	for (; at - begin < LEDGER_LARGEST && number == 0;
	     begin -= LEDGER_STEP) {
		int place = ledger_place(ledger, begin);

		if (place < 0)
			return 0;
		number = ledger->begins[place]
				       [begin % LEDGER_PAGE / LEDGER_STEP];
		*offset = at - begin;
	}
	return number;
}
