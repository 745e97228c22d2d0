/*
 * piston - the door of Piston's clients: from a body to a job. Its answers are
 * in piston_reply.c.
 *
 * Faults are looked for in the original's order and told in its words, because
 * clients show `message` and some compare it.
 */
#include "piston.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "fcgi/api/input_files.h"
#include "piston_reply.h"
#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"
#include "semver.h"

/* The members that count, as they lie in the body. No data: absent, or null,
 * which is the same here. */
struct piston_request {
	const struct door_limits *limits;
	struct job *job;
	struct refusal *why;
	struct json_span language, version, files, stdin_text, args;
	size_t program; /* index of the file to run */
};

/* ---- the language and its version ------------------------------------ */

static struct json_span piston_member(struct json_span whole, const char *name)
{
	struct json_span found;

	if (!json_member(whole, name, &found) || json_kind(found) == JSON_NULL)
		return (struct json_span){0};
	return found;
}

/* Is SPAN a string that is not empty? */
static bool piston_is_text(struct json_span span)
{
	return span.data && json_kind(span) == JSON_STRING && span.size > 2;
}

/* Is LANGUAGE a name of Python 3? MINOR gets the number of python3.N, or -1. */
static bool piston_is_python(const char *language, long *minor)
{
	static const char *const names[] = {PISTON_REPLY_LANGUAGE, "python3",
					    "py", "py3"};
	static const char prefix[] = "python3.";
	const char *digits = language + sizeof(prefix) - 1;

	*minor = -1;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(language, names[i]) == 0)
			return true;
	if (strncmp(language, prefix, sizeof(prefix) - 1) != 0 || !*digits ||
	    strlen(digits) > 3 ||
	    strspn(digits, "0123456789") != strlen(digits))
		return false;
	*minor = strtol(digits, NULL, 10);
	return true;
}

/* May RANGE be answered by PYTHON? A version of Python 3 that is not ours runs,
 * too, unless STRICT: most clients send one that was copied from an example. */
static bool piston_fits(const char *range, const char *python, bool strict)
{
	const struct semver found = semver_read(range, python);

	return found.matches || (!strict && found.exact && found.named >= 2 &&
				 found.parts[0] == 3);
}

static bool piston_knows(const char *language, const char *version,
			 const char *python, bool strict)
{
	long minor;
	char range[16];

	if (!piston_is_python(language, &minor) ||
	    !piston_fits(version, python, strict))
		return false;
	snprintf(range, sizeof(range), "3.%ld", minor);
	return minor < 0 || !strict || semver_read(range, python).matches;
}

static int piston_check_names(struct json_span whole, struct refusal *why)
{
	if (!piston_is_text(piston_member(whole, "language")))
		return refuse(why, 400, "invalid",
			      "language is required as a string");
	if (!piston_is_text(piston_member(whole, "version")))
		return refuse(why, 400, "invalid",
			      "version is required as a string");
	return 0;
}

/* Fetch the texts of language and version, to be freed. */
static int piston_fetch_names(struct json_span whole, char **language,
			      char **version)
{
	struct bytes found;

	if (json_string(piston_member(whole, "language"), &found) < 0)
		return -ENOMEM;
	*language = found.data;
	if (json_string(piston_member(whole, "version"), &found) < 0)
		return -ENOMEM;
	*version = found.data;
	return 0;
}

static int piston_check_runtime(const struct piston_request *request,
				struct json_span whole)
{
	const struct door_limits *limits = request->limits;
	owned_free char *language = NULL, *version = NULL;
	int rc = piston_fetch_names(whole, &language, &version);

	if (rc < 0)
		return rc;
	return piston_knows(language, version, limits->python,
			    limits->piston_strict)
		       ? 0
		       : refuse(request->why, 400, "invalid",
				"%.100s-%.100s runtime is unknown", language,
				version);
}

/* ---- the limits ------------------------------------------------------ */

/* The limits that a request may name, in the order of their checks. */
enum piston_limit { PISTON_COMPILE_MEMORY, PISTON_RUN_MEMORY,
		    PISTON_COMPILE_TIME, PISTON_RUN_TIME,
		    PISTON_COMPILE_CPU, PISTON_RUN_CPU, PISTON_LIMITS };

static const struct piston_limit_row {
	const char *name;
	bool memory;  /* in bytes, and -1 is none; else milliseconds */
	bool applies; /* to Python, which is not compiled */
} piston_limit_rows[PISTON_LIMITS] = {
	[PISTON_COMPILE_MEMORY] = {"compile_memory_limit", true, false},
	[PISTON_RUN_MEMORY] = {"run_memory_limit", true, true},
	[PISTON_COMPILE_TIME] = {"compile_timeout", false, false},
	[PISTON_RUN_TIME] = {"run_timeout", false, true},
	[PISTON_COMPILE_CPU] = {"compile_cpu_time", false, false},
	[PISTON_RUN_CPU] = {"run_cpu_time", false, true},
};

