/* block_map - see block_map.h. */
#include "block_map.h"

#include <errno.h>

#include "sandbox/base/anon_pages.h"

#define BLOCK_MAP_STEP 16u /* bytes between addresses of blocks */
#define BLOCK_MAP_STEPS (BLOCK_MAP_PAGE / BLOCK_MAP_STEP)
#define BLOCK_MAP_SLOT_BITS 19
#define BLOCK_MAP_SLOTS (1u << BLOCK_MAP_SLOT_BITS) /* twice the pages */

/* A page gets the next place when it is first seen, so that used parts of the
 * map lie together. A hash table with open addressing finds the place. */
struct block_map {
	uint32_t slots[BLOCK_MAP_SLOTS]; /* a place plus 1; 0: free */
	uint32_t pages;
	uintptr_t page[BLOCK_MAP_PAGES + 1]; /* by place; 0 behind the last */
	uint32_t begins[BLOCK_MAP_PAGES]
		       [BLOCK_MAP_STEPS]; /* numbers; 0: none */
};

int block_map_open(struct block_map **out)
{
	*out = anon_pages_open(sizeof(struct block_map), false);
	return *out ? 0 : -errno;
}

void block_map_close(struct block_map **map)
{
	anon_pages_close(*map, sizeof(**map));
	*map = NULL;
}

static uintptr_t block_map_round(uintptr_t at)
{
	return at & ~(uintptr_t)(BLOCK_MAP_PAGE - 1);
}

/* The slot of PAGE in the hash table, or the free one where it would be. */
static uint32_t block_map_slot(const struct block_map *map, uintptr_t page)
{
	/* Fibonacci hashing: the upper bits of a product with the golden
	 * ratio. */
	uint64_t mixed = page / BLOCK_MAP_PAGE * 0x9E3779B97F4A7C15ull;
	uint32_t slot = (uint32_t)(mixed >> (64 - BLOCK_MAP_SLOT_BITS));

	while (map->slots[slot] && map->page[map->slots[slot] - 1] != page)
		slot = (slot + 1) % BLOCK_MAP_SLOTS;
	return slot;
}

int block_map_place(const struct block_map *map, uintptr_t at)
{
	uint32_t slot = block_map_slot(map, block_map_round(at));

	return (int)map->slots[slot] - 1;
}

uintptr_t block_map_page(const struct block_map *map, int place)
{
	return map->page[place];
}

bool block_map_used(const struct block_map *map, int place)
{
	for (size_t i = 0; i < BLOCK_MAP_STEPS; i++)
		if (map->begins[place][i])
			return true;
	return false;
}

/* The place of the page of AT, a new one if it has none; -1: no room. */
static int block_map_make_place(struct block_map *map, uintptr_t at)
{
	uint32_t slot = block_map_slot(map, block_map_round(at));

	if (map->slots[slot] == 0 && map->pages < BLOCK_MAP_PAGES) {
		map->page[map->pages] = block_map_round(at);
		map->slots[slot] = ++map->pages;
	}
	return (int)map->slots[slot] - 1;
}

void block_map_note(struct block_map *map, const void *at, uint32_t number)
{
	uintptr_t begin = (uintptr_t)at;
	int place = block_map_make_place(map, begin);

	if (place >= 0)
		map->begins[place][begin % BLOCK_MAP_PAGE / BLOCK_MAP_STEP] =
			number;
}

void block_map_forget(struct block_map *map, const void *at)
{
	uintptr_t begin = (uintptr_t)at;
	int place = block_map_place(map, begin);

	if (place >= 0)
		map->begins[place][begin % BLOCK_MAP_PAGE / BLOCK_MAP_STEP] = 0;
}

uint32_t block_map_find(const struct block_map *map, uintptr_t at,
			size_t *offset)
{
	uintptr_t begin = at - at % BLOCK_MAP_STEP;
	uint32_t number = 0;

	for (; at - begin < BLOCK_MAP_LARGEST && number == 0;
	     begin -= BLOCK_MAP_STEP) {
		int place = block_map_place(map, begin);

		if (place < 0)
			return 0;
		number = map->begins[place]
				    [begin % BLOCK_MAP_PAGE / BLOCK_MAP_STEP];
		*offset = at - begin;
	}
	return number;
}
