/* opensandbox_events - see opensandbox_events.h. */
#include "opensandbox_events.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define OPENSANDBOX_EVENTS_OWN "application/vnd.terrarium." /* our types */

int64_t opensandbox_events_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void opensandbox_events_end(struct text *line)
{
	text_format(line, ",\"timestamp\":%" PRId64 "}\n",
		    opensandbox_events_now());
}

static void opensandbox_events_first(const struct events *events,
				     struct text *line)
{
	const struct opensandbox_run *run = events->context;

	text_format(line, "{\"type\":\"init\",\"text\":");
	text_add_json(line, run->id, strlen(run->id));
	opensandbox_events_end(line);
	text_format(line,
		    "{\"type\":\"execution_count\",\"execution_count\":%ju",
		    (uintmax_t)*run->programs + 1);
	opensandbox_events_end(line);
}

static void opensandbox_events_text(const struct events *events,
				    struct text *line, enum sink_stream stream,
				    const char *data, size_t size)
{
	(void)events;
	text_format(line, "{\"type\":\"%s\",\"text\":",
		    stream == SINK_OUT ? "stdout" : "stderr");
	text_add_json(line, data, size);
	opensandbox_events_end(line);
}

/* Is KEY, a JSON string, the name of a media type that clients know? One
 * without a slash could pass for "text". */
static bool opensandbox_events_known(struct json_span key)
{
	const size_t own = strlen(OPENSANDBOX_EVENTS_OWN);

	return memchr(key.data, '/', key.size) &&
	       !(key.size > own &&
		 memcmp(key.data + 1, OPENSANDBOX_EVENTS_OWN, own) == 0);
}

static void opensandbox_events_display(struct text *line,
				       struct json_span value)
{
	struct json_walk walk = json_walk(value);
	bool some = false;

	text_format(line, "{\"type\":\"result\",\"results\":{");
	while (json_next(&walk)) {
		if (!opensandbox_events_known(walk.key))
			continue;
		text_add(line, ",", some);
		some = true;
		if (json_is(walk.key, "text/plain"))
			text_format(line, "\"text\"");
		else
			text_add_line(line, walk.key.data, walk.key.size);
		text_add(line, ":", 1);
		text_add_line(line, walk.value.data, walk.value.size);
	}
	text_add(line, "}", 1);
	opensandbox_events_end(line);
}

static void opensandbox_events_silence(const struct events *events,
				       struct text *line)
{
	(void)events;
	text_format(line, "{\"type\":\"ping\",\"text\":\"pong\"");
	opensandbox_events_end(line);
}

const struct events_lines opensandbox_events = {
	.first = opensandbox_events_first,
	.text = opensandbox_events_text,
	.display = opensandbox_events_display,
	.silence = opensandbox_events_silence,
};
