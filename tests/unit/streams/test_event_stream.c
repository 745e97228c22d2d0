/*
 * test_event_stream - the life of a stream, and what it takes from workers.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "fcgi/http/fastcgi_out.h"
#include "fcgi/streams/event_stream.h"

static struct event_stream stream;
static int web = -1; /* the web server's end of the connection */
static int64_t began;

/* Begin a stream, as the web server asks for one. */
static int set_up(void **state)
{
	const struct fastcgi_out_param params[] = {{"REQUEST_METHOD", "GET"}};
	struct fastcgi_out out;
	struct request *request;
	struct bytes body;
	struct refusal why;
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	web = pair[0];
	fastcgi_out_request(&out, params, ARRAY_LEN(params), "");
	assert_int_equal(write(web, out.data, out.size), out.size);
	request_prepare();
	assert_int_equal(request_open(&request, pair[1], 1000), 0);
	assert_int_equal(request_body(request, 10, &body, &why), 0);
	free(body.data);
	began = io_now_ms();
	assert_int_equal(event_stream_begin(&stream, request, "alice|1",
					    began), 0);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (stream.request)
		event_stream_close(&stream, EVENT_STREAM_LEFT);
	base_release_fd(&web);
	return 0;
}

/* All that the web server has got, as a text. */
static const char *got(void)
{
	static char text[1 << 20];
	size_t size = 0;
	ssize_t n;

	while ((n = recv(web, text + size, sizeof(text) - size - 1,
			 MSG_DONTWAIT)) > 0)
		size += (size_t)n;
	for (size_t i = 0; i < size; i++)
		if (text[i] == '\0')
			text[i] = ' '; /* of a record's header */
	text[size] = '\0';
	return text;
}

static enum event_stream_end step_at(int64_t after_ms)
{
	return event_stream_step(&stream, began + after_ms);
}

/* The channel of a worker that got the answer KIND, DETAIL to its order. */
static int channel(bool run, uint32_t kind, uint32_t detail)
{
	struct session_order_answer answer;
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	event_stream_take(&stream, pair[1], run);
	assert_int_equal(read(pair[0], &answer, sizeof(answer)),
			 sizeof(answer));
	assert_int_equal(answer.kind, kind);
	assert_int_equal(answer.detail, detail);
	return pair[0];
}

static void say(int fd, uint32_t size, const char *text)
{
	assert_int_equal(write(fd, &size, sizeof(size)), sizeof(size));
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
}

static void the_first_event_names_the_stream(void **state)
{
	char want[128];
	const char *text;

	(void)state;
	assert_int_equal(step_at(0), EVENT_STREAM_GOES_ON);
	snprintf(want, sizeof(want),
		 "event: endpoint\ndata: /messages?stream=%s\n\n", stream.id);
	text = got();
	assert_non_null(strstr(text, "Content-Type: text/event-stream\r\n"));
	assert_non_null(strstr(text, want));
}

static void the_last_message_counts(void **state)
{
	int fd = channel(true, SESSION_ORDER_OK, 1);

	(void)state;
	step_at(0);
	got();
	say(fd, 3, "one");
	assert_int_equal(step_at(0), EVENT_STREAM_GOES_ON);
	assert_string_equal(got(), "");
	say(fd, 3, "two");
	say(fd, 5, "thr");
	close(fd);
	assert_int_equal(step_at(0), EVENT_STREAM_GOES_ON);
	const char *text = got();

	assert_non_null(strstr(text, "event: message\ndata: two\n\n"));
	assert_null(strstr(text, "one"));
	assert_int_equal(stream.messages, 1);
}

static void a_worker_cannot_forge_events(void **state)
{
	static const struct {
		uint32_t size;
		const char *text;
	} rows[] = {{4, "a\n\nb"}, {3, "a\rb"}, {2, "\xc3\xa4"},
		    {0, ""}, {STREAM_CALL_MESSAGE_MAX + 1, "x"},
		    {UINT32_MAX, "x"}, {2, "x"}};

	(void)state;
	step_at(0);
	got();
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		int fd = channel(false, SESSION_ORDER_OK, 1);

		say(fd, rows[i].size, rows[i].text);
		close(fd);
		assert_int_equal(step_at(0), EVENT_STREAM_GOES_ON);
		assert_string_equal(got(), "");
	}
	assert_int_equal(stream.messages, 0);
}

static void a_message_past_the_limit_ends_its_call(void **state)
{
	const uint32_t size = STREAM_CALL_MESSAGE_MAX + 1;
	int fd = channel(false, SESSION_ORDER_OK, 1);
	char byte;

	(void)state;
	assert_int_equal(write(fd, &size, sizeof(size)), sizeof(size));
	step_at(0);
	assert_int_equal(read(fd, &byte, 1), 0);
	close(fd);
}

