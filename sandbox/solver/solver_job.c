/* solver_job - see solver_job.h. */
#include "solver_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/fields.h"

#define SOLVER_JOB_SECONDS_MAX 4000000u /* in milliseconds, fits 32 bits */
#define SOLVER_JOB_SPARE 5u /* seconds of a limit that a solver leaves */

/* ---- numbers --------------------------------------------------------- */

/* VALUE without its fraction, from LEAST to MOST. */
static unsigned solver_job_clamp(double value, unsigned least, unsigned most)
{
	if (!(value > least))
		return least;
	return value < most ? (unsigned)value : most;
}

/* A text that was checked has a bracket or a comma behind a number, where
 * strtod(3) ends. */
static double solver_job_number(struct json_span span)
{
	return strtod(span.data, NULL);
}

unsigned solver_job_seconds(struct json_span span, double per)
{
	double wanted = solver_job_number(span) / per;
	unsigned whole = solver_job_clamp(wanted, 0, SOLVER_JOB_SECONDS_MAX);

	if (wanted > whole && whole < SOLVER_JOB_SECONDS_MAX)
		whole++;
	return whole ? whole : 1;
}

unsigned solver_job_workers(struct json_span span)
{
	return solver_job_clamp(solver_job_number(span), 1,
				SOLVER_JOB_WORKERS_MAX);
}

unsigned solver_job_told_seconds(unsigned ms)
{
	return ms < 1000 ? 1 : ms / 1000;
}

/* One core is left to the processes that wait for the answer. */
static unsigned solver_job_default_workers(unsigned cores)
{
	unsigned workers = cores > 1 ? cores - 1 : 1;

	return workers < SOLVER_JOB_WORKERS_MAX ? workers
						: SOLVER_JOB_WORKERS_MAX;
}

/* ---- files ----------------------------------------------------------- */

static int solver_job_add_file(struct job *job, const char *name,
			       struct json_span content, bool own)
{
	struct job_file *file = job_add_file(job);

	if (!file)
		return -ENOMEM;
	file->name = strdup(name);
	if (!file->name)
		return -ENOMEM;
	return own ? fields_source(job, content, &file->content)
		   : fields_copy(content, &file->content);
}

/* The program, so that it can be imported by its name, and its input. */
static int solver_job_files(const struct solver_job *spec,
			    const struct solver_limits *limits, struct job *job,
			    struct refusal *why)
{
	static const struct json_span nothing = {"{}", 2};
	const struct json_span code = {job->code.data, job->code.size};
	const struct json_span input = spec->input.data ? spec->input
							: nothing;

	if (input.size > limits->home_bytes ||
	    code.size > limits->home_bytes - input.size)
		return refuse(why, 413, "too_large",
			      "code and input hold more than %ju bytes",
			      (uintmax_t)limits->home_bytes);
	int rc = solver_job_add_file(job, SOLVER_JOB_INPUT, input, true);

	return rc ? rc
		  : solver_job_add_file(job, SOLVER_JOB_PROGRAM, code, false);
}

/* ---- the job --------------------------------------------------------- */

static int solver_job_add_env(struct job *job, const char *name,
			      unsigned number)
{
	char *assignment;

	if (asprintf(&assignment, "%s=%u", name, number) < 0)
		return -ENOMEM;
	int rc = job_add_assignment(job, assignment);

	if (rc < 0)
		free(assignment);
	return rc;
}

/* A solver stops itself before the limit, because a run that is stopped loses
 * the better part of its answer. The seed of hashes is not here: it is that of
 * the interpreter, which has it in its environment. */
static int solver_job_environment(struct job *job, unsigned workers)
{
	const unsigned seconds = solver_job_told_seconds(job->timeout_ms);
	const unsigned spared = seconds > 2 * SOLVER_JOB_SPARE
					? seconds - SOLVER_JOB_SPARE
					: SOLVER_JOB_SPARE;
	const struct {
		const char *name;
		unsigned number;
	} rows[] = {
		{"SOLVER_WORKERS", workers},
		{"EXECUTOR_TIMEOUT_SECONDS", seconds},
		{"SOLVER_MAX_SECONDS", spared},
		{"PYTHONUNBUFFERED", 1},
	};
	int rc = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows) && rc == 0; i++)
		rc = solver_job_add_env(job, rows[i].name, rows[i].number);
	return rc;
}

static int solver_job_text(const char *text, struct bytes *out)
{
	out->data = strdup(text);
	if (!out->data)
		return -ENOMEM;
	out->size = strlen(text);
	return 0;
}

static int solver_job_run(const struct solver_job *spec,
			  const struct solver_limits *limits, struct job *job,
			  struct refusal *why)
{
	const unsigned seconds = spec->seconds ? spec->seconds
					       : SOLVER_JOB_SECONDS;
	unsigned workers = spec->workers
				   ? spec->workers
				   : solver_job_default_workers(limits->cores);

	if (workers > limits->threads)
		workers = limits->threads;
	job->threads = workers;
	job->timeout_ms = seconds * 1000 < limits->timeout_ms
				  ? seconds * 1000
				  : limits->timeout_ms;
	int rc = solver_job_environment(job, workers);

	if (rc == 0)
		rc = solver_job_text(SOLVER_JOB_MARKER, &job->probe.marker);
	return rc ? rc : solver_job_files(spec, limits, job, why);
}

int solver_job_make(struct solver_job *spec, const struct solver_limits *limits,
		    struct job *job, struct refusal *why)
{
	job->code = spec->code;
	spec->code = (struct bytes){0};
	job->task = spec->task;
	if (fields_blank(&job->code))
		return refuse(why, 400, "missing", "Missing python code.");
	int rc = solver_job_text(SOLVER_JOB_PROGRAM, &job->name);

	if (rc == 0 && spec->task == JOB_RUN)
		return solver_job_run(spec, limits, job, why);
	return rc == 0 && spec->allow.data
		       ? fields_source(job, spec->allow, &job->arguments) : rc;
}

int solver_job_names(struct json_span span, const char *name,
		     struct json_span *out, struct refusal *why)
{
	struct json_walk walk = json_walk(span);

	while (json_next(&walk))
		if (json_kind(walk.value) != JSON_STRING)
			return refuse(why, 400, "bad_type",
				      "%s[%zu] must be a string", name,
				      walk.index);
	*out = span;
	return 0;
}
