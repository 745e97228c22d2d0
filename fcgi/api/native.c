/*
 * native - the door of Terrarium's own API: from a body to a job, and from an
 * outcome or a refusal to one line of JSON.
 *
 * `arguments` reaches the guest as its exact text. Every field stays where it
 * lies in the body (door.h). The order of the fields in an answer is part of
 * the API.
 */
#include "native.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/message.h"
#include "sandbox/text/text.h"
#include "env_rule.h"
#include "events.h"
#include "input_files.h"

/* ---- from a body to a job -------------------------------------------- */

struct native_request {
	const struct door_limits *limits;
	struct job *job;
	struct refusal *why;
	char *env_end; /* of the last assignment, its NUL included */
};

static int native_take_timeout(void *context, struct json_span span)
{
	struct native_request *request = context;

	return fields_limit(span, "timeout_ms", request->limits->timeout_ms,
			    &request->job->timeout_ms, request->why);
}

static int native_take_memory(void *context, struct json_span span)
{
	struct native_request *request = context;

	if (request->job->session.data)
		return refuse(request->why, 400, "limit_out_of_range",
			      "memory_mb cannot be lowered for a call of a "
			      "session");
	return fields_limit(span, "memory_mb", request->limits->memory_mb,
			    &request->job->memory_mb, request->why);
}

static int native_take_session(void *context, struct json_span span)
{
	struct native_request *request = context;

	if (!request->limits->sessions)
		return refuse(request->why, 403, "sessions_off",
			      "sessions are switched off on this server");
	return fields_string(request->job, span, &request->job->session);
}

static int native_take_must_exist(void *context, struct json_span span)
{
	struct native_request *request = context;

	request->job->session_must_exist = json_is_true(span);
	return 0;
}

static int native_env_check(struct native_request *request,
			    const struct bytes *name, struct json_span value)
{
	char shown[TEXT_SHOW_SIZE];
	int rc = env_rule_check(name, "env", request->why);

	if (rc == 0 && json_kind(value) != JSON_STRING)
		return refuse(request->why, 400, "bad_type",
			      "env.%s must be a string",
			      text_show(shown, name->data, name->size));
	return rc;
}

static int native_take_variable(struct native_request *request,
				struct json_span key, struct json_span span)
{
	struct bytes name = { 0 }, value = { 0 };
	int rc = fields_string(request->job, key, &name);

	if (!rc)
		rc = native_env_check(request, &name, span);
	if (!rc)
		rc = fields_string(request->job, span, &value);
	if (rc)
		return rc;
	char *at = request->env_end ? request->env_end : name.data;

	/* Pack the assignments over the quotes, colons and commas of the JSON
	 * text. They then lie one behind the other, as they are sent to the
	 * guest, and wire_feed_job() need not copy them. */
	memmove(at, name.data, name.size);
	at[name.size] = '=';
	memmove(at + name.size + 1, value.data, value.size + 1);
	request->env_end = at + name.size + value.size + 2;
	return job_add_assignment(request->job, at);
}

static int native_take_env(void *context, struct json_span span)
{
	struct json_walk walk = json_walk(span);
	int rc = 0;

	while (!rc && json_next(&walk))
		rc = native_take_variable(context, walk.key, walk.value);
	return rc;
}

static int native_take_arguments(void *context, struct json_span span)
{
	struct native_request *request = context;

	request->job->call_main = true;
	return fields_source(request->job, span, &request->job->arguments);
}

/* Decode one argument, and move it behind those before it. There is room,
 * because the quotes and commas are gone. */
static int native_take_arg(struct native_request *request, size_t index,
			   struct json_span span)
{
	struct bytes *args = &request->job->args, arg = {0};

	if (json_kind(span) != JSON_STRING)
		return refuse(request->why, 400, "bad_type",
			      "args[%zu] must be a string", index);
	int rc = fields_string(request->job, span, &arg);

	if (rc)
		return rc;
	if (!args->data)
		args->data = arg.data;
	memmove(args->data + args->size, arg.data, arg.size + 1);
	args->size += arg.size + 1;
	return 0;
}

static int native_take_args(void *context, struct json_span span)
{
	struct json_walk walk = json_walk(span);
	int rc = 0;

	while (!rc && json_next(&walk))
		rc = native_take_arg(context, walk.index, walk.value);
	return rc;
}

