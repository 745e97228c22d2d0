/* registry - see registry.h. */
#include "registry.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"
#include "registry_place.h"

#define REGISTRY_AT_ONCE 64 /* messages that are read in one step */

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
	/* Without sessions it is there as well, and nobody listens. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	registry->ours = pair[0];
	registry->theirs = pair[1];
	return 0;
}

/* ---- what is told ---------------------------------------------------- */

static void registry_list(struct registry *registry,
			  struct registry_place place, size_t at)
{
	const struct registry_session *session = registry_at(place);
	struct scoreboard_session *shown =
		&registry->board->sessions.list[at];

	*shown = (struct scoreboard_session){
		.keeper = place.family->keeper, .pending = session->pending,
		.calls = session->calls, .cpu_ms = session->cpu_ms,
		.memory_peak_kb = session->memory_peak_kb,
		.began_ms = session->began_ms, .used_ms = session->used_ms};
	snprintf(shown->client, sizeof(shown->client), "%.*s",
		 (int)session_order_name(place.family->owner),
		 place.family->owner);
}

/* Sessions without a name, whose processes may still live; a family that has
 * none but a session keeper counts as one. */
static unsigned registry_ending(const struct registry *registry)
{
	unsigned ending = 0;

	for (unsigned i = 0; i < registry->families_max; i++) {
		const struct registry_family *family = &registry->families[i];
		unsigned there = 0, gone = 0;

		if (family->control < 0)
			continue;
		for (unsigned m = 0; m < SESSION_MEMBERS_MAX; m++) {
			there += family->members[m].there;
			gone += !family->members[m].there &&
				family->members[m].pending > 0;
		}
		ending += there + gone > 0 ? gone : 1;
	}
	return ending;
}

static void registry_show(struct registry *registry)
{
	struct scoreboard_sessions *shown = &registry->board->sessions;
	struct registry_place place = REGISTRY_NOWHERE;
	unsigned open = 0, busy = 0, waiting = 0;

	while ((place = registry_next(registry, place)).family) {
		unsigned pending = registry_at(place)->pending;

		if (open < SCOREBOARD_SESSIONS_MAX)
			registry_list(registry, place, open);
		open++;
		busy += pending > 0;
		waiting += pending > 1 ? pending - 1 : 0;
	}
	atomic_store(&shown->listed, open < SCOREBOARD_SESSIONS_MAX
					     ? open : SCOREBOARD_SESSIONS_MAX);
	atomic_store(&shown->open, open);
	atomic_store(&shown->ending, registry_ending(registry));
	atomic_store(&shown->busy, busy);
	atomic_store(&shown->waiting, waiting);
}

