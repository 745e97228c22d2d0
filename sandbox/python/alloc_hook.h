/*
 * alloc_hook - the blocks that Python's small-object allocator gives away.
 *
 * Two starts of the same interpreter with the same imports ask for the same
 * blocks in the same order. So a block has a number by which the next start
 * knows it again: how many were asked for before it, in its phase.
 */
#ifndef TERRARIUM_PYTHON_MEMORY_H
#define TERRARIUM_PYTHON_MEMORY_H

#include "sandbox/base/base.h"

/* What one asks for. What realloc(3) moves is none. */
struct python_block {
	uint32_t phase, number, size;
};

/* Who is asked, and told. None of them may call Python, and each may be
 * NULL. CONTEXT is handed to all of them. */
struct alloc_hook_user {
	void *context;
	/* The first block is about to be asked for. */
	void (*begin)(void *context);
	/* A block to use as ASKED, of alloc_hook_take(); NULL: the
	 * allocator's own choice. */
	void *(*give)(void *context, const struct python_block *asked);
	void (*given)(void *context, const struct python_block *asked,
		      const void *at);
	void (*freed)(void *context, const void *at);
};

/* Before interpreter_start(). USER is borrowed until alloc_hook_leave(). */
void alloc_hook_use(const struct alloc_hook_user *user);

/* From here on as if nobody had been there. */
void alloc_hook_leave(void);

/* A block of malloc(3)'s, and back; nobody is asked or told. The allocator's
 * own large blocks are of there: what is not its own it gives back to malloc
 * (CPython's obmalloc.c). */
void *alloc_hook_take(size_t size);
void alloc_hook_put(void *block);

/* For interpreter.c: between two configurations, when who uses it may come
 * between; and when a new phase begins. */
void alloc_hook_start(void);
bool alloc_hook_next_phase(void); /* whether there is somebody */

/* For small objects what heap_settle() does for all else (heap.h). What is
 * made from now on lies in fresh memory, with nothing else. */
void alloc_hook_settle(void);

#endif
