/* generations - see generations.h. */
#include "generations.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "fcgi/pool/queue.h"
#include "fcgi/shared/client_share.h"
#include "footprint.h"
#include "fcgi/shared/generation.h"
#include "notify.h"
#include "generation_failures.h"
#include "generation_handle.h"

#define GENERATIONS_IDLE_MS 10000 /* longest wait for an idle pool */
/* Time between two log lines about a start. */
#define GENERATIONS_PROGRESS_MS 5000

void generations_init(struct generations *all, struct scoreboard *board,
		      const struct generation_handle_fds *fds)
{
	all->board = board;
	all->fds = *fds;
	all->client_shares = client_share_map(fds->shares);
	if (!all->client_shares ||
	    madvise(all->client_shares, sizeof(*all->client_shares),
		    MADV_DONTFORK) < 0)
		die("map the client shares: %s", log_errno(errno));
	all->current = all->former = -1;
	all->standby = board->generations > 2;
	all->can_restore = all->standby && generation_handle_can_restore();
	for (size_t i = 0; i < GENERATIONS_MAX; i++)
		generation_handle_init(&all->handles[i]);
}

/* ---- state ----------------------------------------------------------- */

/* The generation in STATE that was started last, or -1. */
static int generations_find(const struct generations *all,
			    enum generation_handle_state state)
{
	int found = -1;

	for (int i = 0; i < GENERATIONS_MAX; i++)
		if (generation_handle_state(&all->handles[i]) == state &&
		    (found < 0 ||
		     all->handles[i].number > all->handles[found].number))
			found = i;
	return found;
}

/* The generation that serves; NULL: none. */
static const struct generation_handle *
generations_present(const struct generations *all)
{
	return all->current < 0 ? NULL : &all->handles[all->current];
}

/* Shall another generation serve instead of the present one? */
static bool generations_wanted(const struct generations *all)
{
	const struct generation_handle *now = generations_present(all);

	return !now || now->old || now->number < all->needed;
}

/* Would it be of use to let the prepared generation INDEX serve? It would with
 * a new configuration. It also would when the present one is old and its
 * successors fail. */
static bool generations_is_useful(const struct generations *all, int index)
{
	const struct generation_handle *handle = &all->handles[index];
	const struct generation_handle *now = generations_present(all);

	return !now || handle->edition == all->edition ||
	       handle->edition > now->edition || (now->old && all->failures);
}

/* Does a generation arm workers, and may it still come to serve? One that can
 * arm no guest does not count once a later one is needed. Until that one
 * serves, it answers requests with the reason. */
bool generations_is_arming(const struct generations *all)
{
	int index = generations_find(all, GENERATION_HANDLE_ARMING);

	return index >= 0 &&
	       (all->current >= 0 ||
		all->handles[index].number >= all->needed ||
		atomic_load(&all->board->state) != SCOREBOARD_STOPPED);
}

/* Do clients wait for the next generation? */
static bool generations_urgent(const struct generations *all)
{
	const struct generation_handle *now = generations_present(all);

	return !now || now->edition != all->edition;
}

static void generations_publish_standby(struct generations *all)
{
	int index = generations_find(all, GENERATION_HANDLE_STANDBY);

	atomic_store(&all->board->standby,
		     index < 0 ? 0 : all->handles[index].pool);
}

void generations_reload(struct generations *all, struct bytes text)
{
	atomic_fetch_add(&all->board->reload_asked, 1);
	if (text.size != all->text.size ||
	    memcmp(text.data, all->text.data, text.size) != 0)
		all->edition++;
	free(all->text.data);
	all->text = text;
	all->needed = all->started + 1;
	all->not_before = 0;
	all->failures = 0; /* log the next failure even if it is the same */
	*all->refusal = '\0';
}

void generations_fail_reload(struct generations *all, const char *error)
{
	struct scoreboard *board = all->board;

	log_error("reload failed, the present generation goes on: %s", error);
	snprintf(all->refusal, sizeof(all->refusal), "%s", error);
	memcpy(board->next_error, all->refusal, sizeof(all->refusal));
	generation_failures_add_reload(all, atomic_load(&board->reload_asked));
}

void generations_refuse_reload(struct generations *all, const char *error)
{
	atomic_fetch_add(&all->board->reload_asked, 1);
	generations_fail_reload(all, error);
}

void generations_abort_others(struct generations *all)
{
	for (int i = 0; i < GENERATIONS_MAX; i++) {
		enum generation_handle_state state = generation_handle_state(
			&all->handles[i]);

		if (state != GENERATION_HANDLE_GONE &&
		    state != GENERATION_HANDLE_SERVING)
			generation_handle_abort(&all->handles[i]);
	}
}

