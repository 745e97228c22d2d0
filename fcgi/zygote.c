/*
 * zygote - who all workers and guests of one generation are forked from.
 *
 * Who:    executed by the master, so that each generation has an address
 *         layout of its own; one thread.
 * Holds:  a warm Python, the namespaces and the read-only root that all
 *         below it live in, the open control groups; the scoreboard.
 * May:    what it may inside its user namespace; nothing outside it.
 * Talks:  to the master (one byte at a time), hears its workers' reports.
 * Ends:   when the master lets go of the "leave" pipe (told to, or dead),
 *         after the last of its workers.
 *
 * It keeps pool.armed workers waiting, as long as no more than pool.workers
 * live, and slows down when they die before they have served.
 */
#include "zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "../conf/conf.h"
#include "../sandbox/io.h"
#include "../sandbox/sandbox.h"
#include "../sandbox/title.h"
#include "call.h"
#include "generation.h"
#include "keeper.h"
#include "pace.h"
#include "report.h"
#include "scoreboard.h"
#include "worker.h"

#define ZYGOTE_BACKOFF_MS 10	  /* after one early death; doubles */
#define ZYGOTE_BACKOFF_MAX_MS 1000
#define ZYGOTE_SETTLE_MS 10 /* longest that a refill is put off */
#define ZYGOTE_ARM_FAILURES 3 /* in a row, before service stops */

struct zygote {
	struct conf conf;
	struct sandbox box;
	struct scoreboard *board;
	unsigned first; /* of our slots, among all of the scoreboard's */
	int report_in, report_out;
	int signals;
	pid_t pids[SCOREBOARD_WORKERS_MAX]; /* of the worker in each slot */
	struct pace paces[SCOREBOARD_WORKERS_MAX]; /* and of its guest */
	pid_t refuser; /* who answers 503 meanwhile; 0: nobody */
	unsigned forks;
	unsigned stood; /* workers that were armed so far */
	unsigned bad; /* early deaths in a row */
	unsigned arm_failures;
	int64_t next_fork, born;
	int64_t settle; /* until then, refills wait for requests */
	int64_t pace; /* when to look at busy guests */
	bool ready, leaving, told_old;
};

static struct scoreboard_slot *zygote_slot(struct zygote *zygote,
					   unsigned slot)
{
	return &zygote->board->slots[zygote->first + slot];
}

static unsigned zygote_count(struct zygote *zygote, enum slot_state state)
{
	unsigned count = 0;

	for (unsigned i = 0; i < zygote->conf.workers; i++)
		count += atomic_load(&zygote_slot(zygote, i)->state) == state;
	return count;
}

/* Does a worker of another generation live? */
static bool zygote_has_rival(const struct zygote *zygote)
{
	for (unsigned i = 0; i < SCOREBOARD_SLOTS_MAX; i++)
		if ((i < zygote->first ||
		     i >= zygote->first + zygote->conf.workers) &&
		    atomic_load(&zygote->board->slots[i].state) != SLOT_FREE)
			return true;
	return false;
}

static void zygote_set(struct zygote *zygote, unsigned slot, pid_t pid,
		       enum slot_state state)
{
	atomic_store(&zygote_slot(zygote, slot)->pid, pid);
	atomic_store(&zygote_slot(zygote, slot)->state, state);
	zygote->pids[slot] = pid;
}

static void zygote_tell(enum generation_news news)
{
	char byte = (char)news;

	if (write(GENERATION_NEWS, &byte, 1) < 0)
		log_warn("tell the master: %s", log_errno(errno));
}

/* ---- start ----------------------------------------------------------- */

static void zygote_read_conf(struct zygote *zygote)
{
	char error[CONF_ERROR_MAX];
	struct bytes text = {0};
	int rc = lseek(GENERATION_CONF, 0, SEEK_SET) < 0
			 ? -errno : io_read_fd(GENERATION_CONF, CONF_TEXT_MAX,
					       &text);

	if (rc < 0)
		die("read the configuration: %s", log_errno(rc));
	rc = conf_parse(&zygote->conf, "configuration", text.data, text.size,
			error);
	if (rc < 0)
		die("%s", error);
	free(text.data);
	close(GENERATION_CONF);
	log_set_level(zygote->conf.log_level);
}

static void zygote_prepare(struct zygote *zygote)
{
	const struct conf *conf = &zygote->conf;
	struct sandbox_plan plan = {
		.limits = conf->limits,
		.slots = 2 * conf->workers + zygote->board->session_slots,
		.sessions = zygote->board->session_slots,
		.session_copies = 1 + conf->sessions.branches,
		.preload = conf->preload,
		.python_path = conf->python_path,
		.skeleton = conf->skeleton,
		.cache_dir = conf->cache_dir,
		.uid_base = conf->uid_base,
		.landlock = zygote->board->landlock_abi > 0,
		.freeze = conf->freeze,
		.cgroups = zygote->board->cgroups,
	};
	char error[SANDBOX_ERROR_MAX];

	if (sandbox_prepare(&zygote->box, &plan, error) < 0) {
		if (!zygote_has_rival(zygote))
			scoreboard_set_state(zygote->board,
					     SCOREBOARD_STOPPED, error);
		die("%s", error);
	}
}

