/* children - see children.h. */
#include "children.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "fcgi/shared/generation.h"
#include "fcgi/shared/report.h"
#include "queue.h"
#include "worker.h"

#define CHILDREN_ARM_FAILURES 3 /* in a row, before service stops */
#define CHILDREN_BACKOFF_MS 10 /* after one early death; doubles */
#define CHILDREN_BACKOFF_MAX_MS 1000
#define CHILDREN_DEATH_MS 100 /* wait for the fork server's death */
#define CHILDREN_DELAY_MS 10 /* longest delay of a refill */
/* A stopped worker may be continued until its run would have ended, and for
 * this much longer. */
#define CHILDREN_STOPPED_MS 5000

/* ---- slots ----------------------------------------------------------- */

/* Our slot number SLOT, on the scoreboard. */
static struct scoreboard_slot *children_slot(struct pool *pool, unsigned slot)
{
	return &pool->board->slots[pool->first + slot];
}

/* How many of our slots are in STATE. */
static unsigned children_count(struct pool *pool, enum slot_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < pool->conf.workers; i++)
		count += atomic_load(&children_slot(pool, i)->state) == state;
	return count;
}

/* Set the pid and the state of SLOT, here and on the scoreboard. */
static void children_set(struct pool *pool, unsigned slot, pid_t pid,
			 enum slot_state state)
{
	if (state == SLOT_FREE || state == SLOT_ARMING)
		atomic_store(&children_slot(pool, slot)->guest, 0);
	atomic_store(&children_slot(pool, slot)->pid, pid);
	atomic_store(&children_slot(pool, slot)->state, state);
	if (pool->pids[slot] != pid)
		pool->stopped[slot] = 0;
	pool->pids[slot] = pid;
}

static int children_free_slot(const struct pool *pool)
{
	for (unsigned i = 0; i < pool->conf.workers; i++)
		if (pool->pids[i] == 0)
			return (int)i;
	return -1;
}

unsigned children_alive(const struct pool *pool)
{
	unsigned count = 0;

	for (unsigned i = 0; i < pool->conf.workers; i++)
		count += pool->pids[i] != 0;
	return count;
}

