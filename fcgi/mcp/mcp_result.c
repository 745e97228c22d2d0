/* mcp_result - see mcp_result.h. */
#include "mcp_result.h"

#include <string.h>

#include "sandbox/text/json.h"
#include "sandbox/text/message.h"
#include "sandbox/text/text.h"
#include "mcp_message.h"
#include "mcp_resource.h"
#include "fcgi/api/native.h"
#include "fcgi/api/native_reply.h"

/* ---- text ------------------------------------------------------------ */

/* Begin a part of the text on a line of its own. */
static void mcp_result_line(struct text *text)
{
	if (text->size > 0 && text->data[text->size - 1] != '\n')
		text_add(text, "\n", 1);
}

static void mcp_result_add_stream(struct text *text, const char *title,
				  const struct outcome_stream *stream)
{
	if (stream->kept.size == 0)
		return;
	mcp_result_line(text);
	text_add(text, title, strlen(title));
	text_add(text, stream->kept.data, stream->kept.size);
	if (stream->dropped) {
		mcp_result_line(text);
		text_format(text, "[%ju more bytes were cut]",
			    (uintmax_t)stream->dropped);
	}
}

/* The value as Python would show it, if it is a text; else its JSON. */
static void mcp_result_add_value(struct text *text,
				 const struct outcome *outcome)
{
	const struct bytes *value = &outcome->value;
	struct bytes shown = {0};

	if (outcome->verdict != OUTCOME_OK || value->size == 0)
		return;
	mcp_result_line(text);
	const struct json_span span = json_whole(value->data, value->size);

	if (json_kind(span) != JSON_STRING)
		text_add_line(text, span.data, span.size);
	else if (json_string_bytes(span, &shown) == 0)
		text_add(text, shown.data, shown.size);
	else
		text->error = -1;
	free(shown.data);
}

static void mcp_result_add_warnings(struct text *text, const struct job *job,
				    const struct outcome *outcome)
{
	const struct warnings *lists[] = {&job->warnings, &outcome->warnings};
	const char *sentence = NULL;

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		while ((sentence = warnings_next(lists[i], sentence))) {
			mcp_result_line(text);
			text_format(text, "[warning: %s]", sentence);
		}
}

static void mcp_result_put_text(const struct door_answer *answer,
				struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	struct text text = {0};

	mcp_result_add_stream(&text, "", &outcome->out);
	mcp_result_add_stream(&text, "[standard error]\n", &outcome->err);
	mcp_result_add_value(&text, outcome);
	if (outcome->verdict != OUTCOME_OK) {
		mcp_result_line(&text);
		message_add(&text, outcome, answer->limits);
		if (answer->session) {
			mcp_result_line(&text);
			text_format(&text, "%s", answer->session->sentence);
		}
	}
	mcp_result_add_warnings(&text, answer->job, outcome);
	if (text.size == 0)
		text_format(&text, "[no output; print a result, or end with an "
			    "expression]");
	reply_text(reply, "{\"type\":\"text\",\"text\":");
	reply_json_string(reply, text.data, text.size);
	reply_text(reply, "}");
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

/* ---- images ---------------------------------------------------------- */

/* The string SPAN as base64 without white space. False: it is none, and a
 * client would refuse the whole answer. */
static bool mcp_result_base64(struct json_span span, struct bytes *out)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789+/";
	size_t kept = 0, end;

	if (json_kind(span) != JSON_STRING || json_string_bytes(span, out) < 0)
		return false;
	for (size_t i = 0; i < out->size; i++)
		if (out->data[i] == '\0' || !strchr(" \t\r\n", out->data[i]))
			out->data[kept++] = out->data[i];
	out->size = kept;
	for (end = kept; end > 0 && kept - end < 2 &&
	     out->data[end - 1] == '='; end--)
		;
	for (size_t i = 0; i < end; i++)
		if (!memchr(letters, out->data[i], sizeof(letters) - 1))
			return false;
	return kept > 0 && kept % 4 == 0;
}

static bool mcp_result_put_image(struct json_span shown, const char *media,
				 struct reply *reply)
{
	struct json_span span;
	struct bytes data = {0};
	bool good = json_member(shown, media, &span) &&
		    mcp_result_base64(span, &data);

	if (good) {
		reply_format(reply, ",{\"type\":\"image\",\"mimeType\":\"%s\","
			     "\"data\":\"", media);
		reply_bytes(reply, data.data, data.size);
		reply_text(reply, "\"}");
	}
	free(data.data);
	return good;
}

