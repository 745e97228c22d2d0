/*
 * lines - a program's output, cut to a size that a person reads.
 */
#ifndef TERRARIUM_LINES_H
#define TERRARIUM_LINES_H

#include "sandbox/text/text.h"

#define LINES_HEAD_MAX 100    /* first lines that lines_add_head() keeps */
#define LINES_DIGEST_MAX 12   /* last lines that lines_add_digest() keeps */
#define LINES_DIGEST_CHARS 800

/* Append the first lines of DATA as a JSON string, then the number of lines
 * left out, and the DROPPED bytes after DATA that were not kept. */
void lines_add_head(struct text *text, const char *data, size_t size,
		    uint64_t dropped);

/* Has DATA nothing but white space? */
bool lines_are_blank(const char *data, size_t size);

/* Append the last lines of DATA that are not blank, each without the white
 * space around it, as a JSON string: an error's message comes last. At most
 * LINES_DIGEST_CHARS characters from their end. */
void lines_add_digest(struct text *text, const char *data, size_t size);

#endif
