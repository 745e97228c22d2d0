/*
 * test_outbox - bytes that wait for a socket.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sandbox/base/outbox.h"

#define PIECE 1000
#define PIECES 2000

static int ends[2];

static int set_up(void **state)
{
	(void)state;
	return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends);
}

static int tear_down(void **state)
{
	(void)state;
	close(ends[0]);
	close(ends[1]);
	return 0;
}

static char byte_at(size_t at)
{
	return (char)(at * 7 + at / PIECE);
}

/* Read all that is there, and compare it. */
static size_t receive(size_t from)
{
	char data[4096];
	ssize_t n;

	while ((n = recv(ends[1], data, sizeof(data), MSG_DONTWAIT)) > 0)
		for (ssize_t i = 0; i < n; i++)
			assert_int_equal(data[i], byte_at(from++));
	return from;
}

static void nothing_waits_while_the_peer_reads(void **state)
{
	struct outbox outbox = {.fd = ends[0]};

	(void)state;
	outbox_push(&outbox);
	outbox_add(&outbox, "ab", 2);
	outbox_add(&outbox, "", 0);
	assert_int_equal(outbox_left(&outbox), 2);
	outbox_push(&outbox);
	assert_int_equal(outbox_left(&outbox), 0);
	assert_int_equal(outbox.sent, 2);
	assert_int_equal(outbox.error, 0);
	outbox_free(&outbox);
}

/* The peer reads in turns only; all arrives once, in order. */
static void bytes_wait_in_order(void **state)
{
	struct outbox outbox = {.fd = ends[0]};
	size_t got = 0, at = 0;
	char piece[PIECE];
	bool full = false;

	(void)state;
	for (int i = 0; i < PIECES; i++) {
		for (size_t j = 0; j < PIECE; j++)
			piece[j] = byte_at(at++);
		outbox_add(&outbox, piece, PIECE);
		outbox_push(&outbox);
		full |= outbox_is_full(&outbox, full);
		if (i % 500 == 499)
			got = receive(got);
	}
	assert_true(full);
	while (outbox_left(&outbox) > 0) {
		outbox_push(&outbox);
		got = receive(got);
	}
	assert_int_equal(receive(got), PIECE * PIECES);
	assert_int_equal(outbox.sent, PIECE * PIECES);
	assert_false(outbox_is_full(&outbox, full));
	outbox_free(&outbox);
}

static void it_is_full_until_it_is_low(void **state)
{
	struct outbox outbox = {.size = OUTBOX_FULL - 1};

	(void)state;
	assert_false(outbox_is_full(&outbox, false));
	assert_true(outbox_is_full(&outbox, true));
	outbox.size++;
	assert_true(outbox_is_full(&outbox, false));
	outbox.at = OUTBOX_FULL - OUTBOX_LOW;
	assert_true(outbox_is_full(&outbox, true));
	outbox.at++;
	assert_false(outbox_is_full(&outbox, true));
}

static void an_error_is_kept(void **state)
{
	struct outbox outbox = {.fd = ends[0]};

	(void)state;
	shutdown(ends[1], SHUT_RD);
	outbox_add(&outbox, "a", 1);
	outbox_push(&outbox);
	assert_int_equal(outbox.error, -EPIPE);
	outbox_add(&outbox, "b", 1);
	outbox_push(&outbox);
	assert_int_equal(outbox.error, -EPIPE);
	assert_int_equal(outbox.sent, 0);
	outbox_free(&outbox);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			nothing_waits_while_the_peer_reads, set_up, tear_down),
		cmocka_unit_test_setup_teardown(bytes_wait_in_order, set_up,
						tear_down),
		cmocka_unit_test(it_is_full_until_it_is_low),
		cmocka_unit_test_setup_teardown(an_error_is_kept, set_up,
						tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
