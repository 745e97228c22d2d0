/* children_news - what a pool process hears of its children, see children.h. */
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "children.h"
#include "fcgi/shared/generation.h"
#include "queue.h"
#include "fcgi/shared/report.h"

#define CHILDREN_DEATH_MS 100
#define CHILDREN_SETTLE_MS 10 /* longest that a refill is put off */

/* ---- what workers report --------------------------------------------- */

/* The worker of SLOT serves its client no more. */
static void children_leave_share(struct pool *pool, unsigned slot)
{
	atomic_store(&pool->shares->running[CLIENT_SHARE_GRANTS + pool->first +
					    slot],
		     0);
	queue_wake(GENERATION_QUEUE, pool->shares);
}

static void children_armed(struct pool *pool, const struct report *report)
{
	children_set(pool, report->slot, pool->pids[report->slot], SLOT_IDLE);
	atomic_store(&children_slot(pool, report->slot)->guest, report->guest);
	pool->arm_failures = 0;
	if (pool->refuser)
		children_stop_refuser(pool);
	if (!pool->leaving &&
	    atomic_load(&pool->board->state) != SCOREBOARD_SERVING)
		scoreboard_set_state(pool->board, SCOREBOARD_SERVING, "");
	/* Under load nobody waits for long: those that stood armed count. */
	pool->stood++;
	if (!pool->ready && pool->stood >= pool->conf.armed) {
		pool->ready = true;
		generation_tell(GENERATION_READY);
	}
}

/* Its sockets are closed some time before its death is told. */
static bool children_fork_server_is_dead(const struct pool *pool)
{
	for (int i = 0; i < CHILDREN_DEATH_MS && !pool->refuser; i++) {
		siginfo_t info = {0};

		if (waitid(P_PID, (id_t)pool->fork_server, &info,
			   WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid == pool->fork_server)
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

/* A guest never runs with a layer missing: nobody serves until one arms. */
static void children_arm_failed(struct pool *pool, const struct report *report)
{
	/* The try before has said so. */
	if (pool->ready || !atomic_load(&pool->board->quiet))
		log_error("no guest could be armed: %s", report->words);
	atomic_fetch_add(&pool->board->counters.arm_failures, 1);
	pool->arm_failures++;
	scoreboard_set_reason(pool->board, pool->index, report->words);
	if (pool->arm_failures < CHILDREN_ARM_FAILURES || pool->leaving ||
	    children_count(pool, SLOT_IDLE) > 0)
		return;
	if (children_has_rival(pool)) {
		generation_tell(GENERATION_UNFIT);
		return;
	}
	if (children_fork_server_is_dead(pool))
		return; /* that is all there is to it, and is heard next */
	scoreboard_set_state(pool->board, SCOREBOARD_STOPPED, report->words);
	if (!pool->refuser)
		children_start_refuser(pool);
}

static void children_busy(struct pool *pool, const struct report *report)
{
	children_set(pool, report->slot, pool->pids[report->slot], SLOT_BUSY);
	if (pool->settle < io_now_ms())
		pool->settle = io_now_ms() + CHILDREN_SETTLE_MS;
}

static void children_done(struct pool *pool, const struct report *report)
{
	struct scoreboard_counters *counters = &pool->board->counters;

	pool->bad = 0;
	pool->settle = 0;
	children_leave_share(pool, report->slot);
	if (!report->ran && report->status == 0)
		return; /* a connection that brought no request */
	if (report->ran)
		atomic_fetch_add(&counters->outcomes[report->verdict], 1);
	else
		atomic_fetch_add(report->status >= 500	 ? &counters->failed
				 : report->status >= 400 ? &counters->refused
							 : &counters->served,
				 1);
	atomic_fetch_add(&counters->runtime_ms, report->runtime_ms);
	atomic_fetch_add(&counters->queue_ms, report->queue_ms);
	atomic_fetch_add(&counters->cpu_ms, report->cpu_ms);
	atomic_fetch_add(&counters->bytes_in, report->bytes_in);
	atomic_fetch_add(&counters->bytes_out, report->bytes_out);
}

static void children_queued(struct pool *pool, const struct report *report)
{
	(void)report;
	atomic_fetch_add(&pool->board->counters.queued, 1);
}

static void children_refused(struct pool *pool, const struct report *report)
{
	(void)report;
	atomic_fetch_add(&pool->board->counters.crowded, 1);
}

static void (*const children_events[REPORT_EVENTS])(struct pool *,
						    const struct report *) = {
	[REPORT_ARMED] = children_armed,
	[REPORT_ARM_FAILED] = children_arm_failed,
	[REPORT_BUSY] = children_busy,
	[REPORT_QUEUED] = children_queued,
	[REPORT_CROWDED] = children_refused,
	[REPORT_DONE] = children_done,
};

void children_hear(struct pool *pool)
{
	struct report report;

	while (report_read(pool->report_in, &report, pool->conf.workers))
		/* A slot that is free has nobody who could speak for it. */
		if (pool->pids[report.slot] != 0)
			children_events[report.event](pool, &report);
}

/* ---- deaths ---------------------------------------------------------- */

static void children_buried(struct pool *pool, pid_t pid, int status)
{
	if (pid == pool->fork_server)
		die("the fork server has died");
	if (pid == pool->refuser)
		pool->refuser = 0;
	for (unsigned i = 0; i < pool->conf.workers; i++) {
		if (pool->pids[i] != pid)
			continue;
		children_set(pool, i, 0, SLOT_FREE);
		children_leave_share(pool, i);
		if (status == 0)
			return;
		if (WIFSIGNALED(status))
			log_warn("worker %d was killed by signal %d", pid,
				 WTERMSIG(status));
		atomic_fetch_add(&pool->board->counters.worker_deaths, 1);
		children_back_off(pool);
		return;
	}
}

void children_reap(struct pool *pool)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(pool->signals, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		children_hear(pool); /* what the dead has said */
		children_buried(pool, pid, status);
	}
}
