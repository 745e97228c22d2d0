/*
 * solver_result_reply - a verdict as one line of JSON. The order of the fields
 * is part of the contract.
 */
#include <string.h>

#include "sandbox/text/message.h"
#include "lines.h"
#include "solver_job.h"
#include "solver_result.h"

static const char *const phase_names[SOLVER_RESULT_PHASES] = {
	[SOLVER_RESULT_COMPILE] = "compile",
	[SOLVER_RESULT_RUN] = "run",
	[SOLVER_RESULT_PARSE] = "parse",
	[SOLVER_RESULT_SERIALIZE] = "serialize",
};

static void add_words(struct text *text, const char *words)
{
	text_add(text, words, strlen(words));
}

static void end_line(struct text *text)
{
	if (text->size > 0 && text->data[text->size - 1] != '\n')
		text_add(text, "\n", 1);
}

/* The traceback without the lines about it: they are for those who do not
 * have the program. */
static void add_error(struct text *text, const struct outcome *outcome,
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
		end_line(text);
		add_error(text, outcome, limits);
	}
	if (why) {
		end_line(text);
		add_words(text, why);
	}
}

static void add_result(struct text *text, const struct solver_result *verdict,
		       const char *path)
{
	add_words(text, ",\"resultData\":");
	if (verdict->result.data)
		text_add_line(text, verdict->result.data,
			      verdict->result.size);
	else
		add_words(text, "null");
	text_format(text, ",\"resultSummary\":{\"scheduledCount\":%zu,"
		    "\"unscheduledAssignments\":%zu},\"resultPath\":",
		    verdict->scheduled, verdict->unscheduled);
	if (verdict->result.data && path)
		text_add_json(text, path, strlen(path));
	else
		add_words(text, "null");
}

static void add_streams(struct text *text, const struct solver_result *verdict,
			const struct outcome *outcome,
			const struct limits *limits)
{
	struct text errors = { 0 };

	solver_result_add_stderr(&errors, outcome, limits, verdict->why);
	add_words(text, ",\"errorDigest\":");
	lines_add_digest(text, errors.data, errors.size);
	add_words(text, ",\"stdout\":");
	lines_add_head(text, outcome->out.kept.data, outcome->out.kept.size,
		       outcome->out.dropped);
	add_words(text, ",\"stderr\":");
	lines_add_head(text, errors.data, errors.size, outcome->err.dropped);
	if (errors.error)
		text->error = errors.error;
	text_free(&errors);
}

void solver_result_add(struct text *text, const struct solver_result *verdict,
		       const struct outcome *outcome,
		       const struct limits *limits, const char *path)
{
	text_format(text,
		    "{\"phase\":\"%s\",\"ok\":%s,\"status\":\"%s\","
		    "\"durationMs\":%ju",
		    phase_names[verdict->phase], verdict->ok ? "true" : "false",
		    solver_result_status_names[verdict->status],
		    (uintmax_t)outcome->runtime_ms);
	add_streams(text, verdict, outcome, limits);
	add_result(text, verdict, path);
	add_words(text, "}");
}

static int add_not_allowed(struct text *text, const struct bytes *culprit)
{
	struct text words = { 0 };

	text_format(&words, "import of %s is not allowed",
		    strcmp(culprit->data, ".") == 0 ? "what lies beside it"
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
	struct bytes culprit = { 0 };
	struct text errors = { 0 };
	int rc = 0;

	if (outcome->verdict == OUTCOME_OK) {
		rc = solver_job_allowed(&outcome->value, allow, &culprit);
		if (rc == 1) {
			add_words(text, "{\"ok\":true}");
			return 0;
		}
		add_words(text, "{\"ok\":false,\"error\":");
		rc = rc < 0 ? rc : add_not_allowed(text, &culprit);
	} else {
		add_words(text, "{\"ok\":false,\"error\":");
		add_error(&errors, outcome, limits);
		text_add_json(text, errors.data, errors.size);
		rc = errors.error;
	}
	add_words(text, "}");
	free(culprit.data);
	text_free(&errors);
	return rc;
}
