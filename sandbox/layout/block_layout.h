/*
 * block_layout - group the blocks that guests write.
 *
 * A guest that computes 1 + 1 writes a few hundred of the hundred thousand
 * objects that its fork server has made. Most of these writes only change a
 * reference count, but each copies a page. A trace (trace.h) tells which blocks
 * are written. When the fork server allocates them, they get memory that was
 * set aside for them, so that many share a page. It is malloc(3)'s memory,
 * which Python may resize and free as any other. A block that is missed, or
 * taken for another, costs speed and nothing else.
 */
#ifndef TERRARIUM_BLOCK_LAYOUT_H
#define TERRARIUM_BLOCK_LAYOUT_H

#include "trace.h"

struct block_layout_report {
	uint32_t count, found; /* blocks to group; blocks that came again */
	size_t bytes; /* of those that came again */
};

/*
 * The interpreter starts and imports between these two, in a process of one
 * thread. TRACE is borrowed. Memory for blocks that did not come again is given
 * back. 0, or a negative errno value.
 */
int block_layout_begin(const struct trace *trace);
void block_layout_end(struct block_layout_report *report);

#endif
