/*
 * session_fork_server - who the session keepers of one generation are forked
 * from.
 *
 * Who:    forked by a fork server that is warm; one thread; only with sessions.
 * Holds:  what the fork server holds, but for guests: a warm Python, frozen;
 * the files of sessions' control groups; /proc, for its keepers. May:    what
 * the fork server may. Talks:  to the master, who orders keepers. Ends:   when
 * its generation leaves; its session keepers go on. Should it die before that,
 * so does the fork server, and a new generation follows.
 *
 * The fork server could fork session keepers but for one thing: it enters a pid
 * namespace of each guest, and there is no way back for who is not root on the
 * host.
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

/* The groups of sessions come behind those of all generations' workers. */
static unsigned session_fork_server_first(const struct pool *pool)
{
	return pool->box.slots - pool->session_slots;
}

/* A session keeper is of no generation: it goes on when this one leaves. */
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

/* A session keeper's guest inherits the session keeper's score; neither is of
 * use without the other. */
static void session_fork_server_hear_master(struct pool *pool, int score,
					    int needed)
{
	uint32_t slot;
	int with;

	while (session_order_receive(GENERATION_ORDERS, &slot, sizeof(slot),
				     &with) > 0) {
		owned_fd int control = with;

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
	signal(SIGCHLD, SIG_IGN); /* nobody asks how a session keeper ended */
	pool->board = scoreboard_map(GENERATION_BOARD);
	if (!pool->board)
		die("map the scoreboard: %s", log_errno(errno));
	session_fork_server_keep_groups(pool);
	while (!polled[1].revents) {
		if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
			die("poll: %s", log_errno(errno));
		/* With the last ones that were ordered while we were in
		 * charge. */
		session_fork_server_hear_master(pool, score, needed);
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
