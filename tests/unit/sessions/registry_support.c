/* registry_support - see registry_support.h. */
#include "tests/unit/sessions/registry_support.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

struct conf_sessions conf;
struct scoreboard board;
struct registry registry;
int orders[2];

int set_up(void **state)
{
	(void)state;
	conf = (struct conf_sessions){.max = 3, .per_client = 2,
				      .idle_s = 3600, .waiting = 1,
				      .branches = 2, .snapshots = true};
	board = (struct scoreboard){0};
	return registry_init(&registry, &conf, "", &board) ||
	       socketpair(AF_UNIX, SOCK_SEQPACKET, 0, orders);
}

int tear_down(void **state)
{
	(void)state;
	registry_close_in_child(&registry);
	close(orders[0]);
	close(orders[1]);
	return 0;
}

void step(void)
{
	registry_step(&registry, orders[0]);
}

int send_order(struct session_order what, const char *owner, const char *id,
	       const char *other)
{
	int pair[2];

	snprintf(what.owner, sizeof(what.owner), "%s", owner);
	snprintf(what.id, sizeof(what.id), "%s", id);
	snprintf(what.other, sizeof(what.other), "%s", other);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	assert_int_equal(session_order_send(registry.theirs, &what,
					    sizeof(what), pair[1]),
			 0);
	close(pair[1]);
	step();
	return pair[0];
}

int order(enum session_order_kind kind, const char *owner, const char *id,
	  const char *other)
{
	return send_order((struct session_order){.kind = kind}, owner, id,
			  other);
}

int demand(const char *owner, const char *id)
{
	return send_order((struct session_order){.kind = SESSION_ORDER_RUN,
						 .must_exist = 1},
			  owner, id, "");
}

int answer(int channel)
{
	struct session_order_answer got;
	ssize_t n = recv(channel, &got, sizeof(got), MSG_DONTWAIT);

	/* That the master has it is told first; see taken(). */
	if (n == sizeof(got) && got.kind == SESSION_ORDER_TAKEN)
		n = recv(channel, &got, sizeof(got), MSG_DONTWAIT);
	int said = n == sizeof(got) ? (int)(got.kind * 100 + got.detail)
		   : n == 0	    ? -2 : -1;

	close(channel);
	return said;
}

enum session_origin origin(int channel)
{
	struct session_order_answer got = {.origin = SESSION_ORIGINS};

	assert_int_equal(recv(channel, &got, sizeof(got), MSG_DONTWAIT),
			 sizeof(got));
	close(channel);
	return (enum session_origin)got.origin;
}

int started(uint32_t *slot)
{
	int control;

	assert_int_equal(
		session_order_receive(orders[1], slot, sizeof(*slot), &control),
		1);
	assert_true(control >= 0);
	return control;
}

void nothing_started(void)
{
	uint32_t slot;
	int control;

	assert_int_equal(
		session_order_receive(orders[1], &slot, sizeof(slot), &control),
		0);
}

struct session_order_task task(int control)
{
	struct session_order_task got = {.kind = SESSION_ORDER_KINDS};
	int channel;

	assert_int_equal(
		session_order_receive(control, &got, sizeof(got), &channel), 1);
	assert_true((channel >= 0) == (got.kind != SESSION_ORDER_RELEASE));
	if (channel >= 0)
		close(channel);
	return got;
}

void tell(int control, enum session_order_news_kind kind, unsigned member)
{
	const struct session_order_news news = {
		.kind = kind, .member = member, .pid = getpid()};

	assert_int_equal(session_order_send(control, &news, sizeof(news), -1),
			 0);
	step();
}

void done(int control)
{
	struct session_order_task got = task(control);

	tell(control, SESSION_ORDER_DONE, got.member);
}

int open_session(const char *owner, const char *id)
{
	uint32_t slot;
	int channel = order(SESSION_ORDER_RUN, owner, id, "");
	int control = started(&slot);

	close(channel);
	done(control);
	return control;
}
