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
#include "registry_orders.h"
#include "sandboxes.h"

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

void registry_receive(struct registry *registry, struct family *family)
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

/* ---- sessions that end early ----------------------------------------- */

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

void registry_evict(struct registry *registry, struct session_ref ref)
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

/* ---- time ------------------------------------------------------------ */

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
	registry_orders_serve(registry);
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