/* Does a worker of another generation live? */
static bool children_of_others_live(const struct pool *pool)
{
	if (atomic_load(&pool->board->former))
		return true;
	for (unsigned i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		if ((i < pool->first ||
		     i >= pool->first + pool->conf.workers) &&
		    atomic_load(&pool->board->slots[i].state) != SLOT_FREE)
			return true;
	return false;
}

bool children_has_group(const struct pool *pool, unsigned group)
{
	return group >= pool->first && group - pool->first < pool->conf.workers;
}

void children_keep_groups(struct pool *pool)
{
	for (unsigned i = 0; i < pool->box.slots; i++)
		if (!children_has_group(pool, i))
			cgroup_forget(&pool->box.groups[i]);
}

/* ---- lent descriptors ------------------------------------------------ */

/* Does the worker that was forked last with SET still share our table? */
static bool children_set_is_lent(const struct pool *pool, unsigned set)
{
	const struct pool_lent *lent = &pool->lent[set];

	return lent->pid != 0 && pool->pids[lent->slot] == lent->pid &&
	       !worker_fds_is_free(set);
}

bool children_share_fds(const struct pool *pool)
{
	for (unsigned i = 0; i < WORKER_FDS_SETS; i++)
		if (children_set_is_lent(pool, i))
			return true;
	return false;
}

static int children_free_fds(const struct pool *pool)
{
	for (unsigned i = 0; i < worker_fds_count(pool->box.cores); i++)
		if (!children_set_is_lent(pool, i))
			return (int)i;
	return -1;
}

/* ---- forks ----------------------------------------------------------- */

static struct worker_args children_worker_args(struct pool *pool, unsigned slot)
{
	const unsigned group = pool->first + slot;

	return (struct worker_args){
		.conf = &pool->conf,
		.box = &pool->box,
		.slot = slot,
		.group = group,
		.cgroup = pool->box.groups[group],
		.accept_queue = pool->accept_queue,
		.shares = pool->shares,
		.entry = CLIENT_SHARE_GRANTS + group,
		.registry = pool->conf.sessions.max ? GENERATION_REGISTRY : -1,
		.orders = GENERATION_REGISTRY,
		.archive = *pool->conf.artifacts_dir ? GENERATION_ARCHIVE : -1,
		.report = pool->report_out};
}

/* On failure workers are only slower, so the pool serves anyway. */
void children_learn_pages(struct pool *pool)
{
	struct worker_args args = children_worker_args(pool, 0);
	struct prefault *prefault = &pool->box.worker_prefault;

	int rc = prefault_learn(pool->box.proc, worker_rehearse, &args,
				prefault);

	if (rc < 0)
		log_warn("workers are not prefaulted: error=\"%s\"",
			 log_errno(rc));
	else
		log_info("workers are prefaulted: written_pages=%zu "
			 "read_pages=%zu",
			 prefault->written.pages, prefault->read.pages);
}

/* Close the descriptors that belong to the pool process alone. The scoreboard's
 * mapping is not inherited. */
static void children_close_in_child(struct pool *pool)
{
	close(pool->signals);
	close(pool->report_in);
	close(GENERATION_EVENTS);
	close(GENERATION_BOARD);
}

static void children_start_worker(struct pool *pool, unsigned slot,
				  unsigned set)
{
	struct worker_args args = children_worker_args(pool, slot);
	int rc = worker_fds_lend(set, &pool->box.groups[args.group],
				 &args.cgroup);
	pid_t pid = rc < 0 ? -1 : worker_fds_fork(set);

	if (pid == 0) {
		args.unshared = worker_fds_keep(set);
		/* On failure the table is still the pool process's, too. */
		if (args.unshared == 0)
			children_close_in_child(pool);
		worker_main(&args);
	}
	if (pid < 0) {
		log_error("%s: %s",
			  rc < 0 ? "lend descriptors" : "fork a worker",
			  log_errno(rc < 0 ? rc : errno));
		pool->next_fork = io_now_ms() + CHILDREN_BACKOFF_MAX_MS;
		return;
	}
	children_set(pool, slot, pid, SLOT_ARMING);
	pool->lent[set] = (struct pool_lent){slot, pid};
	pool->forks++;
	atomic_fetch_add(&pool->board->counters.forks, 1);
}

static void children_start_refuser(struct pool *pool)
{
	struct worker_args args = children_worker_args(pool, 0);
	char reason[SCOREBOARD_REASON_MAX];

	memcpy(reason, pool->board->reason, sizeof(reason));
	pool->refuser = fork();
	if (pool->refuser == 0) {
		children_close_in_child(pool);
		worker_refuse_main(&args, reason);
	}
	if (pool->refuser < 0) {
		log_error("fork a refuser: %s", log_errno(errno));
		pool->refuser = 0; /* the next failure tries again */
	}
}

void children_stop_refuser(struct pool *pool)
{
	if (pool->refuser > 0)
		kill(pool->refuser, SIGKILL);
	pool->refuser = 0;
}

/* Does the pool lack a worker, and may one more arm now? */
static bool children_need_worker(struct pool *pool, unsigned want)
{
	unsigned arming = children_count(pool, SLOT_ARMING);

	return arming < worker_fds_count(pool->box.cores) &&
	       arming + children_count(pool, SLOT_IDLE) < want;
}

/* While half of the armed workers are idle, delay refills in favour of running
 * requests. */
static bool children_delay_refill(struct pool *pool)
{
	return io_now_ms() < pool->refill_at &&
	       children_count(pool, SLOT_IDLE) > pool->conf.armed / 2;
}

void children_fill(struct pool *pool)
{
	unsigned want = pool->conf.armed;

	if (children_delay_refill(pool))
		return;
	/* While no guest arms, try one at a time. */
	if (pool->arm_failures >= CHILDREN_ARM_FAILURES)
		want = 1;
	while (!pool->leaving && io_now_ms() >= pool->next_fork) {
		int slot = children_free_slot(pool);
		int set = children_free_fds(pool);

		if (slot < 0 || set < 0 || !children_need_worker(pool, want))
			return;
		children_start_worker(pool, (unsigned)slot, (unsigned)set);
	}
}

/* A worker died early: wait before the next fork, longer each time. */
static void children_back_off(struct pool *pool)
{
	int64_t wait = CHILDREN_BACKOFF_MS;

	for (unsigned i = 0;
	     i < pool->early_deaths && wait < CHILDREN_BACKOFF_MAX_MS; i++)
		wait *= 2;
	pool->early_deaths++;
	pool->next_fork = io_now_ms() + (wait < CHILDREN_BACKOFF_MAX_MS
						 ? wait
						 : CHILDREN_BACKOFF_MAX_MS);
}

/* ---- reports of workers ---------------------------------------------- */

/* The worker of SLOT no longer serves its client: free its entry. */
static void children_release_share(struct pool *pool, unsigned slot)
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
	measures_armed(&pool->board->measures, report);
	pool->arm_failures = 0;
	if (pool->refuser)
		children_stop_refuser(pool);
	if (!pool->leaving &&
	    atomic_load(&pool->board->state) != SCOREBOARD_SERVING)
		scoreboard_set_state(pool->board, SCOREBOARD_SERVING, "");
	/* Count all workers that were armed: under load few stay idle. */
	pool->armed_total++;
	if (!pool->ready && pool->armed_total >= pool->conf.armed) {
		pool->ready = true;
		generation_report(GENERATION_READY);
	}
}

