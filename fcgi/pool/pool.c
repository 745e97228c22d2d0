/*
 * zygote - who all workers of one generation are forked from.
 *
 * Who:    executed by the master, so that each generation has an address
 *         layout of its own; one thread.
 * Holds:  the namespaces and the read-only root that all below it live in,
 *         the open control groups, the scoreboard; no Python, which its mold
 *         has.
 * May:    what it may inside its user namespace; nothing outside it.
 * Talks:  to the master (one byte at a time), which says when it is to serve;
 *         hears its workers' reports, and once its mold, that it is warm.
 * Ends:   when the master lets go of the "leave" pipe (told to, or dead),
 *         after the last of its workers; and when its mold has died.
 *
 * Prepared, it stands by without a worker until the master wants it to serve.
 * Then it keeps pool.armed workers waiting, as long as no more than
 * pool.workers live, and slows down when they die before they have served.
 */
#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/walls/oom_score.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/base/title.h"
#include "children.h"
#include "fcgi/shared/generation.h"
#include "fork_server.h"
#include "fcgi/http/request.h"

/* ---- start ----------------------------------------------------------- */

static void zygote_read_conf(struct zygote *zygote)
{
	char error[CONF_ERROR_MAX];

	if (conf_borrow(GENERATION_CONF, &zygote->loan, &zygote->conf,
			error) < 0)
		die("%s", error);
	close(GENERATION_CONF);
	log_set_level(zygote->conf.log_level);
}

/* The master hears why, and knows whether another serves. What has been said
 * of the try before need not be said again. */
static void zygote_fail(const struct zygote *zygote, const char *error)
	NORETURN;

static void zygote_fail(const struct zygote *zygote, const char *error)
{
	scoreboard_set_reason(zygote->board, zygote->index, error);
	if (atomic_load(&zygote->board->quiet))
		_exit(1);
	die("%s", error);
}

/* Without workers there is nothing to finish, and a preload takes its time.
 * To be said once we are of another user, which undoes it (prctl(2)). */
static int zygote_die_with_master(const struct zygote *zygote,
				  char error[SANDBOX_ERROR_MAX])
{
	int rc = privileges_die_with(atomic_load(&zygote->board->master));

	if (rc < 0)
		snprintf(error, SANDBOX_ERROR_MAX, "end with the master: %s",
			 log_errno(rc));
	return rc;
}

/* The mold has let go. What our workers write they shall not share. */
static void zygote_own_conf(struct zygote *zygote)
{
	int rc = conf_own_texts(&zygote->loan, &zygote->conf);

	if (rc < 0)
		die("copy the configuration: %s", log_errno(rc));
}

static void zygote_prepare(struct zygote *zygote)
{
	const struct conf *conf = &zygote->conf;
	struct sandbox_plan plan = {
		.limits = conf->limits,
		.slots = zygote->board->generations * conf->workers +
			 zygote->board->session_slots,
		.sessions = zygote->board->session_slots,
		.session_copies = 1 + conf->sessions.branches,
		.preload = conf->preload,
		.python_path = conf->python_path,
		.skeleton = conf->skeleton,
		.cache_dir = conf->cache_dir,
		.uid_base = conf->uid_base,
		.landlock = zygote->board->landlock_abi > 0,
		.freeze = conf->freeze,
		.cgroups = &zygote->board->cgroups,
	};
	char error[SANDBOX_ERROR_MAX];

	owned_fd int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	owned_fd int score = proc < 0 ? -1 : oom_score_open(proc);
	int rc;

	oom_score_set(score, OOM_SCORE_NEEDED); /* the mold's */
	rc = sandbox_enter(&zygote->box, &plan, error);

	if (rc == 0)
		rc = zygote_die_with_master(zygote, error);
	if (rc == 0)
		rc = mold_start(zygote, &plan, error);
	/* Its workers inherit it, so that no request pays for it. */
	oom_score_set(score, OOM_SCORE_WORKER);
	if (rc == 0)
		brood_keep_groups(zygote);
	if (rc == 0)
		zygote_own_conf(zygote);
	if (rc == 0)
		rc = sandbox_freeze(&zygote->box, &plan, error);
	if (rc < 0)
		zygote_fail(zygote, error);
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

/* After the mold was forked, which shall not have the crowd. */
static void zygote_open_turn(struct zygote *zygote)
{
	int rc = turn_open(&zygote->turn, GENERATION_LISTENER,
			   GENERATION_QUEUE, GENERATION_LEAVE);

	zygote->crowd = crowd_map(GENERATION_CROWD);
	close(GENERATION_CROWD);
	if (!zygote->crowd)
		die("map the crowd: %s", log_errno(errno));
	for (unsigned i = 0; i < zygote->conf.workers; i++)
		atomic_store(&zygote->crowd->running[CROWD_GRANTS +
						     zygote->first + i], 0);

	if (rc < 0)
		die("poll for connections: %s", log_errno(rc));
}

static void zygote_open_cradles(const struct zygote *zygote)
{
	int rc = cradle_open(cradle_count(zygote->box.cores),
			     &zygote->box.groups[zygote->first]);

	if (rc < 0)
		die("make cradles: %s", log_errno(rc));
}

/* Workers shall not have it. */
static void zygote_end_stage(struct zygote *zygote)
{
	stage_use(NULL);
	scoreboard_unmap_stage(zygote->stage);
	zygote->stage = NULL;
}

/* ---- standing by ----------------------------------------------------- */

/* Without a worker; a guest would only grow old. The death of the mold is
 * heard of, as later. */
static void zygote_stand_by(struct zygote *zygote)
{
	struct pollfd polled[] = {
		{.fd = GENERATION_SERVE, .events = POLLIN},
		{.fd = GENERATION_LEAVE, .events = POLLIN},
		{.fd = zygote->signals, .events = POLLIN},
	};

	generation_tell(GENERATION_PREPARED);
	while (!polled[0].revents) {
		if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
			die("poll: %s", log_errno(errno));
		if (polled[1].revents)
			exit(0);
		if (polled[2].revents)
			brood_reap(zygote);
	}
	if (prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) < 0)
		die("outlive the master: %s", log_errno(errno));
	close(GENERATION_SERVE);
}