static void zygote_make_pipes(struct zygote *zygote)
{
	int ends[2];
	sigset_t mask;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		die("make the report pipe: %s", log_errno(errno));
	zygote->report_in = ends[0];
	zygote->report_out = ends[1];
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	zygote->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (zygote->signals < 0)
		die("make a signal descriptor: %s", log_errno(errno));
}

/* ---- workers --------------------------------------------------------- */

static struct worker_place zygote_place(struct zygote *zygote, unsigned slot)
{
	return (struct worker_place){
		.conf = &zygote->conf, .box = &zygote->box, .slot = slot,
		.group = zygote->first + slot,
		.listener = GENERATION_LISTENER, .leave = GENERATION_LEAVE,
		.registry = zygote->conf.sessions.max ? GENERATION_REGISTRY
						      : -1,
		.archive = *zygote->conf.artifacts_dir ? GENERATION_ARCHIVE
						       : -1,
		.report = zygote->report_out};
}

/* Workers are slower without; it is no reason not to serve. */
static void zygote_learn(struct zygote *zygote)
{
	struct worker_place place = zygote_place(zygote, 0);
	struct warm *warm = &zygote->box.worker_warm;

	if (zygote->box.proc < 0)
		return;
	int rc = warm_learn(zygote->box.proc, worker_rehearse, &place, warm);

	base_release_fd(&zygote->box.proc);
	if (rc < 0)
		log_warn("which pages workers need could not be learned: %s",
			 log_errno(rc));
	else
		log_info("a worker begins with %zu pages written, %zu read",
			 warm->written.pages, warm->read.pages);
}

/* What is the zygote's alone. The scoreboard is not inherited at all. */
static void zygote_close_in_child(struct zygote *zygote)
{
	close(zygote->signals);
	close(zygote->report_in);
	close(GENERATION_NEWS);
	close(GENERATION_BOARD);
	close(GENERATION_ORDERS);
}

/* Both kinds of child begin alike. */
static pid_t zygote_fork(struct zygote *zygote)
{
	pid_t pid = fork();

	if (pid == 0)
		zygote_close_in_child(zygote);
	else if (pid < 0)
		log_error("fork: %s", log_errno(errno));
	return pid;
}

static void zygote_start_worker(struct zygote *zygote, unsigned slot)
{
	struct worker_place place = zygote_place(zygote, slot);
	pid_t pid = zygote_fork(zygote);

	if (pid == 0)
		worker_main(&place);
	if (pid < 0) {
		zygote->next_fork = io_now_ms() + ZYGOTE_BACKOFF_MAX_MS;
		return;
	}
	zygote_set(zygote, slot, pid, SLOT_ARMING);
	zygote->forks++;
	atomic_fetch_add(&zygote->board->counters.forks, 1);
}

/* A keeper is of no generation: it goes on when this one leaves. */
static void zygote_be_keeper(struct zygote *zygote, uint32_t slot,
			     int control) NORETURN;

static void zygote_be_keeper(struct zygote *zygote, uint32_t slot, int control)
{
	const struct keeper_place place = {
		.conf = &zygote->conf, .box = &zygote->box,
		.group = 2 * zygote->conf.workers + slot, .control = control};

	close(GENERATION_LISTENER);
	close(GENERATION_LEAVE);
	close(GENERATION_LIFE);
	close(GENERATION_REGISTRY);
	close(GENERATION_ARCHIVE);
	close(zygote->report_out);
	setsid();
	keeper_main(&place);
}

/* The master wants sessions kept. */
static void zygote_take_orders(struct zygote *zygote)
{
	uint32_t slot;
	int with;

	while (call_receive(GENERATION_ORDERS, &slot, sizeof(slot), &with) > 0) {
		owned_fd int control = with;

		if (control < 0 || slot >= zygote->board->session_slots)
			continue;
		if (zygote_fork(zygote) == 0)
			zygote_be_keeper(zygote, slot, control);
		atomic_fetch_add(&zygote->board->counters.forks, 1);
	}
}

static void zygote_start_refuser(struct zygote *zygote)
{
	struct worker_place place = zygote_place(zygote, 0);
	char reason[SCOREBOARD_REASON_MAX];

	memcpy(reason, zygote->board->reason, sizeof(reason));
	zygote->refuser = zygote_fork(zygote);
	if (zygote->refuser == 0)
		worker_refuse_main(&place, reason);
	if (zygote->refuser < 0)
		zygote->refuser = 0; /* tried again at the next failure */
}

