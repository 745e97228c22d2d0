/*
 * pool - the process that all workers of one generation are forked from.
 *
 * Who:    executed by the master, so that each generation has an address layout
 *         of its own. One thread.
 * Holds:  the namespaces and the read-only root of all its descendants; the
 *         open control groups; the scoreboard. It has no Python: its fork
 *         server has.
 * May:    use all capabilities inside its user namespace, and none outside it.
 * Talks:  It sends one-byte events to the master, which tells it when to serve.
 *         It receives the reports of its workers, and one message of its fork
 *         server.
 * Ends:   after its last worker, once the master has closed the "leave" pipe or
 *         has died. It also ends when its fork server dies.
 *
 * After its preparation it stands by without workers until the master tells it
 * to serve. Then it keeps pool.armed workers armed, but no more than
 * pool.workers alive. It forks more slowly when workers die before they have
 * served.
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

	if (loan_read(GENERATION_CONF, &pool->loan, &pool->conf, error) < 0)
		die("%s", error);
	close(GENERATION_CONF);
	log_set_level(pool->conf.log_level);
}

/* Slots, control groups and user ids were claimed at the start of the master,
 * by the options of that time. */
static void pool_keep_fixed(struct conf *conf, const struct scoreboard *board)
{
	conf->workers = board->workers;
	conf->client_percent = board->client_percent;
	conf->client_waiting = board->client_waiting;
	conf->uid_base = board->uid_base;
	conf->sessions = board->session_options;
	if (board->ceiling_mb > 0 && board->ceiling_mb < conf->limits.memory_mb)
		conf->limits.memory_mb = board->ceiling_mb;
	if (conf->armed > conf->workers)
		conf->armed = conf->workers;
}

/* End, with ERROR for the master, which knows whether another generation
 * serves. If the board is quiet, the log already has the same failure of an
 * earlier try. */
static void pool_fail(const struct pool *pool, const char *error) NORETURN;

static void pool_fail(const struct pool *pool, const char *error)
{
	scoreboard_set_reason(pool->board, pool->index, error);
	if (atomic_load(&pool->board->quiet))
		_exit(1);
	die("%s", error);
}

/* A pool process without workers has nothing to finish, and a preload takes
 * seconds. Call this after each change of user, which resets it (prctl(2)). */
static int pool_die_with_master(const struct pool *pool,
				char error[BOX_ERROR_MAX])
{
	int rc = privileges_die_with(atomic_load(&pool->board->master));

	if (rc < 0)
		snprintf(error, BOX_ERROR_MAX, "end with the master: %s",
			 log_errno(rc));
	return rc;
}

/* The fork server has its own copy by now. Copy the texts, because pages on
 * loan would be shared with the workers. */
static void pool_copy_conf(struct pool *pool)
{
	int rc = loan_copy(&pool->loan, &pool->conf);

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
		.packages = true,
		.calls = true,
		.session_copies = 1 + conf->sessions.branches,
		.call_ms = conf_call_ms(conf),
		.preload = conf->preload,
		.python_path = conf->python_path,
		.skeleton = conf->skeleton,
		.cache_dir = conf->cache_dir,
		.home_aliases = conf->home_aliases,
		.uid_base = conf->uid_base,
		.landlock = pool->board->landlock_abi > 0,
		.jit = conf->jit,
		.freeze = conf->freeze,
		.layout = conf->layout,
		.random_hashes = conf->hash_seed == CONF_HASH_SEED_RANDOM,
		.installing = conf->installing,
		.cgroups = &pool->board->cgroups,
	};
	char error[BOX_ERROR_MAX];

	owned_fd int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	owned_fd int score = proc < 0 ? -1 : oom_score_open(proc);
	int rc;

	/* Inherited by the fork server. */
	oom_score_set(score, OOM_SCORE_NEEDED);
	rc = box_enter(&pool->box, &plan, error);

	if (rc == 0)
		rc = pool_die_with_master(pool, error);
	if (rc == 0)
		rc = fork_server_start(pool, &plan, error);
	/* Workers inherit it, so that no request pays for setting it. */
	oom_score_set(score, OOM_SCORE_WORKER);
	if (rc == 0)
		children_keep_groups(pool);
	if (rc == 0)
		pool_copy_conf(pool);
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

/* Called after the fork of the fork server, which must not hold the client
 * shares. */
static void pool_open_accept_queue(struct pool *pool)
{
	const struct accept_queue_plan plan = {.listener = GENERATION_LISTENER,
					       .tcp_first = GENERATION_TCP,
					       .tcp = pool->tcp,
					       .allowed = &pool->allowed,
					       .queue = GENERATION_QUEUE,
					       .leave = GENERATION_LEAVE};
	int rc = address_read_networks(pool->conf.allowed_clients,
				       &pool->allowed);

	if (rc == 0)
		rc = accept_queue_open(&pool->accept_queue, &plan);

	pool->shares = client_share_map(GENERATION_SHARES);
	close(GENERATION_SHARES);
	if (!pool->shares)
		die("map the client shares: %s", log_errno(errno));
	for (unsigned i = 0; i < pool->conf.workers; i++)
		atomic_store(&pool->shares->running[CLIENT_SHARE_GRANTS +
						    pool->first + i],
			     0);

	if (rc < 0)
		die("open the accept queue: %s", log_errno(rc));
}

