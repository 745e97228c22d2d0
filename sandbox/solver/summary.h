/*
 * summary - which assignments a solver's schedule leaves out.
 */
#ifndef TERRARIUM_SUMMARY_H
#define TERRARIUM_SUMMARY_H

#include "sandbox/text/json.h"
#include "sandbox/text/text.h"

/*
 * Append the ids of ASSIGNMENTS, [{id, ...}, ...], that are no assignmentId in
 * SCHEDULE, [{assignmentId, ...}, ...], as a JSON array of strings. An id is a
 * string or a number; elements without one are passed over. Either span may be
 * of another kind, or hold no data: it then counts as empty. Both are of texts
 * that were checked. 0 or -ENOMEM.
 */
int summary_add_unscheduled(struct text *text, struct json_span assignments,
			    struct json_span schedule);

#endif
