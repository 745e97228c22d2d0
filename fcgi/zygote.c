/*
 * zygote - who all workers of one generation are forked from.
 *
 * Who:    executed by the master, so that each generation has an address
 *         layout of its own; one thread.
 * Holds:  the namespaces and the read-only root that all below it live in,
 *         the open control groups, the scoreboard; no Python, which its mold
 *         has.
 * May:    what it may inside its user namespace; nothing outside it.
 * Talks:  to the master (one byte at a time), hears its workers' reports, and
 *         once its mold, that it is warm.
 * Ends:   when the master lets go of the "leave" pipe (told to, or dead),
 *         after the last of its workers; and when its mold has died.
 *
 * It keeps pool.armed workers waiting, as long as no more than pool.workers
 * live, and slows down when they die before they have served.
 */
#include "zygote.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "../sandbox/io.h"
#include "../sandbox/log.h"
#include "../sandbox/title.h"
#include "brood.h"
#include "generation.h"
#include "mold.h"
#include "request.h"

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

	int rc = sandbox_enter(&zygote->box, &plan, error);

	if (rc == 0)
		rc = mold_start(zygote, &plan, error);
	if (rc == 0)
		brood_keep_groups(zygote);
	if (rc == 0)
		rc = sandbox_freeze(&zygote->box, &plan, error);
	if (rc < 0) {
		if (!brood_has_rival(zygote))
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

static void zygote_open_turn(struct zygote *zygote)
{
	int rc = turn_open(&zygote->turn, GENERATION_LISTENER,
			   GENERATION_LEAVE);

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
	zygote.stage = scoreboard_map_stage(GENERATION_BOARD);
	if (!zygote.stage)
		die("map the scoreboard: %s", log_errno(errno));
	stage_use(zygote.stage);
	zygote.first = atomic_load(&zygote.board->first_slot);
	/* Slots and control groups were made for so many at the start. */
	zygote.conf.workers = zygote.board->workers;
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
	stage_set(&zygote.board->stage, STAGE_ARM);
	base_release_fd(&zygote.box.proc);
	close(GENERATION_ORDERS);
	atomic_store(&zygote.board->mold, zygote.mold);
	zygote.born = io_now_ms();
	atomic_fetch_add(&zygote.board->counters.generations, 1);
	log_info("generation %u is prepared",
		 atomic_load(&zygote.board->generation));
	while (!zygote.leaving || brood_alive(&zygote) > 0)
		zygote_step(&zygote);
	exit(0);
}
