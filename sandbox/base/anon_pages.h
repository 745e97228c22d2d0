/*
 * anon_pages - fresh memory of the kernel's, outside malloc(3)'s.
 */
#ifndef TERRARIUM_ANON_PAGES_H
#define TERRARIUM_ANON_PAGES_H

#include "base.h"

/*
 * SIZE bytes of zeros, of which as much is memory as is used. SHARED: children
 * that are forked from now on write the same. Returns NULL and sets errno where
 * there is none. Release with anon_pages_close().
 */
void *anon_pages_open(size_t size, bool shared);

/* AT may be NULL. */
void anon_pages_close(void *at, size_t size);

#endif
