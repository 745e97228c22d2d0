/* solver_result - see solver_result.h. */
#include "solver_result.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sandbox/text/json.h"
#include "sandbox/text/message.h"
#include "lines.h"
#include "solver_job.h"

const char *const solver_result_status_names[SOLVER_RESULT_STATUSES] = {
	[SOLVER_RESULT_OPTIMAL] = "optimal",
	[SOLVER_RESULT_FEASIBLE] = "feasible",
	[SOLVER_RESULT_INFEASIBLE] = "infeasible",
	[SOLVER_RESULT_UNKNOWN] = "unknown",
	[SOLVER_RESULT_TIMEOUT] = "timeout",
	[SOLVER_RESULT_TIMEOUT_WITH_SOLUTION] = "timeout_with_solution",
	[SOLVER_RESULT_CRASHED] = "crashed",
};

static const char *const solver_result_phase_names[SOLVER_RESULT_PHASES] = {
	[SOLVER_RESULT_COMPILE] = "compile",
	[SOLVER_RESULT_RUN] = "run",
	[SOLVER_RESULT_PARSE] = "parse",
	[SOLVER_RESULT_SERIALIZE] = "serialize",
};

/* ---- result.json ----------------------------------------------------- */

static const struct outcome_file *
solver_result_file(const struct outcome *outcome)
{
	for (size_t i = 0; i < outcome->files_count; i++)
		if (strcmp(outcome->files[i].name, SOLVER_JOB_RESULT) == 0)
			return &outcome->files[i];
	return NULL;
}

static int solver_result_read(const struct outcome_file *file,
			      struct bytes *out)
{
	out->data = malloc(file->size + 1);
	if (!out->data)
		return -ENOMEM;
	while (out->size < file->size) {
		ssize_t n = pread(file->fd, out->data + out->size,
				  file->size - out->size, (off_t)out->size);

		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		out->size += (size_t)n;
	}
	out->data[out->size] = '\0';
	return 0;
}

static size_t solver_result_count(struct json_span span)
{
	struct json_walk walk = json_walk(span);
	size_t count = 0;

	while (json_next(&walk))
		count++;
	return count;
}

/* Match a status without regard to case, because solvers write their libraries'
 * own words: OPTIMAL is optimal. */
static bool solver_result_status_of(struct solver_result *result,
				    struct json_span span)
{
	struct bytes word;
	bool found = false;

	if (json_kind(span) != JSON_STRING || json_string(span, &word) < 0)
		return false;
	for (int i = SOLVER_RESULT_OPTIMAL;
	     i <= SOLVER_RESULT_UNKNOWN && !found; i++) {
		found = strcasecmp(word.data, solver_result_status_names[i]) ==
			0;
		if (found)
			result->status = (enum solver_result_status)i;
	}
	free(word.data);
	return found;
}

/* Returns NULL, or the error in the result. */
static const char *solver_result_parse(struct solver_result *result)
{
	const struct bytes *text = &result->json;
	struct json_span status, schedule, assignments;

	if (json_check_value(text->data, text->size) < 0)
		return "result.json is not JSON";
	struct json_span whole = json_whole(text->data, text->size);

	if (json_kind(whole) != JSON_OBJECT)
		return "result.json is not an object";
	if (!json_member(whole, "status", &status) ||
	    !solver_result_status_of(result, status))
		return "result.json: status must be optimal, feasible, "
		       "infeasible or unknown";
	if (!json_member(whole, "schedule", &schedule) ||
	    json_kind(schedule) != JSON_ARRAY)
		return "result.json: schedule must be an array";
	result->scheduled = solver_result_count(schedule);
	if (json_member(whole, "assignments", &assignments) &&
	    json_kind(assignments) == JSON_ARRAY) {
		size_t all = solver_result_count(assignments);

		result->unscheduled = all > result->scheduled
					      ? all - result->scheduled
					      : 0;
	}
	return NULL;
}