void generations_renew(struct generations *all)
{
	generations_abort_others(all);
	all->edition++;
	all->needed = all->started + 1;
	all->not_before = 0;
}

/* ---- start ----------------------------------------------------------- */

static void generations_start(struct generations *all, int index)
{
	struct scoreboard *board = all->board;
	struct generation_handle *handle = &all->handles[index];

	atomic_store(&board->starting, (unsigned)index);
	atomic_store(&board->quiet, generation_failures_are_quiet(all));
	atomic_store(&board->each[index].fork_server, 0);
	*board->each[index].reason = '\0';
	stage_begin(&board->stages[index].stage);
	all->busy_since = 0;
	int rc = generation_handle_start(handle, &all->fds, &all->text);

	if (rc < 0) {
		log_error("start a pool process: %s", log_errno(rc));
		generation_failures_delay(all);
		return;
	}
	handle->edition = all->edition;
	handle->number = ++all->started;
	if (all->can_restore && !generations_urgent(all))
		generation_handle_lower_priority(handle);
}

/* Tell the prepared generation INDEX to serve. */
static void generations_activate(struct generations *all, int index)
{
	struct generation_handle *handle = &all->handles[index];

	generation_handle_restore_priority(handle);
	/* Its death is handled when it is reaped. */
	if (write(handle->serve, "s", 1) < 0)
		log_warn("tell a pool process to serve: %s", log_errno(errno));
	base_release_fd(&handle->serve);
	handle->activated = true;
	handle->began_ms = handle->logged_ms = io_now_ms();
	handle->stall = (struct stall){0};
	all->number++;
}

static void generations_stalled(struct generations *all, int index)
{
	const struct stage *stage = &all->board->stages[index].stage;
	char error[SCOREBOARD_REASON_MAX];

	snprintf(error, sizeof(error),
		 "start stalled and aborted: step=\"%s\" stall_s=%d",
		 stage_words(stage), all->stall_ms / 1000);
	if (all->current < 0)
		log_error("%s", error);
	generation_handle_abort(&all->handles[index]);
	all->start_failed = !all->ever_ready;
	generation_failures_add(all, index, error);
}

static void generations_log_progress(struct generations *all,
				     struct generation_handle *handle,
				     const struct stage *stage, int64_t now)
{
	if (now - handle->logged_ms < GENERATIONS_PROGRESS_MS)
		return;
	handle->logged_ms = now;
	if (!generations_wanted(all))
		return;
	log_info("starting: step=\"%s\" elapsed_s=%lld", stage_words(stage),
		 (long long)(now - handle->began_ms) / 1000);
	/* systemd has a start timeout of its own (sd_notify(3)). */
	notify_send("EXTEND_TIMEOUT_USEC=30000000");
	notify_status("starting: %s", stage_words(stage));
}

/* Watch a start. Its duration depends on the machine, so only a start without
 * progress fails. A generation that cannot arm a guest has reported the reason,
 * and is not watched any more. The board's state may be that of an earlier
 * start. */
static void generations_watch_start(struct generations *all, int index)
{
	struct generation_handle *handle = &all->handles[index];
	const struct stage *stage = &all->board->stages[index].stage;
	enum generation_handle_state state = generation_handle_state(handle);
	int64_t now = io_now_ms();

	if ((state != GENERATION_HANDLE_PREPARING &&
	     state != GENERATION_HANDLE_ARMING) ||
	    (atomic_load(&stage->step) == STAGE_ARM &&
	     atomic_load(&all->board->state) == SCOREBOARD_STOPPED))
		return;
	if (generations_urgent(all))
		generation_handle_restore_priority(handle);
	generations_log_progress(all, handle, stage, now);
	if (stall_stands(&handle->stall, stage_moved(stage, handle->pool), now,
			 all->stall_ms))
		generations_stalled(all, index);
}

/* May a standby generation be started now? At once, if the master can give
 * it a low priority. Otherwise when no request runs, or after
 * GENERATIONS_IDLE_MS. */
static bool generations_is_idle(struct generations *all)
{
	if (all->can_restore)
		return true;
	if (all->busy_since == 0)
		all->busy_since = io_now_ms();
	return scoreboard_count(all->board, SLOT_BUSY) == 0 ||
	       io_now_ms() - all->busy_since >= GENERATIONS_IDLE_MS;
}

