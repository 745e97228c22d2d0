/* alloc_hook - see alloc_hook.h. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "alloc_hook.h"

#include "sandbox/python/interpreter.h"

/* PyMem_Malloc() and PyObject_Malloc(): both use the allocator. */
static const PyMemAllocatorDomain alloc_hook_domains[] = {PYMEM_DOMAIN_MEM,
							  PYMEM_DOMAIN_OBJ};

static const struct alloc_hook_user alloc_hook_no_user;

static struct {
	const struct alloc_hook_user *user; /* NULL: none so far */
	PyMemAllocatorEx own[ARRAY_LEN(alloc_hook_domains)];
	struct python_block last;
	bool started; /* the first phase has begun */
	bool installed; /* between the interpreter and its allocator */
	bool begun; /* a block was asked for */
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

/* ---- in the allocator's place ---------------------------------------- */

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

/* ---- installed, removed ---------------------------------------------- */

void alloc_hook_use(const struct alloc_hook_user *user)
{
	alloc_hook.user = user;
	alloc_hook.started = false;
	interpreter_watch_phases(alloc_hook_enter_phase);
}

static void alloc_hook_install(void)
{
	alloc_hook.last = (struct python_block){0};
	alloc_hook.begun = false;
	for (size_t i = 0; i < ARRAY_LEN(alloc_hook_domains); i++)
		PyMem_GetAllocator(alloc_hook_domains[i], &alloc_hook.own[i]);
	/* With two allocators (of a debugging interpreter, or one without a
	 * lock) one would not take back a block of the other. */
	alloc_hook.installed = memcmp(&alloc_hook.own[0], &alloc_hook.own[1],
				      sizeof(alloc_hook.own[0])) == 0;
	for (size_t i = 0;
	     alloc_hook.installed && i < ARRAY_LEN(alloc_hook_domains); i++) {
		PyMemAllocatorEx ours = {&alloc_hook.own[i], alloc_hook_malloc,
					 alloc_hook_calloc, alloc_hook_realloc,
					 alloc_hook_free};

		PyMem_SetAllocator(alloc_hook_domains[i], &ours);
	}
}

void alloc_hook_leave(void)
{
	for (size_t i = 0;
	     alloc_hook.installed && i < ARRAY_LEN(alloc_hook_domains); i++)
		PyMem_SetAllocator(alloc_hook_domains[i], &alloc_hook.own[i]);
	alloc_hook.installed = false;
	/* Another hook that was installed after this one may install this one
	 * again. */
	alloc_hook.user = &alloc_hook_no_user;
}

bool alloc_hook_enter_phase(void)
{
	if (alloc_hook.started) {
		alloc_hook.last.phase++;
		alloc_hook.last.number = 0;
	} else {
		alloc_hook.started = true;
		alloc_hook_install();
	}
	return alloc_hook.installed;
}

void *alloc_hook_take(size_t size)
{
	return PyMem_RawMalloc(size);
}

void alloc_hook_put(void *block)
{
	PyMem_RawFree(block);
}
