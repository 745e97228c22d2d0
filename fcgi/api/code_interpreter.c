/*
 * code_interpreter - from a body to a job. The way back is in
 * code_interpreter_reply.c.
 */
#include "code_interpreter.h"

#include <string.h>

#include "sandbox/text/fields.h"

#define CODE_INTERPRETER_REFUSED 422

struct request {
	const struct job *job;
	struct bytes *name, *other, *code;
	struct refusal *why;
};

/* The words and their order are what the reply takes apart. */
static int take_text(struct request *request, struct json_span span,
		     const char *field, struct bytes *out)
{
	if (!span.data)
		return refuse(request->why, CODE_INTERPRETER_REFUSED,
			      "missing", "%s is required", field);
	return fields_string(request->job, span, out);
}

static int take_name(void *context, struct json_span span)
{
	struct request *request = context;

	return take_text(request, span, CODE_INTERPRETER_NAME, request->name);
}

static int take_other(void *context, struct json_span span)
{
	struct request *request = context;

	return take_text(request, span, CODE_INTERPRETER_OTHER, request->other);
}

static int take_code(void *context, struct json_span span)
{
	struct request *request = context;

	return take_text(request, span, "code", request->code);
}

static const struct field execute_rows[] = {
	{ CODE_INTERPRETER_NAME, JSON_STRING, true, take_name },
	{ "code", JSON_STRING, true, take_code },
};

static const struct field release_rows[] = {
	{ CODE_INTERPRETER_NAME, JSON_STRING, true, take_name },
};

static const struct field fork_rows[] = {
	{ CODE_INTERPRETER_NAME, JSON_STRING, true, take_name },
	{ CODE_INTERPRETER_OTHER, JSON_STRING, true, take_other },
};

static const struct fields execute_fields = {
	execute_rows, ARRAY_LEN(execute_rows), CODE_INTERPRETER_REFUSED
};

static const struct fields release_fields = {
	release_rows, ARRAY_LEN(release_rows), CODE_INTERPRETER_REFUSED
};

static const struct fields fork_fields = {
	fork_rows, ARRAY_LEN(fork_rows), CODE_INTERPRETER_REFUSED
};

int code_interpreter_parse(const struct door_limits *limits, struct job *job,
			   struct refusal *why)
{
	struct request request = { .job = job, .name = &job->session,
				   .code = &job->code, .why = why };

	job->value = JOB_VALUE_REPR;
	job->merge_output = true;
	if (!limits->sessions)
		return refuse(why, 403, "sessions_off",
			      "sessions are switched off on this server");
	return fields_read(job->body.data, job->body.size, &execute_fields,
			   &request, why);
}

int code_interpreter_names(const char *body, size_t size, struct bytes *name,
			   struct bytes *other, struct refusal *why)
{
	const struct job none = { 0 };
	struct request request = { .job = &none, .name = name, .other = other,
				   .why = why };

	return fields_read(body, size, other ? &fork_fields : &release_fields,
			   &request, why);
}
