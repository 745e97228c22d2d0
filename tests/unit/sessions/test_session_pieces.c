/*
 * test_session_pieces - the results of a call as they pass: a session keeper
 * that was taken over sends a worker what it likes.
 */
#include "tests/unit/support.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fcgi/sessions/session_client.h"
#include "sandbox/base/io.h"

#define LATE_S (SESSION_CLIENT_END_MS / 1000 + 60)

static void ignore(struct sink *sink)
{
	(void)sink;
}

static void ignore_output(struct sink *sink, enum sink_stream stream,
			  const char *data, size_t size)
{
	(void)sink;
	(void)stream;
	(void)data;
	(void)size;
}

static const struct sink_calls calls = {
	.begin = ignore, .output = ignore_output, .flush = ignore};

/* Play the master and a session keeper: take the order and its job, then send
 * pieces without bytes until the worker closes the channel. */
static void send_pieces_for_ever(int registry)
{
	const struct session_order_answer taken = {
		.kind = SESSION_ORDER_TAKEN}, go = {.kind = SESSION_ORDER_GO};
	const struct session_order_terms terms = {
		.limits = {.timeout_ms = 1, .files_in = 1}, .body_mb = 1};
	const struct {
		struct session_order_answer head;
		uint64_t size;
	} piece = {.head = {.kind = SESSION_ORDER_PIECE,
			    .detail = SESSION_ORDER_PIECE_OUT}};
	const int room = 64 << 20; /* so that it is never empty, as root */
	struct session_order order;
	struct transfer channel = {.fd = -1, .client = -1};

	while (session_order_take(registry, &order, &channel.fd) <= 0)
		;
	setsockopt(channel.fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room));
	transfer_begin(&channel);
	transfer_send(&channel, &taken, sizeof(taken));
	transfer_send(&channel, &go, sizeof(go));
	transfer_send(&channel, &terms, sizeof(terms));
	transfer_flush(&channel);
	while (!channel.error) {
		transfer_begin(&channel);
		transfer_send(&channel, &piece.head, sizeof(piece.head));
		transfer_send(&channel, &piece.size, sizeof(piece.size));
	}
}

static void pieces_without_end_do_not_hold_a_worker(void **state)
{
	const struct limits limits = {.timeout_ms = 1, .files_in = 1};
	struct sink sink = {.calls = &calls, .fd = -1, .next = INT64_MAX};
	struct job job = {0};
	struct outcome outcome;
	struct session_client_end end;
	struct refusal why;
	int pair[2];

	(void)state;
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair), 0);
	const pid_t child = fork();

	if (child == 0) {
		signal(SIGPIPE, SIG_IGN);
		alarm(2 * LATE_S);
		send_pieces_for_ever(pair[1]);
		_exit(0);
	}
	const struct session_client client = {
		.registry = pair[0], .owner = "a", .connection = -1,
		.limits = &limits, .body_mb = 1, .wait_ms = 1, .sink = &sink};

	alarm(LATE_S); /* a worker that is held ends the test */
	assert_int_not_equal(session_client_run(&client, "s", &job, &outcome,
						&end, &why), 0);
	alarm(0);
	assert_string_equal(why.message, "the session's process does not "
					 "answer; the call may have run");
	outcome_free(&outcome);
	close(pair[0]);
	close(pair[1]);
	assert_int_equal(waitpid(child, NULL, 0), child);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_without_end_do_not_hold_a_worker),
	};

	return cmocka_run_group_tests_name("session_pieces", tests, NULL, NULL);
}
