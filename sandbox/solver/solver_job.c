/* solver_job - see solver_job.h. */
#include "solver_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/fields.h"

static const char solver_job_variable[] = "SOLVER_WORKERS";

/* One core is left to the processes that wait for the answer. */
static unsigned solver_job_default_workers(unsigned cores)
{
	unsigned workers = cores > 1 ? cores - 1 : 1;

	return workers < SOLVER_JOB_WORKERS_MAX ? workers
						: SOLVER_JOB_WORKERS_MAX;
}

static int solver_job_input(const struct solver_job *spec,
			    const struct solver_limits *limits, struct job *job,
			    struct refusal *why)
{
	struct job_file *file;

	if (!spec->input.data)
		return 0;
	if (spec->input.size > limits->home_bytes)
		return refuse(why, 413, "too_large",
			      "input holds more than %ju bytes",
			      (uintmax_t)limits->home_bytes);
	file = job_add_file(job);
	if (!file)
		return -ENOMEM;
	file->name = strdup(SOLVER_JOB_INPUT);
	if (!file->name)
		return -ENOMEM;
	return fields_source(job, spec->input, &file->content);
}

static int solver_job_environment(struct job *job, unsigned workers)
{
	char number[12];
	int size = snprintf(number, sizeof(number), "%u", workers);
	const struct bytes value = { number, (size_t)size };
	const struct bytes name = {(char *)(uintptr_t)solver_job_variable,
				   sizeof(solver_job_variable) - 1};

	job->threads = workers;
	return job_add_env(job, &name, &value);
}

static int solver_job_marker(struct job *job)
{
	job->probe.marker.data = strdup(SOLVER_JOB_MARKER);
	if (!job->probe.marker.data)
		return -ENOMEM;
	job->probe.marker.size = strlen(SOLVER_JOB_MARKER);
	return 0;
}

static int solver_job_run(const struct solver_job *spec,
			  const struct solver_limits *limits, struct job *job,
			  struct refusal *why)
{
	unsigned workers = spec->workers
				   ? spec->workers
				   : solver_job_default_workers(limits->cores);
	uint64_t wanted = spec->timeout_ms ? spec->timeout_ms
					   : SOLVER_JOB_TIMEOUT_MS;

	if (workers > limits->threads)
		workers = limits->threads;
	job->timeout_ms = wanted < limits->timeout_ms ? (unsigned)wanted
						      : limits->timeout_ms;
	int rc = solver_job_environment(job, workers);

	if (rc == 0)
		rc = solver_job_marker(job);
	return rc ? rc : solver_job_input(spec, limits, job, why);
}

int solver_job_make(struct solver_job *spec, const struct solver_limits *limits,
		    struct job *job, struct refusal *why)
{
	job->code = spec->code;
	spec->code = (struct bytes){0};
	job->task = spec->task;
	if (fields_blank(&job->code))
		return refuse(why, 400, "missing", "Missing python code.");
	if (spec->task == JOB_RUN)
		return solver_job_run(spec, limits, job, why);
	return spec->allow.data
		       ? fields_source(job, spec->allow, &job->probe.note)
		       : 0;
}

int solver_job_workers(struct json_span span, unsigned *out,
		       struct refusal *why)
{
	long long number = 0;
	int rc = json_integer(span, &number);

	if (rc == -EINVAL)
		return refuse(why, 400, "bad_type",
			      "solverWorkers must be an integer");
	if (rc == -ERANGE)
		number = span.data[0] == '-' ? 1 : SOLVER_JOB_WORKERS_MAX;
	*out = number < 1                        ? 1
	       : number > SOLVER_JOB_WORKERS_MAX ? SOLVER_JOB_WORKERS_MAX
						 : (unsigned)number;
	return 0;
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

static bool solver_job_has(struct json_span allow, struct json_span name)
{
	struct json_walk walk = json_walk(allow);

	while (json_next(&walk))
		if (json_same(walk.value, name))
			return true;
	return false;
}

int solver_job_allowed(const struct bytes *value, const struct bytes *allow,
		       struct bytes *culprit)
{
	struct json_span names = value->size
					 ? json_whole(value->data, value->size)
					 : (struct json_span){0};

	*culprit = (struct bytes){0};
	if (!allow->size || !names.data || json_kind(names) != JSON_ARRAY)
		return 1;
	struct json_walk walk = json_walk(names);

	while (json_next(&walk))
		if (json_kind(walk.value) == JSON_STRING &&
		    !solver_job_has(json_whole(allow->data, allow->size),
				    walk.value))
			return json_string(walk.value, culprit);
	return 1;
}
