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
#include "summary.h"

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
};

/* The words of solvers' libraries, in any case of letters. */
static const struct {
	const char *word;
	enum solver_result_status status;
} solver_result_words[] = {
	{"OPTIMAL", SOLVER_RESULT_OPTIMAL},
	{"FEASIBLE", SOLVER_RESULT_FEASIBLE},
	{"INFEASIBLE", SOLVER_RESULT_INFEASIBLE},
	{"MODEL_INVALID", SOLVER_RESULT_INFEASIBLE},
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

/* The member NAME of the object in TEXT, which was checked. No data: TEXT is no
 * object, or has none. */
static struct json_span solver_result_member(const struct bytes *text,
					     const char *name)
{
	struct json_span found = {0};
	struct json_span whole = text->data ? json_whole(text->data, text->size)
					    : found;

	if (whole.data && json_kind(whole) == JSON_OBJECT &&
	    !json_member(whole, name, &found))
		found = (struct json_span){0};
	return found;
}

static struct json_span solver_result_list(const struct bytes *text,
					   const char *name)
{
	struct json_span found = solver_result_member(text, name);

	return found.data && json_kind(found) == JSON_ARRAY
		       ? found : (struct json_span){0};
}

static size_t solver_result_count(struct json_span list)
{
	size_t count = 0;

	if (!list.data)
		return 0;
	struct json_walk walk = json_walk(list);

	while (json_next(&walk))
		count++;
	return count;
}

/* Returns -ENOMEM, 1 if the result's status is a text, or 0. */
static int solver_result_read_status(struct solver_result *result)
{
	struct json_span span = solver_result_member(&result->json, "status");
	struct bytes word;

	result->status = SOLVER_RESULT_UNKNOWN;
	if (!span.data || json_kind(span) != JSON_STRING)
		return 0;
	if (json_string_bytes(span, &word) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_LEN(solver_result_words); i++)
		if (word.size == strlen(solver_result_words[i].word) &&
		    strcasecmp(word.data, solver_result_words[i].word) == 0)
			result->status = solver_result_words[i].status;
	free(word.data);
	return 1;
}

/* The input file of JOB, if it is JSON. */
static struct bytes solver_result_input(const struct job *job)
{
	for (size_t i = 0; i < job->files_count; i++) {
		const struct job_file *file = &job->files[i];

		if (strcmp(file->name, SOLVER_JOB_INPUT) == 0 &&
		    json_check_value(file->content.data,
				     file->content.size) == 0)
			return file->content;
	}
	return (struct bytes){0};
}

/* A result that repeats no assignments is compared with those of the input. */
static int solver_result_summarize(struct solver_result *result,
				   const struct job *job)
{
	struct json_span schedule = solver_result_list(&result->json,
						       "schedule");
	struct json_span all = solver_result_list(&result->json, "assignments");

	if (result->json.data && !all.data) {
		const struct bytes input = solver_result_input(job);

		all = solver_result_list(&input, "assignments");
	}
	result->scheduled = solver_result_count(schedule);
	return summary_add_unscheduled(&result->unscheduled, all, schedule);
}

static int solver_result_load(struct solver_result *result,
			      const struct outcome *outcome,
			      const struct limits *limits)
{
	const struct outcome_file *file = solver_result_file(outcome);

	if (!file) {
		result->why = SOLVER_JOB_RESULT " was not written";
		result->over_limit = outcome->files_dropped > 0;
		if (result->over_limit)
			result->why = "result.json is not among the files that "
				      "were taken: it was not written, or is "
				      "larger than a file may be";
		return 0;
	}
	result->over_limit = file->size > (uint64_t)limits->value_kb << 10;
	if (result->over_limit) {
		result->why = "result.json is larger than a value may be";
		return 0;
	}
	int rc = solver_result_read(file, &result->json);

	if (rc == 0 && json_check_value(result->json.data,
					result->json.size) < 0)
		result->why = "result.json is not JSON";
	if (rc < 0 || result->why)
		free(take_ptr(&result->json.data));
	if (!result->json.data)
		result->json.size = 0;
	return rc;
}

/* ---- phase and status ------------------------------------------------ */

static void solver_result_crashed(struct solver_result *result,
				  enum solver_result_phase phase)
{
	result->phase = phase;
	result->status = SOLVER_RESULT_CRASHED;
}

/* A solution that was written before the limit counts. WORDED: the result has a
 * text as its status. */
static void solver_result_timed_out(struct solver_result *result, bool worded,
				    const struct limits *limits)
{
	result->phase = SOLVER_RESULT_RUN;
	result->ok = worded && result->scheduled > 0;
	if (!result->ok)
		result->status = SOLVER_RESULT_TIMEOUT;
	else if (result->status != SOLVER_RESULT_OPTIMAL)
		result->status = SOLVER_RESULT_TIMEOUT_WITH_SOLUTION;
	if (result->ok)
		result->duration_ms = limits->timeout_ms;
}

/* The program ended by itself, or was ended for another reason. */
static void solver_result_judge(struct solver_result *result,
				const struct outcome *outcome)
{
	if (outcome->probe.marked > 1)
		result->why = SOLVER_JOB_MARKER " was printed more than once";
	if (result->why) {
		solver_result_crashed(result, SOLVER_RESULT_PARSE);
		return;
	}
	result->phase = SOLVER_RESULT_RUN;
	if (result->scheduled == 0 && result->status <= SOLVER_RESULT_FEASIBLE)
		result->status = SOLVER_RESULT_INFEASIBLE;
	result->ok = outcome->exit_code == 0 &&
		     result->status <= SOLVER_RESULT_FEASIBLE;
}

int solver_result_make(struct solver_result *result, const struct job *job,
		       const struct outcome *outcome,
		       const struct limits *limits)
{
	*result = (struct solver_result){
		.in_time = outcome->verdict != OUTCOME_TIMEOUT,
		.duration_ms = outcome->runtime_ms};
	int rc = solver_result_load(result, outcome, limits);

	if (rc == 0)
		rc = solver_result_summarize(result, job);
	if (rc == 0)
		rc = solver_result_read_status(result);
	if (rc < 0)
		return rc;
	if (outcome->probe.phase == OUTCOME_COMPILE &&
	    outcome->verdict == OUTCOME_RAISED)
		solver_result_crashed(result, SOLVER_RESULT_COMPILE);
	else if (!result->in_time)
		solver_result_timed_out(result, rc > 0, limits);
	else
		solver_result_judge(result, outcome);
	return 0;
}

void solver_result_free(struct solver_result *result)
{
	free(result->json.data);
	text_free(&result->unscheduled);
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

/* Did it end as Python lets a program end without a word: by sys.exit() or
 * os._exit()? */
static bool solver_result_is_silent(const struct outcome *outcome)
{
	return outcome->verdict == OUTCOME_EXITED ||
	       (outcome->verdict == OUTCOME_RAISED && outcome->error_type &&
		strcmp(outcome->error_type, "SystemExit") == 0);
}

static bool solver_result_failed(const struct outcome *outcome)
{
	return outcome->verdict != OUTCOME_OK &&
	       (outcome->exit_code != 0 || outcome->error_message);
}

/* Append what Python would have written to standard error, and a limit of ours
 * that the program could not know. */
static void solver_result_add_stderr(struct text *text,
				     const struct solver_result *result,
				     const struct outcome *outcome,
				     const struct limits *limits)
{
	text_add(text, outcome->err.kept.data, outcome->err.kept.size);
	if (solver_result_failed(outcome) &&
	    !solver_result_is_silent(outcome)) {
		solver_result_end_line(text);
		solver_result_add_error(text, outcome, limits);
	}
	if (result->why && result->over_limit) {
		solver_result_end_line(text);
		solver_result_add_words(text, result->why);
	}
}

/* Append the text of which the digest is made. ERRORS is standard error. */
static void solver_result_add_reason(struct text *text,
				     const struct solver_result *result,
				     const struct outcome *outcome,
				     const struct limits *limits,
				     const struct text *errors)
{
	const struct bytes *out = &outcome->out.kept;

	if (result->ok)
		return;
	if (!result->in_time) {
		text_format(text, "Execution timed out after %us",
			    solver_job_told_seconds(limits->timeout_ms));
	} else if (!lines_are_blank(errors->data, errors->size)) {
		text_add(text, errors->data, errors->size);
	} else if (!lines_are_blank(out->data, out->size)) {
		text_add(text, out->data, out->size);
	} else { /* it ended without a word */
		if (solver_result_failed(outcome))
			solver_result_add_error(text, outcome, limits);
		solver_result_end_line(text);
		if (result->why)
			solver_result_add_words(text, result->why);
	}
}

static void solver_result_add_digest(struct text *text,
				     const struct solver_result *result,
				     const struct outcome *outcome,
				     const struct limits *limits,
				     const struct text *errors)
{
	struct text reason = {0};

	solver_result_add_reason(&reason, result, outcome, limits, errors);
	lines_add_digest(text, reason.data, reason.size);
	if (reason.error)
		text->error = reason.error;
	text_free(&reason);
}

static void solver_result_add_streams(struct text *text,
				      const struct solver_result *result,
				      const struct outcome *outcome,
				      const struct limits *limits)
{
	struct text errors = {0};

	if (result->ok && !result->in_time) {
		solver_result_add_words(text, ",\"errorDigest\":\"\","
					      "\"stdout\":\"\","
					      "\"stderr\":\"\"");
		return;
	}
	solver_result_add_stderr(&errors, result, outcome, limits);
	solver_result_add_words(text, ",\"errorDigest\":");
	solver_result_add_digest(text, result, outcome, limits, &errors);
	solver_result_add_words(text, ",\"stdout\":");
	lines_add_head(text, outcome->out.kept.data, outcome->out.kept.size,
		       outcome->out.dropped);
	solver_result_add_words(text, ",\"stderr\":");
	lines_add_head(text, errors.data, errors.size, outcome->err.dropped);
	if (errors.error)
		text->error = errors.error;
	text_free(&errors);
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
		    "\"unscheduledAssignments\":",
		    result->scheduled);
	text_add(text, result->unscheduled.data, result->unscheduled.size);
	solver_result_add_words(text, "},\"resultPath\":");
	if (result->json.data && path)
		text_add_json(text, path, strlen(path));
	else
		solver_result_add_words(text, "null");
}

static void solver_result_add_head(struct text *text,
				   const struct solver_result *result)
{
	text_format(text,
		    "{\"phase\":\"%s\",\"ok\":%s,\"status\":\"%s\","
		    "\"durationMs\":%ju",
		    solver_result_phase_names[result->phase],
		    result->ok ? "true" : "false",
		    solver_result_status_names[result->status],
		    (uintmax_t)result->duration_ms);
}

void solver_result_add(struct text *text, const struct solver_result *result,
		       const struct outcome *outcome,
		       const struct limits *limits, const char *path)
{
	solver_result_add_head(text, result);
	solver_result_add_streams(text, result, outcome, limits);
	solver_result_add_data(text, result, path);
	solver_result_add_words(text, "}");
}

void solver_result_add_refusal(struct text *text, const char *why)
{
	struct solver_result result = {0};

	solver_result_crashed(&result, SOLVER_RESULT_PARSE);
	solver_result_add_head(text, &result);
	solver_result_add_words(text, ",\"errorDigest\":");
	text_add_json(text, why, strlen(why));
	solver_result_add_words(text, "}");
}

/* ---- checks ---------------------------------------------------------- */

/* The findings of a check: a JSON string. No data: it has sent none. */
static struct json_span solver_result_findings(const struct outcome *outcome)
{
	const struct bytes *value = &outcome->value;
	struct json_span found = value->size
					 ? json_whole(value->data, value->size)
					 : (struct json_span){0};

	return found.data && json_kind(found) == JSON_STRING
		       ? found : (struct json_span){0};
}

bool solver_result_check_ok(const struct job *job,
			    const struct outcome *outcome)
{
	struct json_span found = solver_result_findings(outcome);

	return outcome->verdict == OUTCOME_OK &&
	       (job->task != JOB_PARSE || (found.data && found.size == 2));
}

int solver_result_add_check(struct text *text, const struct job *job,
			    const struct outcome *outcome,
			    const struct limits *limits)
{
	struct json_span found = solver_result_findings(outcome);
	struct text errors = {0};

	if (solver_result_check_ok(job, outcome)) {
		solver_result_add_words(text, "{\"ok\":true}");
		return 0;
	}
	solver_result_add_words(text, "{\"ok\":false,\"error\":");
	if (outcome->verdict == OUTCOME_OK && found.data) {
		text_add(text, found.data, found.size);
	} else {
		solver_result_add_error(&errors, outcome, limits);
		text_add_json(text, errors.data, errors.size);
	}
	solver_result_add_words(text, "}");
	int rc = errors.error;

	text_free(&errors);
	return rc;
}