static void pool_open_worker_fds(const struct pool *pool)
{
	int rc = worker_fds_open(worker_fds_count(pool->box.cores),
				 &pool->box.groups[pool->first]);

	if (rc < 0)
		die("reserve descriptors for workers: %s", log_errno(rc));
}

/* Workers must not have it. */
static void pool_unmap_stage(struct pool *pool)
{
	stage_use(NULL);
	scoreboard_unmap_stage(pool->stage);
	pool->stage = NULL;
}

/* ---- standing by ----------------------------------------------------- */

/* Wait without workers, because an armed guest would only age. The death of the
 * fork server is noticed here, too. */
static void pool_stand_by(struct pool *pool)
{
	struct pollfd polled[] = {
		{.fd = GENERATION_SERVE, .events = POLLIN},
		{.fd = GENERATION_LEAVE, .events = POLLIN},
		{.fd = pool->signals, .events = POLLIN},
	};

	generation_report(GENERATION_PREPARED);
	while (!polled[0].revents) {
		if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
			die("poll: %s", log_errno(errno));
		if (polled[1].revents)
			exit(0);
		if (polled[2].revents)
			children_reap(pool);
	}
	if (prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) < 0)
		die("clear the parent-death signal: %s", log_errno(errno));
	close(GENERATION_SERVE);
}

/* ---- life ------------------------------------------------------------ */

static void pool_check_age(struct pool *pool)
{
	const struct conf *conf = &pool->conf;
	int64_t age_s = (io_now_ms() - pool->born) / 1000;
	bool old = (conf->generation_age_s &&
		    age_s >= conf->generation_age_s) ||
		   (conf->generation_forks &&
		    pool->forks >= conf->generation_forks);

	if (!old || pool->reported_old || pool->leaving)
		return;
	pool->reported_old = true;
	generation_report(GENERATION_OLD);
}

static void pool_leave(struct pool *pool)
{
	pool->leaving = true;
	children_stop_refuser(pool);
}

/* Wait until no worker shares our table, because each of them still has to copy
 * these descriptors (worker_fds.h). */
static void pool_close_queue(struct pool *pool)
{
	if (!pool->leaving || pool->closed || children_share_fds(pool))
		return;
	pool->closed = true;
	accept_queue_close(&pool->accept_queue);
	generation_close_listeners(pool->tcp);
}

static int pool_wait_ms(const struct pool *pool)
{
	int64_t next = pool->next_fork > pool->refill_at ? pool->next_fork
							 : pool->refill_at;
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
		children_receive(pool);
	if (n > 0 && polled[1].revents)
		children_reap(pool);
	children_kill_stopped(pool);
	pool_close_queue(pool);
	pool_check_age(pool);
	children_fill(pool);
}

void pool_main(void)
{
	static struct pool pool;

	log_set_role("pool");
	title_set("pool");
	for (int fd = GENERATION_CONF; fd < GENERATION_FD_END; fd++)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	pool.tcp = generation_keep_listeners();
	pool_read_conf(&pool);
	pool.board = scoreboard_map(GENERATION_BOARD);
	if (!pool.board)
		die("map the scoreboard: %s", log_errno(errno));
	pool.index = atomic_load(&pool.board->starting);
	pool.session_slots = pool.board->session_slots;
	if (pool.index >= pool.board->generations)
		die("generation index %u is out of range", pool.index);
	pool.stage = scoreboard_map_stage(GENERATION_BOARD, pool.index);
	if (!pool.stage)
		die("map the scoreboard: %s", log_errno(errno));
	stage_use(pool.stage);
	pool_keep_fixed(&pool.conf, pool.board);
	pool.first = pool.index * pool.conf.workers;
	pool_make_pipes(&pool);
	request_prepare();
	pool_prepare(&pool);
	pool_open_accept_queue(&pool);
	pool_open_worker_fds(&pool);
	stage_enter(STAGE_REHEARSE);
	if (pool.conf.freeze)
		children_learn_pages(&pool);
	pool_unmap_stage(&pool);
	base_release_fd(&pool.box.proc);
	close(GENERATION_ORDERS);
	atomic_store(&pool.board->each[pool.index].fork_server,
		     pool.fork_server);
	log_info("generation is prepared");
	pool_stand_by(&pool);
	stage_set(&pool.board->stages[pool.index].stage, STAGE_ARM);
	/* The age counts from here: no guest has seen the address layout
	 * yet. */
	pool.born = io_now_ms();
	/* Before the first worker no event wakes pool_step(). */
	children_fill(&pool);
	while (!pool.leaving || children_alive(&pool) > 0)
		pool_step(&pool);
	exit(0);
}
