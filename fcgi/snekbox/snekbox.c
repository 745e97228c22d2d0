/*
 * snekbox - the door of Python Discord's evaluator: from a body to a job. Its
 * answers are in snekbox_reply.c.
 *
 * Its clients compare error texts, which are those of a JSON schema's validator
 * in Python. So values are shown as Python shows them.
 */
#include "snekbox.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "fcgi/api/input_files.h"
#include "fcgi/api/python_repr.h"
#include "python_command.h"
#include "sandbox/base/aliases.h"
#include "sandbox/text/json.h"
#include "sandbox/text/text.h"
#include "snekbox_reply.h"

#define SNEKBOX_PATTERN "'^(?!/)(?!.*\\\\\\\\0).*$'" /* of paths */

/* The members that count, as they lie in the body. */
struct snekbox_request {
	const struct door_limits *limits;
	struct job *job;
	struct refusal *why;
	struct json_span args, input, files, executable_path;
	char **list; /* the arguments, each NUL terminated */
	size_t count;
};

/* ---- refused values --------------------------------------------------- */

/* Refuse the value SPAN: it, and then the REST of the sentence. */
static int snekbox_invalid(struct refusal *why, struct json_span span,
			   const char *rest)
{
	struct text text = {0};

	python_repr_add(&text, span, sizeof(why->message));
	text_format(&text, " %s", rest);
	int rc = text.error ? text.error
			    : refuse(why, 400, "invalid", "%.*s",
				     (int)text.size, text.data);

	text_free(&text);
	return rc;
}

static int snekbox_want(struct refusal *why, struct json_span span,
			enum json_kind kind)
{
	static const char *const names[JSON_KINDS] = {
		[JSON_STRING] = "is not of type 'string'",
		[JSON_ARRAY] = "is not of type 'array'",
		[JSON_OBJECT] = "is not of type 'object'",
	};

	return json_kind(span) == kind ? 0
				       : snekbox_invalid(why, span, names[kind]);
}

/* ---- fields ---------------------------------------------------------- */

static int snekbox_read_fields(struct snekbox_request *request,
			       struct json_span whole)
{
	const struct {
		const char *name;
		enum json_kind kind;
		struct json_span *to;
	} rows[] = {{"args", JSON_ARRAY, &request->args},
		    {"executable_path", JSON_STRING,
		     &request->executable_path},
		    {"files", JSON_ARRAY, &request->files},
		    {"input", JSON_STRING, &request->input}};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (!json_member(whole, rows[i].name, rows[i].to)) {
			*rows[i].to = (struct json_span){0};
			continue;
		}
		int rc = snekbox_want(request->why, *rows[i].to, rows[i].kind);

		if (rc < 0)
			return rc;
	}
	if (!request->args.data && !request->input.data)
		return snekbox_invalid(request->why, whole,
				       "is not valid under any of the given "
				       "schemas");
	return 0;
}

/* Is NAME that of a Python: python, python3, python3.14t? */
static bool snekbox_is_python(const char *name)
{
	static const char word[] = "python", digits[] = "0123456789";
	size_t size;

	if (strncmp(name, word, sizeof(word) - 1) != 0)
		return false;
	name += sizeof(word) - 1;
	size = strspn(name, digits);
	name += size;
	if (size > 0 && *name == '.' && (size = strspn(name + 1, digits)) > 0)
		name += size + 1;
	if (*name == 't' || *name == 'j')
		name++;
	return *name == '\0';
}

/* There is one interpreter, which answers to the path of any, unless the
 * operator wants none of them. */
static int snekbox_check_path(struct snekbox_request *request)
{
	struct bytes path = {0};
	int rc = 0;

	if (!request->executable_path.data)
		return 0;
	if (json_string_bytes(request->executable_path, &path) < 0)
		return -ENOMEM;
	const char *slash = strrchr(path.data, '/');

	if (path.size > 0 &&
	    (request->limits->snekbox_strict ||
	     strlen(path.data) < path.size || !slash ||
	     !snekbox_is_python(slash + 1)))
		rc = refuse(request->why, 400, "no_executable",
			    "executable_path '%.100s' does not exist",
			    path.data);
	free(path.data);
	return rc;
}

static int snekbox_add_argument(struct snekbox_request *request,
				struct json_span span)
{
	struct bytes found;
	int rc = snekbox_want(request->why, span, JSON_STRING);

	if (rc < 0)
		return rc;
	if (json_string_bytes(span, &found) < 0)
		return -ENOMEM;
	if (strlen(found.data) < found.size) {
		free(found.data);
		return refuse(request->why, SNEKBOX_REPLY_NOT_RUN, "null_byte",
			      "ValueError: embedded null byte");
	}
	request->list[request->count++] = found.data;
	return 0;
}

