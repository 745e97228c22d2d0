/* events - see events.h. */
#include "events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/base/log.h"
#include "sandbox/text/message.h"

/* ---- the sink's fields ----------------------------------------------- */

static void events_follow(struct events *events)
{
	const struct stream *stream = events->stream;
	struct sink *sink = &events->sink;

	sink->pending = outbox_left(&stream->out) > 0;
	sink->full = outbox_is_full(&stream->out, sink->full);
	sink->next = stream_next(stream);
	sink->error = stream->out.error;
}

static void events_send(struct events *events, struct text *text)
{
	if (text->error)
		events->stream->out.error = text->error;
	else
		stream_lines(events->stream, text->data, text->size);
	events->sent++;
	text_free(text);
	events_follow(events);
}

/* ---- results for the answer's end ------------------------------------ */

static void events_keep_display(struct events *events,
				const struct bytes *payload)
{
	struct events_kept *kept = &events->kept;
	struct bytes *grown = reallocarray(kept->displays,
					   kept->displays_count + 1,
					   sizeof(*grown));

	if (grown) {
		kept->displays = grown;
		grown = &grown[kept->displays_count];
		*grown = (struct bytes){malloc(payload->size + 1),
					payload->size};
	}
	if (!grown || !grown->data) {
		events->stream->out.error = -ENOMEM;
		return;
	}
	memcpy(grown->data, payload->data, payload->size);
	grown->data[payload->size] = '\0';
	kept->displays_count++;
}

/* Pass all that was kept to OUTCOME, and take its own, which is less, to be
 * freed. */
static void events_pass_on(struct events *events, struct outcome *outcome)
{
	struct events_kept *kept = &events->kept, old = {
		.texts = {{.data = outcome->out.kept.data},
			  {.data = outcome->err.kept.data}},
		.displays = outcome->displays,
		.displays_count = outcome->displays_count};

	outcome->out.kept = (struct bytes){kept->texts[SINK_OUT].data,
					   kept->texts[SINK_OUT].size};
	outcome->err.kept = (struct bytes){kept->texts[SINK_ERR].data,
					   kept->texts[SINK_ERR].size};
	outcome->displays = kept->displays;
	outcome->displays_count = kept->displays_count;
	*kept = old;
}

/* ---- output ---------------------------------------------------------- */

static void events_native_text(const struct events *events, struct text *line,
			       enum sink_stream stream, const char *data,
			       size_t size)
{
	char now[LOG_TIME_SIZE];

	(void)events;
	log_time(now);
	text_format(line, "{\"type\":\"%s\",\"text\":",
		    stream == SINK_OUT ? "stdout" : "stderr");
	text_add_json(line, data, size);
	text_format(line, ",\"timestamp\":\"%s\"}\n", now);
}

static void events_text(struct events *events, enum sink_stream stream,
			const char *data, size_t size)
{
	struct text line = {0};

	if (size == 0)
		return;
	events->lines->text(events, &line, stream, data, size);
	events_send(events, &line);
}

static void events_output(struct sink *sink, enum sink_stream stream,
			  const char *data, size_t size)
{
	struct events *events = (struct events *)sink;
	struct events_held *held = &events->held[stream];
	struct text text = {0};

	text_add(&text, held->bytes, held->size);
	text_add(&text, data, size);
	if (events->lines->keep)
		text_add(&events->kept.texts[stream], data, size);
	if (text.error || events->kept.texts[stream].error) {
		text_free(&text);
		events->stream->out.error = -ENOMEM;
		events_follow(events);
		return;
	}
	held->size = text_utf8_unfinished(text.data, text.size);
	text.size -= held->size;
	if (held->size)
		memcpy(held->bytes, text.data + text.size, held->size);
	events_text(events, stream, text.data, text.size);
	text_free(&text);
}

/* ---- rich values ----------------------------------------------------- */

/* Short names of media types. Another type has its own name. */
static const struct {
	const char *media, *name;
} events_media[] = {
	{"text/plain", "text"},
	{"text/html", "html"},
	{"text/markdown", "markdown"},
	{"text/latex", "latex"},
	{"image/png", "png"},
	{"image/jpeg", "jpeg"},
	{"image/svg+xml", "svg"},
	{"application/pdf", "pdf"},
	{"application/json", "json"},
	{"application/javascript", "javascript"},
	{JOB_MEDIA_DATA, "data"},
	{JOB_MEDIA_CHART, "chart"},
};

_Static_assert(ARRAY_LEN(events_media) == EVENTS_NAMES, "of all names");

const char *events_name(struct json_span key, unsigned *index)
{
	for (*index = 0; *index < ARRAY_LEN(events_media); ++*index)
		if (json_is(key, events_media[*index].media))
			return events_media[*index].name;
	return NULL;
}

/* Append a member. A key without a slash is no media type, and could pass for
 * a member of the line, such as its type. */
static void events_member(struct text *line, struct json_span key,
			  struct json_span value, unsigned *seen)
{
	unsigned i;
	const char *name = events_name(key, &i);

	if (name) {
		if (*seen & 1u << i)
			return;
		*seen |= 1u << i;
		text_format(line, "\"%s\":", name);
	} else {
		if (!memchr(key.data, '/', key.size))
			return;
		text_add_line(line, key.data, key.size);
		text_add(line, ":", 1);
	}
	text_add_line(line, value.data, value.size);
	text_add(line, ",", 1);
}

