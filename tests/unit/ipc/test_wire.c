/*
 * test_wire - frames on their pipes: types, sizes, repetitions, pieces.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "sandbox/ipc/wire.h"

static const struct limits limits = {
	.value_kb = 3, .displays = 4, .displays_mb = 1};

/* A reader, its pipe, and both ends of it. */
struct line {
	struct wire_reader reader;
	int read, write;
};

static void line_open(struct line *line, const struct limits *those)
{
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	line->read = ends[0];
	line->write = ends[1];
	assert_int_equal(io_set_nonblocking(line->read, true), 0);
	wire_reader_init(&line->reader, those);
}

static void line_close(struct line *line)
{
	wire_reader_free(&line->reader);
	close(line->read);
	base_release_fd(&line->write);
}

static void line_header(const struct line *line, uint32_t type, uint32_t size)
{
	struct wire_header header = {.type = type, .size = size};

	assert_int_equal(io_write_full(line->write, &header, sizeof(header)),
			 0);
}

/* Send SIZE bytes as they can be taken; returns wire_read()'s result. */
static int line_payload(struct line *line, size_t size)
{
	char chunk[4096];
	int rc = wire_read(&line->reader, line->read);

	memset(chunk, 'p', sizeof(chunk));
	while (rc == 0 && size > 0) {
		size_t part = size < sizeof(chunk) ? size : sizeof(chunk);

		assert_int_equal(io_write_full(line->write, chunk, part), 0);
		size -= part;
		rc = wire_read(&line->reader, line->read);
	}
	return rc;
}

/* One whole frame of SIZE bytes. */
static int line_frame(struct line *line, uint32_t type, size_t size)
{
	line_header(line, type, (uint32_t)size);
	return line_payload(line, size);
}

/* The promises of wire.h, said a second time. */
static const struct {
	enum wire_type type;
	size_t max;
	unsigned times;
} rows[] = {
	{WIRE_ARMED, 0, 1},
	{WIRE_DISPLAY, 1 << 20, 4},
	{WIRE_VALUE, 3 << 10, 1},
	{WIRE_ERROR, 256 << 10, 1},
	{WIRE_DROPPED, 20, 1},
	{WIRE_END, 24, 1},
	{WIRE_FAILED, 200, 1},
	{WIRE_STARTED, 0, 1},
	{WIRE_REFUSED, 80, 1},
	{WIRE_WARNING, 500, 20},
	{WIRE_WHERE, 4096, 10},
};

static void every_type_has_a_row_here(void **state)
{
	(void)state;
	assert_int_equal(ARRAY_LEN(rows), WIRE_TYPES);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(rows[i].type, i);
	assert_int_equal(sizeof(struct wire_end), 24);
	assert_int_equal(sizeof(struct wire_header), 8);
}

static void a_frame_of_the_largest_size_is_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct line line;

		line_open(&line, &limits);
		assert_int_equal(line_frame(&line, rows[i].type, rows[i].max),
				 1);
		assert_int_equal(line.reader.header.type, rows[i].type);
		assert_int_equal(line.reader.payload.size, rows[i].max);
		assert_int_equal(line.reader.payload.data[rows[i].max], 0);
		line_close(&line);
	}
}

/* Only the header is sent: refused before there is room for the rest. */
static void a_larger_frame_is_refused_unread(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const uint32_t sizes[] = {(uint32_t)rows[i].max + 1, INT32_MAX,
					  (uint32_t)INT32_MAX + 1, UINT32_MAX};

		for (size_t j = 0; j < ARRAY_LEN(sizes); j++) {
			struct line line;

			line_open(&line, &limits);
			line_header(&line, rows[i].type, sizes[j]);
			assert_int_equal(wire_read(&line.reader, line.read),
					 -EPROTO);
			assert_null(line.reader.payload.data);
			line_close(&line);
		}
	}
}

static void a_frame_comes_as_often_as_its_row_says(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct line line;

		line_open(&line, &limits);
		for (unsigned n = 0; n < rows[i].times; n++)
			assert_int_equal(line_frame(&line, rows[i].type, 0),
					 1);
		assert_int_equal(line_frame(&line, rows[i].type, 0), -EPROTO);
		line_close(&line);
	}
}

