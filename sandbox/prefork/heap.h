/*
 * heap - malloc(3)'s memory, before it is frozen and forked.
 */
#ifndef TERRARIUM_HEAP_H
#define TERRARIUM_HEAP_H

#include <stddef.h>

/*
 * Take all free pieces of malloc(3)'s memory, for good, so that children
 * allocate from fresh pages, one behind another. To be called last in the
 * process that is forked.
 *
 * After an import of many libraries the free pieces lie all over the heap. A
 * child that allocates a few kilobytes would take them from as many pages, and
 * copy each page. And malloc joins and sorts free pieces only when a large one
 * is asked for, which each child would do again.
 */
void heap_settle(void);

/*
 * Reserve untouched memory for children, behind the first 256 kB that they
 * allocate: 16 MB in pages of 2 MB, where the kernel has them on request. An
 * array of a few megabytes costs a child hundreds of page faults otherwise.
 * An allocation without room there becomes a mapping of its own if it is larger
 * than 8 MB. Up to 32 MB of free memory at the end of the heap are kept. To be
 * called after heap_settle(). Sets TAKEN to the bytes of address space that it
 * took. 0, or a negative errno value: there is no reserve, or none in huge
 * pages.
 */
int heap_reserve(size_t *taken);

#endif
