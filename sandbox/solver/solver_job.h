/*
 * solver_job - what is asked of a solver, as a job: a program, its input.json,
 * how many workers it may use. And the two checks that do not run it.
 */
#ifndef TERRARIUM_ORDER_H
#define TERRARIUM_ORDER_H

#include "sandbox/text/json.h"

#define SOLVER_JOB_TIMEOUT_MS 360000 /* unless another is asked for */
#define SOLVER_JOB_WORKERS_MAX 8
#define SOLVER_JOB_INPUT "input.json"
#define SOLVER_JOB_RESULT "result.json"
#define SOLVER_JOB_MARKER "SOLUTION_FOUND" /* what a solver may print, once */

/* What this machine has. */
struct solver_limits {
	unsigned timeout_ms;
	unsigned threads;
	unsigned cores;
	uint64_t home_bytes; /* of the input */
};

/* What an order asks for; 0 and no data: it does not say. */
struct solver_job {
	enum job_task task;
	struct bytes code;	 /* handed over to the job */
	struct json_span input;	 /* JSON text, borrowed, or in its body */
	struct json_span allow;	 /* an array of module names, likewise */
	uint64_t timeout_ms;
	unsigned workers;
};

/* Fill in *JOB, which must be empty but for its body; release it by job_free()
 * either way. Time and workers beyond the limits are cut to them. Returns 0,
 * -EINVAL with *WHY filled in, or -ENOMEM. */
int solver_job_make(struct solver_job *order,
		    const struct solver_limits *limits, struct job *job,
		    struct refusal *why);

/* For a field's take(): a number of workers, clamped to what is allowed. */
int solver_job_workers(struct json_span span, unsigned *out,
		       struct refusal *why);

/* For a field's take(): an array of strings. */
int solver_job_names(struct json_span span, const char *name,
		     struct json_span *out, struct refusal *why);

/*
 * For a check whose job is done: is every module of VALUE, which the guest
 * says the code imports, in the array ALLOW (no data: all are)? Else the
 * first that is not is decoded into *CULPRIT, to be released.
 * Returns 1, 0, or -ENOMEM.
 */
int solver_job_allowed(const struct bytes *value, const struct bytes *allow,
		       struct bytes *culprit);

#endif
