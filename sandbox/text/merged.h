/*
 * merged - the output of both streams as one text, in the order in which it
 * came (outcome.h: order).
 */
#ifndef TERRARIUM_MERGED_H
#define TERRARIUM_MERGED_H

#include "sandbox/base/outcome.h"
#include "text.h"

/* Append the output that OUTCOME keeps of both streams. A character is not
 * split, even if the other stream came in between its bytes. Bytes that the
 * order does not tell about are last: those of standard output, then the
 * others. */
void merged_add(struct text *text, const struct outcome *outcome);

#endif
