/*
 * master - who is started, stopped and reloaded.
 *
 * Who:    started by an operator; parent of everything else; no Python, no
 *         thread, no request.
 * Holds:  the listening sockets, so that no reload ever closes them; the
 *         scoreboard; for each generation of workers the end of a pipe that
 *         makes it leave, and one that tells when it is gone.
 * May:    what its user may; as root it makes control groups.
 * Talks:  hears one-byte news from pools; nothing a client sent reaches it.
 * Ends:   TERM, INT: at once. QUIT: when running requests are done. HUP,
 *         USR2: a new generation replaces the present one. USR1: logs go to
 *         standard error, so there is nothing to reopen.
 *
 * What it holds is made in master_place.c; how generations are started and
 * retired is in generations.c.
 */
#include "master.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/walls/oom_score.h"
#include "master_place.h"
#include "notify.h"
#include "fcgi/sessions/registry.h"
#include "status.h"
#include "fcgi/sessions/session_client.h"
#include "generations.h"

/* For a call of a session besides what its worker waits for: its job and its
 * outcome go over a socket, and processors may be busy. */
#define MASTER_CALL_MS 15000
#define MASTER_GROUPS_MS 1000  /* between two looks at the control groups */
#define MASTER_MENDED_MS 10000 /* and after they were made anew */

struct master {
	struct master_place place;
	pid_t status;
	int64_t status_next; /* not before then is it started again */
	pid_t queue;
	int64_t queue_next;
	pid_t archivist;
	int64_t archivist_next;
	struct generations line;
	struct registry registry;
	bool announced;
	bool stopping;
	bool failed;
	int64_t groups_next; /* not before then are they looked at */
	int64_t stop_by; /* when patience ends */
};

/* ---- children -------------------------------------------------------- */

/* Fork a helper, without what it has no use for. 0: nobody could be. */
static pid_t master_fork(struct master *master, const char *who)
{
	pid_t pid = fork();
	sigset_t none;

	if (pid < 0)
		log_error("fork the %s: %s", who, log_errno(errno));
	if (pid != 0)
		return pid < 0 ? 0 : pid;
	oom_score_set_own(OOM_SCORE_NEEDED);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(master->place.signals);
	close(master->place.listener);
	close(master->place.archive_out);
	base_release_fd(&master->place.claim);
	close(master->place.queue_out);
	generations_close_in_child(&master->line);
	registry_close_in_child(&master->registry);
	return -1;
}

static void master_start_queue(struct master *master)
{
	const struct queue_plan plan = master_place_queue(&master->place);
	pid_t pid = master_fork(master, "queue");

	if (pid < 0) {
		close(master->place.status_listener);
		base_release_fd(&master->place.archive_in);
		queue_main(&plan);
	}
	master->queue = pid;
	master->queue_next = io_now_ms() + 1000;
}

static void master_start_archivist(struct master *master)
{
	const struct archive_plan plan = master_place_archive(&master->place);
	pid_t pid = master_fork(master, "archive process");

	if (pid < 0) {
		close(master->place.status_listener);
		close(master->place.queue_in);
		close(master->place.shares);
		archive_main(&plan, master->place.archive_in);
	}
	master->archivist = pid;
	master->archivist_next = io_now_ms() + 1000;
}

static void master_start_status(struct master *master)
{
	const pid_t us = getpid();
	pid_t pid = master_fork(master, "status process");

	if (pid < 0) {
		base_release_fd(&master->place.archive_in);
		close(master->place.queue_in);
		status_main(master->place.board_fd, master->place.shares,
			    master->place.status_listener,
			    master->place.conf.uid_base, us);
	}
	master->status = pid;
	master->status_next = io_now_ms() + 1000;
	atomic_store(&master->place.board->status, pid);
}

