/*
 * base - what every file of Terrarium may use without asking.
 *
 * The error convention, for the whole tree:
 *   - A function that can fail returns int: 0 (or a count, or a descriptor)
 *     when it worked, a negative errno value when it did not. It does not log;
 *     the caller, who knows what it was for, does.
 *   - "We failed" never looks like "the guest failed": the first is such a
 *     number (or die() while starting up), the second is a struct outcome.
 *   - What a client did wrong is a struct refusal (job.h): a status, a stable
 *     code and a sentence that names the field.
 * Ownership is in the declaration: a variable marked owned_fd or owned_free
 * is released when it leaves its scope, unless it is handed on by take_fd()
 * or take_ptr().
 */
#ifndef TERRARIUM_BASE_H
#define TERRARIUM_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))
#define PRINTF_LIKE(fmt, first) __attribute__((format(printf, fmt, first)))
#define NORETURN __attribute__((noreturn))

static inline void base_release_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static inline void base_release_ptr(void *slot)
{
	void **ptr = slot;

	free(*ptr);
	*ptr = NULL;
}

#define owned_fd __attribute__((cleanup(base_release_fd)))
#define owned_free __attribute__((cleanup(base_release_ptr)))

/* Hand a descriptor or an allocation on: the old variable forgets it. */
static inline int take_fd(int *fd)
{
	int out = *fd;

	*fd = -1;
	return out;
}

#define take_ptr(slot)                                                       \
	({                                                                   \
		__typeof__(*(slot)) taken_ = *(slot);                        \
		*(slot) = NULL;                                              \
		taken_;                                                      \
	})

#endif
