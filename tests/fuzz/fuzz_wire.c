/*
 * fuzz_wire - any bytes, in pieces of any size, as a guest writes them to its
 * result pipe.
 *
 * Besides memory errors: the frames that are read, and the point at which
 * the stream is refused, are those that a plain reading of wire.h gives.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "sandbox/ipc/wire.h"

#define PIECE_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next expected frame of a stream that is wholly in memory. */
struct expected {
	const uint8_t *at, *end;
	unsigned seen[WIRE_TYPES];
	uint64_t displays; /* bytes */
	const struct limits *limits;
};

static void want(bool truth)
{
	if (!truth)
		abort();
}

static bool fuzz_may_come(struct expected *expected,
			  const struct wire_header *header)
{
	const struct limits *limits = expected->limits;
	const struct {
		uint64_t max;
		unsigned times;
	} rows[WIRE_TYPES] = {
		[WIRE_ARMED] = {0, 1},
		[WIRE_DISPLAY] = {((uint64_t)limits->displays_mb << 20) -
				  expected->displays, limits->displays},
		[WIRE_VALUE] = {(uint64_t)limits->value_kb << 10, 1},
		[WIRE_ERROR] = {256 << 10, 1},
		[WIRE_DROPPED] = {20, 1},
		[WIRE_END] = {sizeof(struct wire_end), 1},
		[WIRE_FAILED] = {200, 1},
		[WIRE_STARTED] = {0, 1},
		[WIRE_REFUSED] = {80, 1},
		[WIRE_WARNING] = {500, 20},
		[WIRE_WHERE] = {4096, 10},
	};

	if (header->type >= WIRE_TYPES ||
	    header->size > rows[header->type].max ||
	    expected->seen[header->type] == rows[header->type].times)
		return false;
	expected->seen[header->type]++;
	if (header->type == WIRE_DISPLAY)
		expected->displays += header->size;
	return true;
}

/* A frame was read: it must be the next. */
static void fuzz_compare(struct expected *expected,
			 const struct wire_reader *reader)
{
	struct wire_header header;

	want((size_t)(expected->end - expected->at) >= sizeof(header));
	memcpy(&header, expected->at, sizeof(header));
	expected->at += sizeof(header);
	want(fuzz_may_come(expected, &header));
	want(header.type == reader->header.type);
	want(header.size == reader->payload.size);
	want((size_t)(expected->end - expected->at) >= header.size);
	want(memcmp(expected->at, reader->payload.data, header.size) == 0);
	want(reader->payload.data[header.size] == '\0');
	expected->at += header.size;
}

/* The stream was refused: its next header must not come. */
static void fuzz_refused(struct expected *expected)
{
	struct wire_header header;

	want((size_t)(expected->end - expected->at) >= sizeof(header));
	memcpy(&header, expected->at, sizeof(header));
	want(!fuzz_may_come(expected, &header));
}

/* The stream has ended: less than a frame is left, which might have come. */
static void fuzz_ended(struct expected *expected)
{
	struct wire_header header;
	size_t left = (size_t)(expected->end - expected->at);

	if (left < sizeof(header))
		return;
	memcpy(&header, expected->at, sizeof(header));
	want(fuzz_may_come(expected, &header));
	want(left - sizeof(header) < header.size);
}

static int fuzz_take(struct wire_reader *reader, int fd,
		     struct expected *expected)
{
	int rc;

	while ((rc = wire_read(reader, fd)) > 0)
		fuzz_compare(expected, reader);
	if (rc == -EPROTO)
		fuzz_refused(expected);
	else if (rc == -EPIPE)
		fuzz_ended(expected);
	else
		want(rc == 0);
	return rc;
}

static void fuzz_stream(const struct limits *limits, const uint8_t *data,
			size_t size, size_t piece)
{
	struct expected expected = {data, data + size, {0}, 0, limits};
	struct wire_reader reader;
	int ends[2], rc = 0;

	want(pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
	wire_reader_init(&reader, limits);
	while (size > 0 && rc == 0) {
		size_t part = size < piece ? size : piece;

		want(io_write_full(ends[1], data, part) == 0);
		data += part;
		size -= part;
		rc = fuzz_take(&reader, ends[0], &expected);
	}
	close(ends[1]);
	if (rc == 0)
		want(fuzz_take(&reader, ends[0], &expected) < 0);
	close(ends[0]);
	wire_reader_free(&reader);
}

/* The first three bytes select the limits and the length of a piece. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 3)
		return 0;
	const struct limits limits = {.value_kb = data[0] & 3,
				      .displays = data[0] >> 2 & 7,
				      .displays_mb = data[0] >> 5 & 1};
	size_t piece = 1 + ((size_t)data[1] | (size_t)data[2] << 8) %
			       PIECE_MAX;

	fuzz_stream(&limits, data + 3, size - 3, piece);
	return 0;
}
