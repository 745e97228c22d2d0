/*
 * pool - who all workers of one generation are forked from.
 *
 * Who:    executed by the master, so that each generation has an address
 *         layout of its own; one thread.
 * Holds:  the namespaces and the read-only root that all below it live in,
 *         the open control groups, the scoreboard; no Python, which its fork
 * server has. May:    what it may inside its user namespace; nothing outside
 * it. Talks:  to the master (one byte at a time), which says when it is to
 * serve; hears its workers' reports, and once its fork server, that it is warm.
 * Ends:   when the master lets go of the "leave" pipe (told to, or dead),
 *         after the last of its workers; and when its fork server has died.
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

static void pool_read_conf(struct pool *pool)
{
	char error[CONF_ERROR_MAX];

	if (conf_borrow(GENERATION_CONF, &pool->loan, &pool->conf, error) < 0)
		die("%s", error);
	close(GENERATION_CONF);
	log_set_level(pool->conf.log_level);
}

/* The master hears why, and knows whether another serves. What has been said
 * of the try before need not be said again. */
static void pool_fail(const struct pool *pool, const char *error) NORETURN;

static void pool_fail(const struct pool *pool, const char *error)
{
	scoreboard_set_reason(pool->board, pool->index, error);
	if (atomic_load(&pool->board->quiet))
		_exit(1);
	die("%s", error);
}

/* Without workers there is nothing to finish, and a preload takes its time.
 * To be said once we are of another user, which undoes it (prctl(2)). */
static int pool_die_with_master(const struct pool *pool,
				char error[BOX_ERROR_MAX])
{
	int rc = privileges_die_with(atomic_load(&pool->board->master));

	if (rc < 0)
		snprintf(error, BOX_ERROR_MAX, "end with the master: %s",
			 log_errno(rc));
	return rc;
}

/* The fork server has let go. What our workers write they shall not share. */
static void pool_own_conf(struct pool *pool)
{
	int rc = conf_own_texts(&pool->loan, &pool->conf);

	if (rc < 0)
		die("copy the configuration: %s", log_errno(rc));
}

static void pool_prepare(struct pool *pool)
{
	const struct conf *conf = &pool->conf;
	struct box_plan plan = {
		.limits = conf->limits,
		.slots = pool->board->generations * conf->workers +
			 pool->board->session_slots,
		.sessions = pool->board->session_slots,
		.session_copies = 1 + conf->sessions.branches,
		.preload = conf->preload,
		.python_path = conf->python_path,
		.skeleton = conf->skeleton,
		.cache_dir = conf->cache_dir,
		.uid_base = conf->uid_base,
		.landlock = pool->board->landlock_abi > 0,
		.freeze = conf->freeze,
		.cgroups = &pool->board->cgroups,
	};
	char error[BOX_ERROR_MAX];

	owned_fd int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	owned_fd int score = proc < 0 ? -1 : oom_score_open(proc);
	int rc;

	oom_score_set(score, OOM_SCORE_NEEDED); /* the fork server's */
	rc = box_enter(&pool->box, &plan, error);

	if (rc == 0)
		rc = pool_die_with_master(pool, error);
	if (rc == 0)
		rc = fork_server_start(pool, &plan, error);
	/* Its workers inherit it, so that no request pays for it. */
	oom_score_set(score, OOM_SCORE_WORKER);
	if (rc == 0)
		children_keep_groups(pool);
	if (rc == 0)
		pool_own_conf(pool);
	if (rc == 0)
		rc = box_freeze(&pool->box, &plan, error);
	if (rc < 0)
		pool_fail(pool, error);
}

static void pool_make_pipes(struct pool *pool)
{
	int ends[2];
	sigset_t mask;

	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0)
		die("make the report pipe: %s", log_errno(errno));
	pool->report_in = ends[0];
	pool->report_out = ends[1];
	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	pool->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (pool->signals < 0)
		die("make a signal descriptor: %s", log_errno(errno));
}

/* After the fork server was forked, which shall not have the crowd. */
static void pool_open_accept_queue(struct pool *pool)
{
	int rc = accept_queue_open(&pool->accept_queue, GENERATION_LISTENER,
				   GENERATION_QUEUE, GENERATION_LEAVE);

	pool->shares = client_share_map(GENERATION_CROWD);
	close(GENERATION_CROWD);
	if (!pool->shares)
		die("map the client shares: %s", log_errno(errno));
	for (unsigned i = 0; i < pool->conf.workers; i++)
		atomic_store(&pool->shares->running[CLIENT_SHARE_GRANTS +
						    pool->first + i],
			     0);

	if (rc < 0)
		die("poll for connections: %s", log_errno(rc));
}

static void pool_open_worker_fds(const struct pool *pool)
{
	int rc = worker_fds_open(worker_fds_count(pool->box.cores),
				 &pool->box.groups[pool->first]);

	if (rc < 0)
		die("reserve descriptors for workers: %s", log_errno(rc));
}

/* Workers shall not have it. */
static void pool_end_stage(struct pool *pool)
{
	stage_use(NULL);
	scoreboard_unmap_stage(pool->stage);
	pool->stage = NULL;
}

