/*
 * nursery - who the keepers of one generation are forked from.
 *
 * Who:    forked by a mold that is warm; one thread; only with sessions.
 * Holds:  what the mold holds, but for guests: a warm Python, frozen; the
 *         files of sessions' control groups; /proc, for its keepers.
 * May:    what the mold may.
 * Talks:  to the master, who orders keepers.
 * Ends:   when its generation leaves; its keepers go on. Should it die before
 *         that, so does the mold, and a new generation follows.
 *
 * The mold could fork keepers but for one thing: it enters a pid namespace of
 * each guest, and there is no way back for who is not root on the host.
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
static unsigned nursery_first(const struct zygote *zygote)
{
	return zygote->box.slots - zygote->session_slots;
}

/* A keeper is of no generation: it goes on when this one leaves. */
static void nursery_be_keeper(const struct zygote *zygote, uint32_t slot,
			      int control) NORETURN;

static void nursery_be_keeper(const struct zygote *zygote, uint32_t slot,
			      int control)
{
	const struct keeper_place place = {
		.conf = &zygote->conf, .box = &zygote->box,
		.group = nursery_first(zygote) + slot, .control = control};

	close(GENERATION_LEAVE);
	close(GENERATION_LIFE);
	close(GENERATION_ORDERS);
	close(GENERATION_BOARD);
	signal(SIGCHLD, SIG_DFL);
	setsid();
	keeper_main(&place);
}

/* A keeper's guest inherits the keeper's score; neither is of use without the
 * other. */
static void nursery_hear_master(struct zygote *zygote, int score)
{
	uint32_t slot;
	int with;

	while (call_receive(GENERATION_ORDERS, &slot, sizeof(slot), &with) > 0) {
		owned_fd int control = with;

		if (control < 0 || slot >= zygote->board->session_slots)
			continue;
		oom_score_set(score, OOM_SCORE_GUEST);
		pid_t pid = fork();

		if (pid == 0)
			nursery_be_keeper(zygote, slot, control);
		if (pid < 0)
			log_error("fork a keeper: %s", log_errno(errno));
		oom_score_set(score, OOM_SCORE_NEEDED);
		atomic_fetch_add(&zygote->board->counters.forks, 1);
	}
}

static void nursery_keep_groups(struct zygote *zygote)
{
	for (unsigned i = 0; i < nursery_first(zygote); i++)
		cgroup_forget(&zygote->box.groups[i]);
}

static void nursery_main(struct zygote *zygote) NORETURN;

static void nursery_main(struct zygote *zygote)
{
	struct pollfd polled[] = {
		{.fd = GENERATION_ORDERS, .events = POLLIN},
		{.fd = GENERATION_LEAVE, .events = POLLIN},
	};

	const int score = oom_score_open(zygote->box.proc);

	log_set_role("nursery");
	title_set("nursery");
	signal(SIGCHLD, SIG_IGN); /* nobody asks how a keeper ended */
	zygote->board = scoreboard_map(GENERATION_BOARD);
	if (!zygote->board)
		die("map the scoreboard: %s", log_errno(errno));
	nursery_keep_groups(zygote);
	while (!polled[1].revents) {
		if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
			die("poll: %s", log_errno(errno));
		/* With the last ones that were ordered while we were in
		 * charge. */
		nursery_hear_master(zygote, score);
	}
	_exit(0);
}

pid_t nursery_start(struct zygote *zygote, int orders)
{
	pid_t pid = fork();

	if (pid == 0) {
		close(orders);
		nursery_main(zygote);
	}
	return pid < 0 ? -errno : pid;
}
