/*
 * solve - one solver's run, with or without a directory, and its answer. Shared
 * by `terrarium job` and the daemon.
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
	const char *dir; /* directory for result.json; NULL: it is not
			  * written */
	void (*tick)(void *context);
	void *context;
	bool ok;	 /* set by solve_run(): the result's "ok" */
	const char *how; /* set by solve_run(): a word for the end */
};

/*
 * Run the job that SPEC describes. RESULT receives a JSON object, as
 * `terrarium job` prints it. Returns 0, or a negative errno value with *WHY
 * filled in when it could not be run.
 */
int solve_run(struct solve *solve, struct solver_job *spec, struct text *result,
	      struct refusal *why);

/* Read input.json of the directory DIR, if there is one, into *INPUT. SPEC
 * borrows it, so the caller keeps it until solve_run() returns. 0 or a negative
 * errno value. */
int solve_input(const char *dir, const struct conf *conf,
		struct bytes *input);

#endif
