/* registry - see registry.h. */
#include "registry.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"

#define REGISTRY_AT_ONCE 64 /* messages of one sender that a step reads */

unsigned registry_slots(const struct conf_sessions *conf)
{
	return conf->max ? conf->max + REGISTRY_SPARE : 0;
}

int registry_init(struct registry *registry, const struct conf_sessions *conf,
		  struct scoreboard *board)
{
	int pair[2];

	*registry = (struct registry){
		.conf = conf, .board = board, .ours = -1, .theirs = -1,
		.orders = -1, .families_max = registry_slots(conf)};
	for (size_t i = 0; i < REGISTRY_FAMILIES_MAX; i++)
		registry->families[i].control = registry->families[i].pidfd =
			-1;
	/* Also without sessions, so that workers have a socket. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	registry->ours = pair[0];
	registry->theirs = pair[1];
	return 0;
}

/* ---- finding sessions ------------------------------------------------ */

/* A session in the registry. */
struct registry_ref {
	struct family *family; /* NULL: none */
	unsigned member;
};

#define REGISTRY_NONE ((struct registry_ref){NULL, 0})

static struct family_member *registry_at(struct registry_ref ref)
{
	return &ref.family->members[ref.member];
}

/* The live session behind REF; the first for REGISTRY_NONE. */
static struct registry_ref registry_next(struct registry *registry,
					 struct registry_ref ref)
{
	struct family *end = registry->families + registry->families_max;