static void unknown_types_are_refused(void **state)
{
	static const uint32_t types[] = {WIRE_TYPES, WIRE_TYPES + 1, 256,
					 INT32_MAX, UINT32_MAX};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(types); i++) {
		struct line line;

		line_open(&line, &limits);
		line_header(&line, types[i], 0);
		assert_int_equal(wire_read(&line.reader, line.read), -EPROTO);
		assert_null(line.reader.payload.data);
		line_close(&line);
	}
}

/* The order is the program's affair: each pair comes both ways round. */
static void any_order_is_read(void **state)
{
	(void)state;
	for (uint32_t a = 0; a < WIRE_TYPES; a++)
		for (uint32_t b = 0; b < WIRE_TYPES; b++) {
			struct line line;

			line_open(&line, &limits);
			assert_int_equal(line_frame(&line, a, 0), 1);
			if (a != b)
				assert_int_equal(line_frame(&line, b, 0), 1);
			line_close(&line);
		}
}

static void displays_share_their_room(void **state)
{
	struct line line;

	(void)state;
	line_open(&line, &limits);
	assert_int_equal(line_frame(&line, WIRE_DISPLAY, 1 << 19), 1);
	assert_int_equal(line_frame(&line, WIRE_DISPLAY, (1 << 19) - 1), 1);
	assert_int_equal(line_frame(&line, WIRE_DISPLAY, 1), 1);
	line_header(&line, WIRE_DISPLAY, 1);
	assert_int_equal(wire_read(&line.reader, line.read), -EPROTO);
	line_close(&line);
}

static void limits_of_zero_let_nothing_through(void **state)
{
	static const struct limits none = {0};
	struct line line;

	(void)state;
	line_open(&line, &none);
	assert_int_equal(line_frame(&line, WIRE_VALUE, 0), 1);
	line_header(&line, WIRE_DISPLAY, 0);
	assert_int_equal(wire_read(&line.reader, line.read), -EPROTO);
	line_close(&line);
	line_open(&line, &none);
	line_header(&line, WIRE_VALUE, 1);
	assert_int_equal(wire_read(&line.reader, line.read), -EPROTO);
	line_close(&line);
}

/* A frame and the one after it, cut in two pieces at every byte. */
static void a_frame_may_come_in_pieces(void **state)
{
	static const char text[] = "hello\0there";
	struct wire_header head = {WIRE_VALUE, sizeof(text)};
	struct wire_header next = {WIRE_END, 0};
	char whole[2 * sizeof(head) + sizeof(text)];
	char *at = mempcpy(whole, &head, sizeof(head));

	(void)state;
	at = mempcpy(at, text, sizeof(text));
	memcpy(at, &next, sizeof(next));
	for (size_t cut = 0; cut < sizeof(head) + sizeof(text); cut++) {
		struct line line;

		line_open(&line, &limits);
		assert_int_equal(io_write_full(line.write, whole, cut), 0);
		assert_int_equal(wire_read(&line.reader, line.read), 0);
		assert_int_equal(wire_read(&line.reader, line.read), 0);
		assert_int_equal(io_write_full(line.write, whole + cut,
					       sizeof(whole) - cut), 0);
		assert_int_equal(wire_read(&line.reader, line.read), 1);
		assert_int_equal(line.reader.header.type, WIRE_VALUE);
		assert_int_equal(line.reader.payload.size, sizeof(text));
		assert_memory_equal(line.reader.payload.data, text,
				    sizeof(text));
		assert_int_equal(wire_read(&line.reader, line.read), 1);
		assert_int_equal(line.reader.header.type, WIRE_END);
		assert_int_equal(line.reader.payload.size, 0);
		assert_int_equal(wire_read(&line.reader, line.read), 0);
		line_close(&line);
	}
}

static void the_end_may_come_at_every_byte(void **state)
{
	struct wire_header head = {WIRE_ERROR, 4};
	char whole[12] = {0};

	(void)state;
	memcpy(whole, &head, sizeof(head));
	for (size_t size = 0; size < sizeof(whole); size++) {
		struct line line;

		line_open(&line, &limits);
		assert_int_equal(io_write_full(line.write, whole, size), 0);
		base_release_fd(&line.write);
		assert_int_equal(wire_read(&line.reader, line.read), -EPIPE);
		line_close(&line);
	}
}