static size_t snekbox_length(struct json_span span)
{
	size_t count = 0;

	if (!span.data)
		return 0;
	for (struct json_walk walk = json_walk(span); json_next(&walk);)
		count++;
	return count;
}

/* The arguments: `args`, by default -c, and then `input`. */
static int snekbox_read_args(struct snekbox_request *request)
{
	static const struct json_span none = {"[\"-c\"]", 6};
	struct json_walk walk =
		json_walk(request->args.data ? request->args : none);
	int rc = 0;

	request->list = calloc(snekbox_length(request->args) + 2,
			       sizeof(*request->list));
	if (!request->list)
		return -ENOMEM;
	while (rc == 0 && json_next(&walk))
		rc = snekbox_add_argument(request, walk.value);
	if (rc == 0 && request->input.data)
		rc = snekbox_add_argument(request, request->input);
	return rc;
}

static void snekbox_free(struct snekbox_request *request)
{
	for (size_t i = 0; i < request->count; i++)
		free(request->list[i]);
	free(request->list);
}

/* ---- files ----------------------------------------------------------- */

/* Resolve "." and ".." in NAME, and drop empty components. False: it leaves
 * home. */
static bool snekbox_resolve(char *name)
{
	char *to = name;

	for (const char *at = name, *next; *at; at = next) {
		size_t size = strcspn(at, "/");
		bool up = size == 2 && at[0] == '.' && at[1] == '.';

		if (up && to == name)
			return false;
		next = at + size + (at[size] == '/');
		if (up) {
			for (to--; to > name && to[-1] != '/';)
				to--;
		} else if (size > 0 && !(size == 1 && at[0] == '.')) {
			memmove(to, at, size);
			to += size;
			*to++ = '/';
		}
		if (to > next) /* the slash is in place of the NUL */
			break;
	}
	if (to > name)
		to--;
	*to = '\0';
	return true;
}

/* Check the name of FILE, which was GIVEN by SPAN, and resolve it. */
static int snekbox_check_name(const struct snekbox_request *request,
			      struct json_span span, const char *given,
			      struct job_file *file)
{
	if (*given == '/' || strstr(given, "\\0"))
		return snekbox_invalid(request->why, span,
				       "does not match " SNEKBOX_PATTERN);
	if (!snekbox_resolve(file->name))
		return refuse(request->why, 400, "bad_file",
			      "File path '%.150s' may not traverse beyond root",
			      given);
	if (!*file->name)
		return refuse(request->why, SNEKBOX_REPLY_NOT_RUN, "no_file",
			      "IsADirectoryError: Failed to create file "
			      "'%.150s'.", given);
	const char *fault = job_file_name_fault(file->name);

	return fault ? refuse(request->why, 400, "bad_file",
			      "File path '%.100s' %s", given, fault)
		     : 0;
}

static int snekbox_name_file(const struct snekbox_request *request,
			     struct json_span span, struct job_file *file)
{
	struct bytes found;
	int rc = snekbox_want(request->why, span, JSON_STRING);

	if (rc < 0)
		return rc;
	if (json_string_bytes(span, &found) < 0)
		return -ENOMEM;
	file->name = found.data;
	if (strlen(found.data) < found.size)
		return snekbox_invalid(request->why, span,
				       "does not match " SNEKBOX_PATTERN);
	owned_free char *given = strdup(found.data);

	return given ? snekbox_check_name(request, span, given, file)
		     : -ENOMEM;
}

static bool snekbox_is_base64(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c >= '0' && c <= '9') || c == '+' || c == '/';
}

/* Decode base64 in place as Python does: strays are skipped, and the end is at
 * the padding, which must be there. */
static int snekbox_decode(struct bytes *content)
{
	size_t used = 0, pads = 0;
	bool padded = false;

	for (size_t i = 0; i < content->size && !padded; i++) {
		char c = content->data[i];

		if (c == '=') {
			padded = used % 4 >= 2 && used % 4 + ++pads >= 4;
		} else if (snekbox_is_base64(c)) {
			content->data[used++] = c;
			pads = 0;
		}
	}
	if (used % 4 != 0 && !padded)
		return -EINVAL;
	return text_base64_decode_loosely(content->data, used, &content->size);
}

static int snekbox_fill_file(struct snekbox_request *request,
			     struct json_span span, struct job_file *file)
{
	int rc = snekbox_want(request->why, span, JSON_STRING);

	if (rc < 0)
		return rc;
	if (json_string_bytes(span, &file->content) < 0)
		return -ENOMEM;
	if (snekbox_decode(&file->content) < 0)
		return refuse(request->why, 400, "bad_file",
			      "Invalid base64 encoding for file '%.150s'",
			      file->name);
	return 0;
}