static uint64_t piston_most(const struct door_limits *limits,
			    const struct piston_limit_row *row)
{
	return row->memory ? (uint64_t)limits->memory_mb << 20
			   : limits->timeout_ms;
}

/* Read the number SPAN of ROW into VALUE, which stays 0 for the default. */
static int piston_read_number(const struct piston_request *request,
			      const struct piston_limit_row *row,
			      struct json_span span, double *value)
{
	const uint64_t most = piston_most(request->limits, row);
	struct refusal *why = request->why;

	if (json_kind(span) != JSON_NUMBER)
		return refuse(why, 400, "invalid",
			      "If specified, %s must be a number", row->name);
	/* The text goes on behind the number with what ends it. */
	const double found = strtod(span.data, NULL);

	if (!row->applies || (row->memory && found == -1))
		return 0;
	if (found > (double)most)
		return refuse(why, 400, "invalid",
			      "%s cannot exceed the configured limit of %ju",
			      row->name, (uintmax_t)most);
	if (found < 0)
		return refuse(why, 400, "invalid", "%s must be non-negative",
			      row->name);
	*value = found;
	return 0;
}

/* ceil(3) would be the only need of libm. */
static unsigned piston_round_up(double value)
{
	const unsigned whole = (unsigned)value;

	return whole + ((double)whole < value);
}

static int piston_read_limits(const struct piston_request *request,
			      struct json_span whole)
{
	double values[PISTON_LIMITS] = {0};
	struct job *job = request->job;

	for (size_t i = 0; i < PISTON_LIMITS; i++) {
		const struct piston_limit_row *row = &piston_limit_rows[i];
		struct json_span span = piston_member(whole, row->name);
		int rc = span.data ? piston_read_number(request, row, span,
							&values[i])
				   : 0;

		if (rc < 0)
			return rc;
	}
	job->timeout_ms = piston_round_up(values[PISTON_RUN_TIME]);
	job->memory_mb = piston_round_up(values[PISTON_RUN_MEMORY] / (1 << 20));
	return 0;
}

/* ---- files ----------------------------------------------------------- */

enum piston_encoding { PISTON_UTF8, PISTON_BASE64, PISTON_HEX };

/* An encoding that is not known is utf8, as in the original. */
static enum piston_encoding piston_encoding(struct json_span entry)
{
	struct json_span span = piston_member(entry, "encoding");

	if (!span.data || json_kind(span) != JSON_STRING)
		return PISTON_UTF8;
	return json_is(span, "base64") ? PISTON_BASE64
	       : json_is(span, "hex")  ? PISTON_HEX
				       : PISTON_UTF8;
}

/* Does each file have a content, and is one of them text? */
static int piston_check_files(const struct piston_request *request)
{
	for (struct json_walk walk = json_walk(request->files);
	     json_next(&walk);) {
		struct json_span content;

		if (json_kind(walk.value) != JSON_OBJECT ||
		    !json_member(walk.value, "content", &content) ||
		    json_kind(content) != JSON_STRING)
			return refuse(request->why, 400, "invalid",
				      "files[%zu].content is required as a "
				      "string", walk.index);
	}
	return 0;
}

/* The index of the first file of text is that of the program. */
static int piston_find_program(struct piston_request *request)
{
	for (struct json_walk walk = json_walk(request->files);
	     json_next(&walk);) {
		if (piston_encoding(walk.value) != PISTON_UTF8)
			continue;
		request->program = walk.index;
		return 0;
	}
	return refuse(request->why, 400, "invalid",
		      "files must include at least one utf8 encoded file");
}

static int piston_name_file(const struct piston_request *request,
			    struct json_span entry, size_t index,
			    struct job_file *file)
{
	struct json_span span = piston_member(entry, "name");
	struct bytes name;

	if (span.data && json_kind(span) != JSON_STRING)
		return refuse(request->why, 400, "bad_file",
			      "files[%zu].name must be a string", index);
	if (!piston_is_text(span))
		return asprintf(&file->name, "file%zu.code", index) < 0
			       ? -ENOMEM : 0;
	int rc = fields_string(request->job, span, &name);

	if (rc < 0)
		return rc;
	file->name = name.data;
	const char *fault = input_files_name(request->limits->home_aliases,
					     file->name);

	return fault ? refuse(request->why, 400, "bad_file",
			      "files[%zu].name %s", index, fault)
		     : 0;
}

static int piston_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0'
					 : tolower((unsigned char)c) - 'a' + 10;
}

