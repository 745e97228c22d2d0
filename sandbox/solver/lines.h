/*
 * lines - what a program printed, cut to what a person reads.
 */
#ifndef TERRARIUM_LINES_H
#define TERRARIUM_LINES_H

#include "sandbox/text/text.h"

#define LINES_HEAD_MAX 100    /* lines that are kept of a stream */
#define LINES_DIGEST_MAX 12   /* lines of a digest */
#define LINES_DIGEST_CHARS 800

/* Append the first lines of DATA, then how many are left out, and that
 * DROPPED bytes behind DATA were not kept, as a JSON string. */
void lines_add_head(struct text *text, const char *data, size_t size,
		    uint64_t dropped);

/* Append the last lines of DATA that are not blank, as a JSON string: where
 * an error says what it is. The end of them, if they are long. */
void lines_add_digest(struct text *text, const char *data, size_t size);

#endif
