/* live - see live.h. */
#include "live.h"

#include <string.h>

#include "sandbox/text/text.h"
#include "shown.h"

static void live_print(struct live *live, int fd, const char *data, size_t size)
{
	int rc;

	if (size == 0 || live->error)
		return;
	progress_yield(live->progress, fd, data[size - 1]);
	rc = shown_write(fd, data, size);
	if (rc < 0)
		live->error = rc;
}

/* Characters are written whole, because shown_write() would take a part of one
 * for bytes that are no text. */
static void live_pass(struct live *live, struct live_stream *stream, int fd,
		      const char *data, size_t size)
{
	struct text text = {0};

	stream->taken += size;
	text_add(&text, stream->held, stream->held_size);
	text_add(&text, data, size);
	if (text.error)
		live->error = text.error;
	stream->held_size = text_utf8_unfinished(text.data, text.size);
	text.size -= stream->held_size;
	if (stream->held_size)
		memcpy(stream->held, text.data + text.size, stream->held_size);
	live_print(live, fd, text.data, text.size);
	text_free(&text);
}

void live_out(struct live *live, const char *data, size_t size)
{
	live_pass(live, &live->out, STDOUT_FILENO, data, size);
}

void live_err(struct live *live, const char *data, size_t size)
{
	live_pass(live, &live->err, STDERR_FILENO, data, size);
}

static void live_end(struct live *live, struct live_stream *stream, int fd,
		     const struct bytes *kept)
{
	if (kept->size > stream->taken)
		live_pass(live, stream, fd, kept->data + stream->taken,
			  kept->size - stream->taken);
	live_print(live, fd, stream->held, stream->held_size);
}

void live_finish(struct live *live, const struct outcome *outcome)
{
	live_end(live, &live->out, STDOUT_FILENO, &outcome->out.kept);
	live_end(live, &live->err, STDERR_FILENO, &outcome->err.kept);
}