/* The fork server's sockets close some time before its death can be seen. */
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

/* A guest never runs with a wall missing: service stops until one arms. */
static void children_arm_failed(struct pool *pool, const struct report *report)
{
	if (pool->ready || !atomic_load(&pool->board->quiet))
		log_error("guest not armed: %s", report->error);
	atomic_fetch_add(&pool->board->counters.arm_failures, 1);
	pool->arm_failures++;
	scoreboard_set_reason(pool->board, pool->index, report->error);
	if (pool->arm_failures < CHILDREN_ARM_FAILURES || pool->leaving ||
	    children_count(pool, SLOT_IDLE) > 0)
		return;
	if (children_of_others_live(pool)) {
		generation_report(GENERATION_CANNOT_ARM);
		return;
	}
	if (children_fork_server_is_dead(pool))
		return; /* the next children_reap() ends this process */
	scoreboard_set_state(pool->board, SCOREBOARD_STOPPED, report->error);
	if (!pool->refuser)
		children_start_refuser(pool);
}

static void children_busy(struct pool *pool, const struct report *report)
{
	children_set(pool, report->slot, pool->pids[report->slot], SLOT_BUSY);
	const unsigned busy = children_count(pool, SLOT_BUSY);

	if (busy == pool->conf.workers)
		atomic_fetch_add(&pool->board->counters.workers_max_reached, 1);
	if (busy > atomic_load(&pool->board->busy_max))
		atomic_store(&pool->board->busy_max, busy);
	if (pool->refill_at < io_now_ms())
		pool->refill_at = io_now_ms() + CHILDREN_DELAY_MS;
}

static void children_done(struct pool *pool, const struct report *report)
{
	struct scoreboard_counters *counters = &pool->board->counters;

	pool->early_deaths = 0;
	pool->refill_at = 0;
	children_release_share(pool, report->slot);
	if (!report->ran && report->status == 0)
		return; /* the connection brought no request */
	if (report->ran)
		atomic_fetch_add(&counters->outcomes[report->verdict], 1);
	else
		atomic_fetch_add(report->status >= 500   ? &counters->failed
				 : report->status >= 400 ? &counters->refused
							 : &counters->served,
				 1);
	atomic_fetch_add(&counters->runtime_ms, report->runtime_ms);
	atomic_fetch_add(&counters->queue_ms, report->queue_ms);
	atomic_fetch_add(&counters->cpu_ms, report->cpu_ms);
	atomic_fetch_add(&counters->bytes_in, report->bytes_in);
	atomic_fetch_add(&counters->bytes_out, report->bytes_out);
	atomic_fetch_add(&counters->slow, report->slow);
	measures_done(&pool->board->measures, report);
}

