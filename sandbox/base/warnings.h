/*
 * warnings - sentences for the client beside a result: fields of the request
 * that are unknown, values that were cut. At most WARNINGS_MAX of them, of
 * WARNINGS_BYTES each; further ones are dropped.
 *
 * The texts may be invalid UTF-8, which the APIs repair.
 */
#ifndef TERRARIUM_WARNINGS_H
#define TERRARIUM_WARNINGS_H

#include "base.h"

#define WARNINGS_MAX 20
#define WARNINGS_BYTES 500

/* All zero holds none. PACKED has the texts one behind the other, each NUL
 * terminated, in one allocation. */
struct warnings {
	char *packed;
	size_t size;
	unsigned count;
};

void warnings_free(struct warnings *warnings);

/* Add TEXT, cut at its first NUL and to WARNINGS_BYTES, but within no UTF-8
 * character. 0 or -ENOMEM. */
int warnings_add(struct warnings *warnings, const char *text, size_t size);
int warnings_format(struct warnings *warnings, const char *fmt, ...)
	PRINTF_LIKE(2, 3);

/* The text behind LAST, or the first one if LAST is NULL; NULL at the end. */
const char *warnings_next(const struct warnings *warnings, const char *last);

#endif