static int native_take_results(void *context, struct json_span span)
{
	struct native_request *request = context;

	request->job->displays = json_is_true(span);
	return 0;
}

/* Names of forms, the same as those of a stream's members (events.c). */
static const struct {
	const char *name;
	unsigned form;
} native_forms[] = {
	{"text", JOB_FORM_TEXT}, {"html", JOB_FORM_HTML},
	{"markdown", JOB_FORM_MARKDOWN}, {"svg", JOB_FORM_SVG},
	{"png", JOB_FORM_PNG}, {"jpeg", JOB_FORM_JPEG},
	{"pdf", JOB_FORM_PDF}, {"latex", JOB_FORM_LATEX},
	{"json", JOB_FORM_JSON}, {"javascript", JOB_FORM_JAVASCRIPT},
	{"data", JOB_FORM_DATA}, {"chart", JOB_FORM_CHART},
	{"other", JOB_FORM_OTHER},
};

static int native_take_form(struct native_request *request, size_t index,
			    struct json_span span)
{
	if (json_kind(span) != JSON_STRING)
		return refuse(request->why, 400, "bad_type",
			      "forms[%zu] must be a string", index);
	for (size_t i = 0; i < ARRAY_LEN(native_forms); i++)
		if (json_is(span, native_forms[i].name)) {
			request->job->forms |= native_forms[i].form;
			return 0;
		}
	return refuse(request->why, 400, "bad_form",
		      "forms[%zu] must be one of text, html, markdown, svg, "
		      "png, jpeg, pdf, latex, json, javascript, data, chart, "
		      "other", index);
}

/* Forms are asked for, and with them the rich values. */
static int native_take_forms(void *context, struct json_span span)
{
	struct native_request *request = context;
	struct json_walk walk = json_walk(span);
	int rc = 0;

	while (!rc && json_next(&walk))
		rc = native_take_form(request, walk.index, walk.value);
	if (!rc && request->job->forms == 0)
		return refuse(request->why, 400, "bad_form",
			      "forms must name at least one form");
	request->job->forms |= JOB_FORM_DRAW;
	request->job->displays = true;
	return rc;
}

static int native_take_stdin(void *context, struct json_span span)
{
	struct native_request *request = context;

	return fields_string(request->job, span, &request->job->input);
}

static int native_take_code(void *context, struct json_span span)
{
	struct native_request *request = context;
	struct bytes *code = &request->job->code;
	int rc = span.data ? fields_string(request->job, span, code) : 0;

	if (rc)
		return rc;
	if (fields_blank(code))
		return refuse(request->why, 200, "parsing",
			      "no code provided");
	return 0;
}

static int native_take_files(void *context, struct json_span span)
{
	struct native_request *request = context;
	struct input_files_limits limits = {request->limits->files,
					    request->limits->home_bytes,
					    request->limits->home_aliases};

	return input_files_read(span, &limits, request->job, request->why);
}

/*
 * The fields, in the order in which they are read. Faults that are HTTP errors
 * come before faults that are answered with 200, and cheap fields before
 * expensive ones.
 */
static const struct field native_rows[] = {
	{"session", JSON_STRING, false, native_take_session, "string 1..128",
	 "The name of a session: variables, imports and files of its "
	 "earlier calls are there. Begun if there is none. Without it "
	 "nothing is kept from call to call."},
	{"session_must_exist", JSON_BOOL, false, native_take_must_exist,
	 "boolean = false",
	 "Whether to run nothing, and answer 410, if there is no such "
	 "session."},
	{"timeout_ms", JSON_NUMBER, false, native_take_timeout, "integer 1..",
	 "Most milliseconds that the program may run; lowers the server's "
	 "limit."},
	{"memory_mb", JSON_NUMBER, false, native_take_memory, "integer 1..",
	 "Most megabytes of memory of the program; lowers the server's "
	 "limit. Not for a session."},
	{"env", JSON_OBJECT, false, native_take_env, "{string}",
	 "Environment variables of the program. Names that steer Python, "
	 "the loader or libc are refused."},
	{"arguments", JSON_OBJECT, false, native_take_arguments, "object",
	 "Keyword arguments: after the module has run, main(**arguments) "
	 "is called, and its return value is final_expression."},
	{"args", JSON_ARRAY, false, native_take_args, "[string]",
	 "Arguments of the command line: sys.argv[1:]."},
	{"results", JSON_BOOL, false, native_take_results, "boolean = false",
	 "Whether the answer has figures and other rich values in results."},
	{"forms", JSON_ARRAY, false, native_take_forms, "[string]",
	 "Forms of rich values to make and send in results: text, html, "
	 "markdown, svg, png, jpeg, pdf, latex, json, javascript, data, "
	 "chart, other."},
	{"stdin", JSON_STRING, false, native_take_stdin, "string = \"\"",
	 "Standard input of the program."},
	{"code", JSON_STRING, true, native_take_code, "string",
	 "The Python program. The value of its last statement, if that is "
	 "an expression, is final_expression. It has no network."},
	{"files", JSON_ARRAY, false, native_take_files, "[InputFile]",
	 "Files to write below the program's working directory before it "
	 "starts."},
};

