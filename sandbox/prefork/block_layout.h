/*
 * hot - what guests write of a frozen heap lies side by side.
 *
 * A guest that adds 1 and 1 writes a few hundred objects of the hundred
 * thousands that its mold has made (most only count one user more, and one
 * less again), and pays for the page of each. Which ones, a scout finds out
 * (scout.h); when the mold makes them, they are given memory that was set
 * aside for them. It is malloc(3)'s, to which Python's allocator gives back
 * what is not its own, and may be resized and freed as any: to miss an object,
 * or to take one for another, costs nothing but speed.
 */
#ifndef TERRARIUM_HOT_H
#define TERRARIUM_HOT_H

#include "sandbox/python/alloc_hook.h"

#define HOT_BLOCKS (1u << 25) /* that are asked for in one start, at most */
#define HOT_PHASES 256u
#define HOT_LARGEST 2048u /* bytes of one: larger ones fill their pages */

/* In memory that is shared with the scout: a hundred megabytes of address
 * space, of which as much is memory as is used. */
struct hot_list {
	uint32_t count;		      /* blocks that were asked for */
	uint32_t begins[HOT_PHASES];  /* where a phase begins, of COUNT */
	uint16_t sizes[HOT_BLOCKS];   /* bytes, UINT16_MAX: or more */
	/* Who writes it first, in the order of the scout's programs, from 1;
	 * those of one rank lie together. 0: nobody. */
	uint8_t ranks[HOT_BLOCKS];
};

/* Returns NULL without memory. Release with hot_list_close(). */
struct hot_list *hot_list_open(void);
void hot_list_close(struct hot_list **list);

/* Add a block, if there is room. Returns its place in the list, or 0. */
uint32_t hot_list_add(struct hot_list *list, const struct python_block *block);

struct hot_report {
	uint32_t count, found; /* blocks that somebody writes; met again */
	size_t bytes;	       /* of these */
};

/*
 * Between these two, in a process of one thread, the interpreter starts and
 * imports; LIST is borrowed. What was not met again is given back.
 */
int hot_begin(const struct hot_list *list);
void hot_end(struct hot_report *report);

#endif
