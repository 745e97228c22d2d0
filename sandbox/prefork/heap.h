/*
 * heap - malloc(3)'s memory, before it is frozen and forked.
 */
#ifndef TERRARIUM_HEAP_H
#define TERRARIUM_HEAP_H

#include <stddef.h>

/*
 * After an import of many libraries free memory lies in thousands of pieces
 * all over the heap. A child that allocates a few kilobytes takes them from as
 * many pages, each of which must be copied for it; and malloc puts off the
 * work of joining and sorting pieces until somebody asks for a large one,
 * which would then be each child. Take all pieces, for good: what children
 * allocate comes from fresh pages, one behind another. In the process that is
 * forked, last.
 */
void heap_settle(void);

/*
 * Memory that nobody has touched, for what children allocate beyond the first
 * 256 kB: 16 MB in pages of 2 MB, where the kernel has them on request. An
 * array of a few megabytes costs a child hundreds of page faults otherwise.
 * What finds no room there is a mapping of its own if it is larger than 8 MB.
 * Free memory at the end is kept, up to 32 MB. To be called behind
 * heap_settle(). Sets TAKEN to the bytes of address space that it took. 0, or a
 * negative errno value: there is none, or none in large pages.
 */
int heap_reserve(size_t *taken);

#endif