static void events_native_display(struct text *line, struct json_span value)
{
	static const char begin[] = "{\"type\":\"result\",",
			  end[] = "\"is_main_result\":false}\n";
	struct json_walk walk = json_walk(value);
	unsigned seen = 0;

	text_add(line, begin, sizeof(begin) - 1);
	while (json_next(&walk))
		events_member(line, walk.key, walk.value, &seen);
	text_add(line, end, sizeof(end) - 1);
}

static void events_display(struct sink *sink, const struct bytes *payload)
{
	struct events *events = (struct events *)sink;
	struct text line = {0};

	if (json_check_value(payload->data, payload->size) != 0 ||
	    json_kind(json_whole(payload->data, payload->size)) !=
		    JSON_OBJECT) {
		events->bad = true;
		return;
	}
	if (events->lines->keep)
		events_keep_display(events, payload);
	if (events->lines->display) {
		events->lines->display(&line, json_whole(payload->data,
							 payload->size));
		events_send(events, &line);
	}
	events_follow(events);
}

/* ---- a failure ------------------------------------------------------- */

/* The part of a traceback behind "TYPE: " in its last line that begins with
 * TYPE, or with TYPE in a module. NULL: there is none. */
static const char *events_value(const char *message, const char *type)
{
	const char *found = NULL, *line = message;
	size_t size = strlen(type);

	while (line) {
		size_t name = strcspn(line, ": \n");

		if (name >= size &&
		    memcmp(line + name - size, type, size) == 0 &&
		    (name == size || line[name - size - 1] == '.') &&
		    line[name] == ':')
			found = line + name + 1 + (line[name + 1] == ' ');
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return found;
}

/* The exception's own message, or the sentence of another failure: one line. */
static void events_put_value(struct reply *reply, const struct outcome *outcome,
			     const char *message)
{
	const char *value = message;

	if (outcome->verdict == OUTCOME_RAISED)
		value = events_value(message, outcome->error_type
						      ? outcome->error_type
						      : "Exception");
	reply_json_string(reply, value, value ? strcspn(value, "\n") : 0);
}

void events_error(struct reply *reply, const struct outcome *outcome,
		  const struct limits *limits)
{
	const char *type = outcome_rows[outcome->verdict].error_type;
	struct text message = {0};

	if (!type)
		type = outcome->error_type ? outcome->error_type : "Exception";
	message_add(&message, outcome, limits);
	text_add(&message, "", 1);
	if (message.error) {
		reply->error = message.error;
	} else {
		reply_text(reply, "{\"type\":\"error\",\"name\":");
		reply_string(reply, type);
		reply_text(reply, ",\"value\":");
		events_put_value(reply, outcome, message.data);
		reply_text(reply, ",\"traceback\":");
		reply_json_string(reply, message.data, message.size - 1);
		reply_text(reply, "}\n");
	}
	text_free(&message);
}

/* ---- the sink -------------------------------------------------------- */

void events_open(struct events *events)
{
	struct text line = {0};

	stream_begin(events->stream);
	if (events->lines->first && !events->opened) {
		events->lines->first(events, &line);
		events_send(events, &line);
	}
	events->opened = true;
	events_follow(events);
}

static void events_begin(struct sink *sink)
{
	events_open((struct events *)sink);
}

static void events_flush(struct sink *sink)
{
	struct events *events = (struct events *)sink;

	outbox_push(&events->stream->out);
	events_follow(events);
}

static void events_tick(struct sink *sink, int64_t now)
{
	struct events *events = (struct events *)sink;
	struct text line = {0};

	if (stream_tick(events->stream, now)) {
		events->lines->silence(events, &line);
		events_send(events, &line);
	}
	events_follow(events);
}

static void events_native_silence(const struct events *events,
				  struct text *line)
{
	(void)events;
	text_format(line, "{\"type\":\"keepalive\"}\n");
}

const struct events_lines events_native = {
	.text = events_native_text,
	.display = events_native_display,
	.silence = events_native_silence,
};

static const struct sink_calls events_calls = {
	.begin = events_begin,
	.output = events_output,
	.display = events_display,
	.flush = events_flush,
	.tick = events_tick,
};

void events_init(struct events *events, struct stream *stream,
		 const struct events_lines *lines, const void *context)
{
	*events = (struct events){.stream = stream,
				  .lines = lines,
				  .context = context,
				  .sink = {.calls = &events_calls,
					   .fd = stream->out.fd}};
	events_follow(events);
}

void events_free(struct events *events)
{
	for (size_t i = 0; i < ARRAY_LEN(events->kept.texts); i++)
		text_free(&events->kept.texts[i]);
	for (size_t i = 0; i < events->kept.displays_count; i++)
		free(events->kept.displays[i].data);
	free(events->kept.displays);
	events->kept = (struct events_kept){0};
}

void events_end(struct events *events, struct outcome *outcome)
{
	for (int i = SINK_OUT; i <= SINK_ERR; i++) {
		struct events_held *held = &events->held[i];

		if (events->stream->begun)
			events_text(events, (enum sink_stream)i, held->bytes,
				    held->size);
		held->size = 0;
	}
	if (events->lines->keep)
		events_pass_on(events, outcome);
}
