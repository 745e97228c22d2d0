/* registry_orders - see registry_orders.h. */
#include "registry_orders.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandboxes.h"

#define REGISTRY_ORDERS_LOG_MS 1000 /* between two log lines about refusals */

/* ---- answers --------------------------------------------------------- */

static void registry_orders_answer(int channel,
				   const struct session_order_answer *answer)
{
	/* A failure means that the worker has gone: it needs no answer. */
	(void)!send(channel, answer, sizeof(*answer),
		    MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Tell the worker that its order was taken, and the reason to WAIT. This must
 * come before the order is handed on, because else the session keeper's answer
 * could arrive first. */
static void registry_orders_taken(int channel, enum session_order_wait wait,
				  enum session_origin origin)
{
	registry_orders_answer(channel, &(struct session_order_answer){
					 SESSION_ORDER_TAKEN, wait, origin});
}

/* ---- room ------------------------------------------------------------ */

/* A client may be refused many times a second, so lines are rare. */
static void registry_orders_log_refusal(struct registry *registry,
					const char *owner)
{
	const int64_t now = io_now_ms();

	atomic_fetch_add(&registry->board->counters.sessions_refused, 1);
	registry->unlogged++;
	if (now - registry->refusal_logged_ms < REGISTRY_ORDERS_LOG_MS)
		return;
	log_warn("no room for a session: client=\"%.*s\" open=%u "
		 "refusals=%u; sessions.max, sessions.per_client and "
		 "sessions.evict_after_s decide",
		 (int)session_order_name(owner), owner,
		 session_table_count(&registry->table, NULL),
		 registry->unlogged);
	registry->unlogged = 0;
	registry->refusal_logged_ms = now;
}

/* The most sessions of one client. */
static unsigned registry_orders_per_client(const struct conf_sessions *conf)
{
	return conf->per_client && conf->per_client < conf->max
		       ? conf->per_client : conf->max;
}

/* Make room for a session of OWNER, without ending BUT or one that was used a
 * short time ago. Returns a refusal, or -1. */
static int registry_orders_admit(struct registry *registry, const char *owner,
				 const struct family_member *but)
{
	const struct conf_sessions *conf = registry->conf;
	struct session_table *table = &registry->table;
	const int64_t before = io_now_ms() -
			       (int64_t)conf->evict_after_s * 1000;
	struct session_ref ref = SESSION_REF_NONE;

	if (session_table_count(table, owner) >=
	    registry_orders_per_client(conf)) {
		ref = session_table_idlest(table, owner, before, but);
		if (!ref.family)
			return SESSION_ORDER_CLIENT_FULL;
	} else if (session_table_count(table, NULL) >= conf->max) {
		ref = session_table_victim(table, owner, conf->max, before,
					   but);
		if (!ref.family)
			return SESSION_ORDER_FULL;
	}
	if (ref.family)
		registry_evict(registry, ref);
	return -1;
}

/* ---- orders ---------------------------------------------------------- */

static struct family *registry_orders_free_family(struct registry *registry)
{
	for (unsigned i = 0; i < registry->table.count; i++)
		if (registry->table.families[i].control < 0)
			return &registry->table.families[i];
	return NULL;
}

/* Order a session keeper for FAMILY from the session fork server. */
static int registry_orders_start(struct registry *registry,
				 struct family *family)
{
	const uint32_t slot = (uint32_t)(family - registry->table.families);
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	owned_fd int ours = pair[0], theirs = pair[1];
	int rc = session_order_send(registry->orders, &slot, sizeof(slot),
				    theirs);

	if (rc == 0)
		family->control = take_fd(&ours);
	return rc;
}

/* Begin a session in a new family. Returns a refusal, or -1. */
static int registry_orders_open(struct registry *registry,
				const struct session_order *order, int channel)
{
	struct family *family = registry_orders_free_family(registry);

	if (registry->closing || registry->orders < 0 || !family)
		return family ? SESSION_ORDER_STARTING : SESSION_ORDER_FULL;
	/* Last: never end a session for one that cannot start. */
	int why = registry_orders_admit(registry, order->owner, NULL);

	if (why >= 0)
		return why;
	family->note = *order->note ? strdup(order->note) : NULL;
	family->idle_s = sandboxes_idle_s(registry, order->idle_s);
	int rc = *order->note && !family->note
			 ? -ENOMEM : registry_orders_start(registry, family);

	if (rc == 0) {
		registry_orders_taken(channel, SESSION_ORDER_WAIT_START,
				      former_find(&registry->former,
						  order->owner, order->id));
		rc = family_send(family, (enum session_order_kind)order->kind,
				 0, 0, channel);
	}
	if (rc < 0) {
		family_clear(family);
		return SESSION_ORDER_STARTING;
	}
	memcpy(family->owner, order->owner, sizeof(family->owner));
	family_name(&family->members[0], order->id);
	atomic_fetch_add(&registry->board->counters.sessions, 1);
	return -1;
}

/* The session that ORDER names. If it seems busy, read its session keeper's
 * reports first: one that was sent before this order may say otherwise. */
static struct session_ref
registry_orders_named(struct registry *registry,
		      const struct session_order *order)
{
	struct session_ref ref = session_table_find(&registry->table,
						    order->owner, order->id);

	if (!ref.family ||
	    session_table_at(ref)->pending <= registry->conf->waiting)
		return ref;
	registry_receive(registry, ref.family);
	return session_table_find(&registry->table, order->owner, order->id);
}

static int registry_orders_run(struct registry *registry,
			       const struct session_order *order, int channel)
{
	struct session_ref ref = registry_orders_named(registry, order);

	if (!ref.family && order->must_exist)
		return SESSION_ORDER_ABSENT;
	if (!ref.family)
		return registry_orders_open(registry, order, channel);
	if (session_table_at(ref)->pending > registry->conf->waiting)
		return SESSION_ORDER_BUSY;
	registry_orders_taken(channel, family_wait(ref.family), SESSION_THERE);
	return family_send(ref.family, (enum session_order_kind)order->kind,
			   ref.member, 0, channel) < 0
		       ? SESSION_ORDER_BUSY
		       : -1;
}

static int registry_orders_release(struct registry *registry,
				   const struct session_order *order,
				   int channel)
{
	struct session_ref ref = session_table_find(&registry->table,
						    order->owner, order->id);

	if (ref.family) {
		former_add(&registry->former, order->owner, order->id,
			   SESSION_AFTER_RELEASED);
		if (order->whole && ref.family->note)
			family_release_all(ref.family);
		else
			family_release(ref.family, ref.member);
	}
	registry_orders_answer(channel, &(struct session_order_answer){
					 SESSION_ORDER_OK, ref.family != NULL,
					 SESSION_THERE});
	return -1;
}

static int registry_orders_fork(struct registry *registry,
				const struct session_order *order, int channel)
{
	struct session_ref ref = registry_orders_named(registry, order);
	struct session_ref had = session_table_find(
		&registry->table, order->owner, order->other);

	if (!ref.family)
		return SESSION_ORDER_UNKNOWN;
	if (had.family && (!order->whole || had.family != ref.family))
		return SESSION_ORDER_EXISTS;
	int other = sandboxes_branch(registry, order, ref, had);

	if (other < 0)
		return SESSION_ORDER_BRANCHES;
	if (session_table_at(ref)->pending > registry->conf->waiting)
		return SESSION_ORDER_BUSY;
	/* Last: never end a session for one that cannot start. */
	int why = had.family || order->beginning
			  ? -1 : registry_orders_admit(registry, order->owner,
						       session_table_at(ref));

	if (why >= 0)
		return why;
	if (had.family)
		family_release(had.family, had.member);
	registry_orders_taken(channel, family_wait(ref.family), SESSION_THERE);
	if (family_send(ref.family, SESSION_ORDER_FORK, ref.member,
			(unsigned)other, channel) < 0)
		return SESSION_ORDER_BUSY;
	family_name(&ref.family->members[other], order->other);
	ref.family->members[other].beginning = order->beginning != 0;
	if (*order->note)
		ref.family->members[other].note = strdup(order->note);
	atomic_fetch_add(&registry->board->counters.sessions, 1);
	return -1;
}

/* Hand ORDER on. The holder of the stream answers on CHANNEL. */
static int registry_orders_stream(struct registry *registry,
				  const struct session_order *order,
				  int channel)
{
	struct session_order_stream passed = {.run = order->run};

	memcpy(passed.owner, order->owner, sizeof(passed.owner));
	memcpy(passed.id, order->id, sizeof(passed.id));
	return session_order_send(registry->streams, &passed, sizeof(passed),
				  channel) < 0
		       ? SESSION_ORDER_STARTING
		       : -1;
}

static int (*const registry_orders_acts[SESSION_ORDER_KINDS])(
	struct registry *, const struct session_order *, int) = {
	[SESSION_ORDER_RUN] = registry_orders_run,
	[SESSION_ORDER_RELEASE] = registry_orders_release,
	[SESSION_ORDER_FORK] = registry_orders_fork,
	[SESSION_ORDER_PUT] = registry_orders_run,
	[SESSION_ORDER_GET] = registry_orders_run,
	[SESSION_ORDER_REMOVE] = registry_orders_run,
	[SESSION_ORDER_LIST] = registry_orders_run,
	[SESSION_ORDER_TREE_PUT] = registry_orders_run,
	[SESSION_ORDER_TREE_GET] = registry_orders_run,
	[SESSION_ORDER_TREE_LIST] = registry_orders_run,
	[SESSION_ORDER_TREE_STAT] = registry_orders_run,
	[SESSION_ORDER_TREE_MAKE] = registry_orders_run,
	[SESSION_ORDER_TREE_MOVE] = registry_orders_run,
	[SESSION_ORDER_TREE_REMOVE] = registry_orders_run,
	[SESSION_ORDER_LOOK] = sandboxes_look,
	[SESSION_ORDER_NEXT] = sandboxes_next,
	[SESSION_ORDER_USE] = sandboxes_use,
	[SESSION_ORDER_MEMBER] = sandboxes_member,
	[SESSION_ORDER_STREAM] = registry_orders_stream,
};

/* Close the socket for orders. All workers share its other end; if one has
 * shut that down, poll(2) would return at once for ever. */
static void registry_orders_stop(struct registry *registry)
{
	log_error("a worker has shut down the socket for session orders: "
		  "sessions are off until a restart");
	base_release_fd(&registry->ours);
}

/* End the sessions that belong to a revoked token of the same name: no client
 * can reach them any more. */
static void registry_orders_end_former(struct registry *registry,
				       const char *owner)
{
	struct session_ref ref = SESSION_REF_NONE;

	while ((ref = session_table_next(&registry->table, ref)).family)
		if (session_order_succeeds(owner, ref.family->owner))
			family_release(ref.family, ref.member);
}

static void registry_orders_refuse(struct registry *registry,
				   const struct session_order *order,
				   int channel, enum session_order_refusal why)
{
	if (why == SESSION_ORDER_FULL || why == SESSION_ORDER_CLIENT_FULL)
		registry_orders_log_refusal(registry, order->owner);
	registry_orders_answer(channel, &(struct session_order_answer){
					 SESSION_ORDER_REFUSED, why,
					 former_find(&registry->former,
						     order->owner,
						     order->id)});
}

void registry_orders_serve(struct registry *registry)
{
	struct session_order order;

	for (int i = 0; i < REGISTRY_AT_ONCE; i++) {
		int got, rc = session_order_take(registry->ours, &order, &got);

		if (rc == -EPIPE)
			registry_orders_stop(registry);
		if (rc <= 0)
			return;
		owned_fd int channel = got;

		if (channel < 0 || !session_order_is_sane(&order) ||
		    !session_order_is_wanted(channel) ||
		    (registry->table.count == 0 &&
		     order.kind != SESSION_ORDER_STREAM))
			continue;
		registry_orders_end_former(registry, order.owner);
		int why = registry_orders_acts[order.kind](registry, &order,
							   channel);

		if (why >= 0)
			registry_orders_refuse(registry, &order, channel,
					       (enum session_order_refusal)why);
	}
}
