/*
 * test_registry - the master's list of sessions: new ones, calls that wait,
 * evictions.
 */
#include "tests/unit/sessions/registry_support.h"

#include <sys/socket.h>
#include <unistd.h>

static void one_keeper_serves_all_calls(void **state)
{
	(void)state;
	uint32_t slot = 99;
	int channel = order(SESSION_ORDER_RUN, "alice", "a", "");
	int control = started(&slot);

	assert_int_equal(slot, 0);
	assert_int_equal(task(control).kind, SESSION_ORDER_RUN);
	assert_int_equal(atomic_load(&board.sessions.open), 1);
	assert_int_equal(atomic_load(&board.sessions.busy), 1);
	tell(control, SESSION_ORDER_DONE, 0);
	assert_int_equal(atomic_load(&board.sessions.busy), 0);
	close(order(SESSION_ORDER_RUN, "alice", "a", ""));
	nothing_started();
	assert_int_equal(task(control).kind, SESSION_ORDER_RUN);
	assert_int_equal(answer(channel), -2);
	close(control);
	step();
	assert_true(registry_gone(&registry));
	assert_int_equal(atomic_load(&board.sessions.open), 0);
}

/* The master's answer to an order before it passes it on; SESSION_ORDER_WAITS
 * for any other answer. */
static uint32_t taken(int channel)
{
	struct session_order_answer got = {.kind = SESSION_ORDER_ANSWER_KINDS};

	recv(channel, &got, sizeof(got), MSG_DONTWAIT);
	return got.kind == SESSION_ORDER_TAKEN ? got.detail
					       : SESSION_ORDER_WAITS;
}

static void it_is_said_what_a_call_waits_for(void **state)
{
	(void)state;
	uint32_t slot = 99;
	int first = order(SESSION_ORDER_RUN, "alice", "a", "");
	int second = order(SESSION_ORDER_RUN, "alice", "a", "");
	int control = started(&slot);
	const struct session_order_news hello = {.kind = SESSION_ORDER_HELLO,
						 .pid = getpid()};

	assert_int_equal(taken(first), SESSION_ORDER_WAIT_START);
	assert_int_equal(taken(second), SESSION_ORDER_WAIT_START);
	/* It stands: from here on a call waits for those before it. */
	assert_int_equal(session_order_send(control, &hello, sizeof(hello), -1),
			 0);
	tell(control, SESSION_ORDER_DONE, 0);
	int third = order(SESSION_ORDER_RUN, "alice", "a", "");

	assert_int_equal(taken(third), SESSION_ORDER_WAIT_TURN);
	tell(control, SESSION_ORDER_DONE, 0);
	tell(control, SESSION_ORDER_DONE, 0);
	int fourth = order(SESSION_ORDER_RUN, "alice", "a", "");

	assert_int_equal(taken(fourth), SESSION_ORDER_WAIT_NOTHING);
	tell(control, SESSION_ORDER_DONE, 0);
	int fifth = order(SESSION_ORDER_FORK, "alice", "a", "b");

	assert_int_equal(taken(fifth), SESSION_ORDER_WAIT_NOTHING);
	close(first);
	close(second);
	close(third);
	close(fourth);
	close(fifth);
	close(control);
}

/* A worker that has given up has told its client that nothing was done. */
static void what_was_given_up_is_not_done(void **state)
{
	(void)state;
	static const enum session_order_kind kinds[] = {
		SESSION_ORDER_RUN, SESSION_ORDER_FORK, SESSION_ORDER_RELEASE};
	int control = open_session("alice", "a");

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		const struct session_order given_up = {.kind = kinds[i],
						       .owner = "alice",
						       .id = "a",
						       .other = "b"};
		int pair[2];

		assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
		assert_int_equal(session_order_send(registry.theirs, &given_up,
						    sizeof(given_up), pair[1]),
				 0);
		close(pair[0]);
		close(pair[1]);
	}
	step();
	assert_int_equal(atomic_load(&board.sessions.open), 1);
	assert_int_equal(atomic_load(&board.sessions.busy), 0);
	struct session_order_task nothing;

	assert_int_equal(
		session_order_receive(control, &nothing, sizeof(nothing), NULL),
		0);
	close(control);
}