/* ---- life ------------------------------------------------------------ */

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
	generation_tell(GENERATION_OLD);
}

static void zygote_leave(struct zygote *zygote)
{
	zygote->leaving = true;
	brood_stop_refuser(zygote);
}

/* Not while a worker may still have to copy them (cradle.h). */
static void zygote_let_go(struct zygote *zygote)
{
	if (!zygote->leaving || zygote->left || brood_shares(zygote))
		return;
	zygote->left = true;
	turn_close(&zygote->turn);
	close(GENERATION_LISTENER);
}

static int zygote_wait_ms(const struct zygote *zygote)
{
	int64_t next = zygote->next_fork > zygote->settle ? zygote->next_fork
							  : zygote->settle;
	int64_t wait = next - io_now_ms();

	return wait > 0 && wait < 1000 ? (int)wait : 1000;
}

static void zygote_step(struct zygote *zygote)
{
	struct pollfd polled[] = {
		{.fd = zygote->report_in, .events = POLLIN},
		{.fd = zygote->signals, .events = POLLIN},
		{.fd = zygote->leaving ? -1 : GENERATION_LEAVE,
		 .events = POLLIN},
	};
	int n = poll(polled, ARRAY_LEN(polled), zygote_wait_ms(zygote));

	if (n < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	if (n > 0 && polled[2].revents)
		zygote_leave(zygote);
	if (n > 0 && polled[0].revents)
		brood_hear(zygote);
	if (n > 0 && polled[1].revents)
		brood_reap(zygote);
	zygote_let_go(zygote);
	zygote_grow_old(zygote);
	brood_fill(zygote);
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
	zygote.index = atomic_load(&zygote.board->starting);
	zygote.session_slots = zygote.board->session_slots;
	if (zygote.index >= zygote.board->generations)
		die("there is no generation %u", zygote.index);
	zygote.stage = scoreboard_map_stage(GENERATION_BOARD, zygote.index);
	if (!zygote.stage)
		die("map the scoreboard: %s", log_errno(errno));
	stage_use(zygote.stage);
	/* Slots and control groups were made for so many at the start. */
	zygote.conf.workers = zygote.board->workers;
	zygote.conf.client_percent = zygote.board->client_percent;
	zygote.conf.client_waiting = zygote.board->client_waiting;
	zygote.first = zygote.index * zygote.conf.workers;
	zygote.conf.sessions.max = zygote.board->sessions_max;
	if (zygote.board->ceiling_mb > 0 &&
	    zygote.board->ceiling_mb < zygote.conf.limits.memory_mb)
		zygote.conf.limits.memory_mb = zygote.board->ceiling_mb;
	if (zygote.conf.armed > zygote.conf.workers)
		zygote.conf.armed = zygote.conf.workers;
	zygote_make_pipes(&zygote);
	request_prepare();
	zygote_prepare(&zygote);
	zygote_open_turn(&zygote);
	zygote_open_cradles(&zygote);
	stage_enter(STAGE_REHEARSE);
	if (zygote.conf.freeze)
		brood_learn(&zygote);
	zygote_end_stage(&zygote);
	base_release_fd(&zygote.box.proc);
	close(GENERATION_ORDERS);
	atomic_store(&zygote.board->each[zygote.index].mold, zygote.mold);
	log_info("a generation is prepared");
	zygote_stand_by(&zygote);
	stage_set(&zygote.board->stages[zygote.index].stage, STAGE_ARM);
	/* Addresses that no guest has seen do not grow old. */
	zygote.born = io_now_ms();
	brood_fill(&zygote); /* nothing wakes us before there is a worker */
	while (!zygote.leaving || brood_alive(&zygote) > 0)
		zygote_step(&zygote);
	exit(0);
}
