/* heap - see heap.h. */
#include "heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define HEAP_LARGEST 65536u /* below malloc's threshold for mmap(2) */
#define HEAP_SMALLEST 24u   /* of a piece, on 64-bit machines */
#define HEAP_STEP 16u	    /* between sizes of pieces */
#define HEAP_FINE 1024u	    /* up to here each size has a list of its own */

/* Take pieces of SIZE until they come from above END. */
static void heap_take(size_t size, uintptr_t end)
{
	for (;;) {
		void *piece = malloc(size);
		uintptr_t at = (uintptr_t)piece;

		/* Or the compiler knows that nobody wants it. */
		__asm__ volatile("" : : "r"(piece) : "memory");
		if (!piece || at + size >= end) {
			free(piece);
			return;
		}
	}
}

void heap_settle(void)
{
	malloc_trim(0);
	/* Where the heap ends; what lies behind is not there yet. */
	uintptr_t end = (uintptr_t)sbrk(0);

	for (size_t size = HEAP_LARGEST; size > HEAP_FINE; size -= size / 8)
		heap_take(size, end);
	for (size_t size = HEAP_FINE + HEAP_SMALLEST - HEAP_STEP;
	     size >= HEAP_SMALLEST; size -= HEAP_STEP)
		heap_take(size, end);
	malloc_trim(0);
}