static int solver_result_load(struct solver_result *result,
			      const struct outcome *outcome,
			      const struct limits *limits)
{
	const struct outcome_file *file = solver_result_file(outcome);

	if (!file) {
		result->why = SOLVER_JOB_RESULT " was not written";
		if (outcome->files_dropped > 0)
			result->why = "result.json is not among the files that "
				      "were taken: it was not written, or is "
				      "larger than a file may be";
		return 0;
	}
	if (file->size > (uint64_t)limits->value_kb << 10) {
		result->why = "result.json is larger than a value may be";
		return 0;
	}
	int rc = solver_result_read(file, &result->json);

	if (rc == 0)
		result->why = solver_result_parse(result);
	if (rc < 0 || result->why)
		free(take_ptr(&result->json.data));
	if (!result->json.data)
		result->json.size = 0;
	return rc;
}

/* ---- phase and status ------------------------------------------------ */

static void solver_result_timed_out(struct solver_result *result)
{
	bool solved = result->json.data && result->scheduled > 0;

	result->phase = SOLVER_RESULT_RUN;
	result->status = solved ? SOLVER_RESULT_TIMEOUT_WITH_SOLUTION
				: SOLVER_RESULT_TIMEOUT;
	result->why = NULL;
}

static void solver_result_crashed(struct solver_result *result,
				  enum solver_result_phase phase)
{
	result->phase = phase;
	result->status = SOLVER_RESULT_CRASHED;
}

/* The program exited with 0, so its result decides. */
static void solver_result_judge(struct solver_result *result,
				const struct outcome *outcome)
{
	if (outcome->probe.marked > 1)
		result->why = SOLVER_JOB_MARKER " was printed more than once";
	if (result->why) {
		solver_result_crashed(result, SOLVER_RESULT_PARSE);
		return;
	}
	result->phase = SOLVER_RESULT_SERIALIZE;
	if (result->scheduled == 0 && result->status <= SOLVER_RESULT_FEASIBLE)
		result->status = SOLVER_RESULT_INFEASIBLE;
	result->ok = result->status <= SOLVER_RESULT_FEASIBLE;
}

int solver_result_make(struct solver_result *result,
		       const struct outcome *outcome,
		       const struct limits *limits)
{
	*result = (struct solver_result){0};
	int rc = solver_result_load(result, outcome, limits);

	if (rc < 0)
		return rc;
	if (outcome->probe.phase == OUTCOME_COMPILE &&
	    outcome->verdict == OUTCOME_RAISED) {
		solver_result_crashed(result, SOLVER_RESULT_COMPILE);
		result->why = NULL;
	} else if (outcome->verdict == OUTCOME_TIMEOUT) {
		solver_result_timed_out(result);
	} else if (outcome->exit_code != 0) {
		solver_result_crashed(result, SOLVER_RESULT_RUN);
		result->why = NULL;
	} else {
		solver_result_judge(result, outcome);
	}
	return 0;
}

void solver_result_free(struct solver_result *result)
{
	free(result->json.data);
	*result = (struct solver_result){0};
}

/* ---- the line of JSON ------------------------------------------------ */

static void solver_result_add_words(struct text *text, const char *words)
{
	text_add(text, words, strlen(words));
}

static void solver_result_end_line(struct text *text)
{
	if (text->size > 0 && text->data[text->size - 1] != '\n')
		text_add(text, "\n", 1);
}

/* Append the traceback without its lines of code context, because a caller of a
 * solver has the program. */
static void solver_result_add_error(struct text *text,
				    const struct outcome *outcome,
				    const struct limits *limits)
{
	static const char context[] = "\n\nCode context:\n";
	size_t from = text->size;

	message_add(text, outcome, limits);
	char *found = text->size == from
			      ? NULL
			      : memmem(text->data + from, text->size - from,
				       context, sizeof(context) - 1);

	if (found)
		text->size = (size_t)(found - text->data);
}

