/*
 * fuzz_request - any bytes on the connection from the web server: records,
 * parameters and body.
 *
 * Besides memory errors and waiting: what is accepted is a request as the
 * rest of the server relies on it, and what is sent back are whole FastCGI
 * records.
 */
#include <signal.h>
#include <string.h>
#include <sys/socket.h>

#include "fcgi/http/request.h"

#define FUZZ_BODY_MAX 65536
#define FUZZ_WAIT_MS 10000 /* never: the peer has left by then */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	signal(SIGPIPE, SIG_IGN);
	return 0;
}

static void want(bool truth)
{
	if (!truth)
		abort();
}

static void fuzz_serve(struct request *request)
{
	struct refusal why = {0};
	struct bytes body = {0};
	struct reply reply;
	int rc = request_check(request, &why);

	if (rc == 0)
		rc = request_body(request, FUZZ_BODY_MAX, &body, &why);
	if (rc == 0) {
		const char *length = request_param(request, "CONTENT_LENGTH");

		want(strtoull(length, NULL, 10) == body.size);
		want(body.data[body.size] == '\0');
	} else {
		want(why.status >= 400 && why.message[0]);
	}
	want(strlen(request_id(request)) == REQUEST_ID_MAX - 1);
	reply_init(&reply);
	reply.id = request_id(request);
	reply_bytes(&reply, body.data, body.size);
	want(reply_send(request, &reply) == 0);
	reply_free(&reply);
	free(body.data);
}

/* Whole records of version 1; the last one ends the request. */
static void fuzz_check_answer(int peer, bool served)
{
	static unsigned char answer[4 * FUZZ_BODY_MAX];
	size_t size = 0, at = 0;
	ssize_t n;
	int kind = 0;

	while ((n = recv(peer, answer + size, sizeof(answer) - size, 0)) > 0)
		size += (size_t)n;
	while (size - at >= 8) {
		want(answer[at] == 1);
		kind = answer[at + 1];
		at += 8 + ((size_t)answer[at + 4] << 8 | answer[at + 5]) +
		      answer[at + 6];
		want(at <= size);
	}
	want(at == size && (kind == 3 || (kind == 0 && !served)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct request *request = NULL;
	int ends[2];

	request_prepare(); /* once is enough, more does nothing */
	want(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
	want(send(ends[0], data, size, MSG_DONTWAIT) == (ssize_t)size);
	shutdown(ends[0], SHUT_WR);
	bool served = request_open(&request, ends[1], FUZZ_WAIT_MS) == 0;

	if (served)
		fuzz_serve(request);
	request_close(&request);
	fuzz_check_answer(ends[0], served);
	close(ends[0]);
	return 0;
}