static void master_buried(struct master *master, pid_t pid, int status)
{
	if (pid == master->status) {
		master->status = 0;
		if (!master->stopping)
			log_warn("the status process has died (%d); "
				 "starting another", status);
		return;
	}
	if (pid == master->queue) {
		master->queue = 0;
		if (!master->stopping)
			log_warn("the queue has died (%d); the calls in it "
				 "are lost; starting another", status);
		return;
	}
	if (pid == master->archivist) {
		master->archivist = 0;
		if (!master->stopping)
			log_warn("the archive process has died (%d); starting "
				 "another",
				 status);
		return;
	}
	generations_buried(&master->line, pid, status);
}

static void master_reap(struct master *master)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		master_buried(master, pid, status);
}

/* ---- signals --------------------------------------------------------- */

static void master_stop_now(struct master *master)
{
	log_info("stopping");
	notify_send("STOPPING=1");
	if (!master->stopping)
		unlink(master->place.conf.socket);
	master->stopping = true;
	generations_kill(&master->line);
	registry_close(&master->registry);
	master->stop_by = io_now_ms() + 5000;
}

static void master_stop_gently(struct master *master)
{
	if (master->stopping)
		return;
	log_info("stopping when running requests are done");
	unlink(master->place.conf.socket); /* new clients are told at once */
	notify_send("STOPPING=1");
	master->stopping = true;
	generations_retire_all(&master->line);
	if (master->queue > 0) /* no worker will take what waits */
		kill(master->queue, SIGKILL);
	master->stop_by = io_now_ms() +
			  (int64_t)master->place.conf.stop_timeout_s * 1000;
}

static bool master_same_sessions(const struct conf_sessions *a,
				 const struct conf_sessions *b)
{
	return a->max == b->max && a->per_client == b->per_client &&
	       a->idle_s == b->idle_s && a->waiting == b->waiting &&
	       a->branches == b->branches && a->snapshots == b->snapshots;
}

/* Session keepers of earlier generations may live, with the longer of two
 * limits. */
static void master_allow_calls(struct master *master,
			       const struct limits *limits)
{
	const int64_t call_ms = (int64_t)limits->timeout_ms +
				SESSION_CLIENT_END_MS + MASTER_CALL_MS;

	if (call_ms > master->registry.call_ms)
		master->registry.call_ms = call_ms;
}

static void master_reload(struct master *master)
{
	const struct conf *had = &master->place.conf;
	struct conf conf;
	struct bytes text;
	char error[CONF_ERROR_MAX];

	if (master->stopping)
		return;
	if (generations_read(master->place.conf_path, &text, &conf, error) <
	    0) {
		log_error("not reloaded, the present generation goes on: %s",
			  error);
		return;
	}
	if (conf.workers != had->workers ||
	    conf.client_percent != had->client_percent ||
	    conf.client_waiting != had->client_waiting ||
	    strcmp(conf.socket, had->socket) != 0 ||
	    conf.cgroups != had->cgroups || conf.standby != had->standby ||
	    !master_same_sessions(&conf.sessions, &had->sessions) ||
	    memcmp(&conf.limits, &had->limits, sizeof(conf.limits)) != 0)
		log_warn("the sockets, pool.workers, pool.standby, "
			 "sessions, the size of control groups and "
			 "walls.cgroups change at a restart only");
	master_allow_calls(master, &conf.limits);
	conf_free(&conf);
	log_info("reloading");
	generations_reload(&master->line, text);
}

static void master_reopen(struct master *master)
{
	(void)master;
	log_info("logs go to standard error; nothing to reopen");
}

static const struct {
	int signal;
	void (*act)(struct master *master);
} master_actions[] = {
	{SIGTERM, master_stop_now},   {SIGINT, master_stop_now},
	{SIGQUIT, master_stop_gently}, {SIGHUP, master_reload},
	{SIGUSR2, master_reload},      {SIGUSR1, master_reopen},
	{SIGCHLD, master_reap},
};

static void master_hear(struct master *master)
{
	struct signalfd_siginfo info;

	while (read(master->place.signals, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info))
		for (size_t i = 0; i < ARRAY_LEN(master_actions); i++)
			if (master_actions[i].signal == (int)info.ssi_signo)
				master_actions[i].act(master);
}

