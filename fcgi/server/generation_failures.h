/*
 * generation_failures - generations that cannot serve: the wait before the next
 * try, one log line a reason, and the counters and reasons of the status page.
 *
 * Each try costs seconds of processor time, and one reason can last for hours.
 * So the waits grow, and the same reason is logged again only after a while.
 */
#ifndef TERRARIUM_GENERATION_FAILURES_H
#define TERRARIUM_GENERATION_FAILURES_H

#include "generations.h"

/* Count a failure in a row, and set the earliest time of the next start.
 * Returns the wait until then, in milliseconds. */
int64_t generation_failures_delay(struct generations *all);

/* Has the last try failed, too, and was its failure logged a short time ago? */
bool generation_failures_are_quiet(const struct generations *all);

/* The generation INDEX cannot serve. HOW is the reason, unless the generation
 * has set its own. */
void generation_failures_add(struct generations *all, int index,
			     const char *how);

/* The reload NUMBER cannot serve, and may have been found out before. 0: there
 * was none. */
void generation_failures_add_reload(struct generations *all, uint32_t number);

/* A generation can serve: the next failure is the first one in a row. The reason
 * of a refused reload stays until one is accepted. */
void generation_failures_end(struct generations *all);

#endif
