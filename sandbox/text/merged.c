/* merged - see merged.h. */
#include "merged.h"

#include <string.h>

/* A stream, and how much of it is merged. */
struct merged_stream {
	const struct bytes *kept;
	size_t come;  /* bytes that have come, by the order */
	size_t given; /* bytes that were appended; COME or a few less */
};

/* Append what has come of STREAM, but not the beginning of a character that is
 * still to be completed. */
static void merged_give(struct text *text, struct merged_stream *stream)
{
	size_t size = stream->come - stream->given;

	if (size == 0)
		return;
	const char *from = stream->kept->data + stream->given;

	if (stream->come < stream->kept->size)
		size -= text_utf8_unfinished(from, size);
	text_add(text, from, size);
	stream->given += size;
}

static void merged_come(struct text *text, struct merged_stream *stream,
			size_t size)
{
	const size_t left = stream->kept->size - stream->come;

	stream->come += size < left ? size : left;
	merged_give(text, stream);
}

void merged_add(struct text *text, const struct outcome *outcome)
{
	struct merged_stream streams[] = {{&outcome->out.kept, 0, 0},
					  {&outcome->err.kept, 0, 0}};
	const struct outcome_order *order = &outcome->order;

	for (size_t i = 0; i < order->count; i++)
		merged_come(text, &streams[i % 2], order->sizes[i]);
	for (size_t i = 0; i < ARRAY_LEN(streams); i++)
		merged_come(text, &streams[i], SIZE_MAX);
}
