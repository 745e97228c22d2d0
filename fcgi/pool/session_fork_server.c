/*
 * session_fork_server - the process that the session keepers of one generation
 * are forked from.
 *
 * Who:    forked by a fork server after its preload. One thread. It exists only
 *         with sessions.
 * Holds:  a preloaded, frozen Python, as its fork server; no guests; the files
 *         of the sessions' control groups; /proc, for the session keepers.
 * May:    the same as its fork server.
 * Talks:  It receives orders of the master. Each orders one session keeper.
 * Ends:   when its generation leaves. Its session keepers go on. If it dies
 *         before that, its fork server ends, too, and the master starts a new
 *         generation.
 *
 * The fork server cannot fork session keepers itself. It enters the pid
 * namespace of each guest, and without root on the host it cannot return from
 * there.
 */
#include "session_fork_server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "sandbox/base/log.h"
#include "sandbox/walls/oom_score.h"
#include "sandbox/base/title.h"
#include "fcgi/sessions/session_order.h"
#include "fcgi/shared/generation.h"
#include "fcgi/sessions/session_keeper.h"

/* The groups of sessions follow those of the workers of all generations. */
static unsigned session_fork_server_first(const struct pool *pool)
{
	return pool->box.slots - pool->session_slots;
}

/* A session keeper belongs to no generation: it goes on when this one
 * leaves. */
static void session_fork_server_be_keeper(const struct pool *pool,
					  uint32_t slot, int control) NORETURN;

static void session_fork_server_be_keeper(const struct pool *pool,
					  uint32_t slot, int control)
{
	const struct session_keeper_args args = {
		.conf = &pool->conf,
		.box = &pool->box,
		.group = session_fork_server_first(pool) + slot,
		.control = control};

	close(GENERATION_LEAVE);
	close(GENERATION_LIFE);
	close(GENERATION_ORDERS);
	close(GENERATION_BOARD);
	signal(SIGCHLD, SIG_DFL);
	setsid();
	session_keeper_main(&args);
}

/* A session keeper's guest inherits the keeper's score, because each of them is
 * useless without the other. */
static void session_fork_server_receive_orders(struct pool *pool, int score,
					       int needed)
{
	uint32_t slot;
	int passed;

	while (session_order_receive(GENERATION_ORDERS, &slot, sizeof(slot),
				     &passed) > 0) {
		owned_fd int control = passed;

		if (control < 0 || slot >= pool->board->session_slots)
			continue;
		oom_score_set(score, OOM_SCORE_GUEST);
		pid_t pid = fork();

		if (pid == 0)
			session_fork_server_be_keeper(pool, slot, control);
		if (pid < 0)
			log_error("fork a session keeper: %s",
				  log_errno(errno));
		oom_score_set(score, needed);
		atomic_fetch_add(&pool->board->counters.forks, 1);
	}
}

static void session_fork_server_keep_groups(struct pool *pool)
{
	for (unsigned i = 0; i < session_fork_server_first(pool); i++)
		cgroup_forget(&pool->box.groups[i]);
}

static void session_fork_server_main(struct pool *pool) NORETURN;

static void session_fork_server_main(struct pool *pool)
{
	struct pollfd polled[] = {
		{.fd = GENERATION_ORDERS, .events = POLLIN},
		{.fd = GENERATION_LEAVE, .events = POLLIN},
	};

	const int score = oom_score_open(pool->box.proc);
	const int needed = oom_score_set(score, OOM_SCORE_NEEDED);

	log_set_role("session-forks");
	title_set("session-forks");
	signal(SIGCHLD, SIG_IGN); /* no process needs a keeper's exit status */
	pool->board = scoreboard_map(GENERATION_BOARD);
	if (!pool->board)
		die("map the scoreboard: %s", log_errno(errno));
	session_fork_server_keep_groups(pool);
	while (!polled[1].revents) {
		if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
			die("poll: %s", log_errno(errno));
		/* Also handles the orders that came before the generation
		 * left. */
		session_fork_server_receive_orders(pool, score, needed);
	}
	_exit(0);
}

pid_t session_fork_server_start(struct pool *pool, int orders)
{
	pid_t pid = fork();

	if (pid == 0) {
		close(orders);
		session_fork_server_main(pool);
	}
	return pid < 0 ? -errno : pid;
}
