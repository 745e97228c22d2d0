/*
 * native_reply - the door of Terrarium's own contract: from an outcome, or a
 * refusal, to one line of JSON. The order of the fields is part of the
 * contract.
 */
#include "native.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/message.h"

static void put_number(struct reply *reply, const char *name, uint64_t number)
{
	reply_format(reply, "\"%s\":%ju", name, (uintmax_t)number);
}

static void put_end(struct reply *reply, const char *id)
{
	reply_text(reply, ",\"id\":");
	reply_string(reply, id);
	reply_text(reply, "}\n");
}

/*
 * The names in an answer, made valid and distinct. Names that only bad bytes
 * told apart are the same once repaired; the later one then gets "~N". N never
 * goes back, so that hostile names cost no more than a few tries each.
 */
struct names {
	char **list; /* in the order of the files */
	char **sorted;
	size_t count;
	unsigned suffix;
};

static size_t find_name(const struct names *names, const char *name,
			bool *found)
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

static int add_name(struct names *names, const char *raw)
{
	struct text text = { 0 };
	size_t repaired, place;
	bool taken = false;

	text_add_utf8(&text, raw, strlen(raw));
	repaired = text.size;
	text_add(&text, "", 1);
	place = text.error ? 0 : find_name(names, text.data, &taken);
	while (!text.error && taken) {
		text.size = repaired;
		text_format(&text, "~%u", ++names->suffix);
		text_add(&text, "", 1);
		if (!text.error)
			place = find_name(names, text.data, &taken);
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

static void free_names(struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->list[i]);
	free(names->list);
	free(names->sorted);
}

static int make_names(struct names *names, const struct outcome *outcome)
{
	size_t count = outcome->files_count;
	int rc = 0;

	*names = (struct names){ 0 };
	if (count == 0)
		return 0;
	names->list = calloc(count, sizeof(*names->list));
	names->sorted = calloc(count, sizeof(*names->sorted));
	if (!names->list || !names->sorted)
		return -ENOMEM;
	for (size_t i = 0; i < count && !rc; i++)
		rc = add_name(names, outcome->files[i].name);
	return rc;
}

static void put_files(struct reply *reply, const struct outcome *outcome)
{
	struct names names;

	if (make_names(&names, outcome) != 0)
		reply->error = -ENOMEM;
	reply_text(reply, "\"output_files\":[");
	for (size_t i = 0; i < names.count && !reply->error; i++) {
		const struct outcome_file *file = &outcome->files[i];

		reply_text(reply, i ? ",{\"filename\":" : "{\"filename\":");
		reply_string(reply, names.list[i]);
		reply_text(reply, ",\"b64_data\":");
		reply_base64_file(reply, file->fd, file->size);
		reply_text(reply, "}");
	}
	reply_text(reply, "],");
	free_names(&names);
}

static void put_message(struct reply *reply, const struct outcome *outcome,
			const struct limits *limits)
{
	struct text text = { 0 };

	message_add(&text, outcome, limits);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

static void put_error(struct reply *reply, const struct outcome *outcome,
		      const struct limits *limits)
{
	const char *type = outcome_rows[outcome->verdict].error_type;

	if (!type)
		type = outcome->error_type ? outcome->error_type : "Exception";
	reply_text(reply, ",\"error\":{\"type\":");
	reply_string(reply, type);
	reply_text(reply, ",\"message\":");
	put_message(reply, outcome, limits);
	reply_text(reply, "}");
}

static void put_stream(struct reply *reply, const char *name,
		       const struct outcome_stream *stream)
{
	reply_format(reply, ",\"%s\":", name);
	reply_json_string(reply, stream->kept.data, stream->kept.size);
}

static void put_results(struct reply *reply, const struct outcome *outcome)
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

static void put_truncated(struct reply *reply, const struct outcome *outcome)
{
	if (!outcome->out.dropped && !outcome->err.dropped &&
	    !outcome->files_dropped && !outcome->displays_dropped)
		return;
	reply_text(reply, ",\"truncated\":{");
	put_number(reply, "std_out", outcome->out.dropped);
	reply_text(reply, ",");
	put_number(reply, "std_err", outcome->err.dropped);
	reply_text(reply, ",");
	put_number(reply, "output_files", outcome->files_dropped);
	reply_text(reply, ",");
	put_number(reply, "results", outcome->displays_dropped);
	reply_text(reply, "}");
}

static void put_usage(struct reply *reply, const struct outcome *outcome)
{
	reply_text(reply, ",\"usage\":{");
	put_number(reply, "cpu_ms", outcome->cpu_ms);
	reply_text(reply, ",");
	put_number(reply, "memory_peak_kb", outcome->memory_peak_kb);
	reply_text(reply, ",");
	put_number(reply, "queue_ms", outcome->queue_ms);
	reply_text(reply, outcome->armed ? ",\"armed\":true}"
					 : ",\"armed\":false}");
}

/* What only a run that began has to say. */
static void put_run(struct reply *reply, const struct outcome *outcome)
{
	put_stream(reply, "std_out", &outcome->out);
	put_stream(reply, "std_err", &outcome->err);
	reply_text(reply, ",");
	put_number(reply, "code_runtime", outcome->runtime_ms);
	put_results(reply, outcome);
	put_truncated(reply, outcome);
	put_usage(reply, outcome);
}

static void render_failure_of_ours(const struct outcome *outcome,
				   const char *id, struct reply *reply)
{
	char sentence[OUTCOME_SENTENCE_MAX];
	struct refusal why;

	outcome_sentence(outcome, sentence);
	refuse(&why, 500, "internal_error", "%s%s%s", sentence,
	       outcome->error_message ? ": " : "",
	       outcome->error_message ? outcome->error_message : "");
	native_refuse(&why, id, reply);
}

static void put_session(struct reply *reply,
			const struct door_session *session, bool failed)
{
	if (!session)
		return;
	reply_text(reply, ",\"session\":{\"state\":");
	reply_string(reply, session->word);
	if (failed) {
		reply_text(reply, ",\"message\":");
		reply_string(reply, session->sentence);
	}
	reply_text(reply, "}");
}

void native_render(const struct door_answer *answer, struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	const struct outcome_row *row = &outcome_rows[outcome->verdict];
	bool success = outcome->verdict == OUTCOME_OK;

	if (row->ours) {
		render_failure_of_ours(outcome, answer->id, reply);
		return;
	}
	reply->status = 200;
	reply->id = answer->id;
	reply_text(reply, "{");
	if (row->started)
		put_files(reply, outcome);
	if (success && outcome->value.size) {
		reply_text(reply, "\"final_expression\":");
		reply_json(reply, &outcome->value);
		reply_text(reply, ",");
	}
	reply_text(reply, success ? "\"success\":true" : "\"success\":false");
	if (!success)
		put_error(reply, outcome, answer->limits);
	if (row->started)
		put_run(reply, outcome);
	put_session(reply, answer->session, !success);
	put_end(reply, answer->id);
}

void native_refuse(const struct refusal *why, const char *id,
		   struct reply *reply)
{
	bool parsing = why->status == 200;

	reply->status = why->status;
	reply->id = id;
	reply_text(reply, parsing ? "{\"success\":false,\"error\":{\"type\":"
				  : "{\"error\":{\"code\":");
	reply_string(reply, why->code);
	reply_text(reply, ",\"message\":");
	reply_string(reply, why->message);
	if (why->has_offset) {
		reply_text(reply, ",");
		put_number(reply, "offset", why->offset);
	}
	reply_text(reply, "}");
	put_end(reply, id);
}

const struct door native_door = {
	native_parse, native_render, native_refuse, "session"
};