static void zygote_stop_refuser(struct zygote *zygote)
{
	if (zygote->refuser > 0)
		kill(zygote->refuser, SIGKILL);
	zygote->refuser = 0;
}

static int zygote_free_slot(const struct zygote *zygote)
{
	for (unsigned i = 0; i < zygote->conf.workers; i++)
		if (zygote->pids[i] == 0)
			return (int)i;
	return -1;
}

/* Who is being served needs the processors more than who may come, as long
 * as half of the workers still stand ready. */
static bool zygote_settles(struct zygote *zygote)
{
	return io_now_ms() < zygote->settle &&
	       zygote_count(zygote, SLOT_IDLE) >
		       zygote->conf.armed / 2;
}

/* Bring the pool to its size. */
static void zygote_fill(struct zygote *zygote)
{
	unsigned want = zygote->conf.armed;

	if (zygote_settles(zygote))
		return;

	/* Without a guest that can be armed, one try at a time is enough. */
	if (zygote->arm_failures >= ZYGOTE_ARM_FAILURES)
		want = 1;
	while (!zygote->leaving && io_now_ms() >= zygote->next_fork) {
		int slot = zygote_free_slot(zygote);

		if (slot < 0 || zygote_count(zygote, SLOT_ARMING) +
				zygote_count(zygote, SLOT_IDLE) >= want)
			return;
		zygote_start_worker(zygote, (unsigned)slot);
	}
}

static void zygote_back_off(struct zygote *zygote)
{
	int64_t wait = ZYGOTE_BACKOFF_MS;

	for (unsigned i = 0; i < zygote->bad && wait < ZYGOTE_BACKOFF_MAX_MS;
	     i++)
		wait *= 2;
	zygote->bad++;
	zygote->next_fork = io_now_ms() + (wait < ZYGOTE_BACKOFF_MAX_MS
						   ? wait
						   : ZYGOTE_BACKOFF_MAX_MS);
}

/* ---- what workers report --------------------------------------------- */

static void zygote_armed(struct zygote *zygote, const struct report *report)
{
	zygote_set(zygote, report->slot, zygote->pids[report->slot],
		   SLOT_IDLE);
	zygote->arm_failures = 0;
	if (zygote->refuser)
		zygote_stop_refuser(zygote);
	if (!zygote->leaving &&
	    atomic_load(&zygote->board->state) != SCOREBOARD_SERVING)
		scoreboard_set_state(zygote->board, SCOREBOARD_SERVING, "");
	/* Under load nobody waits for long: those that stood armed count. */
	zygote->stood++;
	if (!zygote->ready && zygote->stood >= zygote->conf.armed) {
		zygote->ready = true;
		zygote_tell(GENERATION_READY);
	}
}

/* A guest never runs with a layer missing: nobody serves until one arms. */
static void zygote_arm_failed(struct zygote *zygote,
			      const struct report *report)
{
	log_error("no guest could be armed: %s", report->words);
	atomic_fetch_add(&zygote->board->counters.arm_failures, 1);
	zygote->arm_failures++;
	if (zygote->arm_failures < ZYGOTE_ARM_FAILURES || zygote->leaving ||
	    zygote_count(zygote, SLOT_IDLE) > 0)
		return;
	if (zygote_has_rival(zygote)) {
		zygote_tell(GENERATION_UNFIT);
		return;
	}
	scoreboard_set_state(zygote->board, SCOREBOARD_STOPPED, report->words);
	if (!zygote->refuser)
		zygote_start_refuser(zygote);
}

static void zygote_busy(struct zygote *zygote, const struct report *report)
{
	zygote_set(zygote, report->slot, zygote->pids[report->slot],
		   SLOT_BUSY);
	pace_begin(&zygote->paces[report->slot], report->guest, io_now_ms());
	if (zygote->settle < io_now_ms())
		zygote->settle = io_now_ms() + ZYGOTE_SETTLE_MS;
}

