/*
 * block_layout - what guests write of a frozen heap lies side by side.
 *
 * A guest that adds 1 and 1 writes a few hundred objects of the hundred
 * thousands that its fork server has made (most only count one user more, and
 * one less again), and pays for the page of each. Which ones, a write tracer
 * finds out (write_tracer.h); when the fork server makes them, they are given
 * memory that was set aside for them. It is malloc(3)'s, to which Python's
 * allocator gives back what is not its own, and may be resized and freed as
 * any: to miss an object, or to take one for another, costs nothing but speed.
 */
#ifndef TERRARIUM_HOT_H
#define TERRARIUM_HOT_H

#include "sandbox/python/alloc_hook.h"

#define BLOCK_LAYOUT_BLOCKS \
	(1u << 25) /* that are asked for in one start, at most */
#define BLOCK_LAYOUT_PHASES 256u
#define BLOCK_LAYOUT_LARGEST \
	2048u /* bytes of one: larger ones fill their pages */

/* In memory that is shared with the write tracer: a hundred megabytes of
 * address space, of which as much is memory as is used. */
struct block_layout_list {
	uint32_t count;		      /* blocks that were asked for */
	uint32_t begins[BLOCK_LAYOUT_PHASES]; /* where a phase begins, of COUNT
					       */
	uint16_t sizes[BLOCK_LAYOUT_BLOCKS]; /* bytes, UINT16_MAX: or more */
	/* Who writes it first, in the order of the write tracer's programs,
	 * from 1; those of one rank lie together. 0: nobody. */
	uint8_t ranks[BLOCK_LAYOUT_BLOCKS];
};

/* Returns NULL without memory. Release with block_layout_list_close(). */
struct block_layout_list *block_layout_list_open(void);
void block_layout_list_close(struct block_layout_list **list);

/* Add a block, if there is room. Returns its place in the list, or 0. */
uint32_t block_layout_list_add(struct block_layout_list *list,
			       const struct python_block *block);

struct block_layout_report {
	uint32_t count, found; /* blocks that somebody writes; met again */
	size_t bytes;	       /* of these */
};

/*
 * Between these two, in a process of one thread, the interpreter starts and
 * imports; LIST is borrowed. What was not met again is given back.
 */
int block_layout_begin(const struct block_layout_list *list);
void block_layout_end(struct block_layout_report *report);

#endif