void solver_result_add_stderr(struct text *text, const struct outcome *outcome,
			      const struct limits *limits, const char *why)
{
	text_add(text, outcome->err.kept.data, outcome->err.kept.size);
	if (outcome->verdict != OUTCOME_OK &&
	    (outcome->exit_code != 0 || outcome->error_message)) {
		solver_result_end_line(text);
		solver_result_add_error(text, outcome, limits);
	}
	if (why) {
		solver_result_end_line(text);
		solver_result_add_words(text, why);
	}
}

static void solver_result_add_data(struct text *text,
				   const struct solver_result *result,
				   const char *path)
{
	solver_result_add_words(text, ",\"resultData\":");
	if (result->json.data)
		text_add_line(text, result->json.data, result->json.size);
	else
		solver_result_add_words(text, "null");
	text_format(text,
		    ",\"resultSummary\":{\"scheduledCount\":%zu,"
		    "\"unscheduledAssignments\":%zu},\"resultPath\":",
		    result->scheduled, result->unscheduled);
	if (result->json.data && path)
		text_add_json(text, path, strlen(path));
	else
		solver_result_add_words(text, "null");
}

static void solver_result_add_streams(struct text *text,
				      const struct solver_result *result,
				      const struct outcome *outcome,
				      const struct limits *limits)
{
	struct text errors = {0};

	solver_result_add_stderr(&errors, outcome, limits, result->why);
	solver_result_add_words(text, ",\"errorDigest\":");
	lines_add_digest(text, errors.data, errors.size);
	solver_result_add_words(text, ",\"stdout\":");
	lines_add_head(text, outcome->out.kept.data, outcome->out.kept.size,
		       outcome->out.dropped);
	solver_result_add_words(text, ",\"stderr\":");
	lines_add_head(text, errors.data, errors.size, outcome->err.dropped);
	if (errors.error)
		text->error = errors.error;
	text_free(&errors);
}

void solver_result_add(struct text *text, const struct solver_result *result,
		       const struct outcome *outcome,
		       const struct limits *limits, const char *path)
{
	text_format(text,
		    "{\"phase\":\"%s\",\"ok\":%s,\"status\":\"%s\","
		    "\"durationMs\":%ju",
		    solver_result_phase_names[result->phase],
		    result->ok ? "true" : "false",
		    solver_result_status_names[result->status],
		    (uintmax_t)outcome->runtime_ms);
	solver_result_add_streams(text, result, outcome, limits);
	solver_result_add_data(text, result, path);
	solver_result_add_words(text, "}");
}

static int solver_result_add_not_allowed(struct text *text,
					 const struct bytes *culprit)
{
	struct text words = {0};

	text_format(&words, "import of %s is not allowed",
		    strcmp(culprit->data, ".") == 0 ? "a neighbouring module"
						    : culprit->data);
	text_add_json(text, words.data, words.size);
	int rc = words.error;

	text_free(&words);
	return rc;
}

int solver_result_add_check(struct text *text, const struct outcome *outcome,
			    const struct limits *limits,
			    const struct bytes *allow)
{
	struct bytes culprit = {0};
	struct text errors = {0};
	int rc = 0;

	if (outcome->verdict == OUTCOME_OK) {
		rc = solver_job_allowed(&outcome->value, allow, &culprit);
		if (rc == 1) {
			solver_result_add_words(text, "{\"ok\":true}");
			return 0;
		}
		solver_result_add_words(text, "{\"ok\":false,\"error\":");
		rc = rc < 0 ? rc
			    : solver_result_add_not_allowed(text, &culprit);
	} else {
		solver_result_add_words(text, "{\"ok\":false,\"error\":");
		solver_result_add_error(&errors, outcome, limits);
		text_add_json(text, errors.data, errors.size);
		rc = errors.error;
	}
	solver_result_add_words(text, "}");
	free(culprit.data);
	text_free(&errors);
	return rc;
}