static void children_queued(struct pool *pool, const struct report *report)
{
	(void)report;
	atomic_fetch_add(&pool->board->counters.queued, 1);
}

static void children_refused(struct pool *pool, const struct report *report)
{
	(void)report;
	atomic_fetch_add(&pool->board->counters.client_refused, 1);
}

static void children_peer_refused(struct pool *pool,
				  const struct report *report)
{
	(void)report;
	atomic_fetch_add(&pool->board->counters.peers_refused, 1);
}

static void (*const children_events[REPORT_EVENTS])(struct pool *,
						    const struct report *) = {
	[REPORT_ARMED] = children_armed,
	[REPORT_ARM_FAILED] = children_arm_failed,
	[REPORT_BUSY] = children_busy,
	[REPORT_QUEUED] = children_queued,
	[REPORT_REFUSED] = children_refused,
	[REPORT_PEER_REFUSED] = children_peer_refused,
	[REPORT_DONE] = children_done,
};

void children_receive(struct pool *pool)
{
	struct report report;

	while (report_read(pool->report_in, &report, pool->conf.workers)) {
		atomic_fetch_add(&pool->board->counters.log_dropped,
				 report.log_dropped + log_take_dropped());
		/* Ignore reports for a free slot: no worker can send one. */
		if (pool->pids[report.slot] != 0)
			children_events[report.event](pool, &report);
	}
}

/* ---- deaths ---------------------------------------------------------- */

static void children_reaped(struct pool *pool, pid_t pid, int status)
{
	if (pid == pool->fork_server)
		die("the fork server has died");
	if (pid == pool->refuser)
		pool->refuser = 0;
	for (unsigned i = 0; i < pool->conf.workers; i++) {
		if (pool->pids[i] != pid)
			continue;
		children_set(pool, i, 0, SLOT_FREE);
		children_release_share(pool, i);
		if (status == 0)
			return;
		if (WIFSIGNALED(status))
			log_warn("worker killed: pid=%d signal=%d", pid,
				 WTERMSIG(status));
		atomic_fetch_add(&pool->board->counters.worker_deaths, 1);
		children_back_off(pool);
		return;
	}
}

static void children_note_stop(struct pool *pool, pid_t pid, bool stopped)
{
	for (unsigned i = 0; i < pool->conf.workers; i++)
		if (pool->pids[i] == pid)
			pool->stopped[i] = stopped ? io_now_ms() : 0;
}

/* Its client would wait for ever, and its slot would be lost. The process id
 * is the worker's, because only this process reaps it. */
void children_kill_stopped(struct pool *pool)
{
	const int64_t allowed = (int64_t)pool->conf.limits.timeout_ms +
				CHILDREN_STOPPED_MS;
	const int64_t now = io_now_ms();

	for (unsigned i = 0; i < pool->conf.workers; i++) {
		const int64_t since = pool->stopped[i];

		if (since == 0 || now - since < allowed)
			continue;
		log_error("worker killed, because it was stopped (SIGSTOP): "
			  "pid=%d stopped_s=%lld",
			  pool->pids[i], (long long)(now - since) / 1000);
		atomic_fetch_add(&pool->board->counters.workers_stopped, 1);
		kill(pool->pids[i], SIGKILL);
		pool->stopped[i] = 0;
	}
}

void children_reap(struct pool *pool)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(pool->signals, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status,
			      WNOHANG | WUNTRACED | WCONTINUED)) > 0) {
		if (WIFSTOPPED(status) || WIFCONTINUED(status)) {
			children_note_stop(pool, pid, WIFSTOPPED(status));
			continue;
		}
		/* Reports that it sent before its death. */
		children_receive(pool);
		children_reaped(pool, pid, status);
	}
}
