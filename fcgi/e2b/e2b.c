/* e2b - see e2b.h. */
#include "e2b.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/random.h>

#include "e2b_events.h"
#include "e2b_reply.h"
#include "fcgi/api/env_rule.h"

/* ---- members ----------------------------------------------------------- */

int e2b_variables(struct job *job, struct json_span span, const char *field,
		  struct refusal *why)
{
	struct json_walk walk = json_walk(span);
	int rc = 0;

	while (rc == 0 && json_next(&walk)) {
		struct bytes name = {0}, value = {0};

		if (json_kind(walk.value) != JSON_STRING)
			return refuse(why, 400, "bad_type",
				      "each of %s must be a string", field);
		rc = json_string(walk.key, &name);
		if (rc == 0)
			rc = env_rule_check(&name, field, why);
		if (rc == 0)
			rc = json_string(walk.value, &value);
		if (rc == 0)
			rc = job_add_env(job, &name, &value);
		free(name.data);
		free(value.data);
	}
	return rc;
}

int e2b_template(struct e2b_request *request, struct json_span span,
		 const char *field)
{
	if (span.size > E2B_TEMPLATE_MAX)
		return refuse(request->why, 400, "too_long",
			      "%s must have at most %d bytes", field,
			      E2B_TEMPLATE_MAX - 2);
	request->template = span;
	return 0;
}

static int e2b_take_template(void *context, struct json_span span)
{
	return e2b_template(context, span, "templateID");
}

/* A number that is too large for us is one that is cut anyway. */
static int e2b_take_seconds(struct e2b_request *request, struct json_span span,
			    long long least)
{
	long long number = INT_MAX;
	int rc = json_integer(span, &number);

	if (rc == -EINVAL)
		return refuse(request->why, 400, "bad_type",
			      "timeout must be a whole number of seconds");
	if (number < least || (rc < 0 && *span.data == '-'))
		return refuse(request->why, 400, "out_of_range",
			      "timeout must be %lld or more", least);
	request->timed = true;
	request->timeout_s = number < INT_MAX ? (unsigned)number : INT_MAX;
	return 0;
}

int e2b_take_first_timeout(void *context, struct json_span span)
{
	return e2b_take_seconds(context, span, 1);
}

static int e2b_take_timeout(void *context, struct json_span span)
{
	return e2b_take_seconds(context, span, 0);
}

static int e2b_take_secure(void *context, struct json_span span)
{
	struct e2b_request *request = context;

	request->secure = json_is_true(span);
	return 0;
}

int e2b_take_metadata(void *context, struct json_span span)
{
	struct e2b_request *request = context;
	struct json_walk walk = json_walk(span);

	if (span.size > E2B_METADATA_MAX)
		return refuse(request->why, 400, "too_long",
			      "metadata must have at most %d bytes",
			      E2B_METADATA_MAX);
	while (json_next(&walk))
		if (json_kind(walk.value) != JSON_STRING)
			return refuse(request->why, 400, "bad_type",
				      "each of metadata must be a string");
	request->metadata = span;
	return 0;
}

static int e2b_take_env(void *context, struct json_span span)
{
	struct e2b_request *request = context;

	return e2b_variables(&request->job, span, "envVars", request->why);
}

static const struct field e2b_create_rows[] = {
	{"templateID", JSON_STRING, false, e2b_take_template, "string",
	 "Any name. Each sandbox is the same."},
	{"timeout", JSON_NUMBER, false, e2b_take_first_timeout,
	 "integer 1.. = 300",
	 "Seconds without a call after which the sandbox ends."},
	{"secure", JSON_BOOL, false, e2b_take_secure, "boolean = false",
	 "Whether programs and files need a credential also where the server "
	 "lets the id alone pass."},
	{"metadata", JSON_OBJECT, false, e2b_take_metadata, "{string}",
	 "Words to find the sandbox by, 4096 bytes in all."},
	{"envVars", JSON_OBJECT, false, e2b_take_env, "{string}",
	 "Environment variables of its programs. Names that steer Python, the "
	 "loader or libc are refused."},
};

const struct fields e2b_create_fields = {
	e2b_create_rows, ARRAY_LEN(e2b_create_rows), .bad_type = 400};

static const struct field e2b_connect_rows[] = {
	{"timeout", JSON_NUMBER, false, e2b_take_first_timeout, "integer 1..",
	 "Seconds without a call after which the sandbox ends. It is never "
	 "lowered."},
};

const struct fields e2b_connect_fields = {
	e2b_connect_rows, ARRAY_LEN(e2b_connect_rows), .bad_type = 400};

