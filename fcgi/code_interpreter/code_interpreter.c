/*
 * code_interpreter - the door of clients that keep a session by their user's
 * id: from a body to a job, and from an outcome or a refusal to a body.
 */
#include "code_interpreter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/message.h"

#define CODE_INTERPRETER_REFUSED 422

/* ---- from a body to a job -------------------------------------------- */

struct code_interpreter_request {
	const struct job *job;
	struct bytes *name, *other, *code;
	struct refusal *why;
};

/* The sentence must begin with the field's name, because
 * code_interpreter_put_place() reads it there. */
static int code_interpreter_take_text(struct code_interpreter_request *request,
				      struct json_span span, const char *field,
				      struct bytes *out)
{
	if (!span.data)
		return refuse(request->why, CODE_INTERPRETER_REFUSED,
			      "missing", "%s is required", field);
	return fields_string(request->job, span, out);
}

static int code_interpreter_take_name(void *context, struct json_span span)
{
	struct code_interpreter_request *request = context;

	return code_interpreter_take_text(request, span, CODE_INTERPRETER_NAME,
					  request->name);
}

static int code_interpreter_take_other(void *context, struct json_span span)
{
	struct code_interpreter_request *request = context;

	return code_interpreter_take_text(request, span, CODE_INTERPRETER_OTHER,
					  request->other);
}

static int code_interpreter_take_code(void *context, struct json_span span)
{
	struct code_interpreter_request *request = context;

	return code_interpreter_take_text(request, span, "code", request->code);
}

static const struct field code_interpreter_execute_rows[] = {
	{CODE_INTERPRETER_NAME, JSON_STRING, true, code_interpreter_take_name,
	 "string 1..128",
	 "The name of the session, which is begun if there is none."},
	{"code", JSON_STRING, true, code_interpreter_take_code, "string",
	 "The Python program. It finds the variables and files of earlier "
	 "calls."},
};

static const struct field code_interpreter_release_rows[] = {
	{CODE_INTERPRETER_NAME, JSON_STRING, true, code_interpreter_take_name,
	 "string 1..128",
	 "The name of the session that ends."},
};

static const struct field code_interpreter_fork_rows[] = {
	{CODE_INTERPRETER_NAME, JSON_STRING, true, code_interpreter_take_name,
	 "string 1..128",
	 "The name of the session that is copied."},
	{CODE_INTERPRETER_OTHER, JSON_STRING, true, code_interpreter_take_other,
	 "string 1..128",
	 "The name of the new session."},
};

const struct fields code_interpreter_execute_fields = {
	code_interpreter_execute_rows, ARRAY_LEN(code_interpreter_execute_rows),
	.bad_type = CODE_INTERPRETER_REFUSED};

const struct fields code_interpreter_release_fields = {
	code_interpreter_release_rows, ARRAY_LEN(code_interpreter_release_rows),
	.bad_type = CODE_INTERPRETER_REFUSED};

const struct fields code_interpreter_fork_fields = {
	code_interpreter_fork_rows, ARRAY_LEN(code_interpreter_fork_rows),
	.bad_type = CODE_INTERPRETER_REFUSED};

int code_interpreter_parse(const struct door_limits *limits, struct job *job,
			   struct refusal *why)
{
	struct code_interpreter_request request = {.job = job,
						   .name = &job->session,
						   .code = &job->code,
						   .why = why};

	job->value = JOB_VALUE_REPR;
	job->merge_output = true;
	job->displays = true;
	job->habits = JOB_OWN_BACKEND | JOB_HOME_SANDBOX;
	if (!limits->sessions)
		return refuse(why, 403, "sessions_off",
			      "sessions are switched off on this server");
	return fields_read(job->body.data, job->body.size,
			   &code_interpreter_execute_fields, &request, why);
}

int code_interpreter_names(const char *body, size_t size, struct bytes *name,
			   struct bytes *other, struct refusal *why)
{
	const struct job none = { 0 };
	struct code_interpreter_request request = {
		.job = &none, .name = name, .other = other, .why = why};

	return fields_read(body, size,
			   other ? &code_interpreter_fork_fields
				 : &code_interpreter_release_fields,
			   &request, why);
}

/* ---- from an outcome to a body: success ------------------------------ */

/* The last PNG among the displays, as its JSON string. */
static struct json_span
code_interpreter_last_picture(const struct outcome *outcome)
{
	struct json_span found = {0};

	for (size_t i = outcome->displays_count; i-- > 0 && !found.data;) {
		const struct bytes *shown = &outcome->displays[i];
		struct json_span span;

		if (json_member(json_whole(shown->data, shown->size),
				"image/png", &span) &&
		    json_kind(span) == JSON_STRING)
			found = span;
	}
	return found;
}

