/*
 * native - the door of Terrarium's own contract: from a body to a job. The
 * way back is in native_reply.c.
 *
 * `arguments` reaches the guest as its exact text. Everything is read where
 * it lies in the body: see door.h.
 */
#include "native.h"

#include <errno.h>
#include <string.h>

#include "sandbox/text/fields.h"
#include "input_files.h"
#include "sandbox/text/text.h"

struct request {
	const struct door_limits *limits;
	struct job *job;
	struct refusal *why;
	char *env_end; /* of the last assignment, its NUL included */
};

static int take_timeout(void *context, struct json_span span)
{
	struct request *request = context;

	return fields_limit(span, "timeout_ms", request->limits->timeout_ms,
			    &request->job->timeout_ms, request->why);
}

static int take_memory(void *context, struct json_span span)
{
	struct request *request = context;

	if (request->job->session.data)
		return refuse(request->why, 400, "limit_out_of_range",
			      "memory_mb cannot be lowered for a call of a "
			      "session");
	return fields_limit(span, "memory_mb", request->limits->memory_mb,
			    &request->job->memory_mb, request->why);
}

static int take_session(void *context, struct json_span span)
{
	struct request *request = context;

	if (!request->limits->sessions)
		return refuse(request->why, 403, "sessions_off",
			      "sessions are switched off on this server");
	return fields_string(request->job, span, &request->job->session);
}

/*
 * Names that steer the interpreter, the loader or libc. A star takes any
 * ending. The guest has started already, so none of them could still do much;
 * refusing says so, instead of leaving someone to wonder.
 */
static const char *const env_refused[] = {
	"PYTHON*", "LD_*", "MALLOC_*", "GLIBC_*", "GCONV_PATH", "GETCONF_DIR",
	"HOSTALIASES", "LOCALDOMAIN", "LOCPATH", "NIS_PATH", "NLSPATH",
	"RESOLV_HOST_CONF", "RES_OPTIONS", "TZDIR", "OPENSSL_CONF",
	"OPENSSL_ENGINES", "OPENSSL_MODULES",
};

static bool env_is_refused(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(env_refused); i++) {
		size_t stem = strcspn(env_refused[i], "*");

		if (strncmp(name, env_refused[i], stem) == 0 &&
		    (env_refused[i][stem] == '*' || name[stem] == '\0'))
			return true;
	}
	return false;
}

static bool env_is_name(const char *name)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
	static const char more[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
		"0123456789";

	return *name && strchr(letters, *name) && !name[strspn(name, more)];
}

static int env_check(struct request *request, const struct bytes *name,
		     struct json_span value)
{
	char shown[TEXT_SHOW_SIZE];

	text_show(shown, name->data, name->size);
	if (!env_is_name(name->data))
		return refuse(request->why, 400, "bad_env",
			      "env: \"%s\" is not a name of letters, digits "
			      "and _ that begins with no digit", shown);
	if (env_is_refused(name->data))
		return refuse(request->why, 400, "bad_env",
			      "env: %s may not be set", shown);
	if (json_kind(value) != JSON_STRING)
		return refuse(request->why, 400, "bad_type",
			      "env.%s must be a string", shown);
	return 0;
}

static int take_variable(struct request *request, struct json_span key,
			 struct json_span span)
{
	struct bytes name = { 0 }, value = { 0 };
	int rc = fields_string(request->job, key, &name);

	if (!rc)
		rc = env_check(request, &name, span);
	if (!rc)
		rc = fields_string(request->job, span, &value);
	if (rc)
		return rc;
	char *at = request->env_end ? request->env_end : name.data;

	/* They move up to where quotes, colons and commas were, and so come
	 * to lie as they are sent to the guest: one behind the other. */
	memmove(at, name.data, name.size);
	at[name.size] = '=';
	memmove(at + name.size + 1, value.data, value.size + 1);
	request->env_end = at + name.size + value.size + 2;
	return job_add_assignment(request->job, at);
}

static int take_env(void *context, struct json_span span)
{
	struct json_walk walk = json_walk(span);
	int rc = 0;

	while (!rc && json_next(&walk))
		rc = take_variable(context, walk.key, walk.value);
	return rc;
}

static int take_arguments(void *context, struct json_span span)
{
	struct request *request = context;

	request->job->call_main = true;
	return fields_source(request->job, span, &request->job->arguments);
}

static int take_stdin(void *context, struct json_span span)
{
	struct request *request = context;

	return fields_string(request->job, span, &request->job->input);
}

static int take_code(void *context, struct json_span span)
{
	struct request *request = context;
	struct bytes *code = &request->job->code;
	int rc = span.data ? fields_string(request->job, span, code) : 0;

	if (rc)
		return rc;
	if (fields_blank(code))
		return refuse(request->why, 200, "parsing",
			      "no code provided");
	return 0;
}

static int take_files(void *context, struct json_span span)
{
	struct request *request = context;
	struct input_files_limits limits = {request->limits->files,
					    request->limits->home_bytes};

	return input_files_read(span, &limits, request->job, request->why);
}

/*
 * The fields, in the order in which they are taken: what is answered with an
 * HTTP error before what is answered with 200, cheap before expensive.
 */
static const struct field native_rows[] = {
	{ "session", JSON_STRING, false, take_session },
	{ "timeout_ms", JSON_NUMBER, false, take_timeout },
	{ "memory_mb", JSON_NUMBER, false, take_memory },
	{ "env", JSON_OBJECT, false, take_env },
	{ "arguments", JSON_OBJECT, false, take_arguments },
	{ "stdin", JSON_STRING, false, take_stdin },
	{ "code", JSON_STRING, true, take_code },
	{ "files", JSON_ARRAY, false, take_files },
};

static const struct fields native_fields = {
	native_rows, ARRAY_LEN(native_rows), .bad_type = 400
};

int native_parse(const struct door_limits *limits, struct job *job,
		 struct refusal *why)
{
	struct request request = { .limits = limits, .job = job, .why = why };

	return fields_read(job->body.data, job->body.size, &native_fields,
			   &request, why);
}
