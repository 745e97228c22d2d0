/*
 * verdict - what a solver's run amounts to: how far it came, what it found.
 *
 * The program has written result.json, {status, schedule: [...],
 * assignments?}, or has not. It may print SOLUTION_FOUND once.
 */
#ifndef TERRARIUM_VERDICT_H
#define TERRARIUM_VERDICT_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "sandbox/text/text.h"

/* How far it came. */
enum verdict_phase { VERDICT_COMPILE, VERDICT_RUN, VERDICT_PARSE,
		     VERDICT_SERIALIZE, VERDICT_PHASES };

enum verdict_status { VERDICT_OPTIMAL, VERDICT_FEASIBLE, VERDICT_INFEASIBLE,
		      VERDICT_UNKNOWN, VERDICT_TIMEOUT,
		      VERDICT_TIMEOUT_WITH_SOLUTION, VERDICT_CRASHED,
		      VERDICT_STATUSES };

extern const char *const verdict_status_names[VERDICT_STATUSES];

struct verdict {
	enum verdict_phase phase;
	enum verdict_status status;
	bool ok;	     /* exit code 0, and optimal or feasible */
	const char *why;     /* what is wrong with the result, or NULL */
	struct bytes result; /* result.json, when it is what it should be */
	size_t scheduled, unscheduled;
};

/* Judge OUTCOME of an order's job, whose files are open. LIMITS bound the result's size. 0 or
 * a negative errno value; release by verdict_free() either way. */
int verdict_make(struct verdict *verdict, const struct outcome *outcome,
		 const struct limits *limits);

void verdict_free(struct verdict *verdict);

/* Append VERDICT as a JSON object on one line. PATH is where result.json
 * lies, or NULL. */
void verdict_add(struct text *text, const struct verdict *verdict,
		 const struct outcome *outcome, const struct limits *limits,
		 const char *path);

/* Append what went to standard error: OUTCOME's, its error, and WHY, if that
 * is not NULL. */
void verdict_add_stderr(struct text *text, const struct outcome *outcome,
			const struct limits *limits, const char *why);

/* Append what a check of code came to, {ok, error?}, as a JSON object on one
 * line. ALLOW is the job's note: see order_allowed(). 0 or -ENOMEM. */
int verdict_add_check(struct text *text, const struct outcome *outcome,
	      const struct limits *limits, const struct bytes *allow);

#endif
