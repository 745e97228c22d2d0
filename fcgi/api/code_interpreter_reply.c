/*
 * code_interpreter_reply - from an outcome, or a refusal, to a body.
 */
#include "code_interpreter.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/message.h"

const struct door code_interpreter_door = {
	code_interpreter_parse, code_interpreter_render,
	code_interpreter_refuse, CODE_INTERPRETER_NAME
};

/* ---- a run that went well -------------------------------------------- */

/* The last PNG that was shown, as the JSON string it came as. */
static struct json_span last_picture(const struct outcome *outcome)
{
	struct json_span found = { 0 };

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

/* The text of the value's repr. A guest can claim a value of any kind; what
 * is no string is taken as it is written. */
static int value_text(const struct outcome *outcome, struct bytes *out)
{
	if (outcome->value.size == 0)
		return 0;
	struct json_span span = json_whole(outcome->value.data,
					   outcome->value.size);

	return json_kind(span) == JSON_STRING ? json_string(span, out)
					      : fields_copy(span, out);
}

/* What was printed, and the value's repr on a line of its own. */
static void put_text(struct reply *reply, const struct outcome *outcome)
{
	const struct outcome_stream *out = &outcome->out;
	struct bytes value = { 0 };
	struct text text = { 0 };

	text_add(&text, out->kept.data, out->kept.size);
	if (out->dropped)
		text_format(&text, "\n[... %ju bytes left out ...]\n",
			    (uintmax_t)out->dropped);
	if (value_text(outcome, &value) < 0)
		text.error = -ENOMEM;
	if (value.size && text.size && text.data[text.size - 1] != '\n')
		text_add(&text, "\n", 1);
	text_add(&text, value.data, value.size);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	free(value.data);
	text_free(&text);
}

static void put_result(struct reply *reply, const struct outcome *outcome)
{
	struct json_span picture = last_picture(outcome);

	reply_text(reply, "{\"result_text\":");
	if (picture.data)
		reply_text(reply, "null");
	else
		put_text(reply, outcome);
	reply_text(reply, ",\"result_base64\":");
	if (picture.data)
		reply_bytes(reply, picture.data, picture.size);
	else
		reply_text(reply, "null");
	reply_text(reply, "}\n");
}

/* ---- one that did not ------------------------------------------------ */

/* Does LINE begin "NAME" or "module.NAME", with nothing but ": ..." behind?
 * Returns where NAME begins, or NULL. */
static const char *exception_line(const char *line, const char *name)
{
	size_t size = strlen(name);
	size_t word = strcspn(line, ":\n");

	if (word < size || memcmp(line + word - size, name, size) != 0)
		return NULL;
	const char *at = line + word - size;

	return at == line || at[-1] == '.' ? at : NULL;
}

/* The last lines of a traceback: what the exception says of itself. */
static void put_exception(struct text *text, const struct outcome *outcome)
{
	const char *message = outcome->error_message;
	const char *name = outcome->error_type ? outcome->error_type
					       : "Exception";
	const char *found = NULL, *end = NULL;

	for (const char *line = message, *next; line; line = next) {
		const char *at = exception_line(line, name);

		found = at ? at : found;
		next = strchr(line, '\n');
		if (next)
			next++;
	}
	if (found)
		end = strstr(found, "\n\nCode context:");
	text_format(text, "Python Execution Error: ");
	if (found)
		text_add(text, found,
			 end ? (size_t)(end - found) : strlen(found));
	else
		text_add(text, name, strlen(name));
}

static int failure_status(const struct outcome *outcome)
{
	static const int statuses[OUTCOME_VERDICTS] = {
		[OUTCOME_RAISED] = 400,	 [OUTCOME_PARSING] = 400,
		[OUTCOME_TIMEOUT] = 504, [OUTCOME_MEMORY] = 503,
		[OUTCOME_OUTPUT] = 503,	 [OUTCOME_EXITED] = 503,
		[OUTCOME_KILLED] = 503,	 [OUTCOME_PROTOCOL] = 503,
		[OUTCOME_INTERNAL] = 500,
	};

	return statuses[outcome->verdict] ? statuses[outcome->verdict] : 500;
}

static void put_detail(struct reply *reply, const struct text *text)
{
	reply_text(reply, "{\"detail\":");
	reply_json_string(reply, text->data, text->size);
	reply_text(reply, "}\n");
	if (text->error)
		reply->error = text->error;
}

static void put_failure(struct reply *reply, const struct door_answer *answer)
{
	const struct outcome *outcome = answer->outcome;
	struct text text = { 0 };

	reply->status = failure_status(outcome);
	if (outcome->verdict == OUTCOME_RAISED) {
		put_exception(&text, outcome);
	} else {
		struct outcome bare = { .verdict = outcome->verdict,
					.detail = outcome->detail };

		if (outcome->verdict == OUTCOME_INTERNAL)
			bare.error_message = outcome->error_message;

		message_add(&text, &bare, answer->limits);
		if (answer->session)
			text_format(&text, "; %s", answer->session->sentence);
	}
	put_detail(reply, &text);
	text_free(&text);
}

void code_interpreter_render(const struct door_answer *answer,
			     struct reply *reply)
{
	reply->id = answer->id;
	if (answer->outcome->verdict == OUTCOME_OK)
		put_result(reply, answer->outcome);
	else
		put_failure(reply, answer);
}

/* ---- a request that was not run -------------------------------------- */

/* The field that a refusal speaks of begins its sentence. */
static const char *const field_names[] = {
	CODE_INTERPRETER_NAME, CODE_INTERPRETER_OTHER, "code"
};

static void put_place(struct reply *reply, const char *message)
{
	size_t word = strcspn(message, " ");

	for (size_t i = 0; i < ARRAY_LEN(field_names); i++)
		if (strlen(field_names[i]) == word &&
		    memcmp(field_names[i], message, word) == 0)
			reply_format(reply, ",\"%s\"", field_names[i]);
}

static void put_list(struct reply *reply, const struct refusal *why)
{
	reply_text(reply, "{\"detail\":[{\"type\":");
	reply_string(reply, why->code);
	reply_text(reply, ",\"loc\":[\"body\"");
	if (why->has_offset)
		reply_format(reply, ",%zu", why->offset);
	else
		put_place(reply, why->message);
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
		put_list(reply, why);
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
