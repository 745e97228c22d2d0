/* mcp_python - see mcp_python.h. */
#include "mcp_python.h"

#include <string.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/message.h"
#include "mcp_tool.h"

#define MCP_PYTHON_NOTE_MAX 64 /* characters of the line about the cut */

/* ---- description ----------------------------------------------------- */

void mcp_python_describe(const struct mcp_facts *facts, struct reply *reply)
{
	struct text text = {0};

	text_format(&text,
		    "Use this tool to run Python code. Each call executes one "
		    "complete Python %s program in a fresh sandbox: nothing is "
		    "kept from call to call, neither variables nor files. Only "
		    "what the program prints, and the value of a last line "
		    "that is an expression, comes back, as text of at most "
		    "%u characters; figures and files do not. A program may "
		    "run for %.1f s. There is no internet access, and no "
		    "package can be installed.", facts->python,
		    MCP_PYTHON_TEXT_MAX, facts->limits->timeout_ms / 1000.0);
	mcp_tool_add_packages(facts->packages, &text);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

void mcp_python_put(const struct mcp_facts *facts, struct reply *reply)
{
	reply_text(reply, "{\"name\":\"" MCP_PYTHON "\",\"description\":");
	mcp_python_describe(facts, reply);
	reply_text(reply,
		   ",\"inputSchema\":{\"type\":\"object\",\"properties\":{"
		   "\"code\":{\"type\":\"string\"}},\"required\":[\"code\"]},"
		   "\"annotations\":{\"include_in_prompt\":false}}");
}

/* ---- arguments ------------------------------------------------------- */

struct mcp_python_request {
	struct job *job;
	struct refusal *why;
};

static int mcp_python_take_code(void *context, struct json_span span)
{
	const struct mcp_python_request *request = context;
	struct bytes *code = &request->job->code;
	int rc = span.data ? fields_string(request->job, span, code) : 0;

	if (rc)
		return rc;
	if (fields_blank(code))
		return refuse(request->why, 400, "missing",
			      "no code provided: the argument \"code\" must "
			      "be a Python program");
	return 0;
}

static const struct field mcp_python_rows[] = {
	{"code", JSON_STRING, true, mcp_python_take_code, "string",
	 "The program."},
};

static const struct fields mcp_python_fields = {
	mcp_python_rows, ARRAY_LEN(mcp_python_rows), .bad_type = 400};

int mcp_python_read(const struct door_limits *limits,
		    struct json_span arguments, struct job *job,
		    struct refusal *why)
{
	struct mcp_python_request request = {job, why};

	(void)limits;
	job->value = JOB_VALUE_REPR;
	/* Figures are told of and not drawn. */
	job->displays = true;
	job->forms = JOB_FORM_TEXT;
	return fields_read_object(arguments, &mcp_python_fields, &request,
				  why);
}

/* ---- the text of a result -------------------------------------------- */

/* Begin a part of the text on a line of its own. */
static void mcp_python_line(struct text *text)
{
	if (text->size > 0 && text->data[text->size - 1] != '\n')
		text_add(text, "\n", 1);
}

static void mcp_python_add_stream(struct text *text,
				  const struct outcome_stream *stream)
{
	if (stream->kept.size == 0)
		return;
	mcp_python_line(text);
	text_add(text, stream->kept.data, stream->kept.size);
	if (stream->dropped) {
		mcp_python_line(text);
		text_format(text, "[%ju more bytes were cut]",
			    (uintmax_t)stream->dropped);
	}
}

/* The value is a JSON string with its repr. */
static void mcp_python_add_string(struct text *text, struct json_span span)
{
	struct bytes shown = {0};

	mcp_python_line(text);
	if (json_kind(span) != JSON_STRING)
		text_add_line(text, span.data, span.size);
	else if (json_string_bytes(span, &shown) == 0)
		text_add(text, shown.data, shown.size);
	else
		text->error = -1;
	free(shown.data);
}

static bool mcp_python_is_figure(struct json_span span)
{
	static const char begin[] = "\"<Figure ", other[] = "\"Figure(";

	return (span.size >= sizeof(begin) &&
		strncmp(span.data, begin, sizeof(begin) - 1) == 0) ||
	       (span.size >= sizeof(other) &&
		strncmp(span.data, other, sizeof(other) - 1) == 0);
}

/* The text of values that the program showed. Of figures one line tells. */
static void mcp_python_add_displays(struct text *text,
				    const struct outcome *outcome)
{
	bool told = false;

	for (size_t i = 0; i < outcome->displays_count; i++) {
		const struct bytes *shown = &outcome->displays[i];
		struct json_span span;

		if (!json_member(json_whole(shown->data, shown->size),
				 "text/plain", &span))
			continue;
		if (!mcp_python_is_figure(span)) {
			mcp_python_add_string(text, span);
		} else if (!told) {
			told = true;
			mcp_python_line(text);
			text_format(text, "[a figure was drawn; figures are "
				    "not shown here]");
		}
	}
}

static void mcp_python_add_all(struct text *text,
			       const struct door_answer *answer)
{
	const struct outcome *outcome = answer->outcome;
	const struct bytes *value = &outcome->value;

	mcp_python_add_stream(text, &outcome->out);
	mcp_python_add_stream(text, &outcome->err);
	mcp_python_add_displays(text, outcome);
	if (outcome->verdict == OUTCOME_OK && value->size > 0)
		mcp_python_add_string(text,
				      json_whole(value->data, value->size));
	if (outcome->verdict != OUTCOME_OK) {
		mcp_python_line(text);
		message_add(text, outcome, answer->limits);
	}
	if (text->size == 0)
		text_format(text, "[no output: print() what you want to see]");
}

/* Does a character begin at BYTE of valid UTF-8? */
static bool mcp_python_begins(char byte)
{
	return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t mcp_python_count(const struct text *text)
{
	size_t count = 0;

	for (size_t i = 0; i < text->size; i++)
		count += mcp_python_begins(text->data[i]);
	return count;
}

/* The offset of the character with the number COUNT, from 0. */
static size_t mcp_python_offset(const struct text *text, size_t count)
{
	size_t at = 0;

	for (; at < text->size; at++)
		if (mcp_python_begins(text->data[at]) && count-- == 0)
			break;
	return at;
}

void mcp_python_cut(const struct text *from, size_t most, struct text *out)
{
	struct text text = {0};

	text_add_utf8(&text, from->data, from->size);
	const size_t count = mcp_python_count(&text);
	const size_t half = (most - MCP_PYTHON_NOTE_MAX) / 2;

	if (text.error || from->error) {
		out->error = text.error ? text.error : from->error;
	} else if (count <= most) {
		text_add(out, text.data, text.size);
	} else {
		size_t rest = mcp_python_offset(&text, count - half);

		text_add(out, text.data, mcp_python_offset(&text, half));
		text_format(out, "\n[... %zu characters were cut ...]\n",
			    count - 2 * half);
		text_add(out, text.data + rest, text.size - rest);
	}
	text_free(&text);
}

/* ---- the result ------------------------------------------------------ */

static void mcp_python_put_text(const struct text *from, struct reply *reply)
{
	struct text text = {0};

	mcp_python_cut(from, MCP_PYTHON_TEXT_MAX, &text);
	reply_text(reply, "\"content\":[{\"type\":\"text\",\"text\":");
	reply_json_string(reply, text.data, text.size);
	reply_text(reply, "}],\"isError\":false");
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

void mcp_python_result(const struct mcp *mcp,
		       const struct door_answer *answer, struct reply *reply)
{
	struct text text = {0};

	(void)mcp;
	mcp_python_add_all(&text, answer);
	mcp_python_put_text(&text, reply);
	text_free(&text);
}

void mcp_python_refuse(const struct mcp *mcp, const struct refusal *why,
		       struct reply *reply)
{
	struct text text = {0};

	(void)mcp;
	text_format(&text, "%s", why->message);
	mcp_python_put_text(&text, reply);
	text_free(&text);
}
