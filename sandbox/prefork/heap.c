/* heap - see heap.h. */
#include "heap.h"

#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HEAP_LARGEST 65536u /* below malloc's threshold for mmap(2) */
#define HEAP_SMALLEST 24u   /* of a piece, on 64-bit machines */
#define HEAP_STEP 16u	    /* between sizes of pieces */
#define HEAP_FINE 1024u	    /* up to here each size has a list of its own */
#define HEAP_CACHED (1u << 20) /* most free bytes that malloc does not count \
				*/

#define HEAP_RESERVE (16u << 20)
#define HEAP_LITTLE (256u << 10) /* pages of 4 kB, below the reserve */
#define HEAP_ARRAY (8u << 20) /* larger ones without room are mapped */
#define HEAP_KEPT (4u * HEAP_ARRAY) /* free at the end: not given back */
#define HEAP_PAGE 4096u
#define HEAP_LARGE_PAGE (2u << 20)

static void *heap_get(size_t size)
{
	void *piece = malloc(size);

	/* Or the compiler drops the call, because its result is not used. */
	__asm__ volatile("" : : "r"(piece) : "memory");
	return piece;
}

/* Take pieces of SIZE, at most *LEFT bytes, until they come from above END. */
static void heap_take(size_t size, uintptr_t end, size_t *left)
{
	for (; *left >= size; *left -= size) {
		void *piece = heap_get(size);

		if (!piece || (uintptr_t)piece + size >= end) {
			free(piece);
			return;
		}
	}
}

void heap_settle(void)
{
	malloc_trim(0);
	/* The end of the heap: pieces above it are fresh memory. */
	uintptr_t end = (uintptr_t)sbrk(0);
	/* Another malloc(3), as a sanitizer's, may have all of its memory below
	 * that end; it reports no free bytes, so the loop is bounded. */
	size_t left = mallinfo2().fordblks + HEAP_CACHED;

	for (size_t size = HEAP_LARGEST; size > HEAP_FINE; size -= size / 8)
		heap_take(size, end, &left);
	for (size_t size = HEAP_FINE + HEAP_SMALLEST - HEAP_STEP;
	     size >= HEAP_SMALLEST; size -= HEAP_STEP)
		heap_take(size, end, &left);
	malloc_trim(0);
}

/* The address of the next large piece when none is free: behind all memory that
 * is in use. */
static uintptr_t heap_top(size_t size)
{
	void *piece = heap_get(size);
	uintptr_t at = (uintptr_t)piece;

	free(piece);
	return at;
}

/* Make room for the reserve, its large pages from EDGE on. Returns its start,
 * or 0 if this malloc(3) does not take memory from the end of the heap. */
static uintptr_t heap_make_room(uintptr_t *edge)
{
	uintptr_t top = heap_top(HEAP_LARGEST);

	*edge = (top + HEAP_LARGEST + HEAP_LITTLE + HEAP_LARGE_PAGE) &
		~(uintptr_t)(HEAP_LARGE_PAGE - 1);
	/* Never freed. */
	uintptr_t pad = (uintptr_t)heap_get(*edge - HEAP_LITTLE - top);
	uintptr_t start = heap_top(HEAP_LITTLE + HEAP_RESERVE);
	uintptr_t end = (uintptr_t)sbrk(0);

	if (!pad || start <= pad || start >= *edge || end <= *edge ||
	    end - *edge >= 2 * HEAP_RESERVE)
		return 0;
	return start;
}

/* All memory is free from the page behind malloc(3)'s own data at START. Drop
 * its pages, and give its two parts advice of their own, so that neither merges
 * with the frozen mapping. */
static int heap_advise(uintptr_t start, uintptr_t edge, uintptr_t end)
{
	start = (start | (HEAP_PAGE - 1)) + 1;
	if (madvise((void *)start, end - start, MADV_DONTNEED) < 0 ||
	    madvise((void *)start, edge - start, MADV_NOHUGEPAGE) < 0 ||
	    madvise((void *)edge, end - edge, MADV_HUGEPAGE) < 0)
		return -errno;
	return 0;
}

int heap_reserve(size_t *taken)
{
	uintptr_t edge, before = (uintptr_t)sbrk(0);

	mallopt(M_TRIM_THRESHOLD, HEAP_KEPT);
	mallopt(M_MMAP_THRESHOLD, 2 * HEAP_RESERVE);
	uintptr_t start = heap_make_room(&edge);
	uintptr_t end = (uintptr_t)sbrk(0);

	mallopt(M_MMAP_THRESHOLD, HEAP_ARRAY);
	*taken = end - before;
	return start ? heap_advise(start, edge, end) : -ENOTSUP;
}