static int snekbox_read_file(struct snekbox_request *request,
			     struct json_span span)
{
	struct json_span path, content;
	int rc = snekbox_want(request->why, span, JSON_OBJECT);

	if (rc < 0)
		return rc;
	if (!json_member(span, "path", &path))
		return refuse(request->why, 400, "invalid",
			      "'path' is a required property");
	struct job_file *file = job_add_file(request->job);

	if (!file)
		return -ENOMEM;
	rc = snekbox_name_file(request, path, file);
	if (rc == 0 && json_member(span, "content", &content))
		rc = snekbox_fill_file(request, content, file);
	return rc;
}

/* Two files of which one would have to be a directory. */
static int snekbox_refuse_clash(const struct snekbox_request *request,
				const size_t clash[2])
{
	const char *late = request->job->files[clash[0]].name;
	const char *early = request->job->files[clash[1]].name;

	return refuse(request->why, SNEKBOX_REPLY_NOT_RUN, "clash",
		      "%s: Failed to create file '%.150s'.",
		      strlen(late) < strlen(early) ? "IsADirectoryError"
						   : "NotADirectoryError",
		      late);
}

static int snekbox_read_files(struct snekbox_request *request)
{
	struct json_walk walk;
	uint64_t left = request->limits->home_bytes;
	size_t clash[2];

	if (!request->files.data)
		return 0;
	for (walk = json_walk(request->files); json_next(&walk);) {
		if (walk.index >= request->limits->files)
			return refuse(request->why, 413, "too_many_files",
				      "files: more than %zu files",
				      request->limits->files);
		int rc = snekbox_read_file(request, walk.value);

		if (rc < 0)
			return rc;
		uint64_t size = request->job->files[walk.index].content.size;

		if (size > left)
			return refuse(request->why, 413, "file_too_large",
				      "files[%zu]: the files hold more than "
				      "%ju bytes in all", walk.index,
				      (uintmax_t)request->limits->home_bytes);
		left -= size;
	}
	int rc = input_files_settle(request->job, clash);

	return rc == -EEXIST ? snekbox_refuse_clash(request, clash) : rc;
}

/* ---- the program ----------------------------------------------------- */

static int snekbox_set(struct bytes *to, const char *data, size_t size)
{
	char *copy = malloc(size + 1);

	if (!copy)
		return -ENOMEM;
	if (size > 0)
		memcpy(copy, data, size);
	copy[size] = '\0';
	free(to->data);
	to->data = copy;
	to->size = size;
	return 0;
}

static int snekbox_set_text(struct bytes *to, const char *text)
{
	return snekbox_set(to, text, strlen(text));
}

/* Make a program that writes WORDS to standard error and exits with 2. */
static int snekbox_say(struct job *job, const char *words, size_t size)
{
	int rc = snekbox_set_text(&job->code,
				  "import sys\nsys.stderr.write(sys.argv[1])\n"
				  "sys.exit(2)\n");

	return rc < 0 ? rc : snekbox_set(&job->args, words, size + 1);
}

static int snekbox_say_fault(struct job *job, struct text *fault)
{
	text_add(fault, "", 1); /* its NUL */
	return fault->error ? fault->error
			    : snekbox_say(job, fault->data, fault->size - 1);
}

/* The input file that NAME, an argument, is; NULL: there is none. */
static const struct job_file *
snekbox_find(const struct snekbox_request *request, const char *name)
{
	owned_free char *wanted = strdup(name);
	const struct job *job = request->job;

	if (!wanted)
		return NULL;
	aliases_strip(request->limits->home_aliases, wanted);
	if (*wanted == '/' || !snekbox_resolve(wanted))
		return NULL;
	for (size_t i = 0; i < job->files_count; i++)
		if (strcmp(job->files[i].name, wanted) == 0)
			return &job->files[i];
	return NULL;
}

static int snekbox_run_file(const struct snekbox_request *request,
			    const char *name)
{
	const struct job_file *file = snekbox_find(request, name);
	struct job *job = request->job;
	struct text fault = {0};

	if (file && text_utf8_bad(file->content.data, file->content.size) ==
			    file->content.size) {
		int rc = snekbox_set_text(&job->name, name);

		return rc < 0 ? rc : snekbox_set(&job->code,
						 file->content.data,
						 file->content.size);
	}
	text_format(&fault,
		    file ? "python3: the file '%s' is not UTF-8 text\n"
			 : "python3: can't open file '%s': [Errno 2] No such "
			   "file or directory\n",
		    name);
	int rc = snekbox_say_fault(job, &fault);

	text_free(&fault);
	return rc;
}

static int snekbox_add_program(const struct snekbox_request *request,
			       struct python_command *command)
{
	struct job *job = request->job;
	int rc;