static int e2b_need_timeout(void *context, struct json_span span)
{
	struct e2b_request *request = context;

	return span.data ? e2b_take_timeout(context, span)
			 : refuse(request->why, 400, "missing",
				  "timeout is required");
}

static const struct field e2b_timeout_rows[] = {
	{"timeout", JSON_NUMBER, true, e2b_need_timeout, "integer 0..",
	 "Seconds without a call after which the sandbox ends; 0: at once."},
};

const struct fields e2b_timeout_fields = {
	e2b_timeout_rows, ARRAY_LEN(e2b_timeout_rows), .bad_type = 400};

static int e2b_read(struct e2b_request *request, const struct fields *fields,
		    struct refusal *why)
{
	request->why = why;
	return fields_read(request->job.body.data, request->job.body.size,
			   fields, request, why);
}

int e2b_read_create(struct e2b_request *request, struct refusal *why)
{
	request->job.habits = JOB_SETUP;
	request->timeout_s = 300;
	return e2b_read(request, &e2b_create_fields, why);
}

int e2b_read_connect(struct e2b_request *request, struct refusal *why)
{
	return request->job.body.size > 0
		       ? e2b_read(request, &e2b_connect_fields, why) : 0;
}

int e2b_read_timeout(struct e2b_request *request, struct refusal *why)
{
	return e2b_read(request, &e2b_timeout_fields, why);
}

void e2b_free(struct e2b_request *request)
{
	job_free(&request->job);
}

static void e2b_note_member(struct text *note, const char *name,
			    struct json_span span, const char *otherwise)
{
	text_format(note, "\"%s\":", name);
	if (span.data)
		text_add_line(note, span.data, span.size);
	else
		text_format(note, "%s", otherwise);
}

void e2b_note(const struct e2b_request *request, struct text *note)
{
	text_add(note, "{", 1);
	e2b_note_member(note, "templateID", request->template, "\"base\"");
	text_format(note, ",\"secure\":%s,",
		    request->secure ? "true" : "false");
	e2b_note_member(note, "metadata", request->metadata, "{}");
	text_add(note, "}", 2); /* with its NUL */
}

bool e2b_note_is_secure(const char *note)
{
	const size_t size = strlen(note);
	struct json_span span;

	if (json_check_value(note, size) != 0 ||
	    json_kind(json_whole(note, size)) != JSON_OBJECT ||
	    !json_member(json_whole(note, size), "secure", &span) ||
	    json_kind(span) != JSON_BOOL)
		return true;
	return json_is_true(span);
}

/* ---- ids --------------------------------------------------------------- */

#define E2B_HEX "0123456789abcdef"
#define E2B_ALL E2B_HEX "ghijklmnopqrstuvwxyz"

bool e2b_id(const char *text, size_t size, char out[E2B_ID + 1])
{
	if (size < E2B_ID || (size > E2B_ID && text[E2B_ID] != '-') ||
	    strspn(text, E2B_ALL) < E2B_ID)
		return false;
	memcpy(out, text, E2B_ID);
	out[E2B_ID] = '\0';
	return true;
}

/* Write COUNT random characters of KNOWN, and a NUL. Bytes from the last part
 * of a round are drawn again, so that all characters are equally likely. */
static int e2b_draw(const char *known, char *out, size_t count)
{
	const size_t kinds = strlen(known);
	const size_t rounds = 256 / kinds * kinds;

	for (size_t i = 0; i < count;) {
		unsigned char byte;

		if (getrandom(&byte, 1, 0) != 1)
			return -EIO;
		if (byte < rounds)
			out[i++] = known[byte % kinds];
	}
	out[count] = '\0';
	return 0;
}

int e2b_new_id(const char *tag, char out[E2B_ID + 1])
{
	int rc = 0;

	if (strlen(tag) == E2B_TAG && strspn(tag, E2B_HEX) == E2B_TAG)
		memcpy(out, tag, E2B_TAG);
	else
		rc = e2b_draw(E2B_HEX, out, E2B_TAG);
	return rc < 0 ? rc : e2b_draw(E2B_ALL, out + E2B_TAG, E2B_ID - E2B_TAG);
}

int e2b_new_context_id(char out[E2B_CONTEXT + 1])
{
	return e2b_draw(E2B_HEX, out, E2B_CONTEXT);
}

/* ---- programs ---------------------------------------------------------- */

int e2b_take_code(void *context, struct json_span span)
{
	struct e2b_run *run = context;

	if (!span.data)
		return refuse(run->why, 400, "missing", "code is required");
	return fields_string(run->job, span, &run->job->code);
}

int e2b_take_context(void *context, struct json_span span)
{
	struct e2b_run *run = context;

	return fields_string(run->job, span, &run->context);
}