static void four_programs_run_and_eight_are_served(void **state)
{
	int fds[EVENT_STREAM_CALLS];

	(void)state;
	for (size_t i = 0; i < EVENT_STREAM_RUNS; i++)
		fds[i] = channel(true, SESSION_ORDER_OK, 1);
	fds[4] = channel(true, SESSION_ORDER_REFUSED, SESSION_ORDER_BUSY);
	for (size_t i = 5; i < EVENT_STREAM_CALLS; i++)
		fds[i] = channel(false, SESSION_ORDER_OK, 1);
	close(channel(false, SESSION_ORDER_REFUSED, SESSION_ORDER_FULL));
	close(fds[0]);
	step_at(0);
	fds[0] = channel(true, SESSION_ORDER_OK, 1);
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		close(fds[i]);
}

static void a_comment_breaks_the_silence(void **state)
{
	(void)state;
	step_at(0);
	got();
	assert_int_equal(step_at(EVENT_STREAM_BEAT_MS - 1),
			 EVENT_STREAM_GOES_ON);
	assert_string_equal(got(), "");
	step_at(EVENT_STREAM_BEAT_MS);
	assert_non_null(strstr(got(), ": still here\n\n"));
	step_at(2 * EVENT_STREAM_BEAT_MS - 1);
	assert_string_equal(got(), "");
}

static void an_hour_ends_it(void **state)
{
	(void)state;
	assert_int_equal(step_at(EVENT_STREAM_LIFE_MS - 1),
			 EVENT_STREAM_GOES_ON);
	int fd = channel(true, SESSION_ORDER_OK, 1);

	assert_int_equal(step_at(EVENT_STREAM_LIFE_MS), EVENT_STREAM_GOES_ON);
	close(fd);
	step_at(EVENT_STREAM_LIFE_MS);
	assert_int_equal(step_at(EVENT_STREAM_LIFE_MS), EVENT_STREAM_OLD);
	event_stream_close(&stream, EVENT_STREAM_OLD);
	got();
	assert_int_equal(recv(web, &fd, 1, MSG_DONTWAIT), 0);
}

static void one_that_shall_end_waits_for_its_calls_a_while(void **state)
{
	int fd = channel(true, SESSION_ORDER_OK, 1);

	(void)state;
	event_stream_leave(&stream, began);
	assert_int_equal(step_at(EVENT_STREAM_LEAVE_MS - 1),
			 EVENT_STREAM_GOES_ON);
	assert_int_equal(step_at(EVENT_STREAM_LEAVE_MS), EVENT_STREAM_OLD);
	close(fd);
}

static void a_slow_reader_loses_it(void **state)
{
	static char text[200 << 10];
	enum event_stream_end end = EVENT_STREAM_GOES_ON;
	size_t count = 0;

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	for (; end == EVENT_STREAM_GOES_ON && count < 100; count++) {
		uint32_t size = (uint32_t)sizeof(text) - 1;
		int fd = channel(false, SESSION_ORDER_OK, 1);
		struct stream_call *call = &stream.calls[0];

		/* More than a socket holds, so both sides take turns. */
		fcntl(fd, F_SETFL, O_NONBLOCK);
		assert_int_equal(write(fd, &size, sizeof(size)), sizeof(size));
		for (size_t at = 0; at < size;) {
			ssize_t n = write(fd, text + at, size - at);

			assert_true(n > 0 || errno == EAGAIN);
			at += n > 0 ? (size_t)n : 0;
			assert_int_equal(stream_call_receive(call), 0);
		}
		close(fd);
		end = step_at(0);
	}
	assert_int_equal(end, EVENT_STREAM_SLOW);
	assert_in_range(count, 11, 20);
}

static void one_that_left_has_ended(void **state)
{
	char byte;
	int fd = channel(true, SESSION_ORDER_OK, 1);

	(void)state;
	base_release_fd(&web);
	assert_int_equal(step_at(0), EVENT_STREAM_LEFT);
	event_stream_close(&stream, EVENT_STREAM_LEFT);
	/* So its worker ends the program. */
	assert_int_equal(read(fd, &byte, 1), 0);
	close(fd);
}

int main(void)
{
#define ROW(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		ROW(the_first_event_names_the_stream),
		ROW(the_last_message_counts),
		ROW(a_worker_cannot_forge_events),
		ROW(a_message_past_the_limit_ends_its_call),
		ROW(four_programs_run_and_eight_are_served),
		ROW(a_comment_breaks_the_silence),
		ROW(an_hour_ends_it),
		ROW(one_that_shall_end_waits_for_its_calls_a_while),
		ROW(a_slow_reader_loses_it),
		ROW(one_that_left_has_ended),
	};
#undef ROW

	return cmocka_run_group_tests(tests, NULL, NULL);
}
