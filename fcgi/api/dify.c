/*
 * dify - the door of Dify's code sandbox: from a body to a job, and from an
 * outcome or a refusal to a body.
 *
 * Dify shows `message` and `data.error` to the author of a flow, and only when
 * the status is 200. So nearly all refusals are HTTP 200 with a code.
 */
#include "dify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "fcgi/http/query.h"
#include "sandbox/text/fields.h"
#include "sandbox/text/message.h"
#include "sandbox/text/text.h"

#define DIFY_RAISED 255 /* exit code of an uncaught exception */
#define DIFY_LEAST_MS 1000 /* of a run; with less left it is not begun */

/* ---- from a body to a job -------------------------------------------- */

struct dify_request {
	struct job *job; /* NULL: a request about packages */
	struct refusal *why;
};

static int dify_check_language(const char *language, bool runs,
			       struct refusal *why)
{
	if (strcmp(language, "python3") == 0)
		return 0;
	if (runs && strcmp(language, "nodejs") == 0)
		return refuse(why, 400, "no_language",
			      "language: this server runs Python only, not "
			      "nodejs");
	return refuse(why, 400, "no_language",
		      "unsupported language: language must be \"python3\"");
}

static int dify_take_language(void *context, struct json_span span)
{
	struct dify_request *request = context;
	struct bytes language;

	if (!span.data)
		return refuse(request->why, 400, "missing",
			      "language is missing");
	if (json_string(span, &language) < 0)
		return -ENOMEM;
	int rc = dify_check_language(language.data, request->job != NULL,
				     request->why);

	free(language.data);
	return rc;
}

static int dify_check_code(const struct bytes *code, struct refusal *why)
{
	return fields_blank(code)
		       ? refuse(why, 400, "missing", "code is missing or blank")
		       : 0;
}

static int dify_take_code(void *context, struct json_span span)
{
	struct dify_request *request = context;
	struct bytes *code = &request->job->code;

	if (!span.data)
		return dify_check_code(code, request->why);
	int rc = fields_string(request->job, span, code);

	return rc ? rc : dify_check_code(code, request->why);
}

/* For fields that have no effect here. There is no network, but Dify always
 * asks for one; and what `preload` imports is there. */
static int dify_take_nothing(void *context, struct json_span span)
{
	(void)context;
	(void)span;
	return 0;
}

static const struct field dify_run_rows[] = {
	{"language", JSON_STRING, true, dify_take_language, "'python3'",
	 "The language, which is Python 3."},
	{"code", JSON_STRING, true, dify_take_code, "string 1..",
	 "The Python program."},
	{"preload", JSON_STRING, false, dify_take_nothing, "string",
	 "Has no effect."},
	{"enable_network", JSON_BOOL, false, dify_take_nothing, "boolean",
	 "Has no effect: there is no network."},
};

static const struct field dify_update_rows[] = {
	{"language", JSON_STRING, true, dify_take_language, "'python3'",
	 "The language, which is Python 3."},
};

const struct fields dify_run_fields = {
	dify_run_rows, ARRAY_LEN(dify_run_rows), .bad_type = 400};
const struct fields dify_update_fields = {
	dify_update_rows, ARRAY_LEN(dify_update_rows), .bad_type = 400};

/* Read a body that an HTML form would send. */
static int dify_read_form(struct job *job, struct refusal *why)
{
	owned_free char *language = NULL;
	struct bytes found;
	int rc = query_find(job->body.data, "language", &found);

	language = found.data;
	if (rc == 0)
		return refuse(why, 400, "missing", "language is missing");
	if (rc > 0 && strlen(language) < found.size)
		rc = refuse(why, 400, "bad_utf8", "language holds a NUL");
	else if (rc > 0)
		rc = dify_check_language(language, true, why);
	if (rc < 0)
		return rc;
	rc = query_find(job->body.data, "code", &job->code);
	if (rc < 0)
		return rc;
	if (job->code.data &&
	    (memchr(job->code.data, '\0', job->code.size) ||
	     text_utf8_bad(job->code.data, job->code.size) < job->code.size))
		return refuse(why, 400, "bad_utf8", "code is not UTF-8 text");
	return dify_check_code(&job->code, why);
}

