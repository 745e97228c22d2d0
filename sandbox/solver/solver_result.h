/*
 * solver_result - the result of a solver's run: the phase it reached and its
 * solution.
 *
 * The program writes result.json, {status, schedule: [...], assignments?}, or
 * does not. It may print SOLUTION_FOUND once.
 */
#ifndef TERRARIUM_SOLVER_RESULT_H
#define TERRARIUM_SOLVER_RESULT_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "sandbox/text/text.h"

/* The phases that clients know; there are no others. */
enum solver_result_phase {
	SOLVER_RESULT_COMPILE, /* it does not compile, and was not started */
	SOLVER_RESULT_RUN,     /* it ran, and its result could be read, or its
				* time was up */
	SOLVER_RESULT_PARSE,   /* it ran, and its result could not be read */
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
	bool ok;	   /* there is a solution, and the program ended with 0
			    * or at its time limit */
	bool in_time;	   /* false: its time was up */
	uint64_t duration_ms;
	const char *why;   /* the error in the result, or NULL */
	bool over_limit;   /* the error is a limit on files or values */
	struct bytes json; /* result.json, if it is valid */
	size_t scheduled;  /* rows of its schedule */
	struct text unscheduled; /* the ids of the others, a JSON array */
};

/* Conclude from OUTCOME of a solver's JOB, whose files are open. LIMITS bound
 * the result's size. 0 or a negative errno value; release by
 * solver_result_free() in each case. */
int solver_result_make(struct solver_result *result, const struct job *job,
		       const struct outcome *outcome,
		       const struct limits *limits);

void solver_result_free(struct solver_result *result);

/* Append RESULT as a JSON object on one line. The order of its fields is part
 * of the contract. PATH is the path of result.json, or NULL. */
void solver_result_add(struct text *text, const struct solver_result *result,
		       const struct outcome *outcome,
		       const struct limits *limits, const char *path);

/* Append, in the same form, that a request could not be read and for what
 * reason: for callers that expect a result for each request. */
void solver_result_add_refusal(struct text *text, const char *why);

/* Append the answer to a check of code, {ok, error?}, as a JSON object on one
 * line. 0 or -ENOMEM. */
int solver_result_add_check(struct text *text, const struct job *job,
			    const struct outcome *outcome,
			    const struct limits *limits);

/* Did the check of JOB find nothing? */
bool solver_result_check_ok(const struct job *job,
			    const struct outcome *outcome);

#endif