static void zygote_done(struct zygote *zygote, const struct report *report)
{
	struct scoreboard_counters *counters = &zygote->board->counters;

	zygote->bad = 0;
	zygote->settle = 0;
	pace_end(&zygote->paces[report->slot]);
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

static void (*const zygote_events[REPORT_EVENTS])(struct zygote *,
						  const struct report *) = {
	[REPORT_ARMED] = zygote_armed,
	[REPORT_ARM_FAILED] = zygote_arm_failed,
	[REPORT_BUSY] = zygote_busy,
	[REPORT_DONE] = zygote_done,
};

static void zygote_hear(struct zygote *zygote)
{
	struct report report;

	while (report_read(zygote->report_in, &report, zygote->conf.workers))
		/* A slot that is free has nobody who could speak for it. */
		if (zygote->pids[report.slot] != 0)
			zygote_events[report.event](zygote, &report);
}

/* ---- deaths ---------------------------------------------------------- */

static void zygote_buried(struct zygote *zygote, pid_t pid, int status)
{
	if (pid == zygote->refuser)
		zygote->refuser = 0;
	for (unsigned i = 0; i < zygote->conf.workers; i++) {
		if (zygote->pids[i] != pid)
			continue;
		zygote_set(zygote, i, 0, SLOT_FREE);
		pace_end(&zygote->paces[i]);
		if (status == 0)
			return;
		if (WIFSIGNALED(status))
			log_warn("worker %d was killed by signal %d", pid,
				 WTERMSIG(status));
		atomic_fetch_add(&zygote->board->counters.worker_deaths, 1);
		zygote_back_off(zygote);
		return;
	}
}

static void zygote_reap(struct zygote *zygote)
{
	struct signalfd_siginfo info;
	int status;
	pid_t pid;

	while (read(zygote->signals, &info, sizeof(info)) > 0)
		;
	while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
		zygote_hear(zygote); /* what the dead has said */
		zygote_buried(zygote, pid, status);
	}
}

/* ---- life ------------------------------------------------------------ */

static unsigned zygote_alive(const struct zygote *zygote)
{
	unsigned count = 0;

	for (unsigned i = 0; i < zygote->conf.workers; i++)
		count += zygote->pids[i] != 0;
	return count;
}

static void zygote_grow_old(struct zygote *zygote)
{
	const struct conf *conf = &zygote->conf;
	int64_t age_s = (io_now_ms() - zygote->born) / 1000;
	bool old = (conf->generation_age_s &&
		    age_s >= conf->generation_age_s) ||
		   (conf->generation_forks &&
		    zygote->forks >= conf->generation_forks);

	if (!old || zygote->told_old || zygote->leaving)
		return;
	zygote->told_old = true;
	zygote_tell(GENERATION_OLD);
}

static void zygote_leave(struct zygote *zygote)
{
	/* Those that were given while we were in charge: else their callers
	 * would wait until the last of our workers is done. */
	zygote_take_orders(zygote);
	zygote->leaving = true;
	zygote_stop_refuser(zygote);
	close(GENERATION_LISTENER);
}

static int zygote_wait_ms(const struct zygote *zygote)
{
	int64_t now = io_now_ms();
	int64_t next = zygote->next_fork > zygote->settle ? zygote->next_fork
							  : zygote->settle;

	if (next <= now || zygote->pace < next)
		next = zygote->pace;
	return next - now >= 1000 ? 1000 : next > now ? (int)(next - now) : 0;
}

static void zygote_step(struct zygote *zygote)
{
	struct pollfd polled[] = {
		{.fd = zygote->report_in, .events = POLLIN},
		{.fd = zygote->signals, .events = POLLIN},
		{.fd = zygote->leaving ? -1 : GENERATION_LEAVE,
		 .events = POLLIN},
		{.fd = zygote->leaving ? -1 : GENERATION_ORDERS,
		 .events = POLLIN},
	};
	int n = poll(polled, ARRAY_LEN(polled), zygote_wait_ms(zygote));

	if (n < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	if (n > 0 && polled[2].revents)
		zygote_leave(zygote);
	if (n > 0 && polled[0].revents)
		zygote_hear(zygote);
	if (n > 0 && polled[1].revents)
		zygote_reap(zygote);
	if (n > 0 && polled[3].revents && !zygote->leaving)
		zygote_take_orders(zygote);
	zygote_grow_old(zygote);
	zygote_fill(zygote);
	zygote->pace = pace_step(zygote->paces, zygote->conf.workers,
				 io_now_ms());
}

void zygote_main(void)
{
	static struct zygote zygote;

	log_set_role("zygote");
	title_set("zygote");
	for (int fd = GENERATION_CONF; fd < GENERATION_FD_END; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	zygote_read_conf(&zygote);
	zygote.board = scoreboard_map(GENERATION_BOARD);
	if (!zygote.board)
		die("map the scoreboard: %s", log_errno(errno));
	zygote.first = atomic_load(&zygote.board->first_slot);
	/* Slots and control groups were made for so many at the start. */
	zygote.conf.workers = zygote.board->workers;
	zygote.conf.sessions.max = zygote.board->sessions_max;
	if (zygote.conf.armed > zygote.conf.workers)
		zygote.conf.armed = zygote.conf.workers;
	zygote_make_pipes(&zygote);
	zygote_prepare(&zygote);
	zygote_learn(&zygote);
	zygote.born = io_now_ms();
	atomic_fetch_add(&zygote.board->counters.generations, 1);
	log_info("generation %u is prepared",
		 atomic_load(&zygote.board->generation));
	while (!zygote.leaving || zygote_alive(&zygote) > 0)
		zygote_step(&zygote);
	exit(0);
}
