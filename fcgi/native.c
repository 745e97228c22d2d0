/*
 * native - the door of Terrarium's own contract: from a body to a job. The
 * way back is in native_reply.c.
 *
 * The body is checked whole, then its fields are found as spans, so that a
 * field nobody knows costs no memory however large it is, and `arguments`
 * reaches the guest as its exact text.
 */
#include "native.h"

#include <errno.h>
#include <string.h>

#include "files.h"
#include "text.h"

struct request {
	const struct native_limits *limits;
	struct job *job;
	struct refusal *why;
};

static int out_of_range(struct request *request, const char *name,
			unsigned most)
{
	return refuse(request->why, 400, "limit_out_of_range",
		      "%s must be 1 to %u, which is this server's limit", name,
		      most);
}

static int take_limit(struct request *request, struct json_span span,
		      const char *name, unsigned most, unsigned *out)
{
	long long number = 0;
	int rc = json_integer(span, &number);

	if (rc == -EINVAL)
		return refuse(request->why, 400, "bad_type",
			      "%s must be an integer", name);
	if (rc || number < 1 || number > (long long)most)
		return out_of_range(request, name, most);
	*out = (unsigned)number;
	return 0;
}

static int take_timeout(struct request *request, struct json_span span)
{
	return take_limit(request, span, "timeout_ms",
			  request->limits->timeout_ms,
			  &request->job->timeout_ms);
}

static int take_memory(struct request *request, struct json_span span)
{
	return take_limit(request, span, "memory_mb",
			  request->limits->memory_mb,
			  &request->job->memory_mb);
}

static int take_session(struct request *request, struct json_span span)
{
	(void)span;
	return refuse(request->why, 403, "sessions_off",
		      "sessions are switched off on this server");
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

/* Room for one more variable, or NULL. */
static struct job_env *env_add(struct job *job)
{
	size_t count = job->env_count;

	if ((count & (count - 1)) == 0) {
		struct job_env *env = reallocarray(
			job->env, count ? count * 2 : 1, sizeof(*env));

		if (!env)
			return NULL;
		job->env = env;
	}
	job->env[count].assignment = NULL;
	job->env_count++;
	return &job->env[count];
}

static int env_assign(struct job *job, const struct bytes *name,
		      const struct bytes *value)
{
	struct job_env *env = env_add(job);
	char *text = env ? malloc(name->size + value->size + 2) : NULL;

	if (!text)
		return -ENOMEM;
	env->assignment = text;
	memcpy(text, name->data, name->size);
	text[name->size] = '=';
	memcpy(text + name->size + 1, value->data, value->size);
	text[name->size + 1 + value->size] = '\0';
	return 0;
}

static int take_variable(struct request *request, struct json_span key,
			 struct json_span span)
{
	struct bytes name = { 0 }, value = { 0 };
	int rc = json_string(key, &name);

	if (!rc)
		rc = env_check(request, &name, span);
	if (!rc)
		rc = json_string(span, &value);
	if (!rc)
		rc = env_assign(request->job, &name, &value);
	free(name.data);
	free(value.data);
	return rc;
}

static int take_env(struct request *request, struct json_span span)
{
	struct json_walk walk = json_walk(span);
	int rc = 0;

	while (!rc && json_next(&walk))
		rc = take_variable(request, walk.key, walk.value);
	return rc;
}

static int take_arguments(struct request *request, struct json_span span)
{
	struct job *job = request->job;

	job->arguments.data = malloc(span.size + 1);
	if (!job->arguments.data)
		return -ENOMEM;
	memcpy(job->arguments.data, span.data, span.size);
	job->arguments.data[span.size] = '\0';
	job->arguments.size = span.size;
	job->call_main = true;
	return 0;
}

static int take_stdin(struct request *request, struct json_span span)
{
	return json_string(span, &request->job->input);
}

static bool is_blank(const struct bytes *text)
{
	return strspn(text->data, " \t\r\n\f\v") == text->size;
}

static int take_code(struct request *request, struct json_span span)
{
	struct bytes *code = &request->job->code;
	int rc = span.data ? json_string(span, code) : 0;

	if (rc)
		return rc;
	if (!code->data || is_blank(code))
		return refuse(request->why, 200, "parsing",
			      "no code provided");
	return 0;
}

static int take_files(struct request *request, struct json_span span)
{
	struct files_limits limits = { request->limits->files,
				       request->limits->home_bytes };

	return files_read(span, &limits, request->job, request->why);
}

/*
 * The fields, in the order in which they are taken: what is answered with an
 * HTTP error before what is answered with 200, cheap before expensive.
 */
static const struct field {
	const char *name;
	enum json_kind kind;
	bool required; /* null is a wrong type; taken when missing, too */
	int (*take)(struct request *request, struct json_span span);
} fields[] = {
	{ "session", JSON_STRING, false, take_session },
	{ "timeout_ms", JSON_NUMBER, false, take_timeout },
	{ "memory_mb", JSON_NUMBER, false, take_memory },
	{ "env", JSON_OBJECT, false, take_env },
	{ "arguments", JSON_OBJECT, false, take_arguments },
	{ "stdin", JSON_STRING, false, take_stdin },
	{ "code", JSON_STRING, true, take_code },
	{ "files", JSON_ARRAY, false, take_files },
};

/* All numbers that this door takes are integers. */
static const char *kind_wanted(const struct field *field)
{
	return field->kind == JSON_NUMBER ? "an integer"
					  : json_kind_names[field->kind];
}

static int place_member(const struct json_walk *member,
			struct json_span spans[ARRAY_LEN(fields)],
			struct refusal *why)
{
	enum json_kind kind = json_kind(member->value);

	for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
		if (!json_is(member->key, fields[i].name))
			continue;
		if (kind == JSON_NULL && !fields[i].required)
			return 0;
		if (kind != fields[i].kind)
			return refuse(why, 400, "bad_type", "%s must be %s",
				      fields[i].name, kind_wanted(&fields[i]));
		spans[i] = member->value;
	}
	return 0;
}

/* Find the fields, then take them: a wrong type anywhere comes first. */
static int read_request(struct json_span body, struct request *request)
{
	struct json_span spans[ARRAY_LEN(fields)] = { 0 };
	struct json_walk walk = json_walk(body);
	int rc = 0;

	while (!rc && json_next(&walk))
		rc = place_member(&walk, spans, request->why);
	for (size_t i = 0; i < ARRAY_LEN(fields) && !rc; i++)
		if (spans[i].data || fields[i].required)
			rc = fields[i].take(request, spans[i]);
	return rc;
}

static int check_body(const char *body, size_t size, struct refusal *why)
{
	int rc;

	if (size == 0)
		return refuse(why, 400, "empty_body", "the body is empty");
	rc = json_check(body, size, &json_limits_request, why);
	if (rc)
		return rc;
	if (json_kind(json_whole(body, size)) != JSON_OBJECT)
		return refuse(why, 400, "want_object",
			      "the body must be a JSON object");
	return 0;
}

int native_parse(const char *body, size_t size,
		 const struct native_limits *limits, struct job *job,
		 struct refusal *why)
{
	struct request request = { limits, job, why };
	int rc;

	*job = (struct job){ 0 };
	*why = (struct refusal){ 0 };
	rc = check_body(body, size, why);
	if (!rc)
		rc = read_request(json_whole(body, size), &request);
	if (rc && rc != -EINVAL)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	return rc;
}