/* Whether two JSON texts are the same string. */
static bool mcp_result_same(struct json_span span, const struct bytes *value)
{
	const struct json_span other = json_whole(value->data, value->size);

	return value->size && json_kind(other) == JSON_STRING &&
	       json_same(span, other);
}

/* A rich value: a picture, or else its text, if that is not the final value,
 * which stands in the text above. */
static void mcp_result_put_display(struct json_span shown,
				   const struct bytes *value,
				   struct reply *reply)
{
	struct json_span text;

	if (mcp_result_put_image(shown, "image/png", reply) ||
	    mcp_result_put_image(shown, "image/jpeg", reply))
		return;
	if (!json_member(shown, "text/plain", &text) ||
	    json_kind(text) != JSON_STRING || mcp_result_same(text, value))
		return;
	const struct bytes source = {(char *)(uintptr_t)text.data, text.size};

	reply_text(reply, ",{\"type\":\"text\",\"text\":");
	reply_json(reply, &source);
	reply_text(reply, "}");
}

/* ---- files ----------------------------------------------------------- */

/* The session that keeps the files of the run; NULL: none does. */
static const struct bytes *mcp_result_session(const struct door_answer *answer)
{
	return answer->session && !answer->session->ended
		       ? &answer->job->session : NULL;
}

/* A file that a session keeps is linked: a host reads it if it wants it. Older
 * clients know no links. */
static bool mcp_result_links(const struct mcp *mcp,
			     const struct door_answer *answer)
{
	return mcp_result_session(answer) && mcp_message_knows_links(mcp);
}

static void mcp_result_put_link(const struct outcome_file *file,
				const struct bytes *session,
				struct reply *reply)
{
	reply_text(reply, ",{\"type\":\"resource_link\",\"name\":");
	reply_string(reply, file->name);
	reply_format(reply, ",\"size\":%ju,", (uintmax_t)file->size);
	mcp_resource_put_place(reply, file->name, session);
	reply_text(reply, "}");
}

static void mcp_result_put_file(const struct outcome_file *file,
				const struct bytes *session,
				struct reply *reply)
{
	reply_text(reply, ",{\"type\":\"resource\",\"resource\":{");
	mcp_resource_put_place(reply, file->name, session);
	reply_text(reply, ",\"blob\":");
	reply_base64_file(reply, file->fd, file->size);
	reply_text(reply, "}}");
}

static void mcp_result_put_file_list(const struct door_answer *answer,
				     struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;

	for (size_t i = 0; i < outcome->files_count; i++) {
		reply_text(reply, i ? ",{" : "{");
		mcp_resource_put_uri(reply, outcome->files[i].name,
				     mcp_result_session(answer));
		reply_format(reply, ",\"size\":%ju}",
			     (uintmax_t)outcome->files[i].size);
	}
}

/* ---- the result ------------------------------------------------------ */

static void mcp_result_begin(const struct mcp *mcp, struct reply *reply)
{
	if (mcp->modern)
		reply_text(reply, "\"resultType\":\"complete\",");
	reply_text(reply, "\"content\":[");
}

static void mcp_result_put_facts(const struct door_answer *answer,
				 struct reply *reply)
{
	reply_text(reply, "\"structuredContent\":{");
	native_reply_facts(answer, reply);
	reply_text(reply, ",\"output_files\":[");
	mcp_result_put_file_list(answer, reply);
	reply_text(reply, "],\"id\":");
	reply_string(reply, answer->id);
	reply_text(reply, "},");
}

void mcp_result_put(const struct mcp *mcp, const struct door_answer *answer,
		    struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	void (*const put_file)(const struct outcome_file *,
			       const struct bytes *, struct reply *) =
		mcp_result_links(mcp, answer) ? mcp_result_put_link
					      : mcp_result_put_file;

	mcp_result_begin(mcp, reply);
	mcp_result_put_text(answer, reply);
	for (size_t i = 0; i < outcome->displays_count; i++)
		mcp_result_put_display(json_whole(outcome->displays[i].data,
						  outcome->displays[i].size),
				       &outcome->value, reply);
	for (size_t i = 0; i < outcome->files_count; i++)
		put_file(&outcome->files[i], mcp_result_session(answer),
			 reply);
	reply_text(reply, "],");
	mcp_result_put_facts(answer, reply);
	reply_text(reply, outcome->verdict == OUTCOME_OK
				  ? "\"isError\":false" : "\"isError\":true");
}

void mcp_result_refuse(const struct mcp *mcp, const struct refusal *why,
		       struct reply *reply)
{
	mcp_result_begin(mcp, reply);
	reply_text(reply, "{\"type\":\"text\",\"text\":");
	reply_string(reply, why->message);
	reply_text(reply, "}],\"isError\":true");
}