/* ---- standing by ----------------------------------------------------- */

/* Without a worker; a guest would only grow old. The death of the fork server
 * is heard of, as later. */
static void pool_stand_by(struct pool *pool)
{
	struct pollfd polled[] = {
		{.fd = GENERATION_SERVE, .events = POLLIN},
		{.fd = GENERATION_LEAVE, .events = POLLIN},
		{.fd = pool->signals, .events = POLLIN},
	};

	generation_tell(GENERATION_PREPARED);
	while (!polled[0].revents) {
		if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
			die("poll: %s", log_errno(errno));
		if (polled[1].revents)
			exit(0);
		if (polled[2].revents)
			children_reap(pool);
	}
	if (prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) < 0)
		die("outlive the master: %s", log_errno(errno));
	close(GENERATION_SERVE);
}

/* ---- life ------------------------------------------------------------ */

static void pool_grow_old(struct pool *pool)
{
	const struct conf *conf = &pool->conf;
	int64_t age_s = (io_now_ms() - pool->born) / 1000;
	bool old = (conf->generation_age_s &&
		    age_s >= conf->generation_age_s) ||
		   (conf->generation_forks &&
		    pool->forks >= conf->generation_forks);

	if (!old || pool->told_old || pool->leaving)
		return;
	pool->told_old = true;
	generation_tell(GENERATION_OLD);
}

static void pool_leave(struct pool *pool)
{
	pool->leaving = true;
	children_stop_refuser(pool);
}

/* Not while a worker may still have to copy them (worker_fds.h). */
static void pool_let_go(struct pool *pool)
{
	if (!pool->leaving || pool->left || children_shares(pool))
		return;
	pool->left = true;
	accept_queue_close(&pool->accept_queue);
	close(GENERATION_LISTENER);
}

static int pool_wait_ms(const struct pool *pool)
{
	int64_t next = pool->next_fork > pool->settle ? pool->next_fork
						      : pool->settle;
	int64_t wait = next - io_now_ms();

	return wait > 0 && wait < 1000 ? (int)wait : 1000;
}

static void pool_step(struct pool *pool)
{
	struct pollfd polled[] = {
		{.fd = pool->report_in, .events = POLLIN},
		{.fd = pool->signals, .events = POLLIN},
		{.fd = pool->leaving ? -1 : GENERATION_LEAVE, .events = POLLIN},
	};
	int n = poll(polled, ARRAY_LEN(polled), pool_wait_ms(pool));

	if (n < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	if (n > 0 && polled[2].revents)
		pool_leave(pool);
	if (n > 0 && polled[0].revents)
		children_hear(pool);
	if (n > 0 && polled[1].revents)
		children_reap(pool);
	pool_let_go(pool);
	pool_grow_old(pool);
	children_fill(pool);
}

void pool_main(void)
{
	static struct pool pool;

	log_set_role("pool");
	title_set("pool");
	for (int fd = GENERATION_CONF; fd < GENERATION_FD_END; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	pool_read_conf(&pool);
	pool.board = scoreboard_map(GENERATION_BOARD);
	if (!pool.board)
		die("map the scoreboard: %s", log_errno(errno));
	pool.index = atomic_load(&pool.board->starting);
	pool.session_slots = pool.board->session_slots;
	if (pool.index >= pool.board->generations)
		die("there is no generation %u", pool.index);
	pool.stage = scoreboard_map_stage(GENERATION_BOARD, pool.index);
	if (!pool.stage)
		die("map the scoreboard: %s", log_errno(errno));
	stage_use(pool.stage);
	/* Slots and control groups were made for so many at the start. */
	pool.conf.workers = pool.board->workers;
	pool.conf.client_percent = pool.board->client_percent;
	pool.conf.client_waiting = pool.board->client_waiting;
	pool.first = pool.index * pool.conf.workers;
	pool.conf.sessions.max = pool.board->sessions_max;
	if (pool.board->ceiling_mb > 0 &&
	    pool.board->ceiling_mb < pool.conf.limits.memory_mb)
		pool.conf.limits.memory_mb = pool.board->ceiling_mb;
	if (pool.conf.armed > pool.conf.workers)
		pool.conf.armed = pool.conf.workers;
	pool_make_pipes(&pool);
	request_prepare();
	pool_prepare(&pool);
	pool_open_accept_queue(&pool);
	pool_open_worker_fds(&pool);
	stage_enter(STAGE_REHEARSE);
	if (pool.conf.freeze)
		children_learn(&pool);
	pool_end_stage(&pool);
	base_release_fd(&pool.box.proc);
	close(GENERATION_ORDERS);
	atomic_store(&pool.board->each[pool.index].fork_server,
		     pool.fork_server);
	log_info("a generation is prepared");
	pool_stand_by(&pool);
	stage_set(&pool.board->stages[pool.index].stage, STAGE_ARM);
	/* Addresses that no guest has seen do not grow old. */
	pool.born = io_now_ms();
	children_fill(&pool); /* nothing wakes us before there is a worker */
	while (!pool.leaving || children_alive(&pool) > 0)
		pool_step(&pool);
	exit(0);
}