static int piston_decode_hex(struct bytes *content)
{
	char *data = content->data;

	if (content->size % 2)
		return -EINVAL;
	for (size_t i = 0; i < content->size; i++)
		if (!isxdigit((unsigned char)data[i]))
			return -EINVAL;
	for (size_t i = 0; i < content->size / 2; i++)
		data[i] = (char)(piston_digit(data[2 * i]) << 4 |
				 piston_digit(data[2 * i + 1]));
	content->size /= 2;
	return 0;
}

/* Decode the content, whose text is in place. */
static int piston_decode(const struct piston_request *request, size_t index,
			 enum piston_encoding encoding, struct bytes *content)
{
	if (encoding == PISTON_BASE64 &&
	    text_base64_decode(content->data, content->size,
			       &content->size) < 0)
		return refuse(request->why, 400, "bad_file",
			      "files[%zu].content is not standard base64",
			      index);
	if (encoding == PISTON_HEX && piston_decode_hex(content) < 0)
		return refuse(request->why, 400, "bad_file",
			      "files[%zu].content is not an even number of "
			      "hexadecimal digits", index);
	return 0;
}

/* Add the file ENTRY. Afterwards its text in the body is not JSON any more. */
static int piston_read_file(const struct piston_request *request,
			    struct json_span entry, size_t index)
{
	const enum piston_encoding encoding = piston_encoding(entry);
	struct json_span content;
	struct job_file *file = job_add_file(request->job);

	if (!file || !json_member(entry, "content", &content))
		return -ENOMEM;
	int rc = piston_name_file(request, entry, index, file);

	if (rc == 0)
		rc = fields_string(request->job, content, &file->content);
	return rc == 0 ? piston_decode(request, index, encoding,
				       &file->content)
		       : rc;
}

static int piston_settle_files(const struct piston_request *request)
{
	size_t clash[2];
	int rc = input_files_settle(request->job, clash);

	return rc != -EEXIST
		       ? rc
		       : refuse(request->why, 400, "bad_file",
				"files[%zu].name clashes with files[%zu]'s: "
				"one is a file where the other needs a "
				"directory", clash[0], clash[1]);
}

static int piston_read_files(const struct piston_request *request)
{
	struct job *job = request->job;
	uint64_t left = request->limits->home_bytes;

	for (struct json_walk walk = json_walk(request->files);
	     json_next(&walk);) {
		if (walk.index >= request->limits->files)
			return refuse(request->why, 413, "too_many_files",
				      "files: more than %zu files",
				      request->limits->files);
		int rc = piston_read_file(request, walk.value, walk.index);

		if (rc < 0)
			return rc;
		uint64_t size = job->files[walk.index].content.size;

		if (size > left)
			return refuse(request->why, 413, "file_too_large",
				      "files[%zu]: the files hold more than "
				      "%ju bytes in all", walk.index,
				      (uintmax_t)request->limits->home_bytes);
		left -= size;
	}
	return 0;
}

/* ---- the program ----------------------------------------------------- */

static int piston_copy(struct bytes *to, const char *data, size_t size)
{
	to->data = malloc(size + 1);
	if (!to->data)
		return -ENOMEM;
	memcpy(to->data, data, size);
	to->data[size] = '\0';
	to->size = size;
	return 0;
}

/* Make the file NAME the program. Of two with one name the last one was
 * written, and it may be no text. */
static int piston_set_program(const struct piston_request *request,
			      const char *name)
{
	struct job *job = request->job;

	for (size_t i = 0; i < job->files_count; i++) {
		const struct bytes *content = &job->files[i].content;

		if (strcmp(job->files[i].name, name) != 0)
			continue;
		if (text_utf8_bad(content->data, content->size) <
		    content->size)
			return refuse(request->why, 400, "bad_file",
				      "the file %.100s, which is to be run, is "
				      "not UTF-8 text", name);
		int rc = piston_copy(&job->name, name, strlen(name));

		return rc < 0 ? rc : piston_copy(&job->code, content->data,
						 content->size);
	}
	return -ENOMEM;
}

/* A line end follows the text, as in the original: "" is one empty line. */
static int piston_read_stdin(const struct piston_request *request)
{
	struct bytes given = {0}, *input = &request->job->input;

	if (request->stdin_text.data) {
		if (json_kind(request->stdin_text) != JSON_STRING)
			return refuse(request->why, 400, "invalid",
				      "stdin must be a string");
		if (json_string(request->stdin_text, &given) < 0)
			return -ENOMEM;
	}
	input->data = realloc(given.data, given.size + 2);
	if (!input->data) {
		free(given.data);
		return -ENOMEM;
	}
	input->size = given.size;
	if (given.size == 0 || input->data[given.size - 1] != '\n')
		input->data[input->size++] = '\n';
	input->data[input->size] = '\0';
	return 0;
}

