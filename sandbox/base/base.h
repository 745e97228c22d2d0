/*
 * base - conventions and macros that every file of Terrarium may use.
 *
 * Errors, in the whole tree:
 *   - A function that can fail returns int: 0 (or a count, or a descriptor) on
 *     success, a negative errno value on failure. It does not log. The caller
 *     logs, because it knows the purpose of the call.
 *   - Our own failure is such a number, or die() during the start. A guest's
 *     failure is a struct outcome (outcome.h).
 *   - A client's mistake is a struct refusal (job.h): a status, a stable code
 *     and a sentence that names the field.
 * Ownership: a variable declared owned_fd or owned_free is released when it
 * leaves its scope, unless take_fd() or take_ptr() has moved its value.
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

/* Move a descriptor or an allocation out of its variable: the variable no
 * longer owns it. */
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
