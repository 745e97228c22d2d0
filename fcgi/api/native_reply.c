/*
 * native_reply - from an outcome or a refusal to one line of JSON, or to the
 * end of a stream. The order of the fields is part of the API.
 */
#include "native_reply.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/text/message.h"
#include "sandbox/text/text.h"
#include "events.h"

static void native_reply_number(struct reply *reply, const char *name,
				uint64_t number)
{
	reply_format(reply, "\"%s\":%ju", name, (uintmax_t)number);
}

static void native_reply_end(struct reply *reply, const char *id)
{
	reply_text(reply, ",\"id\":");
	reply_string(reply, id);
	reply_text(reply, "}\n");
}

/*
 * The names in an answer, repaired to UTF-8 and distinct. Names that differ in
 * invalid bytes only become equal; the later one gets "~N" at its end. N only
 * grows, so that each hostile name costs a few tries at most.
 */
struct native_reply_names {
	char **list; /* in the order of the files */
	char **sorted;
	size_t count;
	unsigned suffix;
};

static size_t native_reply_find_name(const struct native_reply_names *names,
				     const char *name, bool *found)
{
	size_t low = 0, high = names->count;

	*found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(names->sorted[middle], name);

		if (order == 0) {
			*found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int native_reply_add_name(struct native_reply_names *names,
				 const char *raw)
{
	struct text text = {0};
	size_t repaired, place;
	bool taken = false;

	text_add_utf8(&text, raw, strlen(raw));
	repaired = text.size;
	text_add(&text, "", 1);
	place = text.error ? 0
			   : native_reply_find_name(names, text.data, &taken);
	while (!text.error && taken) {
		text.size = repaired;
		text_format(&text, "~%u", ++names->suffix);
		text_add(&text, "", 1);
		if (!text.error)
			place = native_reply_find_name(names, text.data,
						       &taken);
	}
	if (text.error) {
		text_free(&text);
		return -ENOMEM;
	}
	memmove(names->sorted + place + 1, names->sorted + place,
		(names->count - place) * sizeof(*names->sorted));
	names->sorted[place] = text.data;
	names->list[names->count++] = text.data;
	return 0;
}

static void native_reply_free_names(struct native_reply_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
	free(names->sorted);
}

static int native_reply_make_names(struct native_reply_names *names,
				   const struct outcome *outcome)
{
	size_t count = outcome->files_count;
	int rc = 0;

	*names = (struct native_reply_names){0};
	if (count == 0)
		return 0;
	names->list = calloc(count, sizeof(*names->list));
	names->sorted = calloc(count, sizeof(*names->sorted));
	if (!names->list || !names->sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count && !rc; i++)
		rc = native_reply_add_name(names, outcome->files[i].name);
	return rc;
}

/* Append each file as an object. FIRST is the beginning of the first one, NEXT
 * that of all others. */
static void native_reply_each_file(struct reply *reply,
				   const struct outcome *outcome,
				   const char *first, const char *next)
{
	struct native_reply_names names;

	if (native_reply_make_names(&names, outcome) != 0)
		reply->error = -ENOMEM;
	for (size_t i = 0; i < names.count && !reply->error; i++) {
		const struct outcome_file *file = &outcome->files[i];

		reply_text(reply, i ? next : first);
		reply_text(reply, "\"filename\":");
		reply_string(reply, names.list[i]);
		reply_text(reply, ",\"b64_data\":");
		reply_base64_file(reply, file->fd, file->size);
		reply_text(reply, "}");
	}
	native_reply_free_names(&names);
}

static void native_reply_files(struct reply *reply,
			       const struct outcome *outcome)
{
	reply_text(reply, "\"output_files\":[");
	native_reply_each_file(reply, outcome, "{", ",{");
	reply_text(reply, "],");
}

static void native_reply_message(struct reply *reply,
				 const struct outcome *outcome,
				 const struct limits *limits)
{
	struct text text = {0};

	message_add(&text, outcome, limits);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

static void native_reply_error(struct reply *reply,
			       const struct outcome *outcome,
			       const struct limits *limits)
{
	const char *type = outcome_rows[outcome->verdict].error_type;

	if (!type)
		type = outcome->error_type ? outcome->error_type : "Exception";
	reply_text(reply, ",\"error\":{\"type\":");
	reply_string(reply, type);
	reply_text(reply, ",\"message\":");
	native_reply_message(reply, outcome, limits);
	reply_text(reply, "}");
}

static void native_reply_text(struct reply *reply, const char *name,
			      const struct outcome_stream *stream)
{
	reply_format(reply, ",\"%s\":", name);
	reply_json_string(reply, stream->kept.data, stream->kept.size);
}

static void native_reply_results(struct reply *reply,
				 const struct outcome *outcome)
{
	if (outcome->displays_count == 0)
		return;
	reply_text(reply, ",\"results\":");
	for (size_t i = 0; i < outcome->displays_count; i++) {
		reply_text(reply, i ? "," : "[");
		reply_json(reply, &outcome->displays[i]);
	}
	reply_text(reply, "]");
}

static void native_reply_truncated(struct reply *reply,
				   const struct outcome *outcome)
{
	if (!outcome->out.dropped && !outcome->err.dropped &&
	    !outcome->files_dropped && !outcome->displays_dropped)
		return;
	reply_text(reply, ",\"truncated\":{");
	native_reply_number(reply, "std_out", outcome->out.dropped);
	reply_text(reply, ",");
	native_reply_number(reply, "std_err", outcome->err.dropped);
	reply_text(reply, ",");
	native_reply_number(reply, "output_files", outcome->files_dropped);
	reply_text(reply, ",");
	native_reply_number(reply, "results", outcome->displays_dropped);
	reply_text(reply, "}");
}

/* Warnings about the request come first. */
static void native_reply_warnings(struct reply *reply, const struct job *job,
				  const struct outcome *outcome)
{
	const struct warnings *lists[] = {&job->warnings, &outcome->warnings};
	const char *text = NULL, *glue = ",\"warnings\":[";

	for (size_t i = 0; i < ARRAY_LEN(lists); i++)
		while ((text = warnings_next(lists[i], text))) {
			reply_text(reply, glue);
			reply_string(reply, text);
			glue = ",";
		}
	if (glue[1] == '\0') /* there were some */
		reply_text(reply, "]");
}

static void native_reply_usage(struct reply *reply,
			       const struct outcome *outcome)
{
	reply_text(reply, ",\"usage\":{");
	native_reply_number(reply, "cpu_ms", outcome->cpu_ms);
	reply_text(reply, ",");
	native_reply_number(reply, "memory_peak_kb", outcome->memory_peak_kb);
	reply_text(reply, ",");
	native_reply_number(reply, "queue_ms", outcome->queue_ms);
	reply_text(reply,
		   outcome->armed ? ",\"armed\":true}" : ",\"armed\":false}");
}

static void native_reply_exit_code(struct reply *reply,
				   const struct outcome *outcome)
{
	reply_text(reply, ",");
	native_reply_number(reply, "exit_code", (uint64_t)outcome->exit_code);
}

/* The fields of a run that started. A stream has had its texts and rich
 * values. */
static void native_reply_run(struct reply *reply, const struct outcome *outcome,
			     bool streamed)
{
	if (!streamed) {
		native_reply_text(reply, "std_out", &outcome->out);
		native_reply_text(reply, "std_err", &outcome->err);
	}
	reply_text(reply, ",");
	native_reply_number(reply, "code_runtime", outcome->runtime_ms);
	if (!streamed)
		native_reply_results(reply, outcome);
	native_reply_truncated(reply, outcome);
	native_reply_usage(reply, outcome);
	native_reply_exit_code(reply, outcome);
}

/* The server failed, or the request was not a program: fill in *WHY. */
static void native_reply_explain_no_run(const struct outcome *outcome,
					struct refusal *why)
{
	const struct outcome_row *row = &outcome_rows[outcome->verdict];
	char sentence[OUTCOME_SENTENCE_MAX];

	outcome_sentence(outcome, sentence);
	refuse(why, row->ours ? 500 : 200,
	       row->ours ? "internal_error" : row->error_type, "%s%s%s",
	       sentence, outcome->error_message ? ": " : "",
	       outcome->error_message ? outcome->error_message : "");
}

static void native_reply_session(struct reply *reply,
				 const struct door_session *session,
				 bool failed)
{
	if (!session)
		return;
	reply_text(reply, ",\"session\":{\"state\":");
	reply_string(reply, session->word);
	if (session->reason) {
		reply_text(reply, ",\"reason\":");
		reply_string(reply, session->reason);
	}
	if (failed) {
		reply_text(reply, ",\"message\":");
		reply_string(reply, session->sentence);
	}
	reply_text(reply, "}");
}

/* The final value, if there is one, and success. */
static void native_reply_value(struct reply *reply,
			       const struct outcome *outcome)
{
	bool success = outcome->verdict == OUTCOME_OK;

	if (success && outcome->value.size) {
		reply_text(reply, "\"final_expression\":");
		reply_json(reply, &outcome->value);
		reply_text(reply, ",");
	}
	reply_text(reply, success ? "\"success\":true" : "\"success\":false");
}

void native_reply_render(const struct door_answer *answer, struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	const struct outcome_row *row = &outcome_rows[outcome->verdict];
	bool success = outcome->verdict == OUTCOME_OK;

	struct refusal why;

	if (row->ours || !row->started) {
		native_reply_explain_no_run(outcome, &why);
		native_reply_refuse(&why, answer->id, reply);
		return;
	}
	reply->status = 200;
	reply->id = answer->id;
	reply_text(reply, "{");
	native_reply_files(reply, outcome);
	native_reply_value(reply, outcome);
	if (!success)
		native_reply_error(reply, outcome, answer->limits);
	native_reply_run(reply, outcome, false);
	native_reply_warnings(reply, answer->job, outcome);
	native_reply_session(reply, answer->session, !success);
	native_reply_end(reply, answer->id);
}

void native_reply_facts(const struct door_answer *answer, struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	bool success = outcome->verdict == OUTCOME_OK;

	native_reply_value(reply, outcome);
	if (!success)
		native_reply_error(reply, outcome, answer->limits);
	native_reply_text(reply, "std_out", &outcome->out);
	native_reply_text(reply, "std_err", &outcome->err);
	native_reply_run(reply, outcome, true);
	native_reply_warnings(reply, answer->job, outcome);
	native_reply_session(reply, answer->session, !success);
}

void native_reply_refuse(const struct refusal *why, const char *id,
			 struct reply *reply)
{
	reply->id = id;
	reply_refusal(reply, why);
}

/* ---- the end of a stream --------------------------------------------- */

static void native_reply_refuse_end(const struct refusal *why, const char *id,
				    struct reply *reply)
{
	reply->status = 200;
	reply_text(reply, "{\"type\":\"end\",");
	reply_failure(reply, why);
	reply_text(reply, "\"id\":");
	reply_string(reply, id);
	reply_text(reply, "}\n");
}

static void native_reply_render_end(const struct door_answer *answer,
				    struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	const struct outcome_row *row = &outcome_rows[outcome->verdict];
	bool success = outcome->verdict == OUTCOME_OK;
	struct refusal why;

	if (row->ours || !row->started) {
		native_reply_explain_no_run(outcome, &why);
		native_reply_refuse_end(&why, answer->id, reply);
		return;
	}
	reply->status = 200;
	if (!success)
		events_error(reply, outcome, answer->limits);
	native_reply_each_file(reply, outcome, "{\"type\":\"file\",",
			       "\n{\"type\":\"file\",");
	if (outcome->files_count > 0)
		reply_text(reply, "\n");
	reply_text(reply, "{\"type\":\"end\",");
	native_reply_value(reply, outcome);
	native_reply_run(reply, outcome, true);
	native_reply_warnings(reply, answer->job, outcome);
	native_reply_session(reply, answer->session, !success);
	native_reply_end(reply, answer->id);
}

const struct door_stream native_reply_stream = {
	&events_native, native_reply_render_end, native_reply_refuse_end};