/* ---- life ------------------------------------------------------------ */

/* A generation has its files of groups from its start, so that one which was
 * made anew is of use to the next generation only. */
static void master_mend(struct master *master)
{
	if (io_now_ms() < master->groups_next)
		return;
	int rc = master_place_mend(&master->place);

	master->groups_next = io_now_ms() + (rc == 0 ? MASTER_GROUPS_MS
						     : MASTER_MENDED_MS);
	if (rc > 0)
		generations_renew(&master->line);
	if (rc >= 0)
		return;
	log_error("without its control groups this server cannot run guests; "
		  "it ends, to be started anew");
	master->failed = true;
	master_stop_now(master);
}

static void master_announce(struct master *master)
{
	if (master->announced || !generations_serving(&master->line))
		return;
	master->announced = true;
	log_info("serving on %s", master->place.conf.socket);
	notify_send("READY=1");
}

static void master_step(struct master *master)
{
	static struct pollfd polled[1 + GENERATIONS_FDS + REGISTRY_FDS];
	size_t count = generations_poll(&master->line, polled + 1);

	count += registry_poll(&master->registry, polled + 1 + count);
	polled[0] = (struct pollfd){.fd = master->place.signals,
				    .events = POLLIN};
	if (poll(polled, 1 + count, 200) < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	master_hear(master);
	generations_hear(&master->line);
	registry_step(&master->registry, generations_orders(&master->line));
	/* At the start a mistake is told to whoever starts us; later the
	 * generation that stands goes on. */
	if (master->line.hopeless && !master->stopping) {
		master->failed = true;
		master_stop_now(master);
	}
	if (!master->stopping) {
		master_mend(master);
		generations_keep(&master->line);
		if (master->status == 0 &&
		    io_now_ms() >= master->status_next)
			master_start_status(master);
		if (master->queue == 0 && io_now_ms() >= master->queue_next)
			master_start_queue(master);
		if (master->archivist == 0 && master->place.archive_in >= 0 &&
		    io_now_ms() >= master->archivist_next)
			master_start_archivist(master);
		master_announce(master);
	} else if (generations_gone(&master->line) &&
		   !master->registry.closing) {
		registry_close(&master->registry);
	} else if (io_now_ms() >= master->stop_by) {
		generations_kill(&master->line);
		registry_kill(&master->registry);
		master->stop_by = io_now_ms() + 5000;
	}
}

static void master_sessions(struct master *master)
{
	int rc = registry_init(&master->registry, &master->place.conf.sessions,
			       master->place.board);

	if (rc < 0)
		die("make the registry of sessions: %s", log_errno(rc));
	master_allow_calls(master, &master->place.conf.limits);
}

static bool master_is_done(const struct master *master)
{
	return master->stopping && generations_gone(&master->line) &&
	       registry_gone(&master->registry);
}

static void master_clean_up(struct master *master)
{
	const pid_t helpers[] = {master->status, master->archivist,
				 master->queue};

	for (size_t i = 0; i < ARRAY_LEN(helpers); i++)
		if (helpers[i] > 0) {
			kill(helpers[i], SIGKILL);
			waitpid(helpers[i], NULL, 0);
		}
	master_reap(master);
	master_place_remove(&master->place);
	log_info("stopped");
}

int master_main(const char *path)
{
	static struct master master;
	struct master_place *place = &master.place;

	log_set_role("master");
	signal(SIGPIPE, SIG_IGN);
	master_place_make(place, path, &master.line.text);
	master_sessions(&master);
	generations_init(&master.line, place->board, place->board_fd,
			 place->listener, master.registry.theirs,
			 place->archive_out, place->queue_out, place->shares);
	master.line.stall_ms = (int)place->conf.start_stall_s * 1000;
	while (!master_is_done(&master))
		master_step(&master);
	master_clean_up(&master);
	return master.failed;
}
