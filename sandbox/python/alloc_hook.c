/* python_memory - see python_memory.h. */
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

static const struct python_memory_user python_nobody;

static struct {
	const struct python_memory_user *user; /* NULL: nobody, as yet */
	PyMemAllocatorEx own[ARRAY_LEN(python_doors)];
	struct python_block last;
	bool between; /* the user, and the interpreter */
	bool begun;   /* something was asked for */
} python_memory;

static struct python_block python_memory_asked(size_t size)
{
	const struct python_memory_user *user = python_memory.user;

	if (!python_memory.begun && user->begin)
		user->begin(user->context);
	python_memory.begun = true;
	python_memory.last.number++;
	python_memory.last.size = size < UINT32_MAX ? (uint32_t)size
						    : UINT32_MAX;
	return python_memory.last;
}

static void *python_memory_give(const struct python_block *asked)
{
	const struct python_memory_user *user = python_memory.user;

	return user->give ? user->give(user->context, asked) : NULL;
}

static void python_memory_given(const struct python_block *asked, void *at)
{
	const struct python_memory_user *user = python_memory.user;

	if (at && user->given)
		user->given(user->context, asked, at);
}

static void python_memory_freed(const void *at)
{
	const struct python_memory_user *user = python_memory.user;

	if (at && user->freed)
		user->freed(user->context, at);
}

/* ---- in the interpreter's place -------------------------------------- */

static void *python_memory_malloc(void *context, size_t size)
{
	const PyMemAllocatorEx *own = context;
	const struct python_block asked = python_memory_asked(size);
	void *at = python_memory_give(&asked);

	if (!at)
		at = own->malloc(own->ctx, size);
	python_memory_given(&asked, at);
	return at;
}

static void *python_memory_calloc(void *context, size_t count, size_t size)
{
	const PyMemAllocatorEx *own = context;
	size_t all;

	if (__builtin_mul_overflow(count, size, &all))
		return NULL;
	const struct python_block asked = python_memory_asked(all);
	void *at = python_memory_give(&asked);

	if (at)
		memset(at, 0, all);
	else
		at = own->calloc(own->ctx, count, size);
	python_memory_given(&asked, at);
	return at;
}

static void *python_memory_realloc(void *context, void *at, size_t size)
{
	const PyMemAllocatorEx *own = context;

	if (!at)
		return python_memory_malloc(context, size);
	void *now = own->realloc(own->ctx, at, size);

	if (now && now != at)
		python_memory_freed(at);
	return now;
}

static void python_memory_free(void *context, void *at)
{
	const PyMemAllocatorEx *own = context;

	python_memory_freed(at);
	own->free(own->ctx, at);
}

/* ---- who is asked ---------------------------------------------------- */

void python_memory_use(const struct python_memory_user *user)
{
	python_memory.user = user;
}

void python_memory_start(void)
{
	python_memory.last = (struct python_block){0};
	python_memory.begun = false;
	for (size_t i = 0; i < ARRAY_LEN(python_doors); i++)
		PyMem_GetAllocator(python_doors[i], &python_memory.own[i]);
	/* Two allocators (of a debugging interpreter, or one without a lock)
	 * would not take back what the other has given. */
	python_memory.between = python_memory.user &&
		memcmp(&python_memory.own[0], &python_memory.own[1],
		       sizeof(python_memory.own[0])) == 0;
	for (size_t i = 0; python_memory.between &&
			   i < ARRAY_LEN(python_doors); i++) {
		PyMemAllocatorEx ours = {
			&python_memory.own[i], python_memory_malloc,
			python_memory_calloc, python_memory_realloc,
			python_memory_free};

		PyMem_SetAllocator(python_doors[i], &ours);
	}
}

void python_memory_leave(void)
{
	for (size_t i = 0; python_memory.between &&
			   i < ARRAY_LEN(python_doors); i++)
		PyMem_SetAllocator(python_doors[i], &python_memory.own[i]);
	python_memory.between = false;
	/* Who has put itself in front of us may put us back. */
	python_memory.user = &python_nobody;
}

bool python_memory_next_phase(void)
{
	python_memory.last.phase++;
	python_memory.last.number = 0;
	return python_memory.between;
}

void *python_memory_take(size_t size)
{
	return PyMem_RawMalloc(size);
}

void python_memory_put(void *block)
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
 * that it needs (warm.h). */
void python_memory_settle(void)
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
