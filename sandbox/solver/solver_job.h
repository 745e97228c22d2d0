/*
 * solver_job - a solver's run as a job: a program, its input.json, its time and
 * its number of workers. Also the two checks of a program that do not run it.
 */
#ifndef TERRARIUM_SOLVER_JOB_H
#define TERRARIUM_SOLVER_JOB_H

#include "sandbox/text/json.h"

#define SOLVER_JOB_SECONDS 360 /* default time limit */
#define SOLVER_JOB_WORKERS_MAX 8
#define SOLVER_JOB_PROGRAM "solver_generated.py" /* the program's own file */
#define SOLVER_JOB_INPUT "input.json"
#define SOLVER_JOB_RESULT "result.json"
#define SOLVER_JOB_MARKER "SOLUTION_FOUND" /* a solver prints it at most once */

/* Limits and cores of this machine. */
struct solver_limits {
	unsigned timeout_ms;
	unsigned threads;
	unsigned cores;
	uint64_t home_bytes; /* of program and input, at most */
};

/* A request for a solver's run. 0 or no data: the field is absent. */
struct solver_job {
	enum job_task task;
	struct bytes code;	 /* moved into the job */
	struct json_span input;	 /* JSON text, borrowed, or within the job's
				  * body; absent: {} */
	struct json_span allow;	 /* an array of module names, likewise;
				  * absent: none */
	unsigned seconds;
	unsigned workers;
};

/* Fill in *JOB, which must be empty except for its body; release it by
 * job_free() in each case. Time and workers above the limits are lowered to
 * them. Returns 0, -EINVAL with *WHY filled in, or -ENOMEM. */
int solver_job_make(struct solver_job *spec, const struct solver_limits *limits,
		    struct job *job, struct refusal *why);

/* A limit of MS in whole seconds, for messages and for the program: rounded
 * down, because a program may not count on more, but at least 1. */
unsigned solver_job_told_seconds(unsigned ms);

/* For a field's take(): read any JSON number as a time in a unit of which PER
 * make a second. Returns whole seconds, rounded up, at least 1. */
unsigned solver_job_seconds(struct json_span span, double per);

/* For a field's take(): read any JSON number as a number of workers, rounded
 * down, and clamped to 1 and SOLVER_JOB_WORKERS_MAX. */
unsigned solver_job_workers(struct json_span span);

/* For a field's take(): an array of strings. */
int solver_job_names(struct json_span span, const char *name,
		     struct json_span *out, struct refusal *why);

#endif