	if (ref.family)
		ref.member++;
	else
		ref.family = registry->families;
	for (; ref.family < end; ref.family++, ref.member = 0)
		for (; ref.member < SESSION_MEMBERS_MAX; ref.member++)
			if (registry_at(ref)->there)
				return ref;
	return REGISTRY_NONE;
}

static struct registry_ref registry_find(struct registry *registry,
					 const char *owner, const char *id)
{
	struct registry_ref ref = REGISTRY_NONE;

	while ((ref = registry_next(registry, ref)).family)
		if (strcmp(ref.family->owner, owner) == 0 &&
		    strcmp(registry_at(ref)->id, id) == 0)
			break;
	return ref;
}

/* Was the session released while a call of it runs? */
static bool registry_lingers(const struct family_member *session)
{
	return !session->there && session->pending > 1;
}

/* The number of live sessions. With OWNER: of this owner, and with sessions
 * that were released and still run. */
static unsigned registry_count(struct registry *registry, const char *owner)
{
	unsigned count = 0;

	for (unsigned i = 0; i < registry->families_max; i++) {
		const struct family *family = &registry->families[i];

		if (owner && strcmp(family->owner, owner) != 0)
			continue;
		for (unsigned m = 0; m < SESSION_MEMBERS_MAX; m++)
			count += family->members[m].there ||
				 (owner &&
				  registry_lingers(&family->members[m]));
	}
	return count;
}

/* The session that was idle for longest, but not BUT. With OWNER: of this
 * owner. */
static struct registry_ref registry_idlest(struct registry *registry,
					   const char *owner,
					   const struct family_member *but)
{
	struct registry_ref ref = REGISTRY_NONE;
	struct registry_ref found = REGISTRY_NONE;

	while ((ref = registry_next(registry, ref)).family) {
		const struct family_member *session = registry_at(ref);

		if (session->pending > 0 || session == but ||
		    (owner && strcmp(ref.family->owner, owner) != 0))
			continue;
		if (!found.family ||
		    session->used_ms < registry_at(found)->used_ms)
			found = ref;
	}
	return found;
}

/* ---- the scoreboard -------------------------------------------------- */

static void registry_list(struct registry *registry, struct registry_ref ref,
			  size_t at)
{
	const struct family_member *session = registry_at(ref);
	struct scoreboard_session *shown = &registry->board->sessions.list[at];

	*shown = (struct scoreboard_session){
		.keeper = ref.family->keeper,
		.pending = session->pending,
		.calls = session->calls,
		.cpu_ms = session->cpu_ms,
		.memory_peak_kb = session->memory_peak_kb,
		.began_ms = session->began_ms,
		.used_ms = session->used_ms};
	snprintf(shown->client, sizeof(shown->client), "%.*s",
		 (int)session_order_name(ref.family->owner), ref.family->owner);
}

static void registry_show(struct registry *registry)
{
	struct scoreboard_sessions *shown = &registry->board->sessions;
	struct registry_ref ref = REGISTRY_NONE;
	unsigned open = 0, busy = 0, waiting = 0, ending = 0;

	for (unsigned i = 0; i < registry->families_max; i++)
		ending += family_ending(&registry->families[i]);
	while ((ref = registry_next(registry, ref)).family) {
		unsigned pending = registry_at(ref)->pending;

		if (open < SCOREBOARD_SESSIONS_MAX)
			registry_list(registry, ref, open);
		open++;
		busy += pending > 0;
		waiting += pending > 1 ? pending - 1 : 0;
	}
	atomic_store(&shown->listed, open < SCOREBOARD_SESSIONS_MAX
					     ? open : SCOREBOARD_SESSIONS_MAX);
	atomic_store(&shown->open, open);
	atomic_store(&shown->ending, ending);
	atomic_store(&shown->busy, busy);
	atomic_store(&shown->waiting, waiting);
}

/* ---- answers --------------------------------------------------------- */

static void registry_answer(int channel, enum session_order_answer_kind kind,
			    uint32_t detail)
{
	const struct session_order_answer answer = {kind, detail};

	/* A failure means that the worker has gone: it needs no answer. */
	(void)!send(channel, &answer, sizeof(answer),
		    MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Tell the worker that its order was taken, and the reason to WAIT. This must
 * come before the order is handed on, because else the session keeper's answer
 * could arrive first. */
static void registry_taken(int channel, enum session_order_wait wait)
{
	registry_answer(channel, SESSION_ORDER_TAKEN, wait);
}

static void registry_refuse(int channel, enum session_order_refusal why)
{
	registry_answer(channel, SESSION_ORDER_REFUSED, why);
}

/* ---- room ------------------------------------------------------------ */

/* Make room for one more session: end the idlest one when MOST live, of OWNER
 * if that is not NULL. False: all are busy. */
static bool registry_make_room(struct registry *registry, const char *owner,
			       unsigned most, const struct family_member *but)
{
	if (registry_count(registry, owner) < most)
		return true;
	struct registry_ref idlest = registry_idlest(registry, owner, but);

	if (!idlest.family)
		return false;
	family_release(idlest.family, idlest.member);
	atomic_fetch_add(&registry->board->counters.sessions_evicted, 1);
	return true;
}

/* Make room for a session of OWNER, without ending BUT. Returns a refusal, or
 * -1. */
static int registry_admit(struct registry *registry, const char *owner,
			  const struct family_member *but)
{
	if (!registry_make_room(registry, owner, registry->conf->per_client,
				but))
		return SESSION_ORDER_CLIENT_FULL;
	if (!registry_make_room(registry, NULL, registry->conf->max, but))
		return SESSION_ORDER_FULL;
	return -1;
}

/* ---- reports of session keepers -------------------------------------- */

static void registry_receive(struct registry *registry, struct family *family)
{
	struct session_order_news news;

	for (int i = 0; i < REGISTRY_AT_ONCE; i++) {
		int rc = family_receive(family, &news);

		if (rc < 0)
			family_hung_up(family);
		if (rc <= 0)
			return;
		if (news.kind == SESSION_ORDER_DONE &&
		    news.fate == SESSION_ROLLED_BACK)
			atomic_fetch_add(&registry->board->counters.rollbacks,
					 1);
	}
}

/* ---- orders ---------------------------------------------------------- */

static struct family *registry_free_family(struct registry *registry)
{
	for (unsigned i = 0; i < registry->families_max; i++)
		if (registry->families[i].control < 0)
			return &registry->families[i];
	return NULL;
}

/* Order a session keeper for FAMILY from the session fork server. */
static int registry_start(struct registry *registry, struct family *family)
{
	const uint32_t slot = (uint32_t)(family - registry->families);
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
static int registry_open(struct registry *registry,
			 const struct session_order *order, int channel)
{
	struct family *family = registry_free_family(registry);

	if (registry->closing || registry->orders < 0 || !family)
		return family ? SESSION_ORDER_STARTING : SESSION_ORDER_FULL;
	/* Last: never end a session for one that cannot start. */
	int why = registry_admit(registry, order->owner, NULL);

	if (why >= 0)
		return why;
	int rc = registry_start(registry, family);

	if (rc == 0) {
		registry_taken(channel, SESSION_ORDER_WAIT_START);
		rc = family_send(family, SESSION_ORDER_RUN, 0, 0, channel);
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
static struct registry_ref registry_named(struct registry *registry,
					  const struct session_order *order)
{
	struct registry_ref ref = registry_find(registry, order->owner,
						order->id);

	if (!ref.family || registry_at(ref)->pending <= registry->conf->waiting)
		return ref;
	registry_receive(registry, ref.family);
	return registry_find(registry, order->owner, order->id);
}

static int registry_run(struct registry *registry,
			const struct session_order *order, int channel)
{
	struct registry_ref ref = registry_named(registry, order);

	if (!ref.family)
		return registry_open(registry, order, channel);
	if (registry_at(ref)->pending > registry->conf->waiting)
		return SESSION_ORDER_BUSY;
	registry_taken(channel, family_wait(ref.family));
	return family_send(ref.family, SESSION_ORDER_RUN, ref.member, 0,
			   channel) < 0
		       ? SESSION_ORDER_BUSY
		       : -1;
}

static int registry_release(struct registry *registry,
			    const struct session_order *order, int channel)
{
	struct registry_ref ref = registry_find(registry, order->owner,
						order->id);

	if (ref.family)
		family_release(ref.family, ref.member);
	registry_answer(channel, SESSION_ORDER_OK, ref.family != NULL);
	return -1;
}

static int registry_fork(struct registry *registry,
			 const struct session_order *order, int channel)
{
	struct registry_ref ref = registry_named(registry, order);

	if (!ref.family)
		return SESSION_ORDER_UNKNOWN;
	if (registry_find(registry, order->owner, order->other).family)
		return SESSION_ORDER_EXISTS;
	int other = family_free_member(ref.family,
				       registry->conf->branches + 1);

	if (other < 0)
		return SESSION_ORDER_BRANCHES;
	if (registry_at(ref)->pending > registry->conf->waiting)
		return SESSION_ORDER_BUSY;
	/* Last: never end a session for one that cannot start. */
	int why = registry_admit(registry, order->owner, registry_at(ref));

	if (why >= 0)
		return why;
	registry_taken(channel, family_wait(ref.family));
	if (family_send(ref.family, SESSION_ORDER_FORK, ref.member,
			(unsigned)other, channel) < 0)
		return SESSION_ORDER_BUSY;
	family_name(&ref.family->members[other], order->other);
	atomic_fetch_add(&registry->board->counters.sessions, 1);
	return -1;
}

static int (*const registry_acts[SESSION_ORDER_KINDS])(
	struct registry *, const struct session_order *, int) = {
	[SESSION_ORDER_RUN] = registry_run,
	[SESSION_ORDER_RELEASE] = registry_release,
	[SESSION_ORDER_FORK] = registry_fork,
};

/* Close the socket for orders. All workers share its other end; if one has
 * shut that down, poll(2) would return at once for ever. */
static void registry_stop_orders(struct registry *registry)
{
	log_error("a worker has shut down the socket for session orders: "
		  "sessions are off until a restart");
	base_release_fd(&registry->ours);
}

/* End the sessions that belong to a revoked token of the same name: no client
 * can reach them any more. */
static void registry_end_former(struct registry *registry, const char *owner)
{
	struct registry_ref ref = REGISTRY_NONE;

	while ((ref = registry_next(registry, ref)).family)
		if (session_order_succeeds(owner, ref.family->owner))
			family_release(ref.family, ref.member);
}

static void registry_serve(struct registry *registry)
{
	struct session_order order;

	for (int i = 0; i < REGISTRY_AT_ONCE; i++) {
		int got, rc = session_order_receive(registry->ours, &order,
						    sizeof(order), &got);

		if (rc == -EPIPE)
			registry_stop_orders(registry);
		if (rc <= 0)
			return;
		owned_fd int channel = got;

		if (channel < 0 || !session_order_is_sane(&order) ||
		    !session_order_is_wanted(channel))
			continue;
		registry_end_former(registry, order.owner);
		int why = registry_acts[order.kind](registry, &order, channel);

		if (why >= 0)
			registry_refuse(channel,
					(enum session_order_refusal)why);
	}
}

/* ---- time ------------------------------------------------------------ */

/* End sessions that were idle for too long. */
static void registry_age(struct registry *registry)
{
	int64_t before = io_now_ms() -
			 (int64_t)registry->conf->idle_s * 1000;
	struct registry_ref ref = REGISTRY_NONE;

	while ((ref = registry_next(registry, ref)).family) {
		if (registry_at(ref)->pending > 0 ||
		    registry_at(ref)->used_ms > before)
			continue;
		family_release(ref.family, ref.member);
		atomic_fetch_add(&registry->board->counters.sessions_expired,
				 1);
	}
}

/* Kill session keepers that are stuck: such a one keeps its slot, and keeps
 * its client from having other sessions. */
static void registry_kill_stuck(struct registry *registry)
{
	const int64_t now = io_now_ms();

	for (unsigned i = 0; i < registry->families_max; i++) {
		struct family *family = &registry->families[i];

		if (family->control < 0 || family->pidfd < 0 ||
		    !family_is_stuck(family, registry->call_ms, now))
			continue;
		log_error("killing a stuck session keeper: pid=%d "
			  "silent_ms=%lld",
			  family->keeper, (long long)(now - family->since_ms));
		family_kill(family);
	}
}

size_t registry_poll(const struct registry *registry, struct pollfd *polled)
{
	size_t count = 0;

	if (registry->families_max == 0)
		return 0;
	polled[count++] = (struct pollfd){.fd = registry->ours,
					  .events = POLLIN};
	for (unsigned i = 0; i < registry->families_max; i++)
		if (registry->families[i].control >= 0)
			polled[count++] = (struct pollfd){
				/* A killed one closes its socket before it is
				 * dead. */
				.fd = registry->families[i].killed
					      ? registry->families[i].pidfd
					      : registry->families[i].control,
				.events = POLLIN};
	return count;
}

void registry_step(struct registry *registry, int orders)
{
	if (registry->families_max == 0)
		return;
	registry->orders = orders;
	/* Reports first: ended sessions make room for new ones. */
	for (unsigned i = 0; i < registry->families_max; i++)
		if (registry->families[i].control >= 0)
			registry_receive(registry, &registry->families[i]);
	registry_kill_stuck(registry);
	registry_age(registry);
	registry_serve(registry);
	registry_show(registry);
}

/* ---- the end --------------------------------------------------------- */

void registry_close(struct registry *registry)
{
	registry->closing = true;
	for (unsigned i = 0; i < registry->families_max; i++)
		if (registry->families[i].control >= 0)
			shutdown(registry->families[i].control, SHUT_WR);
}

void registry_kill(struct registry *registry)
{
	for (unsigned i = 0; i < registry->families_max; i++)
		if (registry->families[i].pidfd >= 0)
			pidfd_signal(registry->families[i].pidfd, SIGKILL);
}

bool registry_gone(const struct registry *registry)
{
	for (unsigned i = 0; i < registry->families_max; i++)
		if (registry->families[i].control >= 0)
			return false;
	return true;
}

void registry_close_in_child(struct registry *registry)
{
	base_release_fd(&registry->ours);
	base_release_fd(&registry->theirs);
	for (unsigned i = 0; i < registry->families_max; i++)
		family_clear(&registry->families[i]);
}