static void waiting_calls_are_bounded(void **state)
{
	(void)state;
	int control = open_session("alice", "a");
	int first = order(SESSION_ORDER_RUN, "alice", "a", "");
	int second = order(SESSION_ORDER_RUN, "alice", "a", "");

	assert_int_equal(atomic_load(&board.sessions.waiting), 1);
	assert_int_equal(answer(order(SESSION_ORDER_RUN, "alice", "a", "")),
			 REFUSED(SESSION_ORDER_BUSY));
	done(control);
	close(order(SESSION_ORDER_RUN, "alice", "a", ""));
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

	assert_int_equal(answer(order(SESSION_ORDER_RELEASE, "carol", "a", "")),
			 OK(0));
	assert_int_equal(answer(order(SESSION_ORDER_FORK, "carol", "a", "b")),
			 REFUSED(SESSION_ORDER_UNKNOWN));
	assert_int_equal(answer(order(SESSION_ORDER_RELEASE, "bob", "a", "")),
			 OK(1));
	assert_int_equal(task(bobs).kind, SESSION_ORDER_RELEASE);
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
	close(order(SESSION_ORDER_RUN, "alice", "a", "")); /* and is busy */
	close(order(SESSION_ORDER_RUN, "alice", "d", ""));
	assert_int_equal(task(b).kind, SESSION_ORDER_RELEASE);
	uint32_t slot;
	int d = started(&slot);

	assert_int_equal(slot, 3);
	assert_int_equal(atomic_load(&board.counters.sessions_evicted), 1);
	/* both of this client's are busy */
	assert_int_equal(answer(order(SESSION_ORDER_RUN, "alice", "e", "")),
			 REFUSED(SESSION_ORDER_CLIENT_FULL));
	/* all of the pool's but one are, which goes */
	close(order(SESSION_ORDER_RUN, "carol", "f", ""));
	assert_int_equal(task(c).kind, SESSION_ORDER_RELEASE);
	close(started(&slot));
	close(order(SESSION_ORDER_RUN, "dora", "g", ""));
	for (int i = 0; i < 2; i++)
		step(); /* the slot of carol's session keeper ends with its
			   socket */
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
		close(order(SESSION_ORDER_RUN, who[i], "x", ""));
		held[i] = started(&slot);
	}
	assert_int_equal(answer(order(SESSION_ORDER_RUN, "d", "x", "")),
			 REFUSED(SESSION_ORDER_FULL));
	nothing_started();
	for (int i = 0; i < 3; i++)
		close(held[i]);
}

static void without_a_zygote_none_begins(void **state)
{
	(void)state;
	struct session_order what = {
		.kind = SESSION_ORDER_RUN, .owner = "a", .id = "a"};
	int pair[2];

	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	session_order_send(registry.theirs, &what, sizeof(what), pair[1]);
	close(pair[1]);
	registry_step(&registry, -1);
	assert_int_equal(answer(pair[0]), REFUSED(SESSION_ORDER_STARTING));
	close(orders[1]);
	assert_int_equal(answer(order(SESSION_ORDER_RUN, "a", "a", "")),
			 REFUSED(SESSION_ORDER_STARTING));
	assert_true(registry_gone(&registry));
	orders[1] = -1;
}

static void branches_have_a_number_each(void **state)
{
	(void)state;
	conf.per_client = 3;
	int control = open_session("alice", "a");
	int channel = order(SESSION_ORDER_FORK, "alice", "a", "b");
	struct session_order_task got = task(control);

	assert_int_equal(got.kind, SESSION_ORDER_FORK);
	assert_int_equal(got.member, 0);
	assert_int_equal(got.other, 1);
	close(channel);
	/* known at once, also while it is being made */
	assert_int_equal(answer(order(SESSION_ORDER_FORK, "alice", "a", "b")),
			 REFUSED(SESSION_ORDER_EXISTS));
	close(order(SESSION_ORDER_RUN, "alice", "b", ""));
	tell(control, SESSION_ORDER_DONE, 0);
	assert_int_equal(task(control).member, 1);
	/* its number is another's only when nothing more is heard of it */
	assert_int_equal(answer(order(SESSION_ORDER_RELEASE, "alice", "b", "")),
			 OK(1));
	close(order(SESSION_ORDER_FORK, "alice", "a", "c"));
	assert_int_equal(task(control).kind, SESSION_ORDER_RELEASE);
	assert_int_equal(task(control).other, 2);
	tell(control, SESSION_ORDER_DONE, 1);
	tell(control, SESSION_ORDER_DONE, 1);
	tell(control, SESSION_ORDER_DONE, 0);
	assert_int_equal(answer(order(SESSION_ORDER_RELEASE, "alice", "c", "")),
			 OK(1));
	done(control);
	close(order(SESSION_ORDER_FORK, "alice", "a", "d"));
	assert_int_equal(task(control).other, 1);
	close(control);
}