static void a_payload_can_be_taken(void **state)
{
	struct line line;

	(void)state;
	line_open(&line, &limits);
	assert_int_equal(line_frame(&line, WIRE_DISPLAY, 5), 1);
	owned_free char *mine = line.reader.payload.data;

	line.reader.payload = (struct bytes){0};
	assert_int_equal(line_frame(&line, WIRE_DISPLAY, 3), 1);
	assert_string_equal(mine, "ppppp");
	assert_string_equal(line.reader.payload.data, "ppp");
	line_close(&line);
}

static void a_bad_descriptor_is_our_failure(void **state)
{
	struct line line;

	(void)state;
	line_open(&line, &limits);
	assert_int_equal(wire_read(&line.reader, line.write), -EBADF);
	line_close(&line);
}

/* ---- writer ---------------------------------------------------------- */

#define BIG 200000

static int write_frames(void *context)
{
	const struct line *line = context;
	char *big = malloc(BIG);

	if (!big || wire_write(line->write, WIRE_ARMED, NULL, 0) < 0)
		return 1;
	for (size_t i = 0; i < BIG; i++)
		big[i] = (char)(i * 7 + (i >> 8));
	if (wire_write(line->write, WIRE_ERROR, big, BIG) < 0)
		return 2;
	return wire_write(line->write, WIRE_DROPPED, "12", 2) < 0 ? 3 : 0;
}

static int next_frame(struct line *line)
{
	int rc;

	while ((rc = wire_read(&line->reader, line->read)) == 0)
		assert_int_equal(io_wait_readable(line->read, 5000), 1);
	return rc;
}

/* Through a pipe of one page, a frame has to be written in pieces. */
static void frames_pass_through_a_small_pipe(void **state)
{
	struct line line;

	(void)state;
	line_open(&line, &limits);
	assert_true(fcntl(line.write, F_SETPIPE_SZ, 4096) >= 4096);
	pid_t pid = support_fork();

	if (pid == 0)
		_exit(write_frames(&line));
	base_release_fd(&line.write);
	assert_int_equal(next_frame(&line), 1);
	assert_int_equal(line.reader.header.type, WIRE_ARMED);
	assert_int_equal(next_frame(&line), 1);
	assert_int_equal(line.reader.payload.size, BIG);
	for (size_t i = 0; i < BIG; i++)
		if (line.reader.payload.data[i] != (char)(i * 7 + (i >> 8)))
			fail_msg("byte %zu differs", i);
	assert_int_equal(next_frame(&line), 1);
	assert_string_equal(line.reader.payload.data, "12");
	assert_int_equal(next_frame(&line), -EPIPE);
	assert_int_equal(support_wait(pid), 0);
	line_close(&line);
}

static void writing_to_nobody_fails(void **state)
{
	struct line line;

	(void)state;
	signal(SIGPIPE, SIG_IGN);
	line_open(&line, &limits);
	close(line.read);
	assert_int_equal(wire_write(line.write, WIRE_END, "", 0), -EPIPE);
	line.read = -1;
	line_close(&line);
	signal(SIGPIPE, SIG_DFL);
}

static void a_frame_past_32_bits_is_not_written(void **state)
{
	struct line line;

	(void)state;
	line_open(&line, &limits);
	assert_int_equal(wire_write(line.write, WIRE_VALUE, "",
				    (size_t)UINT32_MAX + 1), -EMSGSIZE);
	assert_int_equal(wire_read(&line.reader, line.read), 0);
	line_close(&line);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_has_a_row_here),
		cmocka_unit_test(a_frame_of_the_largest_size_is_read),
		cmocka_unit_test(a_larger_frame_is_refused_unread),
		cmocka_unit_test(a_frame_comes_as_often_as_its_row_says),
		cmocka_unit_test(unknown_types_are_refused),
		cmocka_unit_test(any_order_is_read),
		cmocka_unit_test(displays_share_their_room),
		cmocka_unit_test(limits_of_zero_let_nothing_through),
		cmocka_unit_test(a_frame_may_come_in_pieces),
		cmocka_unit_test(the_end_may_come_at_every_byte),
		cmocka_unit_test(a_payload_can_be_taken),
		cmocka_unit_test(a_bad_descriptor_is_our_failure),
		cmocka_unit_test(frames_pass_through_a_small_pipe),
		cmocka_unit_test(writing_to_nobody_fails),
		cmocka_unit_test(a_frame_past_32_bits_is_not_written),
	};

	return cmocka_run_group_tests_name("wire", tests, NULL, NULL);
}