int e2b_take_language(void *context, struct json_span span)
{
	struct e2b_run *run = context;

	return fields_string(run->job, span, &run->language);
}

static int e2b_take_run_env(void *context, struct json_span span)
{
	struct e2b_run *run = context;

	return e2b_variables(run->job, span, "env_vars", run->why);
}

static const struct field e2b_run_rows[] = {
	{"env_vars", JSON_OBJECT, false, e2b_take_run_env, "{string}",
	 "Environment variables for this program only."},
	{"code", JSON_STRING, true, e2b_take_code, "string",
	 "The Python program."},
	{"context_id", JSON_STRING, false, e2b_take_context, "string",
	 "The context to run it in. Not together with language."},
	{"language", JSON_STRING, false, e2b_take_language, "string",
	 "Nothing but python is served."},
};

const struct fields e2b_run_fields = {e2b_run_rows, ARRAY_LEN(e2b_run_rows),
				      .bad_type = 400};

int e2b_read_run(struct e2b_run *run, struct refusal *why)
{
	struct job *job = run->job;

	run->why = why;
	job->value = JOB_VALUE_REPR;
	job->displays = true;
	job->forms = JOB_FORM_ALL | JOB_FORM_MAIN;
	job->habits = JOB_ERROR_VALUE | JOB_ENV_ONCE;
	job->session_must_exist = true;
	int rc = fields_read(job->body.data, job->body.size, &e2b_run_fields,
			     run, why);

	if (rc == 0 && run->context.size > 0 && run->language.size > 0)
		return refuse(why, 400, "bad_request",
			      "context_id and language exclude each other");
	return rc;
}

bool e2b_is_python(const struct e2b_run *run)
{
	return run->language.size == 0 ||
	       strcmp(run->language.data, "python") == 0;
}

/* ---- contexts ---------------------------------------------------------- */

static int e2b_take_context_language(void *context, struct json_span span)
{
	struct e2b_context *request = context;

	return fields_string(&request->job, span, &request->language);
}

static int e2b_take_cwd(void *context, struct json_span span)
{
	struct e2b_context *request = context;
	int rc = fields_string(&request->job, span, &request->cwd);

	if (rc == 0 && request->cwd.size > E2B_CWD_MAX)
		return refuse(request->why, 400, "too_long",
			      "cwd must have at most %d bytes", E2B_CWD_MAX);
	return rc;
}

static const struct field e2b_context_rows[] = {
	{"language", JSON_STRING, false, e2b_take_context_language, "string",
	 "Nothing but python is served."},
	{"cwd", JSON_STRING, false, e2b_take_cwd, "string = \"/home/user\"",
	 "The directory in which its programs begin."},
};

const struct fields e2b_context_fields = {
	e2b_context_rows, ARRAY_LEN(e2b_context_rows), .bad_type = 400};

int e2b_read_context(struct e2b_context *context, struct refusal *why)
{
	const struct bytes *body = &context->job.body;
	int rc;

	context->why = why;
	rc = body->size ? fields_read(body->data, body->size,
				      &e2b_context_fields, context, why)
			: 0;
	if (rc == 0 && context->language.size > 0 &&
	    strcmp(context->language.data, "python") != 0)
		return refuse(why, 400, "bad_language",
			      "language: this server runs Python programs");
	return rc;
}

int e2b_go(struct job *job, const char *cwd)
{
	job->code.data = strdup("__import__('os').chdir("
				"__import__('sys').argv[1])");
	job->args.data = strdup(cwd);
	if (!job->code.data || !job->args.data)
		return -ENOMEM;
	job->code.size = strlen(job->code.data);
	job->args.size = strlen(cwd) + 1;
	job->habits = JOB_SETUP;
	job->session_must_exist = true;
	return 0;
}

bool e2b_is_context(const char *text, const char *id)
{
	return strcmp(text, id) == 0 ||
	       (strlen(text) == E2B_CONTEXT &&
		strspn(text, E2B_HEX) == E2B_CONTEXT);
}

/* ---- the doors --------------------------------------------------------- */

static int e2b_parse(const struct door_limits *limits, struct job *job,
		     struct refusal *why)
{
	struct e2b_run run = {.job = job};

	(void)limits;
	return e2b_read_run(&run, why);
}

const struct door e2b_door = {e2b_parse, e2b_reply_lines, e2b_reply_refusal,
			      "sandboxID", "e2b"};
const struct door e2b_port_door = {e2b_parse, e2b_reply_lines,
				   e2b_reply_port_refusal, "sandboxID", "e2b"};
const struct door_stream e2b_stream = {&e2b_events, e2b_reply_lines,
				       e2b_reply_stream_refusal};
