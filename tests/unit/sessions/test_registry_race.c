/*
 * test_registry_race - a session keeper that says that it is done before its
 * worker has the answer, and a client that asks again at once: the session is
 * never busy with the call before. Session keeper, worker and client are played
 * by a child, which needs no other to be fast.
 */
#include "tests/unit/support.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fcgi/sessions/registry.h"

#define RACES 30000

static struct conf_sessions conf = {.max = 1, .per_client = 1,
				    .idle_s = 3600, .waiting = 0};
static struct scoreboard board;
static struct registry registry;
static int orders[2]; /* the pool process's end is 1 */

/* Ask; the worker's end of the call's channel. */
static int ask(void)
{
	const struct session_order order = {
		.kind = SESSION_ORDER_RUN, .owner = "o", .id = "i"};
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0 ||
	    session_order_send(registry.theirs, &order, sizeof(order),
			       pair[1]) < 0)
		_exit(2);
	close(pair[1]);
	return pair[0];
}

static bool is_taken(int channel)
{
	struct session_order_answer got;

	return recv(channel, &got, sizeof(got), 0) == sizeof(got) &&
	       got.kind == SESSION_ORDER_TAKEN;
}

/* Receive CHANNEL's call from the master, and finish it. The session keeper's
 * socket is *CONTROL, which comes with the first call. */
static void serve(int channel, int *control)
{
	const struct session_order_news news = {.kind = SESSION_ORDER_DONE};
	struct session_order_task task;
	uint32_t slot;
	int with = -1;

	while (*control < 0)
		if (session_order_receive(orders[1], &slot, sizeof(slot),
					  control) < 0)
			_exit(3);
	while (with < 0) {
		struct pollfd polled[] = {{.fd = *control, .events = POLLIN},
					  {.fd = channel, .events = POLLIN}};

		/* Nothing but that it is taken comes on the channel. */
		if (poll(polled, 2, 5000) <= 0 ||
		    (polled[1].revents && !is_taken(channel)))
			_exit(1);
		if (session_order_receive(*control, &task, sizeof(task),
					  &with) < 0)
			_exit(4);
	}
	close(with);
	close(channel);
	session_order_send(*control, &news, sizeof(news), -1);
}

static void ask_again_and_again(void)
{
	int control = -1;

	for (int i = 0; i < RACES; i++)
		serve(ask(), &control);
}

static void an_end_counts_before_what_follows_it(void **state)
{
	int status;

	(void)state;
	assert_int_equal(registry_init(&registry, &conf, "", &board), 0);
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, orders), 0);
	pid_t child = support_fork();

	if (child == 0) {
		ask_again_and_again();
		_exit(0);
	}
	while (waitpid(child, &status, WNOHANG) == 0)
		registry_step(&registry, orders[0]);
	assert_int_equal(status, 0);
	registry_close_in_child(&registry);
	close(orders[0]);
	close(orders[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_end_counts_before_what_follows_it),
	};

	return cmocka_run_group_tests_name("registry_race", tests, NULL,
					   NULL);
}
