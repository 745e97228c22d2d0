/*
 * test_registry - the master's list of sessions: who gets one, who makes
 * room, what is forgotten. Zygote, keepers and workers are played here.
 */
#include "support.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../fcgi/registry.h"

static struct conf_sessions conf;
static struct scoreboard board;
static struct registry registry;
static int orders[2]; /* ours: the zygote's end is 1 */

static int set_up(void **state)
{
	(void)state;
	conf = (struct conf_sessions){.max = 3, .per_client = 2,
				      .idle_s = 3600, .waiting = 1,
				      .branches = 2, .snapshots = true};
	board = (struct scoreboard){0};
	return registry_init(&registry, &conf, &board) ||
	       socketpair(AF_UNIX, SOCK_SEQPACKET, 0, orders);
}

static int tear_down(void **state)
{
	(void)state;
	registry_close_in_child(&registry);
	close(orders[0]);
	close(orders[1]);
	return 0;
}

static void step(void)
{
	registry_step(&registry, orders[0]);
}

/* Send an order; the worker's end of its channel. */
static int order(enum call_kind kind, const char *owner, const char *id,
		 const char *other)
{
	struct call_order what = {.kind = kind};
	int pair[2];

	snprintf(what.owner, sizeof(what.owner), "%s", owner);
	snprintf(what.id, sizeof(what.id), "%s", id);
	snprintf(what.other, sizeof(what.other), "%s", other);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	assert_int_equal(call_send(registry.theirs, &what, sizeof(what),
				   pair[1]), 0);
	close(pair[1]);
	step();
	return pair[0];
}

/* The answer on CHANNEL, which is closed: a kind * 100 + what; -1 nothing
 * yet, -2 it has ended. */
static int answer(int channel)
{
	struct call_answer got;
	ssize_t n = recv(channel, &got, sizeof(got), MSG_DONTWAIT);
	int said = n == sizeof(got) ? (int)(got.kind * 100 + got.what)
		   : n == 0	    ? -2 : -1;

	close(channel);
	return said;
}

#define REFUSED(why) (CALL_REFUSED * 100 + (why))
#define OK(what) (CALL_OK * 100 + (what))

/* The zygote's: the control socket of the keeper to be started. */
static int started(uint32_t *slot)
{
	int control;

	assert_int_equal(call_receive(orders[1], slot, sizeof(*slot),
				      &control), 1);
	assert_true(control >= 0);
	return control;
}

static void nothing_started(void)
{
	uint32_t slot;
	int control;

	assert_int_equal(call_receive(orders[1], &slot, sizeof(slot),
				      &control), 0);
}

/* A keeper's: the next task, its channel closed. */
static struct call_task task(int control)
{
	struct call_task got = {.kind = CALL_KINDS};
	int channel;

	assert_int_equal(call_receive(control, &got, sizeof(got), &channel),
			 1);
	assert_true((channel >= 0) == (got.kind != CALL_RELEASE));
	if (channel >= 0)
		close(channel);
	return got;
}

static void tell(int control, enum call_news_kind kind, unsigned member)
{
	const struct call_news news = {.kind = kind, .member = member,
				       .pid = getpid()};

	assert_int_equal(call_send(control, &news, sizeof(news), -1), 0);
	step();
}

static void done(int control)
{
	struct call_task got = task(control);

	tell(control, CALL_DONE, got.member);
}

static int open_session(const char *owner, const char *id)
{
	uint32_t slot;
	int channel = order(CALL_RUN, owner, id, "");
	int control = started(&slot);

	close(channel);
	done(control);
	return control;
}

static void one_keeper_serves_all_calls(void **state)
{
	(void)state;
	uint32_t slot = 99;
	int channel = order(CALL_RUN, "alice", "a", "");
	int control = started(&slot);

	assert_int_equal(slot, 0);
	assert_int_equal(task(control).kind, CALL_RUN);
	assert_int_equal(atomic_load(&board.sessions.open), 1);
	assert_int_equal(atomic_load(&board.sessions.busy), 1);
	tell(control, CALL_DONE, 0);
	assert_int_equal(atomic_load(&board.sessions.busy), 0);
	close(order(CALL_RUN, "alice", "a", ""));
	nothing_started();
	assert_int_equal(task(control).kind, CALL_RUN);
	assert_int_equal(answer(channel), -2);
	close(control);
	step();
	assert_true(registry_gone(&registry));
	assert_int_equal(atomic_load(&board.sessions.open), 0);
}

static void waiting_calls_are_bounded(void **state)
{
	(void)state;
	int control = open_session("alice", "a");
	int first = order(CALL_RUN, "alice", "a", "");
	int second = order(CALL_RUN, "alice", "a", "");

	assert_int_equal(atomic_load(&board.sessions.waiting), 1);
	assert_int_equal(answer(order(CALL_RUN, "alice", "a", "")),
			 REFUSED(CALL_BUSY));
	done(control);
	close(order(CALL_RUN, "alice", "a", ""));
	assert_int_equal(atomic_load(&board.sessions.waiting), 1);
	close(first);
	close(second);
	close(control);
}

