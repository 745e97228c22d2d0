/* order - see order.h. */
#include "solver_job.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/fields.h"

static const char order_variable[] = "SOLVER_WORKERS";

/* One core is left to those who wait for the answer. */
static unsigned order_default_workers(unsigned cores)
{
	unsigned workers = cores > 1 ? cores - 1 : 1;

	return workers < ORDER_WORKERS_MAX ? workers : ORDER_WORKERS_MAX;
}

static int order_input(const struct order *order,
		       const struct order_limits *limits, struct job *job,
		       struct refusal *why)
{
	struct job_file *file;

	if (!order->input.data)
		return 0;
	if (order->input.size > limits->home_bytes)
		return refuse(why, 413, "too_large",
			      "input holds more than %ju bytes",
			      (uintmax_t)limits->home_bytes);
	file = job_add_file(job);
	if (!file)
		return -ENOMEM;
	file->name = strdup(ORDER_INPUT);
	if (!file->name)
		return -ENOMEM;
	return fields_source(job, order->input, &file->content);
}

static int order_environment(struct job *job, unsigned workers)
{
	char number[12];
	int size = snprintf(number, sizeof(number), "%u", workers);
	const struct bytes value = { number, (size_t)size };
	const struct bytes name = { (char *)(uintptr_t)order_variable,
				    sizeof(order_variable) - 1 };

	job->threads = workers;
	return job_add_env(job, &name, &value);
}

static int order_marker(struct job *job)
{
	job->marker.data = strdup(ORDER_MARKER);
	if (!job->marker.data)
		return -ENOMEM;
	job->marker.size = strlen(ORDER_MARKER);
	return 0;
}

static int order_run(const struct order *order,
		     const struct order_limits *limits, struct job *job,
		     struct refusal *why)
{
	unsigned workers = order->workers
				   ? order->workers
				   : order_default_workers(limits->cores);
	uint64_t wanted = order->timeout_ms ? order->timeout_ms
					    : ORDER_TIMEOUT_MS;

	if (workers > limits->threads)
		workers = limits->threads;
	job->timeout_ms = wanted < limits->timeout_ms ? (unsigned)wanted
						      : limits->timeout_ms;
	int rc = order_environment(job, workers);

	if (rc == 0)
		rc = order_marker(job);
	return rc ? rc : order_input(order, limits, job, why);
}

int order_job(struct order *order, const struct order_limits *limits,
	      struct job *job, struct refusal *why)
{
	job->code = order->code;
	order->code = (struct bytes){ 0 };
	job->task = order->task;
	if (fields_blank(&job->code))
		return refuse(why, 400, "missing", "Missing python code.");
	if (order->task == JOB_RUN)
		return order_run(order, limits, job, why);
	return order->allow.data ? fields_source(job, order->allow, &job->note)
				 : 0;
}

int order_workers(struct json_span span, unsigned *out, struct refusal *why)
{
	long long number = 0;
	int rc = json_integer(span, &number);

	if (rc == -EINVAL)
		return refuse(why, 400, "bad_type",
			      "solverWorkers must be an integer");
	if (rc == -ERANGE)
		number = span.data[0] == '-' ? 1 : ORDER_WORKERS_MAX;
	*out = number < 1		      ? 1
	       : number > ORDER_WORKERS_MAX ? ORDER_WORKERS_MAX
					      : (unsigned)number;
	return 0;
}

int order_names(struct json_span span, const char *name,
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

static bool order_has(struct json_span allow, struct json_span name)
{
	struct json_walk walk = json_walk(allow);

	while (json_next(&walk))
		if (json_same(walk.value, name))
			return true;
	return false;
}

int order_allowed(const struct bytes *value, const struct bytes *allow,
		  struct bytes *culprit)
{
	struct json_span names = value->size
					 ? json_whole(value->data, value->size)
					 : (struct json_span){ 0 };

	*culprit = (struct bytes){ 0 };
	if (!allow->size || !names.data || json_kind(names) != JSON_ARRAY)
		return 1;
	struct json_walk walk = json_walk(names);

	while (json_next(&walk))
		if (json_kind(walk.value) == JSON_STRING &&
		    !order_has(json_whole(allow->data, allow->size),
			       walk.value))
			return json_string(walk.value, culprit);
	return 1;
}
