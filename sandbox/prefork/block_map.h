/*
 * block_map - which block of memory an address is in.
 *
 * Blocks are as Python's allocators give them: at multiples of 16 bytes. What
 * is kept of a block is where it begins, and a number of its owner's. All of
 * it is a quarter of a gigabyte of address space, of which as much is memory
 * as is used.
 */
#ifndef TERRARIUM_LEDGER_H
#define TERRARIUM_LEDGER_H

#include "sandbox/base/base.h"

#define BLOCK_MAP_PAGE 4096u
#define BLOCK_MAP_PAGES (1u << 18) /* that it has room for: 1 GB */
#define BLOCK_MAP_LARGEST \
	4096u /* of a larger block only its first bytes are \
	       * found to be in it */

struct block_map;

/* 0, or a negative errno value. Release with block_map_close(). */
int block_map_open(struct block_map **out);
void block_map_close(struct block_map **map);

/* The block NUMBER (not 0) begins at AT. What has no room in the ledger is
 * left out. */
void block_map_note(struct block_map *map, const void *at, uint32_t number);

/* The block at AT is no more. */
void block_map_forget(struct block_map *map, const void *at);

/* The block that begins at AT or next before; 0: none near. Sets OFFSET to the
 * bytes between. */
uint32_t block_map_find(const struct block_map *map, uintptr_t at,
			size_t *offset);

/* A page that has, or had, blocks: its place in the ledger, from 0 on, or -1;
 * and back, 0 behind the last. */
int block_map_place(const struct block_map *map, uintptr_t at);
uintptr_t block_map_page(const struct block_map *map, int place);

/* Whether a block begins in the page at PLACE. */
bool block_map_used(const struct block_map *map, int place);

#endif