static void an_owner_has_names_of_its_own(void **state)
{
	(void)state;
	int alices = open_session("alice", "a");
	int bobs = open_session("bob", "a");

	assert_int_equal(answer(order(CALL_RELEASE, "carol", "a", "")), OK(0));
	assert_int_equal(answer(order(CALL_FORK, "carol", "a", "b")),
			 REFUSED(CALL_UNKNOWN));
	assert_int_equal(answer(order(CALL_RELEASE, "bob", "a", "")), OK(1));
	assert_int_equal(task(bobs).kind, CALL_RELEASE);
	assert_int_equal(atomic_load(&board.sessions.open), 1);
	close(alices);
	close(bobs);
}

static void the_idlest_makes_room(void **state)
{
	(void)state;
	int a = open_session("alice", "a");

	usleep(2000);
	int b = open_session("alice", "b");

	/* a third of one client ends its idlest, not another's */
	int c = open_session("bob", "c");

	usleep(2000);
	close(order(CALL_RUN, "alice", "a", "")); /* and is busy */
	close(order(CALL_RUN, "alice", "d", ""));
	assert_int_equal(task(b).kind, CALL_RELEASE);
	uint32_t slot;
	int d = started(&slot);

	assert_int_equal(slot, 3);
	assert_int_equal(atomic_load(&board.counters.sessions_evicted), 1);
	/* both of this client's are busy */
	assert_int_equal(answer(order(CALL_RUN, "alice", "e", "")),
			 REFUSED(CALL_CLIENT_FULL));
	/* all of the pool's but one are, which goes */
	close(order(CALL_RUN, "carol", "f", ""));
	assert_int_equal(task(c).kind, CALL_RELEASE);
	close(started(&slot));
	close(order(CALL_RUN, "dora", "g", ""));
	for (int i = 0; i < 2; i++)
		step(); /* what carol's keeper was is gone with its socket */
	close(started(&slot));
	close(a);
	close(b);
	close(c);
	close(d);
}

static void all_busy_is_said(void **state)
{
	(void)state;
	uint32_t slot;
	int held[3];
	const char *const who[] = {"a", "b", "c"};

	for (int i = 0; i < 3; i++) {
		close(order(CALL_RUN, who[i], "x", ""));
		held[i] = started(&slot);
	}
	assert_int_equal(answer(order(CALL_RUN, "d", "x", "")),
			 REFUSED(CALL_FULL));
	nothing_started();
	for (int i = 0; i < 3; i++)
		close(held[i]);
}

static void without_a_zygote_none_begins(void **state)
{
	(void)state;
	struct call_order what = {.kind = CALL_RUN, .owner = "a", .id = "a"};
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	call_send(registry.theirs, &what, sizeof(what), pair[1]);
	close(pair[1]);
	registry_step(&registry, -1);
	assert_int_equal(answer(pair[0]), REFUSED(CALL_STARTING));
	close(orders[1]);
	assert_int_equal(answer(order(CALL_RUN, "a", "a", "")),
			 REFUSED(CALL_STARTING));
	assert_true(registry_gone(&registry));
	orders[1] = -1;
}

static void branches_have_a_number_each(void **state)
{
	(void)state;
	conf.per_client = 3;
	int control = open_session("alice", "a");
	int channel = order(CALL_FORK, "alice", "a", "b");
	struct call_task got = task(control);

	assert_int_equal(got.kind, CALL_FORK);
	assert_int_equal(got.member, 0);
	assert_int_equal(got.other, 1);
	close(channel);
	/* known at once, also while it is being made */
	assert_int_equal(answer(order(CALL_FORK, "alice", "a", "b")),
			 REFUSED(CALL_EXISTS));
	close(order(CALL_RUN, "alice", "b", ""));
	tell(control, CALL_DONE, 0);
	assert_int_equal(task(control).member, 1);
	/* its number is another's only when nothing more is heard of it */
	assert_int_equal(answer(order(CALL_RELEASE, "alice", "b", "")), OK(1));
	close(order(CALL_FORK, "alice", "a", "c"));
	assert_int_equal(task(control).kind, CALL_RELEASE);
	assert_int_equal(task(control).other, 2);
	tell(control, CALL_DONE, 1);
	tell(control, CALL_DONE, 1);
	tell(control, CALL_DONE, 0);
	assert_int_equal(answer(order(CALL_RELEASE, "alice", "c", "")), OK(1));
	done(control);
	close(order(CALL_FORK, "alice", "a", "d"));
	assert_int_equal(task(control).other, 1);
	close(control);
}

static void a_family_has_so_many_branches(void **state)
{
	(void)state;
	conf.per_client = conf.max = 10;
	conf.waiting = 10;
	int control = open_session("alice", "a");

	close(order(CALL_FORK, "alice", "a", "b"));
	close(order(CALL_FORK, "alice", "a", "c"));
	assert_int_equal(answer(order(CALL_FORK, "alice", "a", "d")),
			 REFUSED(CALL_BRANCHES));
	close(control);
}