/* Shorten the run, so that the client still waits for its answer. */
static int dify_fit_time(const struct door_limits *limits, struct job *job,
			 struct refusal *why)
{
	if (limits->queued_ms + DIFY_LEAST_MS > DIFY_TIME_MS)
		return refuse(why, 503, "unavailable", "Too many requests");
	uint64_t left = DIFY_TIME_MS - limits->queued_ms;

	if (left < limits->timeout_ms)
		job->timeout_ms = (unsigned)left;
	return 0;
}

static int dify_parse(const struct door_limits *limits, struct job *job,
		      struct refusal *why)
{
	static const char form[] = "application/x-www-form-urlencoded";
	struct dify_request request = {job, why};
	bool is_form = limits->content_type &&
		       strncasecmp(limits->content_type, form,
				   sizeof(form) - 1) == 0;

	job->habits = JOB_SCRIPT | JOB_BOUND;
	int rc = is_form ? dify_read_form(job, why)
			 : fields_read(job->body.data, job->body.size,
				       &dify_run_fields, &request, why);

	if (rc == 0)
		rc = dify_fit_time(limits, job, why);
	if (rc && rc != -EINVAL)
		rc = refuse(why, 500, "internal_error",
			    "the server ran out of memory");
	return rc;
}

/* ---- from an outcome to a body --------------------------------------- */

/* The exit code, and the reason in front of the sentence. NULL: there is none,
 * or the sentence alone. */
static const struct dify_row {
	int exit_code; /* 0: the outcome's own */
	bool reason;   /* the verdict's sentence is told */
	const char *words;
} dify_rows[OUTCOME_VERDICTS] = {
	[OUTCOME_RAISED] = {DIFY_RAISED, false, NULL},
	[OUTCOME_TIMEOUT] = {-1, true, "error: timeout"},
	[OUTCOME_MEMORY] = {-1, true, "error: out of memory"},
	[OUTCOME_OUTPUT] = {-1, true, "error: too much output"},
	[OUTCOME_EXITED] = {0, true, NULL},
	[OUTCOME_KILLED] = {-1, true, NULL},
	[OUTCOME_PROTOCOL] = {-1, true, NULL},
};

static int dify_exit_code(const struct outcome *outcome)
{
	const struct dify_row *row = &dify_rows[outcome->verdict];
	bool exits = outcome->verdict == OUTCOME_RAISED &&
		     outcome->error_type &&
		     strcmp(outcome->error_type, "SystemExit") == 0;

	return exits || row->exit_code == 0 ? outcome->exit_code
					    : row->exit_code;
}

static void dify_end_line(struct text *text)
{
	if (text->size > 0 && text->data[text->size - 1] != '\n')
		text_add(text, "\n", 1);
}

/* Standard error, and the traceback as Python prints it there. */
static void dify_add_stderr(struct text *text, const struct outcome *outcome)
{
	const struct bytes *written = &outcome->err.kept;
	const char *more = outcome->error_message;

	text_add(text, written->data, written->size);
	if (outcome->verdict != OUTCOME_RAISED || !more || !*more)
		return;
	dify_end_line(text);
	text_format(text, "%s\n", more);
}

static void dify_add_reason(struct text *text,
			    const struct door_answer *answer)
{
	const struct dify_row *row = &dify_rows[answer->outcome->verdict];

	if (!row->reason)
		return;
	if (row->words)
		text_format(text, "%s: ", row->words);
	message_add(text, answer->outcome, answer->limits);
	dify_end_line(text);
}

/* With its closing tag cut off, Dify would report that there is no result, and
 * hide the reason. */
static void dify_add_cut(struct text *text, const struct door_answer *answer)
{
	uint64_t dropped = answer->outcome->out.dropped;

	if (dropped > 0)
		text_format(text,
			    "error: output was cut: %ju bytes of stdout are "
			    "missing (limit %u KB)\n",
			    (uintmax_t)dropped, answer->limits->output_kb);
}

/* The text of `error`: empty if the program ended well. */
static void dify_add_error(struct text *text, const struct door_answer *answer)
{
	int exit_code = dify_exit_code(answer->outcome);

	if (exit_code != 0) {
		text_format(text, "process exited with code %d\n", exit_code);
		dify_add_reason(text, answer);
	}
	dify_add_cut(text, answer);
	if (exit_code != 0)
		dify_add_stderr(text, answer->outcome);
}