static void a_family_has_so_many_branches(void **state)
{
	(void)state;
	conf.per_client = conf.max = 10;
	conf.waiting = 10;
	int control = open_session("alice", "a");

	close(order(SESSION_ORDER_FORK, "alice", "a", "b"));
	close(order(SESSION_ORDER_FORK, "alice", "a", "c"));
	assert_int_equal(answer(order(SESSION_ORDER_FORK, "alice", "a", "d")),
			 REFUSED(SESSION_ORDER_BRANCHES));
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

	assert_int_equal(answer(order(SESSION_ORDER_FORK, "alice", "a", "d")),
			 REFUSED(SESSION_ORDER_BRANCHES));
	int kept = orders[0];

	orders[0] = -1; /* no pool process is in charge */
	assert_int_equal(answer(order(SESSION_ORDER_RUN, "alice", "e", "")),
			 REFUSED(SESSION_ORDER_STARTING));
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

	close(order(SESSION_ORDER_RUN, "alice", "a", ""));
	close(order(SESSION_ORDER_RUN, "alice", "b", ""));
	assert_int_equal(answer(order(SESSION_ORDER_RELEASE, "alice", "a", "")),
			 OK(1));
	assert_int_equal(answer(order(SESSION_ORDER_RELEASE, "alice", "b", "")),
			 OK(1));
	assert_int_equal(answer(order(SESSION_ORDER_RUN, "alice", "c", "")),
			 REFUSED(SESSION_ORDER_CLIENT_FULL));
	nothing_started();
	done(a); /* the call; not the release yet */
	close(open_session("alice", "c"));
	close(a);
	close(b);
}

/* An earlier token, of which a web server may still know, ends nothing. */
static void a_later_token_ends_what_an_earlier_left(void **state)
{
	(void)state;
	int first = open_session("bob|01", "a");
	int other = open_session("bobby|01", "a");
	int channel = order(SESSION_ORDER_RUN, "bob|02", "b", "");

	assert_int_equal(task(first).kind, SESSION_ORDER_RELEASE);
	assert_int_equal(atomic_load(&board.sessions.open), 2);
	assert_int_equal(atomic_load(&board.sessions.ending), 1);
	assert_string_equal(board.sessions.list[1].client, "bob");
	assert_int_equal(
		answer(order(SESSION_ORDER_RELEASE, "bob|01", "b", "")), OK(0));
	assert_int_equal(atomic_load(&board.sessions.open), 2);
	close(channel);
	close(first);
	close(other);
}

/* Also on a server without sessions, which takes no other order. */
static void orders_about_streams_are_handed_on(void **state)
{
	(void)state;
	struct session_order_stream got;
	int ends[2], with = -1, channel;
	char byte = 'x';

	assert_int_equal(answer(order(SESSION_ORDER_STREAM, "a|1", "id", "")),
			 REFUSED(SESSION_ORDER_STARTING));
	assert_int_equal(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends), 0);
	registry.streams = ends[0];
	registry.table.count = 0;
	channel = send_order((struct session_order){
				     .kind = SESSION_ORDER_STREAM, .run = 1},
			     "a|1", "id", "");
	assert_int_equal(session_order_receive(ends[1], &got, sizeof(got),
					       &with), 1);
	assert_string_equal(got.owner, "a|1");
	assert_string_equal(got.id, "id");
	assert_int_equal(got.run, 1);
	assert_int_equal(write(with, &byte, 1), 1);
	assert_int_equal(read(channel, &byte, 1), 1);
	close(with);
	assert_int_equal(answer(channel), -2);
	assert_int_equal(answer(order(SESSION_ORDER_RUN, "a", "a", "")), -2);
	assert_int_equal(answer(order(SESSION_ORDER_LOOK, "a", "a", "")), -2);
	close(ends[0]);
	close(ends[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(one_keeper_serves_all_calls),
		TEST(it_is_said_what_a_call_waits_for),
		TEST(what_was_given_up_is_not_done),
		TEST(waiting_calls_are_bounded),
		TEST(an_owner_has_names_of_its_own),
		TEST(a_later_token_ends_what_an_earlier_left),
		TEST(the_idlest_makes_room),
		TEST(all_busy_is_said),
		TEST(without_a_zygote_none_begins),
		TEST(branches_have_a_number_each),
		TEST(a_family_has_so_many_branches),
		TEST(nobody_makes_room_for_what_is_refused),
		TEST(a_released_one_that_runs_counts_as_its_clients),
		TEST(orders_about_streams_are_handed_on),
	};

	return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