static void nobody_makes_room_for_what_is_refused(void **state)
{
	(void)state;
	conf.per_client = 10;
	int control = open_session("alice", "a");

	conf.branches = 0;
	int bobs = open_session("bob", "b");
	int carols = open_session("carol", "c");

	assert_int_equal(answer(order(CALL_FORK, "alice", "a", "d")),
			 REFUSED(CALL_BRANCHES));
	int kept = orders[0];

	orders[0] = -1; /* no zygote is in charge */
	assert_int_equal(answer(order(CALL_RUN, "alice", "e", "")),
			 REFUSED(CALL_STARTING));
	orders[0] = kept;
	assert_int_equal(atomic_load(&board.counters.sessions_evicted), 0);
	assert_int_equal(atomic_load(&board.sessions.open), 3);
	close(control);
	close(bobs);
	close(carols);
}

static void a_released_one_that_runs_counts_as_its_clients(void **state)
{
	(void)state;
	conf.max = 10;
	int a = open_session("alice", "a"), b = open_session("alice", "b");

	close(order(CALL_RUN, "alice", "a", ""));
	close(order(CALL_RUN, "alice", "b", ""));
	assert_int_equal(answer(order(CALL_RELEASE, "alice", "a", "")), OK(1));
	assert_int_equal(answer(order(CALL_RELEASE, "alice", "b", "")), OK(1));
	assert_int_equal(answer(order(CALL_RUN, "alice", "c", "")),
			 REFUSED(CALL_CLIENT_FULL));
	nothing_started();
	done(a); /* the call; not the release yet */
	close(open_session("alice", "c"));
	close(a);
	close(b);
}

static void what_is_gone_is_forgotten(void **state)
{
	(void)state;
	uint32_t slot;
	int control = open_session("alice", "a");

	tell(control, CALL_GONE, 0);
	assert_int_equal(atomic_load(&board.sessions.open), 0);
	close(order(CALL_RUN, "alice", "a", ""));
	int other = started(&slot);

	assert_int_equal(slot, 1);
	close(control);
	step();
	/* a keeper that dies takes its sessions along */
	close(other);
	step();
	assert_true(registry_gone(&registry));
	close(order(CALL_RUN, "alice", "a", ""));
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
	assert_int_equal(task(control).kind, CALL_RELEASE);
	assert_int_equal(atomic_load(&board.counters.sessions_expired), 1);
	close(control);
}

static void what_makes_no_sense_is_passed_over(void **state)
{
	(void)state;
	struct call_order odd = {.kind = CALL_KINDS, .owner = "a", .id = "a"};
	char long_name[sizeof(odd.id)];
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	call_send(registry.theirs, &odd, sizeof(odd), pair[1]);
	odd.kind = CALL_RUN;
	call_send(registry.theirs, &odd, sizeof(odd), -1);     /* no channel */
	call_send(registry.theirs, &odd, sizeof(odd) - 1, pair[1]);
	odd.id[0] = '\0';
	call_send(registry.theirs, &odd, sizeof(odd), pair[1]); /* no name */
	memset(long_name, 'x', sizeof(long_name));
	memcpy(odd.id, long_name, sizeof(odd.id));
	call_send(registry.theirs, &odd, sizeof(odd), pair[1]); /* no end */
	step();
	nothing_started();
	/* nor does a keeper's */
	int control = open_session("alice", "a");

	tell(control, CALL_NEWS_KINDS, 0);
	tell(control, CALL_DONE, SESSION_MEMBERS_MAX);
	tell(control, CALL_GONE, ~0u);
	tell(control, CALL_DONE, 0); /* more than there was to do */
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

/* Whoever sends more descriptors than one leaves none of them with us. */
static void a_crowd_of_descriptors_is_not_kept(void **state)
{
	(void)state;
	struct call_order what = {.kind = CALL_RUN, .owner = "a", .id = "a"};
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
	if (call_receive(registry.ours, &what, sizeof(what), &channel) > 0 &&
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
	/* nor does it end what is there */
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
	assert_int_equal(answer(order(CALL_RUN, "bob", "a", "")),
			 REFUSED(CALL_STARTING));
	close(control);
	step();
	assert_true(registry_gone(&registry));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_keeper_serves_all_calls),
		TEST(waiting_calls_are_bounded),
		TEST(an_owner_has_names_of_its_own),
		TEST(the_idlest_makes_room),
		TEST(all_busy_is_said),
		TEST(without_a_zygote_none_begins),
		TEST(branches_have_a_number_each),
		TEST(a_family_has_so_many_branches),
		TEST(nobody_makes_room_for_what_is_refused),
		TEST(a_released_one_that_runs_counts_as_its_clients),
		TEST(what_is_gone_is_forgotten),
		TEST(idle_ones_end),
		TEST(what_makes_no_sense_is_passed_over),
		TEST(a_crowd_of_descriptors_is_not_kept),
		TEST(a_worker_that_shuts_the_way_keeps_nobody_awake),
		TEST(closing_ends_all),
	};

	return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