/* A misspelt field would otherwise have no effect and no trace. */
static int native_warn_unknown(void *context, struct json_span key)
{
	struct native_request *request = context;
	char shown[TEXT_SHOW_SIZE];

	/* As it is in the body, between its quotes. */
	text_show(shown, key.data + 1, key.size - 2);
	return warnings_format(&request->job->warnings,
			       "the field \"%s\" is unknown and has no effect",
			       shown);
}

const struct fields native_fields = {
	native_rows, ARRAY_LEN(native_rows), .bad_type = 400,
	.unknown = native_warn_unknown
};

int native_parse(const struct door_limits *limits, struct job *job,
		 struct refusal *why)
{
	struct native_request request = {
		.limits = limits, .job = job, .why = why};

	return fields_read(job->body.data, job->body.size, &native_fields,
			   &request, why);
}

/* ---- from an outcome to a body --------------------------------------- */

static void native_put_number(struct reply *reply, const char *name,
			      uint64_t number)
{
	reply_format(reply, "\"%s\":%ju", name, (uintmax_t)number);
}

static void native_put_end(struct reply *reply, const char *id)
{
	reply_text(reply, ",\"id\":");
	reply_string(reply, id);
	reply_text(reply, "}\n");
}

/*
 * The names in an answer, repaired to UTF-8 and distinct. Names that differ in
 * invalid bytes only become equal; the later one gets "~N" at its end. N only
 * grows, so that each hostile name costs a few tries at most.
 */
struct native_names {
	char **list; /* in the order of the files */
	char **sorted;
	size_t count;
	unsigned suffix;
};

