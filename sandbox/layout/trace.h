/*
 * trace - the blocks that one start of the interpreter allocates, and which of
 * them programs write.
 *
 * Two starts of one interpreter with the same imports ask for the same blocks
 * in the same order. So a block is known by its phase of the start and by its
 * number within that phase (alloc_hook.h). The write tracer makes a trace,
 * block_layout.c uses one, and trace_file.c keeps one between two starts.
 */
#ifndef TERRARIUM_TRACE_H
#define TERRARIUM_TRACE_H

#include "alloc_hook.h"

#define TRACE_BLOCKS_MAX (1u << 25) /* of one start */
#define TRACE_PHASES 256u
#define TRACE_LARGEST 2048u /* bytes: larger blocks fill their own pages */
#define TRACE_RANKS 16u /* programs of the write tracer, at most */
#define TRACE_SOURCES_MAX (2u << 20)

/* In shared memory, because a child fills it. It takes 100 MB of address
 * space, but memory only for the pages that are used. */
struct trace {
	uint32_t count; /* blocks of the start */
	uint32_t begins[TRACE_PHASES]; /* blocks before each phase */
	uint32_t sources_size; /* bytes; 0: not known */
	uint16_t sizes[TRACE_BLOCKS_MAX]; /* bytes; UINT16_MAX: or more */
	/* Which program writes the block first, from 1; 0: none does. Blocks
	 * of one rank lie together. Places count from 1 here and in SIZES. */
	uint8_t ranks[TRACE_BLOCKS_MAX];
	/* NUL-terminated paths of the files that the imports have read. */
	char sources[TRACE_SOURCES_MAX];
};

/* An empty trace, or NULL without memory. Release with trace_close(). */
struct trace *trace_open(void);
void trace_close(struct trace **trace);

/* Add a block. Returns its place, from 1, or 0: there is no room. */
uint32_t trace_add(struct trace *trace, const struct python_block *block);

/* The size of BLOCK, as a trace holds it. */
uint16_t trace_size(const struct python_block *block);

/* Whether the block at PLACE is to lie with the others of its rank. */
static inline bool trace_is_grouped(const struct trace *trace, uint32_t place)
{
	return trace->ranks[place] != 0 && trace->sizes[place] <= TRACE_LARGEST;
}

#endif
