/* interpreter_arena - see interpreter_arena.h. */
#include <Python.h>

#include "interpreter_arena.h"

#include <stdbool.h>
#include <stdint.h>

/* Sizes of blocks that the small-object allocator serves (CPython's
 * obmalloc.c), and a bound on the bytes taken of one size: the interpreter may
 * be built without that allocator. */
#define INTERPRETER_ARENA_SMALL_MAX 512u
#define INTERPRETER_ARENA_SMALL_STEP 16u
#define INTERPRETER_ARENA_TAKE_MAX (16u << 20)

/* An arena of the small-object allocator, the last that was made. */
struct interpreter_arena {
	PyObjectArenaAllocator maker;
	uintptr_t start, end;
};

static void *interpreter_arena_make(void *context, size_t size)
{
	struct interpreter_arena *arena = context;
	void *at = arena->maker.alloc(arena->maker.ctx, size);

	arena->start = (uintptr_t)at;
	arena->end = at ? arena->start + size : arena->start;
	return at;
}

static void interpreter_arena_free(void *context, void *at, size_t size)
{
	const struct interpreter_arena *arena = context;

	arena->maker.free(arena->maker.ctx, at, size);
}

/* Take blocks of SIZE until one comes from ARENA, which may have to be made
 * for it. Returns whether that happened. */
static bool interpreter_arena_take(size_t size,
				   const struct interpreter_arena *arena)
{
	for (size_t taken = 0; taken < INTERPRETER_ARENA_TAKE_MAX;
	     taken += size) {
		void *block = PyObject_Malloc(size);
		uintptr_t at = (uintptr_t)block;

		if (!block)
			return false;
		if (at >= arena->start && at < arena->end) {
			PyObject_Free(block);
			return true;
		}
	}
	return false;
}

void interpreter_arena_settle(void)
{
	struct interpreter_arena arena = {0};
	PyObjectArenaAllocator watched = {&arena, interpreter_arena_make,
					  interpreter_arena_free};
	size_t size = INTERPRETER_ARENA_SMALL_MAX;

	PyObject_GetArenaAllocator(&arena.maker);
	PyObject_SetArenaAllocator(&watched);
	while (size > 0 && interpreter_arena_take(size, &arena))
		size -= INTERPRETER_ARENA_SMALL_STEP;
	PyObject_SetArenaAllocator(&arena.maker);
}