static void dify_put_text(struct reply *reply, const char *name,
			  struct text *text)
{
	reply_format(reply, ",\"%s\":", name);
	reply_json_string(reply, text->data, text->size);
	if (text->error)
		reply->error = text->error;
	text_free(text);
}

static void dify_put_failure(struct reply *reply, int code,
			     const char *message)
{
	reply_format(reply, "{\"code\":%d,\"message\":", code);
	reply_string(reply, message);
	reply_text(reply, ",\"data\":null}\n");
}

/* The server is to blame, or the program was not started. */
static void dify_put_ours(const struct door_answer *answer,
			  struct reply *reply)
{
	char sentence[OUTCOME_SENTENCE_MAX];
	char message[OUTCOME_SENTENCE_MAX + 100];

	outcome_sentence(answer->outcome, sentence);
	snprintf(message, sizeof(message), "%s (request %.64s)", sentence,
		 answer->id);
	dify_put_failure(reply, -500, message);
}

static void dify_render(const struct door_answer *answer, struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	const struct bytes *out = &outcome->out.kept;
	struct text error = {0}, written = {0};

	reply->id = answer->id;
	if (!outcome_rows[outcome->verdict].started) {
		dify_put_ours(answer, reply);
		return;
	}
	dify_add_error(&error, answer);
	dify_add_stderr(&written, outcome);
	reply_text(reply, "{\"code\":0,\"message\":\"success\",\"data\":"
			  "{\"stdout\":");
	reply_json_string(reply, out->data, out->size);
	dify_put_text(reply, "stderr", &written);
	dify_put_text(reply, "error", &error);
	reply_format(reply, ",\"exit_code\":%d}}\n", dify_exit_code(outcome));
}

/* Refusals that are HTTP errors: those about the address and the token, and the
 * one that another try may change. */
static const int dify_errors[] = {401, 403, 404, 405, 503};

static void dify_refuse(const struct refusal *why, const char *id,
			struct reply *reply)
{
	char message[sizeof(why->message) + 80];

	reply->id = id;
	reply->status = 200;
	for (size_t i = 0; i < ARRAY_LEN(dify_errors); i++)
		if (dify_errors[i] == why->status)
			reply->status = why->status;
	snprintf(message, sizeof(message), "%s (request %.64s)", why->message,
		 id);
	dify_put_failure(reply, -why->status,
			 why->status == 500   ? message
			 : why->status == 503 ? "Too many requests"
					      : why->message);
}

const struct door dify_door = {dify_parse, dify_render, dify_refuse, NULL,
			       "dify"};

/* ---- packages -------------------------------------------------------- */

int dify_language_of_query(const char *query, struct refusal *why)
{
	struct bytes language;
	int rc = query_find(query, "language", &language);

	if (rc < 0)
		return refuse(why, 500, "internal_error",
			      "the server ran out of memory");
	rc = dify_check_language(language.data ? language.data : "", false,
				 why);
	free(language.data);
	return rc;
}

int dify_language_of_body(const struct bytes *body, struct refusal *why)
{
	struct dify_request request = {NULL, why};

	return fields_read(body->data, body->size, &dify_update_fields,
			   &request, why);
}

static void dify_put_member(struct reply *reply, struct json_span row,
			    const char *name)
{
	struct json_span value;

	reply_format(reply, "\"%s\":", name);
	if (json_member(row, name, &value))
		reply_bytes(reply, value.data, value.size);
	else
		reply_text(reply, "\"\"");
}

void dify_put_packages(const struct bytes *list, struct reply *reply)
{
	struct json_span rows;

	reply_text(reply, "{\"code\":0,\"message\":\"success\",\"data\":"
			  "{\"dependencies\":[");
	if (json_member(json_whole(list->data, list->size), "packages",
			&rows)) {
		struct json_walk walk = json_walk(rows);

		while (json_next(&walk)) {
			reply_text(reply, walk.index ? ",{" : "{");
			dify_put_member(reply, walk.value, "name");
			reply_text(reply, ",");
			dify_put_member(reply, walk.value, "version");
			reply_text(reply, "}");
		}
	}
	reply_text(reply, "]}}\n");
}

void dify_put_nothing(struct reply *reply)
{
	reply_text(reply,
		   "{\"code\":0,\"message\":\"success\",\"data\":{}}\n");
}
