/*
 * native - the door of Terrarium's own API: from a body to a job.
 *
 * `arguments` reaches the guest as its exact text. Every field stays where it
 * lies in the body (door.h).
 */
#include "native.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"
#include "env_rule.h"
#include "input_files.h"
#include "native_reply.h"

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

const struct door native_door = {native_parse, native_reply_render,
				 native_reply_refuse, "session", "native"};
