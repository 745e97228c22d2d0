/*
 * test_sessions - a worker's way to a session: when a job is more than its
 * session keeper takes, the worker learns that first. A slow child plays the
 * master and the session keeper.
 */
#include "tests/unit/support.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fcgi/sessions/session_client.h"
#include "sandbox/base/io.h"

#define SLOW_MS 200 /* longer than it takes to answer a client */

static const struct limits limits = {.timeout_ms = 5000, .files_in = 9};

static int orders[2]; /* the way to the master, which is 0 */
static int client[2]; /* the worker's end is 0 */
static atomic_bool *told; /* the session keeper has told the master; shared */

static int set_up(void **state)
{
	(void)state;
	told = mmap(NULL, sizeof(*told), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return told == MAP_FAILED ||
	       socketpair(AF_UNIX, SOCK_SEQPACKET, 0, orders) < 0 ||
	       socketpair(AF_UNIX, SOCK_STREAM, 0, client) < 0;
}

static int tear_down(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		close(orders[i]);
		close(client[i]);
	}
	return munmap(told, sizeof(*told));
}

/* Come to where a session keeper that takes nothing waits for a job, and hear
 * that there is none. The call's channel, or -1. */
static int hear(void)
{
	const struct {
		struct session_order_answer go;
		struct session_order_terms terms;
	} say = {{.kind = SESSION_ORDER_GO}, {.limits = limits, .body_mb = 0}};
	struct session_order order;
	int fd;

	if (io_wait_readable(orders[0], 5000) != 1 ||
	    session_order_take(orders[0], &order, &fd) != 1)
		_exit(1);
	struct transfer channel = {.fd = fd, .client = -1};
	struct session_order_terms theirs;

	transfer_begin(&channel);
	transfer_send(&channel, &say, sizeof(say));
	transfer_flush(&channel);
	if (!transfer_receive(&channel, &theirs, sizeof(theirs)) ||
	    !theirs.declined)
		_exit(2);
	return fd;
}

static void be_slow(void)
{
	hear();
	poll(NULL, 0, SLOW_MS);
	atomic_store(told, true);
}

/* It never lets go. */
static void be_stuck(void)
{
	hear();
	for (;;)
		pause();
}

/* It does not either, and the client does not wait for that. */
static void see_the_client_leave(void)
{
	hear();
	shutdown(client[1], SHUT_RDWR);
	for (;;)
		pause();
}

/* Ask for a job that is more than is taken, with a session keeper that does
 * ACT. */
static int ask(void (*act)(void), struct outcome *outcome,
	       struct refusal *why)
{
	const struct session_client place = {.registry = orders[1],
					     .owner = "alice",
					     .connection = client[0],
					     .limits = &limits,
					     .body_mb = 9};
	const struct job job = {.code = {(char[]){"1"}, 1}};
	struct session_client_end end;
	pid_t pid = support_fork();

	if (pid == 0) {
		act();
		_exit(0);
	}
	*why = (struct refusal){0};
	int rc = session_client_run(&place, "a", &job, outcome, &end, why);

	kill(pid, SIGKILL);
	support_wait(pid);
	return rc;
}

/* ---- processes that stand still -------------------------------------- */

static struct transfer take_order(void)
{
	struct session_order order;
	int fd;

	if (io_wait_readable(orders[0], 5000) != 1 ||
	    session_order_take(orders[0], &order, &fd) != 1)
		_exit(1);
	return (struct transfer){.fd = fd, .client = -1};
}

/* The master is stopped: it takes no order. */
static void leave_it_lying(void)
{
	for (;;)
		pause();
}

/* The session keeper of an idle session is. */
static void take_it_and_stop(void)
{
	const struct session_order_answer taken = {
		.kind = SESSION_ORDER_TAKEN,
		.detail = SESSION_ORDER_WAIT_NOTHING};
	struct transfer channel = take_order();

	transfer_begin(&channel);
	transfer_send(&channel, &taken, sizeof(taken));
	transfer_flush(&channel);
	for (;;)
		pause();
}

/* It is, when it has the job. */
static void take_the_job_and_stop(void)
{
	const struct {
		struct session_order_answer taken, go;
		struct session_order_terms terms;
	} say = {{.kind = SESSION_ORDER_TAKEN,
		  .detail = SESSION_ORDER_WAIT_NOTHING},
		 {.kind = SESSION_ORDER_GO},
		 {.limits = {.timeout_ms = 100, .files_in = 9}, .body_mb = 9}};
	const struct transfer_limits most = {1000, 1};
	struct transfer channel = take_order();
	struct session_order_terms terms;
	struct job job;

	transfer_begin(&channel);
	transfer_send(&channel, &say, sizeof(say));
	transfer_flush(&channel);
	transfer_receive(&channel, &terms, sizeof(terms));
	if (transfer_job_receive(&channel, &most, &job) < 0)
		_exit(1);
	for (;;)
		pause();
}

static void take_the_job_and_die(void)
{
	/* As above, but that it is gone then. */
	alarm(1);
	take_the_job_and_stop();
}

/* Each of the server's processes may stand still: a client is told so, and
 * told whether its call may have run. */
static void a_process_that_stands_still_keeps_no_client(void **state)
{
	static const struct {
		void (*act)(void);
		int status;
		const char *code, *has;
		int64_t least_ms, most_ms;
	} cases[] = {
		{leave_it_lying, 503, "unavailable", "registry", 4900, 8000},
		{take_it_and_stop, 503, "unavailable", "does not answer",
		 9900, 13000},
		{take_the_job_and_stop, 500, "internal_error", "may have run",
		 15000, 19000},
		{take_the_job_and_die, 500, "internal_error", "may have run",
		 900, 5000},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct outcome outcome;
		struct refusal why;
		int64_t start = io_now_ms();

		assert_int_equal(ask(cases[i].act, &outcome, &why), -EINVAL);
		assert_int_equal(why.status, cases[i].status);
		assert_string_equal(why.code, cases[i].code);
		assert_non_null(strstr(why.message, cases[i].has));
		assert_in_range(io_now_ms() - start, cases[i].least_ms,
				cases[i].most_ms);
		/* Unread bytes of one call are not read by the next. */
		struct session_order order;

		while (session_order_receive(orders[0], &order, sizeof(order),
					     NULL) > 0)
			;
	}
}

static void the_master_knows_before_the_client(void **state)
{
	struct outcome outcome;
	struct refusal why;

	(void)state;
	assert_int_equal(ask(be_slow, &outcome, &why), -EINVAL);
	assert_int_equal(why.status, 413);
	assert_string_equal(why.code, "too_large");
	assert_true(atomic_load(told));
}

static void a_keeper_that_is_stuck_keeps_no_client(void **state)
{
	struct outcome outcome;
	struct refusal why;
	int64_t start = io_now_ms();

	(void)state;
	assert_int_equal(ask(be_stuck, &outcome, &why), -EINVAL);
	assert_int_equal(why.status, 413);
	assert_in_range(io_now_ms() - start, 0, 4000);
}

static void a_client_that_leaves_is_not_answered(void **state)
{
	struct outcome outcome;
	struct refusal why;

	(void)state;
	assert_int_equal(ask(see_the_client_leave, &outcome, &why), 0);
	assert_int_equal(outcome.verdict, OUTCOME_CANCELLED);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_master_knows_before_the_client),
		TEST(a_keeper_that_is_stuck_keeps_no_client),
		TEST(a_client_that_leaves_is_not_answered),
		TEST(a_process_that_stands_still_keeps_no_client),
	};

	return cmocka_run_group_tests_name("sessions", tests, NULL, NULL);
}
