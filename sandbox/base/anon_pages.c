/* anon_pages - see anon_pages.h. */
#include "anon_pages.h"

#include <sys/mman.h>

void *anon_pages_open(size_t size, bool shared)
{
	int kind = shared ? MAP_SHARED : MAP_PRIVATE;
	void *at = mmap(NULL, size, PROT_READ | PROT_WRITE,
			kind | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return at == MAP_FAILED ? NULL : at;
}

void anon_pages_close(void *at, size_t size)
{
	if (at)
		munmap(at, size);
}
