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
#include "sandboxes.h"

#define REGISTRY_AT_ONCE 64 /* messages of one sender that a step reads */
#define REGISTRY_LOG_MS 1000 /* between two log lines about refusals */
#define REGISTRY_FORMER "terrarium-sessions" /* in server.cache_dir */

unsigned registry_slots(const struct conf_sessions *conf)
{
	return conf->max ? conf->max + SESSION_TABLE_SPARE : 0;
}

/* Without the list sessions work, but clients are not told what became of the
 * former ones. */
static int registry_open_former(struct registry *registry,
				const char *cache_dir)
{
	if (registry->conf->max == 0)
		return 0;
	if (*cache_dir && asprintf(&registry->former_path, "%s/%s", cache_dir,
				   REGISTRY_FORMER) < 0)
		return -ENOMEM;
	int rc = former_open(&registry->former, registry->former_path);

	if (rc < 0 && rc != -ENOMEM) {
		log_warn("list of former sessions not read: path=\"%s\" "
			 "error=\"%s\"", registry->former_path, log_errno(rc));
		rc = 0;
	}
	return rc;
}

int registry_init(struct registry *registry, const struct conf_sessions *conf,
		  const char *cache_dir, struct scoreboard *board)
{
	int pair[2];

	*registry = (struct registry){
		.conf = conf, .board = board, .ours = -1, .theirs = -1,
		.orders = -1, .streams = -1, .table.count = registry_slots(conf)};
	for (size_t i = 0; i < SESSION_TABLE_MAX; i++)
		registry->table.families[i] =
			(struct family){.control = -1, .pidfd = -1};
	/* Also without sessions: workers ask for streams, too. */
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	registry->ours = pair[0];
	registry->theirs = pair[1];
	return registry_open_former(registry, cache_dir);
}

/* ---- the scoreboard -------------------------------------------------- */

