/*
 * solver_result - what a solver's run amounts to: how far it came, what it
 * found.
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
enum solver_result_phase {
	SOLVER_RESULT_COMPILE,
	SOLVER_RESULT_RUN,
	SOLVER_RESULT_PARSE,
	SOLVER_RESULT_SERIALIZE,
	SOLVER_RESULT_PHASES
};

enum solver_result_status {
	SOLVER_RESULT_OPTIMAL,
	SOLVER_RESULT_FEASIBLE,
	SOLVER_RESULT_INFEASIBLE,
	SOLVER_RESULT_UNKNOWN,
	SOLVER_RESULT_TIMEOUT,
	SOLVER_RESULT_TIMEOUT_WITH_SOLUTION,
	SOLVER_RESULT_CRASHED,
	SOLVER_RESULT_STATUSES
};

extern const char *const solver_result_status_names[SOLVER_RESULT_STATUSES];

struct solver_result {
	enum solver_result_phase phase;
	enum solver_result_status status;
	bool ok;	     /* exit code 0, and optimal or feasible */
	const char *why;     /* what is wrong with the result, or NULL */
	struct bytes result; /* result.json, when it is what it should be */
	size_t scheduled, unscheduled;
};

/* Judge OUTCOME of an order's job, whose files are open. LIMITS bound the
 * result's size. 0 or a negative errno value; release by solver_result_free()
 * either way. */
int solver_result_make(struct solver_result *verdict,
		       const struct outcome *outcome,
		       const struct limits *limits);

void solver_result_free(struct solver_result *verdict);

/* Append VERDICT as a JSON object on one line. PATH is where result.json
 * lies, or NULL. */
void solver_result_add(struct text *text, const struct solver_result *verdict,
		       const struct outcome *outcome,
		       const struct limits *limits, const char *path);

/* Append what went to standard error: OUTCOME's, its error, and WHY, if that
 * is not NULL. */
void solver_result_add_stderr(struct text *text, const struct outcome *outcome,
			      const struct limits *limits, const char *why);

/* Append what a check of code came to, {ok, error?}, as a JSON object on one
 * line. ALLOW is the job's note: see solver_job_allowed(). 0 or -ENOMEM. */
int solver_result_add_check(struct text *text, const struct outcome *outcome,
			    const struct limits *limits,
			    const struct bytes *allow);

#endif
