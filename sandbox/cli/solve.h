/*
 * solve - one order, from a directory or none, and its answer: what the job
 * and the daemon have in common.
 */
#ifndef TERRARIUM_SOLVE_H
#define TERRARIUM_SOLVE_H

#include "conf/conf.h"
#include "sandbox/solver/solver_job.h"
#include "sandbox/text/text.h"
#include "local_pool.h"

struct solve {
	struct local_pool *pool;
	const struct conf *conf;
	const char *dir; /* where result.json is to be written; NULL: nowhere */
	void (*tick)(void *context);
	void *context;
	bool ok;	 /* afterwards: the result's own "ok" */
	const char *how; /* and a word for it */
};

/*
 * Carry ORDER out. RESULT receives a JSON object, the result of job.md's
 * contract. Returns 0, or a negative errno value with *WHY filled in when it
 * could not be run.
 */
int solve_order(struct solve *solve, struct solver_job *order,
		struct text *result, struct refusal *why);

/* Read the input.json of the directory DIR, if there is one, into *INPUT,
 * which the order then borrows. 0 or a negative errno value. */
int solve_input(const char *dir, const struct conf *conf,
		struct bytes *input);

#endif
