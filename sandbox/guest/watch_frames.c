/* watch_frames - see watch_frames.h. */
#include "watch_frames.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sandbox/base/io.h"

#define WATCH_FRAMES_TURNS 2 /* that empty a pipe's 64 KB */

/* Pass a rich value to the sink, behind all output that was printed before
 * it. */
static void watch_frames_pass_display(struct watch *watch,
				      const struct bytes *payload)
{
	struct sink *sink = watch->sink;

	if (!sink || !sink->calls->display)
		return;
	watch_drain(watch, WATCH_FRAMES_TURNS);
	sink->calls->display(sink, payload);
}

static void watch_frames_display(struct watch *watch, struct bytes *payload)
{
	struct outcome *outcome = watch->outcome;

	watch_frames_pass_display(watch, payload);
	if (watch->sink && !watch->sink->keep)
		return;
	struct bytes *grown = reallocarray(outcome->displays,
					   outcome->displays_count + 1,
					   sizeof(*grown));

	if (!grown) {
		watch_fail(watch, -ENOMEM);
		return;
	}
	outcome->displays = grown;
	outcome->displays[outcome->displays_count++] = *payload;
	*payload = (struct bytes){0};
}

static void watch_frames_value(struct watch *watch, struct bytes *payload)
{
	watch->outcome->value = *payload;
	watch->outcome->value_present = true;
	*payload = (struct bytes){0};
}

static void watch_frames_error(struct watch *watch, struct bytes *payload)
{
	size_t name = strnlen(payload->data, payload->size);
	const char *message = name < payload->size ? payload->data + name + 1
						   : "";

	watch->outcome->error_type = strdup(payload->data);
	watch->outcome->error_message = strdup(message);
	if (!watch->outcome->error_type || !watch->outcome->error_message)
		watch_fail(watch, -ENOMEM);
}

static void watch_frames_started(struct watch *watch, struct bytes *payload)
{
	(void)payload;
	watch->outcome->probe.phase = OUTCOME_RUN;
}

static void watch_frames_refused(struct watch *watch, struct bytes *payload)
{
	if (payload->size == 0)
		return;
	watch->outcome->probe.refused_file = payload->data[0] == 'f';
	watch->outcome->refused = strdup(payload->data + 1);
	if (!watch->outcome->refused)
		watch_fail(watch, -ENOMEM);
}

static void watch_frames_warning(struct watch *watch, struct bytes *payload)
{
	int rc = warnings_add(&watch->outcome->warnings, payload->data,
			      payload->size);

	if (rc < 0)
		watch_fail(watch, rc);
}

/* The program may send it unasked. */
static void watch_frames_where(struct watch *watch, struct bytes *payload)
{
	const struct run_slow *slow = &watch->run->slow;

	if (watch->asks == 0 || watch->told)
		return;
	watch->told = true;
	watch->ask_at = INT64_MAX;
	slow->tell(slow->context, payload, io_now_ms() - watch->share.start);
}

static void watch_frames_dropped(struct watch *watch, struct bytes *payload)
{
	watch->outcome->displays_dropped = strtoull(payload->data, NULL, 10);
}

static void watch_frames_end(struct watch *watch, struct bytes *payload)
{
	struct wire_end end = {0};

	if (payload->size == sizeof(end))
		memcpy(&end, payload->data, sizeof(end));
	watch->outcome->memory_peak_kb = end.max_rss_kb;
	watch->outcome->exit_code = (int)(end.exit_code & 0xff);
	watch->ended = true;
}

static void watch_frames_unexpected(struct watch *watch, struct bytes *payload)
{
	(void)payload;
	watch_finish(watch, OUTCOME_PROTOCOL, 0);
}

static void (*const watch_frames_handlers[WIRE_TYPES])(struct watch *,
						       struct bytes *) = {
	[WIRE_ARMED] = watch_frames_unexpected,
	[WIRE_DISPLAY] = watch_frames_display,
	[WIRE_VALUE] = watch_frames_value,
	[WIRE_ERROR] = watch_frames_error,
	[WIRE_DROPPED] = watch_frames_dropped,
	[WIRE_END] = watch_frames_end,
	[WIRE_FAILED] = watch_frames_unexpected,
	[WIRE_STARTED] = watch_frames_started,
	[WIRE_REFUSED] = watch_frames_refused,
	[WIRE_WARNING] = watch_frames_warning,
	[WIRE_WHERE] = watch_frames_where,
};

void watch_frames_read(struct watch *watch)
{
	struct wire_reader *reader = &watch->run->reader;
	int rc = 0;

	while (!watch->finished && !watch->ended &&
	       (rc = wire_read(reader, watch->run->ends[WIRE_FD_RESULT])) > 0)
		watch_frames_handlers[reader->header.type](watch,
							   &reader->payload);
	if (rc == -EPIPE) /* its exit status tells how it died */
		watch->polled[WATCH_RESULT].fd = -1;
	else if (rc == -EPROTO)
		watch_finish(watch, OUTCOME_PROTOCOL, 0);
	else if (rc < 0)
		watch_fail(watch, rc);
}
