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

/* The phase in which it ended. */
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
	bool ok;	     /* exit code 0, and status optimal or feasible */
	const char *why;     /* the error in the result, or NULL */
	struct bytes json; /* result.json, if it is valid */
	size_t scheduled, unscheduled;
};

/* Conclude from OUTCOME of a solver's job, whose files are open. LIMITS bound
 * the result's size. 0 or a negative errno value; release by
 * solver_result_free() in each case. */
int solver_result_make(struct solver_result *result,
		       const struct outcome *outcome,
		       const struct limits *limits);

void solver_result_free(struct solver_result *result);

/* Append RESULT as a JSON object on one line. The order of its fields is part
 * of the contract. PATH is the path of result.json, or NULL. */
void solver_result_add(struct text *text, const struct solver_result *result,
		       const struct outcome *outcome,
		       const struct limits *limits, const char *path);

/* Append the program's standard error, its error, and WHY unless it is NULL. */
void solver_result_add_stderr(struct text *text, const struct outcome *outcome,
			      const struct limits *limits, const char *why);

/* Append the answer to a check of code, {ok, error?}, as a JSON object on one
 * line. ALLOW is the job's note: see solver_job_allowed(). 0 or -ENOMEM. */
int solver_result_add_check(struct text *text, const struct outcome *outcome,
			    const struct limits *limits,
			    const struct bytes *allow);

#endif
