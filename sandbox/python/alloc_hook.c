/* alloc_hook - see alloc_hook.h. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "alloc_hook.h"

/* Sizes of pieces that the small-object allocator has (CPython's obmalloc.c),
 * and bytes of one after which we give up: it may be built without. */
#define PYTHON_SMALL_MAX 512u
#define PYTHON_SMALL_STEP 16u
#define PYTHON_TAKE_MAX (16u << 20)

/* Its two doors: PyMem_Malloc() and PyObject_Malloc(). */
static const PyMemAllocatorDomain python_doors[] = {PYMEM_DOMAIN_MEM,
						    PYMEM_DOMAIN_OBJ};

static const struct alloc_hook_user python_nobody;

static struct {
	const struct alloc_hook_user *user; /* NULL: nobody, as yet */
	PyMemAllocatorEx own[ARRAY_LEN(python_doors)];
	struct python_block last;
	bool between; /* the user, and the interpreter */
	bool begun;   /* something was asked for */
} alloc_hook;

static struct python_block alloc_hook_asked(size_t size)
{
	const struct alloc_hook_user *user = alloc_hook.user;

	if (!alloc_hook.begun && user->begin)
		user->begin(user->context);
	alloc_hook.begun = true;
	alloc_hook.last.number++;
	alloc_hook.last.size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
	return alloc_hook.last;
}

static void *alloc_hook_give(const struct python_block *asked)
{
	const struct alloc_hook_user *user = alloc_hook.user;

	return user->give ? user->give(user->context, asked) : NULL;
}

static void alloc_hook_given(const struct python_block *asked, void *at)
{
	const struct alloc_hook_user *user = alloc_hook.user;

	if (at && user->given)
		user->given(user->context, asked, at);
}

static void alloc_hook_freed(const void *at)
{
	const struct alloc_hook_user *user = alloc_hook.user;

	if (at && user->freed)
		user->freed(user->context, at);
}

/* ---- in the interpreter's place -------------------------------------- */

static void *alloc_hook_malloc(void *context, size_t size)
{
	const PyMemAllocatorEx *own = context;
	const struct python_block asked = alloc_hook_asked(size);
	void *at = alloc_hook_give(&asked);

	if (!at)
		at = own->malloc(own->ctx, size);
	alloc_hook_given(&asked, at);
	return at;
}

static void *alloc_hook_calloc(void *context, size_t count, size_t size)
{
	const PyMemAllocatorEx *own = context;
	size_t all;

	if (__builtin_mul_overflow(count, size, &all))
		return NULL;
	const struct python_block asked = alloc_hook_asked(all);
	void *at = alloc_hook_give(&asked);

	if (at)
		memset(at, 0, all);
	else
		at = own->calloc(own->ctx, count, size);
	alloc_hook_given(&asked, at);
	return at;
}

static void *alloc_hook_realloc(void *context, void *at, size_t size)
{
	const PyMemAllocatorEx *own = context;

	if (!at)
		return alloc_hook_malloc(context, size);
	void *now = own->realloc(own->ctx, at, size);

	if (now && now != at)
		alloc_hook_freed(at);
	return now;
}

static void alloc_hook_free(void *context, void *at)
{
	const PyMemAllocatorEx *own = context;

	alloc_hook_freed(at);
	own->free(own->ctx, at);
}

/* ---- who is asked ---------------------------------------------------- */

void alloc_hook_use(const struct alloc_hook_user *user)
{
	alloc_hook.user = user;
}

void alloc_hook_start(void)
{
	alloc_hook.last = (struct python_block){0};
	alloc_hook.begun = false;
	for (size_t i = 0; i < ARRAY_LEN(python_doors); i++)
		PyMem_GetAllocator(python_doors[i], &alloc_hook.own[i]);
	/* Two allocators (of a debugging interpreter, or one without a lock)
	 * would not take back what the other has given. */
	alloc_hook.between = alloc_hook.user &&
			     memcmp(&alloc_hook.own[0], &alloc_hook.own[1],
				    sizeof(alloc_hook.own[0])) == 0;
	for (size_t i = 0; alloc_hook.between && i < ARRAY_LEN(python_doors);
	     i++) {
		PyMemAllocatorEx ours = {&alloc_hook.own[i], alloc_hook_malloc,
					 alloc_hook_calloc, alloc_hook_realloc,
					 alloc_hook_free};

		PyMem_SetAllocator(python_doors[i], &ours);
	}
}

void alloc_hook_leave(void)
{
	for (size_t i = 0; alloc_hook.between && i < ARRAY_LEN(python_doors);
	     i++)
		PyMem_SetAllocator(python_doors[i], &alloc_hook.own[i]);
	alloc_hook.between = false;
	/* Who has put itself in front of us may put us back. */
	alloc_hook.user = &python_nobody;
}

bool alloc_hook_next_phase(void)
{
	alloc_hook.last.phase++;
	alloc_hook.last.number = 0;
	return alloc_hook.between;
}

void *alloc_hook_take(size_t size)
{
	return PyMem_RawMalloc(size);
}

void alloc_hook_put(void *block)
{
	PyMem_RawFree(block);
}

/* ---- what is free ---------------------------------------------------- */

/* An arena of the small-object allocator, the last that was made. */
struct python_arena {
	PyObjectArenaAllocator maker;
	uintptr_t start, end;
};

static void *python_make_arena(void *context, size_t size)
{
	struct python_arena *arena = context;
	void *at = arena->maker.alloc(arena->maker.ctx, size);

	arena->start = (uintptr_t)at;
	arena->end = at ? arena->start + size : arena->start;
	return at;
}

static void python_free_arena(void *context, void *at, size_t size)
{
	const struct python_arena *arena = context;

	arena->maker.free(arena->maker.ctx, at, size);
}

/* Take pieces of SIZE until one comes from ARENA, which may have to be made
 * for it. Returns whether that happened. */
static bool python_take(size_t size, const struct python_arena *arena)
{
	for (size_t taken = 0; taken < PYTHON_TAKE_MAX; taken += size) {
		void *piece = PyObject_Malloc(size);
		uintptr_t at = (uintptr_t)piece;

		if (!piece)
			return false;
		if (at >= arena->start && at < arena->end) {
			PyObject_Free(piece);
			return true;
		}
	}
	return false;
}

/* The largest pieces use up all pools that are free, the others what is free
 * in pools. The arena that is made then each guest takes with the other pages
 * that it needs (prefault.h). */
void alloc_hook_settle(void)
{
	struct python_arena arena = {0};
	PyObjectArenaAllocator watched = {&arena, python_make_arena,
					  python_free_arena};
	size_t size = PYTHON_SMALL_MAX;

	PyObject_GetArenaAllocator(&arena.maker);
	PyObject_SetArenaAllocator(&watched);
	while (size > 0 && python_take(size, &arena))
		size -= PYTHON_SMALL_STEP;
	PyObject_SetArenaAllocator(&arena.maker);
}
