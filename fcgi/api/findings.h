/*
 * findings - all faults of a request in one list, for clients that expect
 * {"detail": [{type, loc, msg}, ...]}.
 */
#ifndef TERRARIUM_FINDINGS_H
#define TERRARIUM_FINDINGS_H

#include "sandbox/base/job.h"
#include "sandbox/text/text.h"

/* All zero is an empty list. */
struct findings {
	struct text text;
	size_t count;
};

/* Add a fault. LOC is the JSON text of its place, without brackets:
 * "\"body\",\"code\"". */
void findings_add(struct findings *findings, const char *type, const char *loc,
		  const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Refuse with 422 and the list in WHY->list, and empty FINDINGS. 0 if there is
 * no finding; else -EINVAL, or -ENOMEM with *WHY, status 500. */
int findings_refuse(struct findings *findings, struct refusal *why);

#endif