static int piston_add_argument(const struct piston_request *request,
			       struct json_span span, size_t index,
			       struct text *text)
{
	struct bytes found;

	if (json_kind(span) != JSON_STRING)
		return refuse(request->why, 400, "invalid",
			      "args[%zu] must be a string", index);
	if (json_string(span, &found) < 0)
		return -ENOMEM;
	text_add(text, found.data, found.size + 1);
	free(found.data);
	return text->error;
}

static int piston_read_args(const struct piston_request *request)
{
	struct text text = {0};
	int rc = 0;

	if (!request->args.data)
		return 0;
	if (json_kind(request->args) != JSON_ARRAY)
		return refuse(request->why, 400, "invalid",
			      "args must be an array of strings");
	for (struct json_walk walk = json_walk(request->args);
	     rc == 0 && json_next(&walk);)
		rc = piston_add_argument(request, walk.value, walk.index,
					 &text);
	if (rc < 0)
		text_free(&text);
	else
		request->job->args = (struct bytes){text.data, text.size};
	return rc;
}

/* ---- the request ----------------------------------------------------- */

int piston_check_type(const char *content_type, struct refusal *why)
{
	static const char json[] = "application/json";

	if (content_type &&
	    strncasecmp(content_type, json, sizeof(json) - 1) == 0)
		return 0;
	return refuse(why, 415, "unsupported_media_type",
		      "requests must be of type application/json");
}

static int piston_check_body(const struct bytes *body, struct json_span *whole,
			     struct refusal *why)
{
	int rc = json_check(body->data, body->size, &json_limits_request, why);

	if (rc < 0)
		return rc;
	*whole = json_whole(body->data, body->size);
	return json_kind(*whole) == JSON_OBJECT
		       ? 0
		       : refuse(why, 400, "bad_json",
				"the body must be a JSON object");
}

/* All checks that need no decoded content, in the original's order. */
static int piston_check(struct piston_request *request, struct json_span whole)
{
	int rc = piston_check_names(whole, request->why);

	request->files = piston_member(whole, "files");
	request->stdin_text = piston_member(whole, "stdin");
	request->args = piston_member(whole, "args");
	if (rc < 0)
		return rc;
	if (!request->files.data || json_kind(request->files) != JSON_ARRAY)
		return refuse(request->why, 400, "invalid",
			      "files is required as an array");
	rc = piston_check_files(request);
	if (rc == 0)
		rc = piston_check_runtime(request, whole);
	if (rc == 0)
		rc = piston_find_program(request);
	if (rc == 0)
		rc = piston_read_limits(request, whole);
	return rc;
}

/* The files come last, because they are decoded in the body. */
static int piston_read(struct piston_request *request)
{
	struct job *job = request->job;
	struct json_span whole;
	int rc = piston_check_body(&job->body, &whole, request->why);

	if (rc == 0)
		rc = piston_check(request, whole);
	if (rc == 0)
		rc = piston_read_stdin(request);
	if (rc == 0)
		rc = piston_read_args(request);
	if (rc == 0)
		rc = piston_read_files(request);
	if (rc < 0)
		return rc;
	owned_free char *name = strdup(job->files[request->program].name);

	if (!name)
		return -ENOMEM;
	rc = piston_settle_files(request);
	return rc < 0 ? rc : piston_set_program(request, name);
}

static int piston_parse(const struct door_limits *limits, struct job *job,
			struct refusal *why)
{
	struct piston_request request = {
		.limits = limits, .job = job, .why = why};
	int rc = piston_check_type(limits->content_type, why);

	job->habits = JOB_SCRIPT | JOB_TRACEBACK | JOB_ORDERED;
	if (rc == 0)
		rc = piston_read(&request);
	if (rc < 0 && rc != -EINVAL)
		rc = refuse(why, 500, "internal_error",
			    "the server ran out of memory");
	return rc;
}

const struct door piston_door = {piston_parse, piston_reply_render,
				 piston_reply_refuse, NULL, "piston"};

/* ---- packages -------------------------------------------------------- */

/* The one package is ours in its own version, or in a range with it. */
int piston_find_package(const struct bytes *body, const char *python,
			struct refusal *why)
{
	owned_free char *language = NULL, *version = NULL;
	struct json_span whole;
	int rc = piston_check_body(body, &whole, why);

	if (rc == 0)
		rc = piston_check_names(whole, why);
	if (rc < 0)
		return rc;
	if (piston_fetch_names(whole, &language, &version) < 0)
		return refuse(why, 500, "internal_error",
			      "the server ran out of memory");
	if (strcmp(language, PISTON_REPLY_LANGUAGE) == 0 &&
	    piston_knows(language, version, python, true))
		return 0;
	return refuse(why, 404, "not_found",
		      "Requested package %.100s-%.100s does not exist",
		      language, version);
}