/* One generation is prepared at a time. */
static bool generations_may_begin(struct generations *all)
{
	if (generations_find(all, GENERATION_HANDLE_PREPARING) >= 0 ||
	    generations_is_arming(all) || io_now_ms() < all->not_before)
		return false;
	return generations_wanted(all) ||
	       (all->standby &&
		generations_find(all, GENERATION_HANDLE_STANDBY) < 0 &&
		generations_is_idle(all));
}

/* Find a handle for one more generation, or -1. If none is free, a standby
 * generation is aborted to make room. Until the oldest generation has ended,
 * there may be no room. */
static int generations_free_handle(struct generations *all)
{
	int standby = generations_find(all, GENERATION_HANDLE_STANDBY);

	for (unsigned i = 0; i < all->board->generations; i++)
		if (!all->handles[i].used)
			return (int)i;
	if (standby >= 0)
		generation_handle_abort(&all->handles[standby]);
	return -1;
}

/* Let the standby generation serve if one is wanted; abort it if it is
 * outdated. */
static void generations_use_standby(struct generations *all)
{
	int standby = generations_find(all, GENERATION_HANDLE_STANDBY);

	if (standby < 0)
		return;
	if (!generations_wanted(all)) {
		if (all->handles[standby].number < all->needed)
			generation_handle_abort(&all->handles[standby]);
	} else if (generations_is_useful(all, standby) &&
		   !generations_is_arming(all)) {
		generations_activate(all, standby);
	}
}

void generations_keep(struct generations *all)
{
	for (int i = 0; i < GENERATIONS_MAX; i++)
		generations_watch_start(all, i);
	generations_use_standby(all);
	int room = generations_may_begin(all) ? generations_free_handle(all)
					      : -1;

	if (room >= 0)
		generations_start(all, room);
	generations_publish_standby(all);
}

/* ---- events of pool processes ---------------------------------------- */

static void generations_prepared(struct generations *all, int index)
{
	all->handles[index].prepared = true;
	if (!generations_wanted(all))
		generation_failures_end(all);
	if (!all->standby || all->current < 0 || all->measured)
		return;
	all->measured = true;
	log_info("standby generation measured: memory_mb=%llu",
		 (unsigned long long)footprint_mb(all->handles[index].group));
}

static void generations_ready(struct generations *all, int index)
{
	struct scoreboard *board = all->board;

	all->handles[index].ready = true;
	all->current = index;
	all->ever_ready = true;
	generation_failures_end(all);
	atomic_store(&board->generation, all->number);
	atomic_store(&board->pool, all->handles[index].pool);
	atomic_store(&board->fork_server,
		     atomic_load(&board->each[index].fork_server));
	atomic_fetch_add(&board->counters.generations, 1);
	log_info("generation is armed: number=%u", all->number);
	if (all->handles[index].number >= all->needed)
		atomic_store(&board->reload_done,
			     atomic_load(&board->reload_asked));
	for (int i = 0; i < GENERATIONS_MAX; i++)
		if (i != index && all->handles[i].activated)
			generation_handle_retire(&all->handles[i]);
}

/* A generation that cannot arm a guest leaves, and the present one goes on. */
static void generations_reject(struct generations *all, int index)
{
	struct generation_handle *handle = &all->handles[index];

	if (handle->ready || handle->leave < 0)
		return;
	generation_handle_abort(handle);
	generation_failures_add(all, index, "no guest can be armed");
}

static void generations_read_events(struct generations *all, int index)
{
	char byte;

	while (all->handles[index].events >= 0 &&
	       read(all->handles[index].events, &byte, 1) == 1) {
		if (byte == GENERATION_PREPARED)
			generations_prepared(all, index);
		else if (byte == GENERATION_READY)
			generations_ready(all, index);
		else if (byte == GENERATION_OLD)
			all->handles[index].old = true;
		else if (byte == GENERATION_CANNOT_ARM)
			generations_reject(all, index);
	}
}

/* The worker of SLOT (an index of the scoreboard) has no pool process to report
 * its end. Free its slot, and its client's share. Calls of that client may wait
 * for the share, so the caller tells the queue. */
static void generations_free_slot(struct generations *all, size_t slot)
{
	atomic_store(&all->board->slots[slot].pid, 0);
	atomic_store(&all->board->slots[slot].guest, 0);
	atomic_store(&all->board->slots[slot].state, SLOT_FREE);
	atomic_store(&all->client_shares->running[CLIENT_SHARE_GRANTS + slot],
		     0);
}

/* The whole generation has ended: free its slots for a new one. */
static void generations_free_all_slots(struct generations *all, int index)
{
	struct generation_handle *handle = &all->handles[index];
	unsigned first = (unsigned)index * all->board->workers;

	for (unsigned i = 0; i < all->board->workers; i++)
		generations_free_slot(all, first + i);
	queue_wake(all->fds.queue, all->client_shares);
	generation_handle_close(handle);
	handle->used = false;
	if (index == all->former) {
		all->former = -1;
		atomic_store(&all->board->former, 0);
	}
}