static void registry_answer(int channel, enum session_order_answer_kind kind,
			    uint32_t what)
{
	const struct session_order_answer answer = {.kind = kind, .what = what};

	/* A worker that is gone needs no answer. */
	(void)!send(channel, &answer, sizeof(answer),
		    MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The worker knows from now on that we have heard it, and what it waits for.
 * Before the order is handed on: or the session keeper's answer could come
 * first. */
static void registry_taken(int channel, enum session_order_wait wait)
{
	registry_answer(channel, SESSION_ORDER_TAKEN, wait);
}

static void registry_refuse(int channel, enum session_order_refusal why)
{
	registry_answer(channel, SESSION_ORDER_REFUSED, why);
}

/* ---- families -------------------------------------------------------- */

static void registry_forget(struct registry_family *family)
{
	base_release_fd(&family->control);
	base_release_fd(&family->pidfd);
	*family = (struct registry_family){.control = -1, .pidfd = -1};
}

/* All that its session keeper has not done yet. */
static unsigned registry_pending(const struct registry_family *family)
{
	unsigned pending = 0;

	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		pending += family->members[i].pending;
	return pending;
}

static void registry_unname(struct registry_session *session)
{
	session->there = false;
	session->id[0] = '\0';
}

/* It is forgotten when it is dead. One that has not said hello yet has been
 * given nothing of a client's, and goes by the end of its socket. */
static void registry_kill_keeper(struct registry_family *family)
{
	if (family->pidfd < 0) {
		shutdown(family->control, SHUT_WR);
		return;
	}
	pidfd_signal(family->pidfd, SIGKILL);
	family->killed = true;
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		registry_unname(&family->members[i]);
}

static int registry_task(struct registry_family *family,
			 enum session_order_kind kind, unsigned member,
			 unsigned other, int channel)
{
	const struct session_order_task task = {
		.kind = kind, .member = member, .other = other};
	const bool idle = registry_pending(family) == 0;
	int rc = session_order_send(family->control, &task, sizeof(task),
				    channel);

	if (rc == 0 && idle)
		family->since_ms = io_now_ms();
	family->members[member].pending += rc == 0;
	return rc;
}

/* The name is free at once; calls that were before are served. */
static void registry_end_session(struct registry_place place)
{
	if (registry_task(place.family, SESSION_ORDER_RELEASE, place.member, 0,
			  -1) < 0)
		registry_kill_keeper(place.family); /* it does not read */
	else if (place.family->released_ms == 0)
		place.family->released_ms = io_now_ms();
	registry_unname(registry_at(place));
}

/* ---- room ------------------------------------------------------------ */

/* See to it that one more may be, of OWNER if that is not NULL. */
static bool registry_make_room(struct registry *registry, const char *owner,
			       unsigned most,
			       const struct registry_session *but)
{
	if (registry_count(registry, owner) < most)
		return true;
	struct registry_place idlest = registry_idlest(registry, owner, but);

	if (!idlest.family)
		return false;
	registry_end_session(idlest);
	atomic_fetch_add(&registry->board->counters.sessions_evicted, 1);
	return true;
}

/* BUT is the session that must not make room. */
static int registry_admit(struct registry *registry, const char *owner,
			  const struct registry_session *but)
{
	if (!registry_make_room(registry, owner, registry->conf->per_client,
				but))
		return SESSION_ORDER_CLIENT_FULL;
	if (!registry_make_room(registry, NULL, registry->conf->max, but))
		return SESSION_ORDER_FULL;
	return -1;
}

/* ---- keepers --------------------------------------------------------- */

static void registry_hello(struct registry *registry,
			   struct registry_family *family,
			   const struct session_order_news *news)
{
	(void)registry;
	if (family->pidfd >= 0)
		return;
	family->keeper = news->pid;
	family->pidfd = pidfd_of(news->pid);
}

static void registry_done(struct registry *registry,
			  struct registry_family *family,
			  const struct session_order_news *news)
{
	struct registry_session *session = &family->members[news->member];

	if (session->pending > 0)
		session->pending--;
	if (!session->there && session->pending == 0)
		family->released_ms = 0;
	session->used_ms = io_now_ms();
	session->calls += news->ran;
	session->cpu_ms += news->cpu_ms;
	if (news->memory_peak_kb > session->memory_peak_kb)
		session->memory_peak_kb = news->memory_peak_kb;
	if (news->fate == SESSION_ROLLED_BACK)
		atomic_fetch_add(&registry->board->counters.rollbacks, 1);
}

static void registry_lost(struct registry *registry,
			  struct registry_family *family,
			  const struct session_order_news *news)
{
	(void)registry;
	registry_unname(&family->members[news->member]);
}

static void (*const registry_heard[SESSION_ORDER_NEWS_KINDS])(
	struct registry *, struct registry_family *,
	const struct session_order_news *) = {
	[SESSION_ORDER_HELLO] = registry_hello,
	[SESSION_ORDER_DONE] = registry_done,
	[SESSION_ORDER_GONE] = registry_lost,
};

static bool registry_is_dead(const struct registry_family *family)
{
	return family->pidfd < 0 || pidfd_wait(family->pidfd, 0);
}

/* It has let go of its socket: it is dead, or it is about to be. While it
 * lives its slot is taken, and its guest may live as well. */
static void registry_hung_up(struct registry_family *family)
{
	if (registry_is_dead(family))
		registry_forget(family);
	else if (!family->killed)
		registry_kill_keeper(family);
}

static void registry_hear(struct registry *registry,
			  struct registry_family *family)
{
	struct session_order_news news;

	for (int i = 0; i < REGISTRY_AT_ONCE; i++) {
		int rc = session_order_receive(family->control, &news,
					       sizeof(news), NULL);

		if (rc < 0)
			registry_hung_up(family);
		if (rc <= 0)
			return;
		family->since_ms = io_now_ms();
		if (news.kind < SESSION_ORDER_NEWS_KINDS &&
		    news.member < SESSION_MEMBERS_MAX)
			registry_heard[news.kind](registry, family, &news);
	}
}

/* ---- orders ---------------------------------------------------------- */

static void registry_name(struct registry_session *session, const char *id)
{
	session->there = true;
	session->used_ms = session->began_ms = io_now_ms();
	session->calls = session->cpu_ms = session->memory_peak_kb = 0;
	snprintf(session->id, sizeof(session->id), "%s", id);
}

static struct registry_family *registry_free_family(struct registry *registry)
{
	for (unsigned i = 0; i < registry->families_max; i++)
		if (registry->families[i].control < 0)
			return &registry->families[i];
	return NULL;
}

/* Have a session keeper started for FAMILY. */
static int registry_start(struct registry *registry,
			  struct registry_family *family)
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

/* Returns a refusal, or -1. */
static int registry_open(struct registry *registry,
			 const struct session_order *order, int channel)
{
	struct registry_family *family = registry_free_family(registry);

	if (registry->closing || registry->orders < 0 || !family)
		return family ? SESSION_ORDER_STARTING : SESSION_ORDER_FULL;
	/* Last, for nobody shall make room for what does not come. */
	int why = registry_admit(registry, order->owner, NULL);

	if (why >= 0)
		return why;
	int rc = registry_start(registry, family);

	if (rc == 0) {
		registry_taken(channel, SESSION_ORDER_WAIT_START);
		rc = registry_task(family, SESSION_ORDER_RUN, 0, 0, channel);
	}
	if (rc < 0) {
		registry_forget(family);
		return SESSION_ORDER_STARTING;
	}
	memcpy(family->owner, order->owner, sizeof(family->owner));
	registry_name(&family->members[0], order->id);
	atomic_fetch_add(&registry->board->counters.sessions, 1);
	return -1;
}

/* The session that ORDER names. One that seems busy may have said otherwise
 * since its session keeper was last heard, before this order was sent. */
static struct registry_place registry_named(struct registry *registry,
					    const struct session_order *order)
{
	struct registry_place place =
		registry_find(registry, order->owner, order->id);

	if (!place.family ||
	    registry_at(place)->pending <= registry->conf->waiting)
		return place;
	registry_hear(registry, place.family);
	return registry_find(registry, order->owner, order->id);
}

/* What one more call has to wait for: until the session keeper has said hello
 * for its start, then for the calls of all branches, which take turns. */
static enum session_order_wait registry_wait(struct registry_place place)
{
	const struct registry_family *family = place.family;
	return family->pidfd < 0              ? SESSION_ORDER_WAIT_START
	       : registry_pending(family) > 0 ? SESSION_ORDER_WAIT_TURN
					      : SESSION_ORDER_WAIT_NOTHING;
}

static int registry_run(struct registry *registry,
			const struct session_order *order, int channel)
{
	struct registry_place place = registry_named(registry, order);

	if (!place.family)
		return registry_open(registry, order, channel);
	if (registry_at(place)->pending > registry->conf->waiting)
		return SESSION_ORDER_BUSY;
	registry_taken(channel, registry_wait(place));
	return registry_task(place.family, SESSION_ORDER_RUN, place.member, 0,
			     channel) < 0
		       ? SESSION_ORDER_BUSY
		       : -1;
}

static int registry_release(struct registry *registry,
			    const struct session_order *order, int channel)
{
	struct registry_place place =
		registry_find(registry, order->owner, order->id);

	if (place.family)
		registry_end_session(place);
	registry_answer(channel, SESSION_ORDER_OK, place.family != NULL);
	return -1;
}

/* One of which nothing is left to be heard. */
static int registry_free_member(const struct registry *registry,
				const struct registry_family *family)
{
	for (unsigned i = 0; i <= registry->conf->branches; i++)
		if (!family->members[i].there &&
		    family->members[i].pending == 0)
			return (int)i;
	return -1;
}

static int registry_fork(struct registry *registry,
			 const struct session_order *order, int channel)
{
	struct registry_place place = registry_named(registry, order);

	if (!place.family)
		return SESSION_ORDER_UNKNOWN;
	if (registry_find(registry, order->owner, order->other).family)
		return SESSION_ORDER_EXISTS;
	int other = registry_free_member(registry, place.family);

	if (other < 0)
		return SESSION_ORDER_BRANCHES;
	if (registry_at(place)->pending > registry->conf->waiting)
		return SESSION_ORDER_BUSY;
	/* Last, for nobody shall make room for what does not come. */
	int why = registry_admit(registry, order->owner, registry_at(place));

	if (why >= 0)
		return why;
	registry_taken(channel, registry_wait(place));
	if (registry_task(place.family, SESSION_ORDER_FORK, place.member,
			  (unsigned)other, channel) < 0)
		return SESSION_ORDER_BUSY;
	registry_name(&place.family->members[other], order->other);
	atomic_fetch_add(&registry->board->counters.sessions, 1);
	return -1;
}

static int (*const registry_acts[SESSION_ORDER_KINDS])(
	struct registry *, const struct session_order *, int) = {
	[SESSION_ORDER_RUN] = registry_run,
	[SESSION_ORDER_RELEASE] = registry_release,
	[SESSION_ORDER_FORK] = registry_fork,
};

/* All workers share the other end, and any could shut it down, which would
 * keep us awake for nothing. */
static void registry_deafen(struct registry *registry)
{
	log_error("a worker has shut the way to all sessions; a restart opens "
		  "it again");
	base_release_fd(&registry->ours);
}

/* A token that was revoked has left sessions, and its name has another now:
 * they are nobody's. */
static void registry_end_former(struct registry *registry, const char *owner)
{
	struct registry_place place = REGISTRY_NOWHERE;

	while ((place = registry_next(registry, place)).family)
		if (session_order_succeeds(owner, place.family->owner))
			registry_end_session(place);
}

static void registry_serve(struct registry *registry)
{
	struct session_order order;

	for (int i = 0; i < REGISTRY_AT_ONCE; i++) {
		int got, rc = session_order_receive(registry->ours, &order,
						    sizeof(order), &got);

		if (rc == -EPIPE)
			registry_deafen(registry);
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

static void registry_age(struct registry *registry)
{
	int64_t before = io_now_ms() -
			 (int64_t)registry->conf->idle_s * 1000;
	struct registry_place place = REGISTRY_NOWHERE;

	while ((place = registry_next(registry, place)).family) {
		if (registry_at(place)->pending > 0 ||
		    registry_at(place)->used_ms > before)
			continue;
		registry_end_session(place);
		atomic_fetch_add(&registry->board->counters.sessions_expired,
				 1);
	}
}

/* A session keeper that stands still keeps its slot, and its client from having
 * other sessions: it is killed when it has not done within CALL_MS of the last
 * that was heard of it, or, of a release alone, within seconds. */
static bool registry_is_stuck(const struct registry *registry,
			      const struct registry_family *family,
			      int64_t now)
{
	unsigned released = 0;

	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		released += !family->members[i].there &&
			    family->members[i].pending == 1;
	const unsigned pending = registry_pending(family);

	if (pending == 0 || registry->call_ms == 0 || family->killed)
		return false;
	const int64_t allowed = family->released_ms > 0 && pending == released
					? REGISTRY_RELEASE_MS
					: registry->call_ms;
	const int64_t since = family->released_ms > family->since_ms &&
					      pending == released
				      ? family->released_ms
				      : family->since_ms;

	return now - since > allowed;
}

static void registry_watch(struct registry *registry)
{
	const int64_t now = io_now_ms();

	for (unsigned i = 0; i < registry->families_max; i++) {
		struct registry_family *family = &registry->families[i];

		if (family->control < 0 || family->pidfd < 0 ||
		    !registry_is_stuck(registry, family, now))
			continue;
		log_error("a session keeper stands still and is killed: pid=%d "
			  "silent_ms=%lld",
			  family->keeper, (long long)(now - family->since_ms));
		registry_kill_keeper(family);
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
				/* It hangs up before it is dead. */
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
	/* What has ended makes room for what begins. */
	for (unsigned i = 0; i < registry->families_max; i++)
		if (registry->families[i].control >= 0)
			registry_hear(registry, &registry->families[i]);
	registry_watch(registry);
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
		registry_forget(&registry->families[i]);
}
