/*
 * anon_pages - anonymous memory from the kernel, outside malloc(3)'s.
 */
#ifndef TERRARIUM_ANON_PAGES_H
#define TERRARIUM_ANON_PAGES_H

#include "base.h"

/*
 * Map SIZE bytes of zeros. A page takes memory once it is written. SHARED:
 * children that are forked later share the memory. Returns NULL and sets errno
 * on failure. Release by anon_pages_close().
 */
void *anon_pages_open(size_t size, bool shared);

/* Unmap SIZE bytes at AT, which may be NULL. */
void anon_pages_close(void *at, size_t size);

#endif
