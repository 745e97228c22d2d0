/*
 * block_map - which block of memory an address is in.
 *
 * Blocks begin at multiples of 16 bytes, as Python's allocators return them.
 * Each has a number, which the caller chooses. The map takes a quarter of a
 * gigabyte of address space, but memory only for the pages that are used.
 */
#ifndef TERRARIUM_BLOCK_MAP_H
#define TERRARIUM_BLOCK_MAP_H

#include "sandbox/base/base.h"

#define BLOCK_MAP_PAGE 4096u
#define BLOCK_MAP_PAGES (1u << 18) /* room for so many: 1 GB */
#define BLOCK_MAP_LARGEST \
	4096u /* bytes of a block from its start that are found to be in it */

struct block_map;

/* 0, or a negative errno value. Release with block_map_close(). */
int block_map_open(struct block_map **out);
void block_map_close(struct block_map **map);

/* The block NUMBER (not 0) begins at AT. A block without room in the map is
 * left out. */
void block_map_note(struct block_map *map, const void *at, uint32_t number);

/* The block at AT was freed. */
void block_map_forget(struct block_map *map, const void *at);

/* The number of the block that begins at AT, or of the next one before AT; 0:
 * there is none near. Sets OFFSET to the bytes between. */
uint32_t block_map_find(const struct block_map *map, uintptr_t at,
			size_t *offset);

/* The place in the map, from 0 on, of the page of AT, if it has or had blocks;
 * else -1. And back: the page at PLACE, 0 behind the last one. */
int block_map_place(const struct block_map *map, uintptr_t at);
uintptr_t block_map_page(const struct block_map *map, int place);

/* Whether a block begins in the page at PLACE. */
bool block_map_used(const struct block_map *map, int place);

#endif