	switch (command->kind) {
	case PYTHON_COMMAND_CODE:
		rc = snekbox_set_text(&job->name, "<string>");
		return rc < 0 ? rc : snekbox_set_text(&job->code,
						      command->operand);
	case PYTHON_COMMAND_MODULE:
		job->habits |= JOB_MODULE;
		return snekbox_set_text(&job->name, command->operand);
	case PYTHON_COMMAND_FILE:
		return snekbox_run_file(request, command->operand);
	case PYTHON_COMMAND_VERSION:
		return snekbox_set_text(&job->code, "import platform\nprint("
					"'Python', platform.python_version())");
	case PYTHON_COMMAND_WRONG:
		return snekbox_say_fault(job, &command->fault);
	default:
		return snekbox_set_text(&job->code, "");
	}
}

/* The program's own arguments, unless it is one that snekbox_say() made. */
static int snekbox_add_args(const struct snekbox_request *request, size_t from)
{
	struct job *job = request->job;
	struct text text = {0};

	for (size_t i = from; i < request->count; i++)
		text_add(&text, request->list[i], strlen(request->list[i]) + 1);
	if (text.error || job->args.data || text.size == 0) {
		int rc = text.error;

		text_free(&text);
		return rc;
	}
	job->args = (struct bytes){text.data, text.size};
	return 0;
}

static int snekbox_add_warnings(struct job *job, struct text *warnings)
{
	static const struct bytes name = {(char *)(uintptr_t)"PYTHONWARNINGS",
					  14};
	const struct bytes value = {warnings->data, warnings->size};

	if (warnings->error)
		return warnings->error;
	return warnings->size > 0 ? job_add_env(job, &name, &value) : 0;
}

/* For tracebacks of Python 3.13 and later. */
static int snekbox_add_colors(const struct snekbox_request *request)
{
	static const struct bytes name = {(char *)(uintptr_t)"PYTHON_COLORS",
					  13};
	static const struct bytes value = {(char *)(uintptr_t)"1", 1};

	return request->limits->snekbox_colors
		       ? job_add_env(request->job, &name, &value)
		       : 0;
}

static int snekbox_make_job(struct snekbox_request *request)
{
	struct job *job = request->job;
	struct python_command command;

	python_command_read(request->list, request->count, &command);
	job->merge_output = true;
	job->habits = JOB_SCRIPT | JOB_TRACEBACK |
		      (command.optimize ? JOB_OPTIMIZE : 0);
	int rc = snekbox_add_program(request, &command);

	if (rc == 0)
		rc = snekbox_add_args(request, command.rest);
	if (rc == 0)
		rc = snekbox_add_warnings(job, &command.warnings);
	if (rc == 0)
		rc = snekbox_add_colors(request);
	python_command_free(&command);
	return rc;
}

static int snekbox_check_type(const struct door_limits *limits,
			      struct refusal *why)
{
	static const char json[] = "application/json";
	const char *type = limits->content_type ? limits->content_type : "";

	if (!*type || strncasecmp(type, json, sizeof(json) - 1) == 0)
		return 0;
	return refuse(why, 415, "unsupported_media_type",
		      "%.100s is an unsupported media type.", type);
}

static int snekbox_read(struct snekbox_request *request)
{
	const struct json_limits limits = {
		.depth = json_limits_request.depth,
		.keys = json_limits_request.keys,
		.nul = true}; /* as an argument it has an answer of its own */
	const struct bytes *body = &request->job->body;
	int rc = json_check(body->data, body->size, &limits, request->why);

	if (rc < 0)
		return rc;
	const struct json_span whole = json_whole(body->data, body->size);

	rc = snekbox_want(request->why, whole, JSON_OBJECT);
	if (rc == 0)
		rc = snekbox_read_fields(request, whole);
	if (rc == 0)
		rc = snekbox_read_files(request);
	if (rc == 0)
		rc = snekbox_check_path(request);
	if (rc == 0)
		rc = snekbox_read_args(request);
	return rc == 0 ? snekbox_make_job(request) : rc;
}

static int snekbox_parse(const struct door_limits *limits, struct job *job,
			 struct refusal *why)
{
	struct snekbox_request request = {
		.limits = limits, .job = job, .why = why};
	int rc = snekbox_check_type(limits, why);

	if (rc == 0)
		rc = snekbox_read(&request);
	snekbox_free(&request);
	if (rc < 0 && rc != -EINVAL)
		rc = refuse(why, 500, "internal_error",
			    "the server ran out of memory");
	return rc;
}

const struct door snekbox_door = {snekbox_parse, snekbox_reply_render,
				  snekbox_reply_refuse, NULL, "snekbox"};
