/* brood_news - what a zygote hears of its children, see brood.h. */
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "children.h"
#include "fcgi/shared/generation.h"
#include "queue.h"
#include "fcgi/shared/report.h"

#define BROOD_DEATH_MS 100
#define BROOD_SETTLE_MS 10 /* longest that a refill is put off */

/* ---- what workers report --------------------------------------------- */

/* The worker of SLOT serves its client no more. */
static void brood_leave_crowd(struct zygote *zygote, unsigned slot)
{
	atomic_store(&zygote->crowd->running[CROWD_GRANTS + zygote->first +
					     slot], 0);
	queue_wake(GENERATION_QUEUE, zygote->crowd);
}

static void brood_armed(struct zygote *zygote, const struct report *report)
{
	brood_set(zygote, report->slot, zygote->pids[report->slot],
		  SLOT_IDLE);
	atomic_store(&brood_slot(zygote, report->slot)->guest, report->guest);
	zygote->arm_failures = 0;
	if (zygote->refuser)
		brood_stop_refuser(zygote);
	if (!zygote->leaving &&
	    atomic_load(&zygote->board->state) != SCOREBOARD_SERVING)
		scoreboard_set_state(zygote->board, SCOREBOARD_SERVING, "");
	/* Under load nobody waits for long: those that stood armed count. */
	zygote->stood++;
	if (!zygote->ready && zygote->stood >= zygote->conf.armed) {
		zygote->ready = true;
		generation_tell(GENERATION_READY);
	}
}

/* Its sockets are closed some time before its death is told. */
static bool brood_mold_is_dead(const struct zygote *zygote)
{
	for (int i = 0; i < BROOD_DEATH_MS && !zygote->refuser; i++) {
		siginfo_t info = {0};

		if (waitid(P_PID, (id_t)zygote->mold, &info,
			   WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid == zygote->mold)
			return true;
		poll(NULL, 0, 1);
	}
	return false;
}

/* A guest never runs with a layer missing: nobody serves until one arms. */
static void brood_arm_failed(struct zygote *zygote,
			     const struct report *report)
{
	/* The try before has said so. */
	if (zygote->ready || !atomic_load(&zygote->board->quiet))
		log_error("no guest could be armed: %s", report->words);
	atomic_fetch_add(&zygote->board->counters.arm_failures, 1);
	zygote->arm_failures++;
	scoreboard_set_reason(zygote->board, zygote->index, report->words);
	if (zygote->arm_failures < BROOD_ARM_FAILURES || zygote->leaving ||
	    brood_count(zygote, SLOT_IDLE) > 0)
		return;
	if (brood_has_rival(zygote)) {
		generation_tell(GENERATION_UNFIT);
		return;
	}
	if (brood_mold_is_dead(zygote))
		return; /* that is all there is to it, and is heard next */
	scoreboard_set_state(zygote->board, SCOREBOARD_STOPPED, report->words);
	if (!zygote->refuser)
		brood_start_refuser(zygote);
}

static void brood_busy(struct zygote *zygote, const struct report *report)
{
	brood_set(zygote, report->slot, zygote->pids[report->slot],
		  SLOT_BUSY);
	if (zygote->settle < io_now_ms())
		zygote->settle = io_now_ms() + BROOD_SETTLE_MS;
}

static void brood_done(struct zygote *zygote, const struct report *report)
{
	struct scoreboard_counters *counters = &zygote->board->counters;

	zygote->bad = 0;
	zygote->settle = 0;
	brood_leave_crowd(zygote, report->slot);
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

static void brood_queued(struct zygote *zygote, const struct report *report)
{
	(void)report;
	atomic_fetch_add(&zygote->board->counters.queued, 1);
}

static void brood_crowded(struct zygote *zygote, const struct report *report)
{
	(void)report;
	atomic_fetch_add(&zygote->board->counters.crowded, 1);
}

static void (*const brood_events[REPORT_EVENTS])(struct zygote *,
						 const struct report *) = {
	[REPORT_ARMED] = brood_armed,
	[REPORT_ARM_FAILED] = brood_arm_failed,
	[REPORT_BUSY] = brood_busy,
	[REPORT_QUEUED] = brood_queued,
	[REPORT_CROWDED] = brood_crowded,
	[REPORT_DONE] = brood_done,
};

void brood_hear(struct zygote *zygote)
{
	struct report report;

	while (report_read(zygote->report_in, &report, zygote->conf.workers))
		/* A slot that is free has nobody who could speak for it. */
		if (zygote->pids[report.slot] != 0)
			brood_events[report.event](zygote, &report);
}

/* ---- deaths ---------------------------------------------------------- */

static void brood_buried(struct zygote *zygote, pid_t pid, int status)
{
	if (pid == zygote->mold)
		die("the mold has died");
	if (pid == zygote->refuser)
		zygote->refuser = 0;
	for (unsigned i = 0; i < zygote->conf.workers; i++) {
		if (zygote->pids[i] != pid)
			continue;
		brood_set(zygote, i, 0, SLOT_FREE);
		brood_leave_crowd(zygote, i);
		if (status == 0)
			return;
		if (WIFSIGNALED(status))
			log_warn("worker %d was killed by signal %d", pid,
				 WTERMSIG(status));
		atomic_fetch_add(&zygote->board->counters.worker_deaths, 1);
		brood_back_off(zygote);
		return;
	}
}

void brood_reap(struct zygote *zygote)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(zygote->signals, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		brood_hear(zygote); /* what the dead has said */
		brood_buried(zygote, pid, status);
	}
}