/* The text of the value's repr. A guest can send a value of any kind; the JSON
 * text of anything but a string is taken as it is. */
static int code_interpreter_value_text(const struct outcome *outcome,
				       struct bytes *out)
{
	if (outcome->value.size == 0)
		return 0;
	struct json_span span = json_whole(outcome->value.data,
					   outcome->value.size);

	return json_kind(span) == JSON_STRING ? json_string(span, out)
					      : fields_copy(span, out);
}

/* The output, then the value's repr, with nothing between them. */
static void code_interpreter_put_text(struct reply *reply,
				      const struct outcome *outcome)
{
	const struct outcome_stream *out = &outcome->out;
	struct bytes value = {0};
	struct text text = {0};

	text_add(&text, out->kept.data, out->kept.size);
	if (out->dropped)
		text_format(&text, "\n[... %ju bytes left out ...]\n",
			    (uintmax_t)out->dropped);
	if (code_interpreter_value_text(outcome, &value) < 0)
		text.error = -ENOMEM;
	text_add(&text, value.data, value.size);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	free(value.data);
	text_free(&text);
}

void code_interpreter_result(struct reply *reply,
			     const struct outcome *outcome)
{
	struct json_span picture = code_interpreter_last_picture(outcome);

	reply_text(reply, "{\"result_text\":");
	if (picture.data)
		reply_text(reply, "null");
	else
		code_interpreter_put_text(reply, outcome);
	reply_text(reply, ",\"result_base64\":");
	if (picture.data)
		reply_bytes(reply, picture.data, picture.size);
	else
		reply_text(reply, "null");
	reply_text(reply, "}\n");
}

/* ---- from an outcome to a body: failure ------------------------------ */

/* Where NAME begins if LINE is "NAME" or "module.NAME", alone or with ": ..."
 * behind it; else NULL. */
static const char *code_interpreter_exception_line(const char *line,
						   const char *name)
{
	size_t size = strlen(name);
	size_t word = strcspn(line, ":\n");

	if (word < size || memcmp(line + word - size, name, size) != 0)
		return NULL;
	const char *at = line + word - size;

	return at == line || at[-1] == '.' ? at : NULL;
}

/* Is LINE the place of a SyntaxError in a traceback? A frame's line goes on with
 * the function's name, and a line of source is indented further. */
static bool code_interpreter_is_place(const char *line)
{
	static const char file[] = "  File \"", number[] = "\", line ";
	size_t size = strcspn(line, "\n");
	const char *at = strncmp(line, file, sizeof(file) - 1) == 0
				 ? memmem(line, size, number, sizeof(number) - 1)
				 : NULL;

	if (!at)
		return false;
	at += sizeof(number) - 1;
	return line + size > at && strspn(at, "0123456789") ==
					   (size_t)(line + size - at);
}

/* Add " (FILE, line N)", as str() of a SyntaxError has it, with the last
 * component of the file's name. */
static void code_interpreter_put_line(struct text *text, const char *place)
{
	const char *name = strchr(place, '"') + 1;
	const char *end = strstr(name, "\", line ");
	const char *slash = memrchr(name, '/', (size_t)(end - name));

	if (slash)
		name = slash + 1;
	text_format(text, " (%.*s, line %.*s)", (int)(end - name), name,
		    (int)strspn(end + 8, "0123456789"), end + 8);
}

/* Find the last line of MESSAGE with the exception NAME, and in *PLACE the
 * place of a SyntaxError in the line of a file before it, or NULL. */
static const char *code_interpreter_find_exception(const char *message,
						   const char *name,
						   const char **place)
{
	const char *found = NULL, *file = NULL;

	for (const char *line = message, *next; line; line = next) {
		const char *at = code_interpreter_exception_line(line, name);

		if (at)
			*place = file && code_interpreter_is_place(file) ? file
									 : NULL;
		found = at ? at : found;
		file = strncmp(line, "  File \"", 8) == 0 ? line : file;
		next = strchr(line, '\n');
		if (next)
			next++;
	}
	return found;
}

/* The last lines of a traceback: the exception's name and message. */
void code_interpreter_exception(const struct outcome *outcome, bool colon,
				struct text *text)
{
	const char *name = outcome->error_type ? outcome->error_type
					       : "Exception";
	const char *place = NULL;
	const char *found = code_interpreter_find_exception(
		outcome->error_message, name, &place);
	const char *end = found ? strstr(found, "\n\nCode context:") : NULL;
	size_t line = found ? strcspn(found, "\n") : 0;

	text_format(text, "Python Execution Error: ");
	if (!found) {
		found = name;
		line = strlen(name);
	}
	if (end && end < found + line)
		end = found + line;
	text_add(text, found, line);
	if (colon && line == strlen(name))
		text_add(text, ": ", 2);
	if (place)
		code_interpreter_put_line(text, place);
	text_add(text, found + line, end ? (size_t)(end - found) - line
					 : strlen(found + line));
}

