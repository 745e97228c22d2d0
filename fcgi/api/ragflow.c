/*
 * ragflow - from a body to a job. The way back is in ragflow_reply.c.
 */
#include "ragflow.h"

#include <errno.h>
#include <string.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"

#define RAGFLOW_REFUSED 422

struct request {
	struct job *job;
	struct refusal *why;
};

/* null is as little a language as 7 is. */
static int take_language(void *context, struct json_span span)
{
	struct request *request = context;

	if (json_kind(span) != JSON_STRING)
		return refuse(request->why, RAGFLOW_REFUSED, "bad_type",
			      "language must be a string");
	if (json_is(span, "python"))
		return 0;
	if (json_is(span, "nodejs"))
		return refuse(request->why, RAGFLOW_REFUSED, "no_language",
			      "language: this server runs Python only, not "
			      "nodejs");
	return refuse(request->why, RAGFLOW_REFUSED, "no_language",
		      "language must be \"python\"");
}

static int take_arguments(void *context, struct json_span span)
{
	struct request *request = context;

	return fields_source(request->job, span, &request->job->arguments);
}

static int take_code(void *context, struct json_span span)
{
	struct request *request = context;
	struct bytes *code = &request->job->code;

	if (!span.data)
		return refuse(request->why, RAGFLOW_REFUSED, "missing",
			      "code_b64 is missing");
	int rc = fields_string(request->job, span, code);

	if (rc)
		return rc;
	if (text_base64_decode(code->data, code->size, &code->size) < 0)
		return refuse(request->why, RAGFLOW_REFUSED, "bad_base64",
			      "code_b64 is not standard base64");
	code->data[code->size] = '\0';
	if (text_utf8_bad(code->data, code->size) < code->size)
		return refuse(request->why, RAGFLOW_REFUSED, "bad_utf8",
			      "code_b64 does not hold UTF-8");
	return 0;
}

static const struct field ragflow_rows[] = {
	{ "language", FIELD_ANY, false, take_language },
	{ "arguments", JSON_OBJECT, false, take_arguments },
	{ "code_b64", JSON_STRING, true, take_code },
};

static const struct fields ragflow_fields = {
	ragflow_rows, ARRAY_LEN(ragflow_rows), .bad_type = RAGFLOW_REFUSED
};

/* The directory of artifacts is there before the program asks for it. */
static int add_directory(struct job *job)
{
	struct job_file *file = job_add_file(job);

	if (!file)
		return -ENOMEM;
	file->name = strdup("artifacts/");
	return file->name ? 0 : -ENOMEM;
}

int ragflow_parse(const struct door_limits *limits, struct job *job,
		  struct refusal *why)
{
	struct request request = { job, why };

	(void)limits;
	job->value = JOB_VALUE_STRICT;
	job->call_main = true;
	int rc = fields_read(job->body.data, job->body.size, &ragflow_fields,
			     &request, why);

	if (!rc && !job->arguments.data) /* main() is called all the same */
		rc = take_arguments(&request, json_whole("{}", 2));
	if (!rc)
		rc = add_directory(job);
	if (rc && rc != -EINVAL)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	return rc;
}
