/*
 * heap - malloc(3)'s memory, before it is frozen and forked.
 */
#ifndef TERRARIUM_HEAP_H
#define TERRARIUM_HEAP_H

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

#endif