static int code_interpreter_failure_status(const struct outcome *outcome)
{
	static const int statuses[OUTCOME_VERDICTS] = {
		[OUTCOME_RAISED] = 400,   [OUTCOME_PARSING] = 400,
		[OUTCOME_TIMEOUT] = 504,  [OUTCOME_MEMORY] = 503,
		[OUTCOME_OUTPUT] = 503,   [OUTCOME_EXITED] = 503,
		[OUTCOME_KILLED] = 503,   [OUTCOME_PROTOCOL] = 503,
		[OUTCOME_INTERNAL] = 500,
	};

	return statuses[outcome->verdict] ? statuses[outcome->verdict] : 500;
}

void code_interpreter_detail(struct reply *reply, const struct text *text)
{
	reply_text(reply, "{\"detail\":");
	reply_json_string(reply, text->data, text->size);
	reply_text(reply, "}\n");
	if (text->error)
		reply->error = text->error;
}

void code_interpreter_failure(const struct door_answer *answer,
			      struct text *text)
{
	const struct outcome *outcome = answer->outcome;
	struct outcome bare = {.verdict = outcome->verdict,
			       .detail = outcome->detail};

	if (outcome->verdict == OUTCOME_INTERNAL)
		bare.error_message = outcome->error_message;
	message_add(text, &bare, answer->limits);
	if (answer->session)
		text_format(text, "; %s", answer->session->sentence);
}

static void code_interpreter_put_failure(struct reply *reply,
					 const struct door_answer *answer)
{
	struct text text = {0};

	reply->status = code_interpreter_failure_status(answer->outcome);
	if (answer->outcome->verdict == OUTCOME_RAISED)
		code_interpreter_exception(answer->outcome, false, &text);
	else
		code_interpreter_failure(answer, &text);
	code_interpreter_detail(reply, &text);
	text_free(&text);
}

void code_interpreter_render(const struct door_answer *answer,
			     struct reply *reply)
{
	reply->id = answer->id;
	if (answer->outcome->verdict == OUTCOME_OK)
		code_interpreter_result(reply, answer->outcome);
	else
		code_interpreter_put_failure(reply, answer);
}

/* ---- a request that was not run -------------------------------------- */

/* The sentence of a refusal begins with the name of its field. */
static const char *const code_interpreter_field_names[] = {
	CODE_INTERPRETER_NAME, CODE_INTERPRETER_OTHER, "code"};

static void code_interpreter_put_place(struct reply *reply, const char *message)
{
	size_t word = strcspn(message, " ");

	for (size_t i = 0; i < ARRAY_LEN(code_interpreter_field_names); i++)
		if (strlen(code_interpreter_field_names[i]) == word &&
		    memcmp(code_interpreter_field_names[i], message, word) == 0)
			reply_format(reply, ",\"%s\"",
				     code_interpreter_field_names[i]);
}

static void code_interpreter_put_list(struct reply *reply,
				      const struct refusal *why)
{
	reply_text(reply, "{\"detail\":[{\"type\":");
	reply_string(reply, why->code);
	reply_text(reply, ",\"loc\":[\"body\"");
	if (why->has_offset)
		reply_format(reply, ",%zu", why->offset);
	else
		code_interpreter_put_place(reply, why->message);
	reply_text(reply, "],\"msg\":");
	reply_string(reply, why->message);
	reply_text(reply, "}]}\n");
}

void code_interpreter_refuse(const struct refusal *why, const char *id,
			     struct reply *reply)
{
	reply->status = why->status == 400 ? 422 : why->status;
	reply->id = id;
	if (reply->status == 422) {
		code_interpreter_put_list(reply, why);
		return;
	}
	reply_text(reply, "{\"detail\":");
	reply_string(reply, why->message);
	reply_text(reply, "}\n");
}

/* ---- releases and branches ------------------------------------------- */

void code_interpreter_released(bool there, struct reply *reply)
{
	reply_format(reply, "{\"status\":\"ok\",\"detail\":\"%s\"}\n",
		     there ? "the session has ended"
			   : "there was no such session");
}

void code_interpreter_forked(struct reply *reply)
{
	reply_text(reply, "{\"status\":\"ok\",\"detail\":\"the new session "
			  "begins where the first one is: its variables, "
			  "functions, imports and random generators are its "
			  "own; its files are those of the first one\"}\n");
}

const struct door code_interpreter_door = {
	code_interpreter_parse, code_interpreter_render,
	code_interpreter_refuse, CODE_INTERPRETER_NAME, "code-interpreter"};