static void registry_list(struct registry *registry, struct session_ref ref,
			  size_t at)
{
	const struct family_member *session = session_table_at(ref);
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
	struct session_ref ref = SESSION_REF_NONE;
	unsigned open = 0, busy = 0, waiting = 0, ending = 0;

	for (unsigned i = 0; i < registry->table.count; i++)
		ending += family_ending(&registry->table.families[i]);
	while ((ref = session_table_next(&registry->table, ref)).family) {
		unsigned pending = session_table_at(ref)->pending;

		if (session_table_at(ref)->beginning)
			continue;
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

static void registry_answer(int channel,
			    const struct session_order_answer *answer)
{
	/* A failure means that the worker has gone: it needs no answer. */
	(void)!send(channel, answer, sizeof(*answer),
		    MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Tell the worker that its order was taken, and the reason to WAIT. This must
 * come before the order is handed on, because else the session keeper's answer
 * could arrive first. */
static void registry_taken(int channel, enum session_order_wait wait,
			   enum session_origin origin)
{
	registry_answer(channel, &(struct session_order_answer){
					 SESSION_ORDER_TAKEN, wait, origin});
}

/* ---- log ------------------------------------------------------------- */

/* A session ends before its client expects it. OWNER's name is that of a token:
 * an operator has chosen it. */
static void registry_log_end(struct session_ref ref, const char *reason)
{
	log_info("session ended: reason=%s client=\"%.*s\" idle_s=%lld "
		 "calls=%ju", reason,
		 (int)session_order_name(ref.family->owner), ref.family->owner,
		 (long long)(io_now_ms() - session_table_at(ref)->used_ms) /
			 1000, (uintmax_t)session_table_at(ref)->calls);
}

/* A client may be refused many times a second, so lines are rare. */
static void registry_log_refusal(struct registry *registry, const char *owner)
{
	const int64_t now = io_now_ms();

	atomic_fetch_add(&registry->board->counters.sessions_refused, 1);
	registry->unlogged++;
	if (now - registry->refusal_logged_ms < REGISTRY_LOG_MS)
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

/* ---- room ------------------------------------------------------------ */

static void registry_evict(struct registry *registry, struct session_ref ref)
{
	registry_log_end(ref, "evicted");
	former_add(&registry->former, ref.family->owner,
		   session_table_at(ref)->id, SESSION_AFTER_EVICTED);
	if (ref.family->note)
		family_release_all(ref.family);
	else
		family_release(ref.family, ref.member);
	atomic_fetch_add(&registry->board->counters.sessions_evicted, 1);
}

/* The most sessions of one client. */
static unsigned registry_per_client(const struct conf_sessions *conf)
{
	return conf->per_client && conf->per_client < conf->max
		       ? conf->per_client : conf->max;
}

/* Make room for a session of OWNER, without ending BUT or one that was used a
 * short time ago. Returns a refusal, or -1. */
static int registry_admit(struct registry *registry, const char *owner,
			  const struct family_member *but)
{
	const struct conf_sessions *conf = registry->conf;
	struct session_table *table = &registry->table;
	const int64_t before = io_now_ms() -
			       (int64_t)conf->evict_after_s * 1000;
	struct session_ref ref = SESSION_REF_NONE;

	if (session_table_count(table, owner) >= registry_per_client(conf)) {
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

/* ---- reports of session keepers -------------------------------------- */

/* Remember sessions of FAMILY that have ended by themselves. When the master
 * stops, all do; registry_close() has remembered them. */
static void registry_remember_lost(struct registry *registry,
				   struct family *family)
{
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++) {
		struct family_member *member = &family->members[i];

		if (member->lost && !registry->closing)
			former_add(&registry->former, family->owner,
				   member->id, SESSION_AFTER_ENDED);
		member->lost = false;
	}
}

static void registry_hang_up(struct registry *registry, struct family *family)
{
	family_lose_all(family);
	registry_remember_lost(registry, family);
	family_hung_up(family);
}

static void registry_receive(struct registry *registry, struct family *family)
{
	struct session_order_news news;

	for (int i = 0; i < REGISTRY_AT_ONCE; i++) {
		int rc = family_receive(family, &news);

		if (rc < 0)
			registry_hang_up(registry, family);
		if (rc <= 0)
			return;
		registry_remember_lost(registry, family);
		if (news.kind == SESSION_ORDER_DONE &&
		    news.fate == SESSION_ROLLED_BACK)
			atomic_fetch_add(&registry->board->counters.rollbacks,
					 1);
	}
}

/* ---- orders ---------------------------------------------------------- */

static struct family *registry_free_family(struct registry *registry)
{
	for (unsigned i = 0; i < registry->table.count; i++)
		if (registry->table.families[i].control < 0)
			return &registry->table.families[i];
	return NULL;
}

/* Order a session keeper for FAMILY from the session fork server. */
static int registry_start(struct registry *registry, struct family *family)
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
	family->note = *order->note ? strdup(order->note) : NULL;
	family->idle_s = sandboxes_idle_s(registry, order->idle_s);
	int rc = *order->note && !family->note
			 ? -ENOMEM : registry_start(registry, family);

	if (rc == 0) {
		registry_taken(channel, SESSION_ORDER_WAIT_START,
			       former_find(&registry->former, order->owner,
					   order->id));
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
static struct session_ref registry_named(struct registry *registry,
					  const struct session_order *order)
{
	struct session_ref ref = session_table_find(&registry->table, order->owner,
						order->id);

	if (!ref.family || session_table_at(ref)->pending <= registry->conf->waiting)
		return ref;
	registry_receive(registry, ref.family);
	return session_table_find(&registry->table, order->owner, order->id);
}

static int registry_run(struct registry *registry,
			const struct session_order *order, int channel)
{
	struct session_ref ref = registry_named(registry, order);

	if (!ref.family && order->must_exist)
		return SESSION_ORDER_ABSENT;
	if (!ref.family)
		return registry_open(registry, order, channel);
	if (session_table_at(ref)->pending > registry->conf->waiting)
		return SESSION_ORDER_BUSY;
	registry_taken(channel, family_wait(ref.family), SESSION_THERE);
	return family_send(ref.family, (enum session_order_kind)order->kind,
			   ref.member, 0, channel) < 0
		       ? SESSION_ORDER_BUSY
		       : -1;
}

static int registry_release(struct registry *registry,
			    const struct session_order *order, int channel)
{
	struct session_ref ref = session_table_find(&registry->table, order->owner,
						order->id);

	if (ref.family) {
		former_add(&registry->former, order->owner, order->id,
			   SESSION_AFTER_RELEASED);
		if (order->whole && ref.family->note)
			family_release_all(ref.family);
		else
			family_release(ref.family, ref.member);
	}
	registry_answer(channel, &(struct session_order_answer){
					 SESSION_ORDER_OK, ref.family != NULL,
					 SESSION_THERE});
	return -1;
}

static int registry_fork(struct registry *registry,
			 const struct session_order *order, int channel)
{
	struct session_ref ref = registry_named(registry, order);
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
			  ? -1 : registry_admit(registry, order->owner,
						session_table_at(ref));

	if (why >= 0)
		return why;
	if (had.family)
		family_release(had.family, had.member);
	registry_taken(channel, family_wait(ref.family), SESSION_THERE);
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
static int registry_stream(struct registry *registry,
			   const struct session_order *order, int channel)
{
	struct session_order_stream passed = {.run = order->run};

	memcpy(passed.owner, order->owner, sizeof(passed.owner));
	memcpy(passed.id, order->id, sizeof(passed.id));
	return session_order_send(registry->streams, &passed, sizeof(passed),
				  channel) < 0
		       ? SESSION_ORDER_STARTING
		       : -1;
}

static int (*const registry_acts[SESSION_ORDER_KINDS])(
	struct registry *, const struct session_order *, int) = {
	[SESSION_ORDER_RUN] = registry_run,
	[SESSION_ORDER_RELEASE] = registry_release,
	[SESSION_ORDER_FORK] = registry_fork,
	[SESSION_ORDER_PUT] = registry_run,
	[SESSION_ORDER_GET] = registry_run,
	[SESSION_ORDER_REMOVE] = registry_run,
	[SESSION_ORDER_LIST] = registry_run,
	[SESSION_ORDER_TREE_PUT] = registry_run,
	[SESSION_ORDER_TREE_GET] = registry_run,
	[SESSION_ORDER_TREE_LIST] = registry_run,
	[SESSION_ORDER_TREE_STAT] = registry_run,
	[SESSION_ORDER_TREE_MAKE] = registry_run,
	[SESSION_ORDER_TREE_MOVE] = registry_run,
	[SESSION_ORDER_TREE_REMOVE] = registry_run,
	[SESSION_ORDER_LOOK] = sandboxes_look,
	[SESSION_ORDER_NEXT] = sandboxes_next,
	[SESSION_ORDER_USE] = sandboxes_use,
	[SESSION_ORDER_MEMBER] = sandboxes_member,
	[SESSION_ORDER_STREAM] = registry_stream,
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
	struct session_ref ref = SESSION_REF_NONE;

	while ((ref = session_table_next(&registry->table, ref)).family)
		if (session_order_succeeds(owner, ref.family->owner))
			family_release(ref.family, ref.member);
}

static void registry_refuse(struct registry *registry,
			    const struct session_order *order, int channel,
			    enum session_order_refusal why)
{
	if (why == SESSION_ORDER_FULL || why == SESSION_ORDER_CLIENT_FULL)
		registry_log_refusal(registry, order->owner);
	registry_answer(channel, &(struct session_order_answer){
					 SESSION_ORDER_REFUSED, why,
					 former_find(&registry->former,
						     order->owner,
						     order->id)});
}

static void registry_serve(struct registry *registry)
{
	struct session_order order;

	for (int i = 0; i < REGISTRY_AT_ONCE; i++) {
		int got, rc = session_order_take(registry->ours, &order, &got);

		if (rc == -EPIPE)
			registry_stop_orders(registry);
		if (rc <= 0)
			return;
		owned_fd int channel = got;

		if (channel < 0 || !session_order_is_sane(&order) ||
		    !session_order_is_wanted(channel) ||
		    (registry->table.count == 0 &&
		     order.kind != SESSION_ORDER_STREAM))
			continue;
		registry_end_former(registry, order.owner);
		int why = registry_acts[order.kind](registry, &order, channel);

		if (why >= 0)
			registry_refuse(registry, &order, channel,
					(enum session_order_refusal)why);
	}
}

/* ---- time ------------------------------------------------------------ */

/* Was the session idle for too long? A sandbox and its branches count as
 * one. */
static bool registry_is_old(const struct registry *registry,
			    struct session_ref ref, int64_t now)
{
	const struct family_member *session = session_table_at(ref);
	const struct family *family = ref.family;

	if (family->note)
		return family_pending(family) == 0 &&
		       family_used_ms(family) <=
			       now - (int64_t)family->idle_s * 1000;
	return session->pending == 0 &&
	       session->used_ms <=
		       now - (int64_t)registry->conf->idle_s * 1000;
}

/* End sessions that were idle for too long. */
static void registry_age(struct registry *registry)
{
	const int64_t now = io_now_ms();
	struct session_ref ref = SESSION_REF_NONE;

	while ((ref = session_table_next(&registry->table, ref)).family) {
		if (!registry_is_old(registry, ref, now))
			continue;
		registry_log_end(ref, "expired");
		former_add(&registry->former, ref.family->owner,
			   session_table_at(ref)->id, SESSION_AFTER_EXPIRED);
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

	for (unsigned i = 0; i < registry->table.count; i++) {
		struct family *family = &registry->table.families[i];

		if (family->control < 0 || family->pidfd < 0 ||
		    !family_is_stuck(family, registry->call_ms, now))
			continue;
		log_error("killing a stuck session keeper: pid=%d "
			  "silent_ms=%lld",
			  family->keeper, (long long)(now - family->since_ms));
		family_kill(family);
		registry_remember_lost(registry, family);
	}
}

size_t registry_poll(const struct registry *registry, struct pollfd *polled)
{
	size_t count = 0;

	polled[count++] = (struct pollfd){.fd = registry->ours,
					  .events = POLLIN};
	for (unsigned i = 0; i < registry->table.count; i++)
		if (registry->table.families[i].control >= 0)
			polled[count++] = (struct pollfd){
				/* A killed one closes its socket before it is
				 * dead. */
				.fd = registry->table.families[i].killed
					      ? registry->table.families[i].pidfd
					      : registry->table.families[i].control,
				.events = POLLIN};
	return count;
}

void registry_step(struct registry *registry, int orders)
{
	registry->orders = orders;
	/* Reports first: ended sessions make room for new ones. */
	for (unsigned i = 0; i < registry->table.count; i++)
		if (registry->table.families[i].control >= 0)
			registry_receive(registry, &registry->table.families[i]);
	registry_kill_stuck(registry);
	sandboxes_end_headless(registry);
	registry_age(registry);
	registry_serve(registry);
	registry_show(registry);
}

/* ---- the end --------------------------------------------------------- */

/* Leave the list of former sessions to the next server. */
static void registry_save_former(const struct registry *registry)
{
	if (!registry->former_path || registry->former.count == 0)
		return;
	int rc = former_save(&registry->former, registry->former_path);

	if (rc < 0)
		log_warn("list of former sessions not written: path=\"%s\" "
			 "error=\"%s\"", registry->former_path, log_errno(rc));
}

/* To the next server the present sessions are former ones. */
static void registry_remember_all(struct registry *registry)
{
	struct session_ref ref = SESSION_REF_NONE;

	while ((ref = session_table_next(&registry->table, ref)).family)
		former_add(&registry->former, ref.family->owner,
			   session_table_at(ref)->id, SESSION_AFTER_RESTARTED);
}

int registry_hand_over(const struct registry *registry,
		       struct registry_kept *kept)
{
	registry_save_former(registry);
	kept->ours = registry->ours;
	kept->theirs = registry->theirs;
	kept->call_ms = registry->call_ms;
	kept->table = registry->table;
	int rc = session_table_pack_notes(&kept->table, &kept->notes);

	kept->notes_size = kept->notes.size;
	return rc;
}

int registry_take_over(struct registry *registry,
		       const struct registry_kept *kept)
{
	base_release_fd(&registry->ours);
	base_release_fd(&registry->theirs);
	registry->ours = kept->ours;
	registry->theirs = kept->theirs;
	registry->call_ms = kept->call_ms;
	registry->table = kept->table;
	return session_table_unpack_notes(&registry->table, &kept->notes);
}

void registry_close(struct registry *registry)
{
	if (!registry->closing) {
		registry_remember_all(registry);
		registry_save_former(registry);
	}
	registry->closing = true;
	for (unsigned i = 0; i < registry->table.count; i++)
		if (registry->table.families[i].control >= 0)
			shutdown(registry->table.families[i].control, SHUT_WR);
}

void registry_kill(struct registry *registry)
{
	for (unsigned i = 0; i < registry->table.count; i++)
		if (registry->table.families[i].pidfd >= 0)
			pidfd_signal(registry->table.families[i].pidfd, SIGKILL);
}

bool registry_gone(const struct registry *registry)
{
	for (unsigned i = 0; i < registry->table.count; i++)
		if (registry->table.families[i].control >= 0)
			return false;
	return true;
}

void registry_close_in_child(struct registry *registry)
{
	base_release_fd(&registry->ours);
	base_release_fd(&registry->theirs);
	for (unsigned i = 0; i < registry->table.count; i++)
		family_clear(&registry->table.families[i]);
	former_free(&registry->former);
	base_release_ptr(&registry->former_path);
}