size_t generations_poll(const struct generations *all, struct pollfd *polled)
{
	size_t count = 0;

	for (size_t i = 0; i < GENERATIONS_MAX; i++) {
		if (!all->handles[i].used)
			continue;
		/* After its death this pipe only hangs up. */
		if (all->handles[i].pool > 0)
			polled[count++] = (struct pollfd){
				.fd = all->handles[i].events, .events = POLLIN};
		polled[count++] = (struct pollfd){.fd = all->handles[i].life};
	}
	return count;
}

void generations_receive(struct generations *all)
{
	for (int i = 0; i < GENERATIONS_MAX; i++) {
		if (!all->handles[i].used)
			continue;
		generations_read_events(all, i);
		if (all->handles[i].pool == 0 &&
		    generation_handle_ended(&all->handles[i]))
			generations_free_all_slots(all, i);
	}
}

/* ---- deaths ---------------------------------------------------------- */

/* The pool process of this worker has died, so the master reaps it. */
static void generations_reaped_worker(struct generations *all, pid_t pid)
{
	for (size_t i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		if (atomic_load(&all->board->slots[i].pid) == pid)
			generations_free_slot(all, i);
	queue_wake(all->fds.queue, all->client_shares);
}

static void generations_log_death(const struct generations *all, int status)
{
	if (WIFSIGNALED(status))
		log_error("pool process killed: signal=%d; its workers go on "
			  "until the next generation is armed",
			  WTERMSIG(status));
	else if (!atomic_load(&all->board->quiet))
		log_error("pool process exited: status=%d",
			  WEXITSTATUS(status));
}

static void generations_pool_died(struct generations *all, int index,
				  int status)
{
	struct generation_handle *handle = &all->handles[index];
	bool expected = handle->leave < 0; /* the master told it to leave */

	generations_read_events(all, index);
	handle->pool = 0;
	/* Otherwise it would keep the slots of the next try. */
	if (!handle->ready)
		generation_handle_retire(handle);
	if (expected)
		return;
	generations_log_death(all, status);
	if (index == all->current) {
		all->current = -1;
		atomic_store(&all->board->pool, 0);
		atomic_store(&all->board->fork_server, 0);
	}
	all->start_failed = !all->ever_ready && WIFEXITED(status);
	if (handle->ready)
		all->not_before = 0;
	else
		generation_failures_add(all, index,
					"its pool process has died");
}

void generations_reaped(struct generations *all, pid_t pid, int status)
{
	for (int i = 0; i < GENERATIONS_MAX; i++)
		if (all->handles[i].used && all->handles[i].pool == pid) {
			generations_pool_died(all, i, status);
			return;
		}
	generations_reaped_worker(all, pid);
}

/* ---- the end --------------------------------------------------------- */

/* A generation without workers has nothing to finish, so it is killed. */
void generations_retire_all(struct generations *all)
{
	for (size_t i = 0; i < GENERATIONS_MAX; i++) {
		enum generation_handle_state state = generation_handle_state(
			&all->handles[i]);

		if (state == GENERATION_HANDLE_PREPARING ||
		    state == GENERATION_HANDLE_STANDBY)
			generation_handle_abort(&all->handles[i]);
		generation_handle_retire(&all->handles[i]);
	}
}

void generations_kill(struct generations *all)
{
	generations_retire_all(all);
	/* The group's number cannot be reused while one of its processes
	 * lives. */
	for (size_t i = 0; i < GENERATIONS_MAX; i++)
		if (all->handles[i].used &&
		    !generation_handle_ended(&all->handles[i]))
			kill(-all->handles[i].group, SIGKILL);
}

bool generations_serving(const struct generations *all)
{
	return all->current >= 0;
}

int generations_orders(const struct generations *all)
{
	/* A worker may serve before its pool's report that it is armed. */
	const int index = all->current >= 0 ? all->current
			  : generations_find(all, GENERATION_HANDLE_ARMING);

	return index < 0 ? -1 : all->handles[index].orders;
}

bool generations_gone(const struct generations *all)
{
	for (size_t i = 0; i < GENERATIONS_MAX; i++)
		if (all->handles[i].used)
			return false;
	return true;
}

void generations_close_in_child(struct generations *all)
{
	for (size_t i = 0; i < GENERATIONS_MAX; i++)
		generation_handle_close(&all->handles[i]);
}
