/*
 * fuzz_stream - any bytes as an Accept header, and as what a program prints,
 * shows and fails with, in pieces, in a stream.
 *
 * Besides memory errors: the answer is whole records; each line is one JSON
 * object in ASCII with a known type, whatever was printed; the texts are those
 * of a whole answer.
 */
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fcgi/api/events.h"
#include "fcgi/api/native.h"
#include "fcgi/api/native_reply.h"
#include "fcgi/http/rehearse.h"
#include "sandbox/text/json.h"
#include "sandbox/text/text.h"

#define FUZZ_INPUT_MAX 4000 /* its answer fits into the socket */
#define FUZZ_WAIT_MS 1000
#define FUZZ_STDOUT 6 /* record of the answer */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct fuzz {
	struct request *request;
	struct stream stream;
	struct events events;
	int peer;
	struct text answer; /* records, then lines */
	struct text out;    /* JSON text of all output */
};

static void want(bool truth)
{
	if (!truth)
		abort();
}

static void fuzz_receive(struct fuzz *fuzz)
{
	char bytes[4096];
	ssize_t n;

	while ((n = recv(fuzz->peer, bytes, sizeof(bytes), MSG_DONTWAIT)) > 0)
		text_add(&fuzz->answer, bytes, (size_t)n);
}

/* Print DATA in pieces of STEP bytes, and show it. */
static void fuzz_run(struct fuzz *fuzz, const char *data, size_t size,
		     size_t step)
{
	struct sink *sink = &fuzz->events.sink;
	const struct bytes shown = {(char *)(uintptr_t)data, size};

	sink->calls->begin(sink);
	for (size_t at = 0; at < size; at += step) {
		size_t part = size - at < step ? size - at : step;

		sink->calls->output(sink, SINK_OUT, data + at, part);
		fuzz_receive(fuzz);
	}
	sink->calls->display(sink, &shown);
	sink->calls->tick(sink, INT64_MAX);
	events_end(&fuzz->events, NULL);
	fuzz_receive(fuzz);
	want(sink->error == 0 && !sink->full);
}

static void fuzz_end(struct fuzz *fuzz, char *text, size_t size)
{
	const struct limits limits = {.timeout_ms = 1};
	const struct job job = {.task = JOB_RUN};
	struct outcome outcome = {.error_type = text, .error_message = text};
	struct reply reply;

	outcome.verdict = size ? (unsigned char)text[size - 1] %
					 OUTCOME_VERDICTS : 0;
	if (json_check_value(text, size) == 0)
		outcome.value = (struct bytes){text, size};
	reply_init(&reply);
	native_reply_stream.render(&(struct door_answer){.outcome = &outcome,
							 .job = &job,
							 .limits = &limits,
							 .id = "id"},
				   &reply);
	want(stream_send(&fuzz->stream, &reply) == 0);
	reply_free(&reply);
	request_close(&fuzz->request);
	fuzz_receive(fuzz);
}

/* Take the contents out of the records, and drop the head. */
static void fuzz_unpack(struct fuzz *fuzz)
{
	struct text body = {0};

	for (size_t at = 0; at < fuzz->answer.size;) {
		const unsigned char *head =
			(unsigned char *)fuzz->answer.data + at;
		size_t content = (size_t)head[4] << 8 | head[5];

		at += 8 + content + head[6];
		want(at <= fuzz->answer.size && head[0] == 1);
		if (head[1] == FUZZ_STDOUT)
			text_add(&body, (const char *)head + 8, content);
	}
	text_free(&fuzz->answer);
	const char *end = memmem(body.data, body.size, "\r\n\r\n", 4);

	want(end != NULL);
	text_add(&fuzz->answer, end + 4,
		 body.size - (size_t)(end + 4 - body.data));
	text_free(&body);
}

/* A line without its end. True: it is the last one. */
static bool fuzz_line(struct fuzz *fuzz, const char *line, size_t size)
{
	static const char *const types[] = {"stdout", "result", "error",
					    "keepalive", "end"};
	const struct json_limits limits = {
		.depth = 250, .nul = true, .twice = true};
	struct refusal why = {0};
	struct json_span type, text;
	size_t known = 0;

	for (size_t i = 0; i < size; i++)
		want((unsigned char)line[i] >= ' ' &&
		     (unsigned char)line[i] < 0x80);
	want(json_check(line, size, &limits, &why) == 0);
	want(json_member(json_whole(line, size), "type", &type));
	while (known < ARRAY_LEN(types) && !json_is(type, types[known]))
		known++;
	want(known < ARRAY_LEN(types));
	if (known == 0) {
		want(json_member(json_whole(line, size), "text", &text));
		text_add(&fuzz->out, text.data + 1, text.size - 2);
	}
	return known + 1 == ARRAY_LEN(types);
}

static void fuzz_check(struct fuzz *fuzz, const char *data, size_t size)
{
	bool sse = fuzz->stream.form == ACCEPT_SSE, last = false;
	const char *at = fuzz->answer.data, *end = at + fuzz->answer.size;
	struct text json = {0}, ascii = {0};

	while (at < end) {
		const char *line = memchr(at, '\n', (size_t)(end - at));

		want(line && !last);
		if (sse)
			want(memcmp(at, "data: ", 6) == 0 && line[1] == '\n');
		at += sse ? 6 : 0;
		last = fuzz_line(fuzz, at, (size_t)(line - at));
		at = line + 1 + sse;
	}
	want(last && at == end);
	text_add_json(&json, data, size);
	text_add_ascii(&ascii, json.data, json.size);
	want(ascii.size == fuzz->out.size + 2);
	want(fuzz->out.size == 0 ||
	     memcmp(ascii.data + 1, fuzz->out.data, fuzz->out.size) == 0);
	text_free(&json);
	text_free(&ascii);
}

/* The first two bytes are the form and the size of a piece. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz fuzz = {0};
	int ends[2];

	if (size < 2 || size > FUZZ_INPUT_MAX)
		return 0;
	owned_free char *text = calloc(1, size - 1);

	want(text != NULL);
	memcpy(text, data + 2, size - 2);
	const enum accept_form form = accept_form(text);

	want(form < ACCEPT_FORMS);
	want(form == ACCEPT_WHOLE || accept_takes(text, form));
	request_prepare(); /* once is enough, more does nothing */
	want(rehearse_request(ends) == 0);
	fuzz.peer = ends[1];
	want(request_open(&fuzz.request, ends[0], FUZZ_WAIT_MS) == 0);
	stream_init(&fuzz.stream, fuzz.request,
		    data[0] % 2 ? ACCEPT_SSE : ACCEPT_NDJSON, FUZZ_WAIT_MS);
	events_init(&fuzz.events, &fuzz.stream, &events_native, NULL);
	fuzz_run(&fuzz, text, size - 2, data[1] % 16 + 1u);
	shutdown(fuzz.peer, SHUT_WR);
	fuzz_end(&fuzz, text, size - 2);
	fuzz_unpack(&fuzz);
	fuzz_check(&fuzz, text, size - 2);
	close(fuzz.peer);
	stream_free(&fuzz.stream);
	text_free(&fuzz.answer);
	text_free(&fuzz.out);
	return 0;
}
