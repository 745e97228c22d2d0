/* e2b_events - see e2b_events.h. */
#include "e2b_events.h"

#include <string.h>

/* A value's line while it is written. */
struct e2b_events_line {
	struct text *text;
	struct text extra;
	unsigned seen; /* bits by numbers of short names */
	bool main;
};

static void e2b_events_first(const struct events *events, struct text *line)
{
	const uint32_t *before = events->context;

	text_format(line,
		    "{\"type\":\"number_of_executions\","
		    "\"execution_count\":%ju}\n",
		    (uintmax_t)*before + 1);
}

static void e2b_events_text(const struct events *events, struct text *line,
			    enum sink_stream stream, const char *data,
			    size_t size)
{
	events_native.text(events, line, stream, data, size);
}

static void e2b_events_silence(const struct events *events, struct text *line)
{
	events_native.silence(events, line);
}

/* Append a text that Python's repr() has made: that of a str without its
 * quotes, as E2B's clients expect. */
static void e2b_events_repr(struct text *text, struct json_span value)
{
	const char *inner = value.data + 1;
	size_t size = value.size - 2, mark = 0;

	if (value.size >= 4 && *inner == '\'' && inner[size - 1] == '\'')
		mark = 1;
	else if (value.size >= 6 && memcmp(inner, "\\\"", 2) == 0 &&
		 memcmp(inner + size - 2, "\\\"", 2) == 0)
		mark = 2;
	text_add(text, "\"", 1);
	text_add_line(text, inner + mark, size - 2 * mark);
	text_add(text, "\"", 1);
}

static void e2b_events_named(struct e2b_events_line *line, const char *name,
			     unsigned index, struct json_span value)
{
	if (line->seen & 1u << index)
		return;
	line->seen |= 1u << index;
	text_format(line->text, "\"%s\":", name);
	if (strcmp(name, "text") == 0 && json_kind(value) == JSON_STRING)
		e2b_events_repr(line->text, value);
	else
		text_add_line(line->text, value.data, value.size);
	text_add(line->text, ",", 1);
}

/* A key without a slash is no media type. */
static void e2b_events_member(struct e2b_events_line *line,
			      struct json_span key, struct json_span value)
{
	unsigned index;
	const char *name = events_name(key, &index);

	if (json_is(key, JOB_MEDIA_MAIN)) {
		line->main = true;
	} else if (name) {
		e2b_events_named(line, name, index, value);
	} else if (memchr(key.data, '/', key.size)) {
		text_add(&line->extra, line->extra.size ? "," : "",
			 line->extra.size > 0);
		text_add_line(&line->extra, key.data, key.size);
		text_add(&line->extra, ":", 1);
		text_add_line(&line->extra, value.data, value.size);
	}
}

static void e2b_events_display(struct text *text, struct json_span value)
{
	struct e2b_events_line line = {.text = text};
	struct json_walk walk = json_walk(value);

	text_format(text, "{\"type\":\"result\",");
	while (json_next(&walk))
		e2b_events_member(&line, walk.key, walk.value);
	if (line.extra.size > 0) {
		text_format(text, "\"extra\":{");
		text_add(text, line.extra.data, line.extra.size);
		text_add(text, "},", 2);
	}
	text_format(text, "\"is_main_result\":%s}\n",
		    line.main ? "true" : "false");
	if (line.extra.error)
		text->error = line.extra.error;
	text_free(&line.extra);
}

const struct events_lines e2b_events = {
	.first = e2b_events_first,
	.text = e2b_events_text,
	.display = e2b_events_display,
	.silence = e2b_events_silence,
};
