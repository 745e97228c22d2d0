/*
 * test_registry_ends - the master's list of sessions: their ends, and bounds
 * on processes that send forged messages.
 */
#include "tests/unit/sessions/registry_support.h"

#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void what_is_gone_is_forgotten(void **state)
{
	(void)state;
	uint32_t slot;
	int control = open_session("alice", "a");

	tell(control, SESSION_ORDER_GONE, 0);
	assert_int_equal(atomic_load(&board.sessions.open), 0);
	close(order(SESSION_ORDER_RUN, "alice", "a", ""));
	int other = started(&slot);

	assert_int_equal(slot, 1);
	close(control);
	step();
	/* a session keeper that dies takes its sessions along */
	close(other);
	step();
	assert_true(registry_gone(&registry));
	close(order(SESSION_ORDER_RUN, "alice", "a", ""));
	close(started(&slot));
	assert_int_equal(slot, 0);
}

static void idle_ones_end(void **state)
{
	(void)state;
	int control = open_session("alice", "a");

	conf.idle_s = 0;
	usleep(2000);
	step();
	assert_int_equal(task(control).kind, SESSION_ORDER_RELEASE);
	assert_int_equal(atomic_load(&board.counters.sessions_expired), 1);
	close(control);
}

static void what_makes_no_sense_is_passed_over(void **state)
{
	(void)state;
	struct session_order odd = {
		.kind = SESSION_ORDER_KINDS, .owner = "a", .id = "a"};
	char long_name[sizeof(odd.id)];
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	session_order_send(registry.theirs, &odd, sizeof(odd), pair[1]);
	odd.kind = SESSION_ORDER_RUN;
	session_order_send(registry.theirs, &odd, sizeof(odd),
			   -1); /* no channel */
	session_order_send(registry.theirs, &odd,
			   offsetof(struct session_order, note) - 1, pair[1]);
	odd.id[0] = '\0';
	session_order_send(registry.theirs, &odd, sizeof(odd),
			   pair[1]); /* no name */
	memset(long_name, 'x', sizeof(long_name));
	memcpy(odd.id, long_name, sizeof(odd.id));
	session_order_send(registry.theirs, &odd, sizeof(odd),
			   pair[1]); /* no end */
	step();
	nothing_started();
	/* nor does a session keeper's */
	int control = open_session("alice", "a");

	tell(control, SESSION_ORDER_NEWS_KINDS, 0);
	tell(control, SESSION_ORDER_DONE, SESSION_MEMBERS_MAX);
	tell(control, SESSION_ORDER_GONE, ~0u);
	tell(control, SESSION_ORDER_DONE, 0); /* more than there was to do */
	assert_int_equal(atomic_load(&board.sessions.open), 1);
	close(control);
	close(pair[0]);
	close(pair[1]);
}

static int next_fd(void)
{
	int fd = dup(registry.ours);

	close(fd);
	return fd;
}

/* Of a message with more descriptors than one, none is kept. */
static void a_crowd_of_descriptors_is_not_kept(void **state)
{
	(void)state;
	struct session_order what = {
		.kind = SESSION_ORDER_RUN, .owner = "a", .id = "a"};
	const int given[] = {0, 1};
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(given))];
	} control = {.head = {.cmsg_len = CMSG_LEN(sizeof(given)),
			      .cmsg_level = SOL_SOCKET,
			      .cmsg_type = SCM_RIGHTS}};
	struct iovec part = {.iov_base = &what, .iov_len = sizeof(what)};
	const struct msghdr message = {
		.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
		.msg_controllen = sizeof(control.room)};
	int before = next_fd(), channel;

	memcpy(CMSG_DATA(&control.head), given, sizeof(given));
	assert_true(sendmsg(registry.theirs, &message, 0) > 0);
	if (session_order_take(registry.ours, &what, &channel) > 0 &&
	    channel >= 0)
		close(channel);
	assert_int_equal(next_fd(), before);
}

static void a_worker_that_shuts_the_way_keeps_nobody_awake(void **state)
{
	(void)state;
	struct pollfd polled[REGISTRY_FDS];
	int control = open_session("alice", "a");

	shutdown(registry.theirs, SHUT_RDWR);
	step();
	assert_int_equal(poll(polled, registry_poll(&registry, polled), 0), 0);
	/* nor does it end the session that is there */
	assert_int_equal(atomic_load(&board.sessions.open), 1);
	close(control);
	step();
	assert_true(registry_gone(&registry));
}

static void closing_ends_all(void **state)
{
	(void)state;
	int control = open_session("alice", "a");
	char byte;

	registry_close(&registry);
	assert_int_equal(recv(control, &byte, 1, MSG_DONTWAIT), 0);
	assert_false(registry_gone(&registry));
	assert_int_equal(answer(order(SESSION_ORDER_RUN, "bob", "a", "")),
			 REFUSED(SESSION_ORDER_STARTING));
	close(control);
	step();
	assert_true(registry_gone(&registry));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_is_gone_is_forgotten),
		TEST(idle_ones_end),
		TEST(what_makes_no_sense_is_passed_over),
		TEST(a_crowd_of_descriptors_is_not_kept),
		TEST(a_worker_that_shuts_the_way_keeps_nobody_awake),
		TEST(closing_ends_all),
	};

	return cmocka_run_group_tests_name("registry_ends", tests, NULL, NULL);
}
