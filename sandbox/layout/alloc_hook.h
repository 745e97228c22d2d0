/*
 * alloc_hook - sees, and may serve, each request to Python's small-object
 * allocator.
 *
 * Two starts of the same interpreter with the same imports ask for the same
 * blocks in the same order. So a block is known by a number: how many were
 * asked for before it in its phase of the start.
 */
#ifndef TERRARIUM_ALLOC_HOOK_H
#define TERRARIUM_ALLOC_HOOK_H

#include "sandbox/base/base.h"

/* A request for a block. A block that realloc(3) moves is not counted. */
struct python_block {
	uint32_t phase, number, size;
};

/* The user's functions. None of them may call Python, and each may be NULL.
 * CONTEXT is handed to all of them. */
struct alloc_hook_user {
	void *context;
	/* The first block is about to be asked for. */
	void (*begin)(void *context);
	/* Returns a block of alloc_hook_take() to use as ASKED, or NULL: the
	 * allocator serves the request. */
	void *(*give)(void *context, const struct python_block *asked);
	void (*given)(void *context, const struct python_block *asked,
		      const void *at);
	void (*freed)(void *context, const void *at);
};

/* Before interpreter_start(), which installs the hook when its first phase
 * begins. USER is borrowed until alloc_hook_leave(). */
void alloc_hook_use(const struct alloc_hook_user *user);

/* Remove the hook: the allocator is as before. */
void alloc_hook_leave(void);

/* A block of malloc(3)'s, and back, past the hook. The small-object allocator
 * returns blocks that are not its own to malloc (CPython's obmalloc.c), so
 * Python may resize and free such a block as any other. */
void *alloc_hook_take(size_t size);
void alloc_hook_put(void *block);

/* A phase begins; the first one installs the hook. Returns whether the hook is
 * there. interpreter_watch_phases() calls it. */
bool alloc_hook_enter_phase(void);

#endif