static size_t native_find_name(const struct native_names *names,
			       const char *name, bool *found)
{
	size_t low = 0, high = names->count;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(names->sorted[middle], name);

		if (order == 0) {
			*found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int native_add_name(struct native_names *names, const char *raw)
{
	struct text text = {0};
	size_t repaired, place;
	bool taken = false;

	text_add_utf8(&text, raw, strlen(raw));
	repaired = text.size;
	text_add(&text, "", 1);
	place = text.error ? 0 : native_find_name(names, text.data, &taken);
	while (!text.error && taken) {
		text.size = repaired;
		text_format(&text, "~%u", ++names->suffix);
		text_add(&text, "", 1);
		if (!text.error)
			place = native_find_name(names, text.data, &taken);
	}
	if (text.error) {
		text_free(&text);
		return -ENOMEM;
	}
	memmove(names->sorted + place + 1, names->sorted + place,
		(names->count - place) * sizeof(*names->sorted));
	names->sorted[place] = text.data;
	names->list[names->count++] = text.data;
	return 0;
}

static void native_free_names(struct native_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
	free(names->sorted);
}

static int native_make_names(struct native_names *names,
			     const struct outcome *outcome)
{
	size_t count = outcome->files_count;
	int rc = 0;

	*names = (struct native_names){0};
	if (count == 0)
		return 0;
	names->list = calloc(count, sizeof(*names->list));
	names->sorted = calloc(count, sizeof(*names->sorted));
	if (!names->list || !names->sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count && !rc; i++)
		rc = native_add_name(names, outcome->files[i].name);
	return rc;
}

/* Append each file as an object. FIRST is the beginning of the first one, NEXT
 * that of all others. */
static void native_put_each_file(struct reply *reply,
				 const struct outcome *outcome,
				 const char *first, const char *next)
{
	struct native_names names;

	if (native_make_names(&names, outcome) != 0)
		reply->error = -ENOMEM;
	for (size_t i = 0; i < names.count && !reply->error; i++) {
		const struct outcome_file *file = &outcome->files[i];

		reply_text(reply, i ? next : first);
		reply_text(reply, "\"filename\":");
		reply_string(reply, names.list[i]);
		reply_text(reply, ",\"b64_data\":");
		reply_base64_file(reply, file->fd, file->size);
		reply_text(reply, "}");
	}
	native_free_names(&names);
}

static void native_put_files(struct reply *reply, const struct outcome *outcome)
{
	reply_text(reply, "\"output_files\":[");
	native_put_each_file(reply, outcome, "{", ",{");
	reply_text(reply, "],");
}

static void native_put_message(struct reply *reply,
			       const struct outcome *outcome,
			       const struct limits *limits)
{
	struct text text = {0};

	message_add(&text, outcome, limits);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

static void native_put_error(struct reply *reply, const struct outcome *outcome,
			     const struct limits *limits)
{
	const char *type = outcome_rows[outcome->verdict].error_type;

	if (!type)
		type = outcome->error_type ? outcome->error_type : "Exception";
	reply_text(reply, ",\"error\":{\"type\":");
	reply_string(reply, type);
	reply_text(reply, ",\"message\":");
	native_put_message(reply, outcome, limits);
	reply_text(reply, "}");
}

static void native_put_stream(struct reply *reply, const char *name,
			      const struct outcome_stream *stream)
{
	reply_format(reply, ",\"%s\":", name);
	reply_json_string(reply, stream->kept.data, stream->kept.size);
}

static void native_put_results(struct reply *reply,
			       const struct outcome *outcome)
{
	if (outcome->displays_count == 0)
		return;
	reply_text(reply, ",\"results\":");
	for (size_t i = 0; i < outcome->displays_count; i++) {
		reply_text(reply, i ? "," : "[");
		reply_json(reply, &outcome->displays[i]);
	}
	reply_text(reply, "]");
}

static void native_put_truncated(struct reply *reply,
				 const struct outcome *outcome)
{
	if (!outcome->out.dropped && !outcome->err.dropped &&
	    !outcome->files_dropped && !outcome->displays_dropped)
		return;
	reply_text(reply, ",\"truncated\":{");
	native_put_number(reply, "std_out", outcome->out.dropped);
	reply_text(reply, ",");
	native_put_number(reply, "std_err", outcome->err.dropped);
	reply_text(reply, ",");
	native_put_number(reply, "output_files", outcome->files_dropped);
	reply_text(reply, ",");
	native_put_number(reply, "results", outcome->displays_dropped);
	reply_text(reply, "}");
}

/* Warnings about the request come first. */
static void native_put_warnings(struct reply *reply, const struct job *job,
				const struct outcome *outcome)
{
	const struct warnings *lists[] = {&job->warnings, &outcome->warnings};
	const char *text = NULL, *glue = ",\"warnings\":[";

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		while ((text = warnings_next(lists[i], text))) {
			reply_text(reply, glue);
			reply_string(reply, text);
			glue = ",";
		}
	if (glue[1] == '\0') /* there were some */
		reply_text(reply, "]");
}

static void native_put_usage(struct reply *reply, const struct outcome *outcome)
{
	reply_text(reply, ",\"usage\":{");
	native_put_number(reply, "cpu_ms", outcome->cpu_ms);
	reply_text(reply, ",");
	native_put_number(reply, "memory_peak_kb", outcome->memory_peak_kb);
	reply_text(reply, ",");
	native_put_number(reply, "queue_ms", outcome->queue_ms);
	reply_text(reply,
		   outcome->armed ? ",\"armed\":true}" : ",\"armed\":false}");
}

static void native_put_exit_code(struct reply *reply,
				 const struct outcome *outcome)
{
	reply_text(reply, ",");
	native_put_number(reply, "exit_code", (uint64_t)outcome->exit_code);
}

/* The fields of a run that started. A stream has had its texts and rich
 * values. */
static void native_put_run(struct reply *reply, const struct outcome *outcome,
			   bool streamed)
{
	if (!streamed) {
		native_put_stream(reply, "std_out", &outcome->out);
		native_put_stream(reply, "std_err", &outcome->err);
	}
	reply_text(reply, ",");
	native_put_number(reply, "code_runtime", outcome->runtime_ms);
	if (!streamed)
		native_put_results(reply, outcome);
	native_put_truncated(reply, outcome);
	native_put_usage(reply, outcome);
	native_put_exit_code(reply, outcome);
}

/* The server failed, or the request was not a program: fill in *WHY. */
static void native_explain_no_run(const struct outcome *outcome,
				  struct refusal *why)
{
	const struct outcome_row *row = &outcome_rows[outcome->verdict];
	char sentence[OUTCOME_SENTENCE_MAX];

	outcome_sentence(outcome, sentence);
	refuse(why, row->ours ? 500 : 200,
	       row->ours ? "internal_error" : row->error_type, "%s%s%s",
	       sentence,
	       outcome->error_message ? ": " : "",
	       outcome->error_message ? outcome->error_message : "");
}

static void native_put_session(struct reply *reply,
			       const struct door_session *session, bool failed)
{
	if (!session)
		return;
	reply_text(reply, ",\"session\":{\"state\":");
	reply_string(reply, session->word);
	if (session->reason) {
		reply_text(reply, ",\"reason\":");
		reply_string(reply, session->reason);
	}
	if (failed) {
		reply_text(reply, ",\"message\":");
		reply_string(reply, session->sentence);
	}
	reply_text(reply, "}");
}

/* The final value, if there is one, and success. */
static void native_put_value(struct reply *reply, const struct outcome *outcome)
{
	bool success = outcome->verdict == OUTCOME_OK;

	if (success && outcome->value.size) {
		reply_text(reply, "\"final_expression\":");
		reply_json(reply, &outcome->value);
		reply_text(reply, ",");
	}
	reply_text(reply, success ? "\"success\":true" : "\"success\":false");
}

void native_render(const struct door_answer *answer, struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	const struct outcome_row *row = &outcome_rows[outcome->verdict];
	bool success = outcome->verdict == OUTCOME_OK;

	struct refusal why;

	if (row->ours || !row->started) {
		native_explain_no_run(outcome, &why);
		native_refuse(&why, answer->id, reply);
		return;
	}
	reply->status = 200;
	reply->id = answer->id;
	reply_text(reply, "{");
	native_put_files(reply, outcome);
	native_put_value(reply, outcome);
	if (!success)
		native_put_error(reply, outcome, answer->limits);
	native_put_run(reply, outcome, false);
	native_put_warnings(reply, answer->job, outcome);
	native_put_session(reply, answer->session, !success);
	native_put_end(reply, answer->id);
}

void native_put_facts(const struct door_answer *answer, struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	bool success = outcome->verdict == OUTCOME_OK;

	native_put_value(reply, outcome);
	if (!success)
		native_put_error(reply, outcome, answer->limits);
	native_put_stream(reply, "std_out", &outcome->out);
	native_put_stream(reply, "std_err", &outcome->err);
	native_put_run(reply, outcome, true);
	native_put_warnings(reply, answer->job, outcome);
	native_put_session(reply, answer->session, !success);
}

void native_refuse(const struct refusal *why, const char *id,
		   struct reply *reply)
{
	reply->id = id;
	reply_refusal(reply, why);
}

/* ---- the end of a stream --------------------------------------------- */

static void native_refuse_end(const struct refusal *why, const char *id,
			      struct reply *reply)
{
	reply->status = 200;
	reply_text(reply, "{\"type\":\"end\",");
	reply_failure(reply, why);
	reply_text(reply, "\"id\":");
	reply_string(reply, id);
	reply_text(reply, "}\n");
}

static void native_render_end(const struct door_answer *answer,
			      struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	const struct outcome_row *row = &outcome_rows[outcome->verdict];
	bool success = outcome->verdict == OUTCOME_OK;
	struct refusal why;

	if (row->ours || !row->started) {
		native_explain_no_run(outcome, &why);
		native_refuse_end(&why, answer->id, reply);
		return;
	}
	reply->status = 200;
	if (!success)
		events_error(reply, outcome, answer->limits);
	native_put_each_file(reply, outcome, "{\"type\":\"file\",",
			     "\n{\"type\":\"file\",");
	if (outcome->files_count > 0)
		reply_text(reply, "\n");
	reply_text(reply, "{\"type\":\"end\",");
	native_put_value(reply, outcome);
	native_put_run(reply, outcome, true);
	native_put_warnings(reply, answer->job, outcome);
	native_put_session(reply, answer->session, !success);
	native_put_end(reply, answer->id);
}

const struct door_stream native_stream = {&events_native, native_render_end,
					  native_refuse_end};

const struct door native_door = {native_parse, native_render, native_refuse,
				 "session", "native"};
