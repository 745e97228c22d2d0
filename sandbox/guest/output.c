/* output - see output.h. */
#include "output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sandbox/base/io.h"

#define OUTPUT_CHUNK 65536
#define OUTPUT_GATHER_MS 2 /* for a sink: a program that prints line by line
			    * gets one event for the lines of this time */

/* Append SIZE bytes to those that the outcome keeps. */
static int output_keep(struct outcome_stream *stream, const char *data,
		       size_t size)
{
	if (size == 0)
		return 0;
	char *grown = realloc(stream->kept.data, stream->kept.size + size + 1);

	if (!grown)
		return -ENOMEM;
	memcpy(grown + stream->kept.size, data, size);
	stream->kept.data = grown;
	stream->kept.size += size;
	return 0;
}

static int output_lower(char byte)
{
	return byte >= 'A' && byte <= 'Z' ? byte - 'A' + 'a' : byte;
}

/* On a mismatch only the present byte can begin the text. No earlier one can,
 * because the text's first letter occurs only once in it. */
void output_marker_pass(struct output_marker *marker, const char *data,
			size_t size)
{
	const struct bytes *text = &marker->text;

	for (size_t i = 0; text->size > 0 && i < size; i++) {
		int byte = output_lower(data[i]);

		if (byte != output_lower(text->data[marker->matched]))
			marker->matched = 0;
		if (byte != output_lower(text->data[marker->matched]))
			continue;
		if (++marker->matched < text->size)
			continue;
		marker->count++;
		marker->matched = 0;
	}
}

/* Pass output to the sink. A program that prints fast may wait in its pipe for
 * a moment, so that the sink gets many lines at once. */
static void output_pass_on(struct output *output, enum sink_stream which,
			   const char *data, size_t size, bool more)
{
	struct sink *sink = output->sink;

	if (size == 0 || !sink->calls->output)
		return;
	sink->calls->output(sink, which, data, size);
	if (!sink->keep && !more)
		output->gather = io_now_ms() + OUTPUT_GATHER_MS;
}

/* Note that SIZE bytes of WHICH come next. */
static int output_note(struct outcome_order *order, enum sink_stream which,
		       size_t size)
{
	size_t count = order->count;

	while (count == 0 || (count - 1) % 2 != (size_t)which)
		count++;
	if (size == 0 || count > OUTCOME_TURNS_MAX)
		return 0;
	if (count > order->count) {
		uint32_t *grown = reallocarray(order->sizes, count,
					       sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		order->sizes = grown;
		while (order->count < count)
			grown[order->count++] = 0;
	}
	order->sizes[count - 1] += (uint32_t)size;
	return 0;
}

/* Take SIZE bytes of WHICH, as far as the limit allows. */
static int output_take(struct output *output, enum sink_stream which,
		       const char *data, size_t size)
{
	struct outcome_stream *stream = which == SINK_OUT ? &output->outcome->out
							  : &output->outcome->err;
	const size_t max = (size_t)output->limits->output_kb << 10;
	size_t room = max - stream->kept.size - (size_t)stream->passed;
	size_t keep = size < room ? size : room;
	int rc = 0;

	stream->dropped += size - keep;
	if (output->sink)
		output_pass_on(output, which, data, keep,
			       size > OUTPUT_CHUNK / 2);
	if (output->sink && !output->sink->keep) {
		stream->passed += keep;
		return 0;
	}
	if (output->ordered)
		rc = output_note(&output->outcome->order, which, keep);
	return rc < 0 ? rc : output_keep(stream, data, keep);
}

void output_begin(struct output *output, const struct job *job,
		  const struct limits *limits, struct sink *sink,
		  struct outcome *outcome)
{
	*output = (struct output){.limits = limits,
				  .outcome = outcome,
				  .sink = sink,
				  .marker.text = job->probe.marker,
				  .ordered = job->habits & JOB_ORDERED};
}

int output_read(struct output *output, enum sink_stream stream, int fd)
{
	const uint64_t most = (uint64_t)output->limits->flood_mb << 20;
	char chunk[OUTPUT_CHUNK];
	ssize_t n = read(fd, chunk, sizeof(chunk));

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n == 0)
		return 0;
	int rc = output_take(output, stream, chunk, (size_t)n);

	if (rc < 0)
		return rc;
	if (stream == SINK_OUT)
		output_marker_pass(&output->marker, chunk, (size_t)n);
	output->printed += (uint64_t)n;
	return output->printed > most ? -EFBIG : 1;
}
