/*
 * master - the process that an operator starts, stops and reloads.
 *
 * Who:    started by an operator. It is the ancestor of all other processes. It
 *         has no Python, no thread, and no request.
 * Holds:  the listening sockets, so that no reload closes them; the scoreboard;
 *         for each generation one pipe that makes it leave, and one that hangs
 *         up when it has ended.
 * May:    all that its user may. As root it makes control groups.
 * Talks:  It receives one-byte events from pools. No data of a client reaches
 *         it.
 * Ends:   on TERM and INT at once; on QUIT when running requests are done. On
 *         HUP a new generation replaces the present one. On USR2 it executes
 *         the program that is on disk (upgrade.h). On USR1 the log's file is
 *         opened again.
 *
 * setup.c makes all that it holds. generations.c starts and retires the
 * generations.
 */
#include "master.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>

#include "conf/pools.h"
#include "sandbox/base/io.h"
#include "sandbox/walls/oom_score.h"
#include "fcgi/host/listen_queue.h"
#include "notify.h"
#include "status.h"
#include "fcgi/sessions/session_client.h"
#include "fcgi/shared/leave.h"
#include "upgrade.h"

/* Time for a session call, in addition to its worker's timeout. The job and its
 * outcome pass a socket, and the processors may be busy. */
#define MASTER_CALL_MS 15000
#define MASTER_GROUPS_MS 1000 /* between two checks of the control groups */
#define MASTER_WATCH_MS 500 /* between two looks at the listening queue */
#define MASTER_LOG_MS 3000 /* for the last lines */
#define MASTER_MENDED_MS 10000 /* the same, after some were made anew */

/* ---- children -------------------------------------------------------- */

/* Fork the helper NAME, and close the descriptors that it does not use. Returns
 * its pid; 0: the fork failed; -1 in the helper. */
static pid_t master_fork(struct master *master, const char *name)
{
	pid_t pid = fork();
	sigset_t none;

	if (pid < 0)
		log_error("fork the %s: %s", name, log_errno(errno));
	if (pid != 0)
		return pid < 0 ? 0 : pid;
	oom_score_set_own(OOM_SCORE_NEEDED);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(master->setup.signals);
	setup_close_listeners(&master->setup);
	close(master->setup.archive_out);
	base_release_fd(&master->setup.claim);
	close(master->setup.queue_out);
	close(master->setup.streams_out);
	base_release_fd(&master->setup.log.in);
	if (master->diag >= 0)
		close(master->diag);
	upgrade_close_in_child(master);
	generations_close_in_child(&master->generations);
	registry_close_in_child(&master->registry);
	return -1;
}

/* In a helper other than the streams process. */
static void master_close_streams(const struct master *master)
{
	close(master->setup.streams_listener);
	close(master->setup.streams_in);
}

static void master_start_queue(struct master *master)
{
	const struct queue_plan plan = setup_queue_plan(&master->setup);
	pid_t pid = master_fork(master, "queue");

	if (pid < 0) {
		close(master->setup.status_listener);
		base_release_fd(&master->setup.archive_in);
		master_close_streams(master);
		queue_main(&plan);
	}
	master->queue = pid;
	master->queue_next = io_now_ms() + 1000;
}

static void master_start_archive(struct master *master)
{
	const struct archive_plan plan = setup_archive_plan(&master->setup);
	pid_t pid = master_fork(master, "archive process");

	if (pid < 0) {
		close(master->setup.status_listener);
		close(master->setup.queue_in);
		close(master->setup.shares);
		master_close_streams(master);
		archive_main(&plan, master->setup.archive_in);
	}
	master->archive = pid;
	master->archive_next = io_now_ms() + 1000;
}

static void master_start_status(struct master *master)
{
	const pid_t us = getpid();
	pid_t pid = master_fork(master, "status process");

	if (pid < 0) {
		base_release_fd(&master->setup.archive_in);
		close(master->setup.queue_in);
		master_close_streams(master);
		status_main(master->setup.board_fd, master->setup.shares,
			    master->setup.status_listener,
			    master->setup.conf.uid_base, us);
	}
	master->status = pid;
	master->status_next = io_now_ms() + 1000;
	atomic_store(&master->setup.board->status, pid);
}

static void master_start_streams(struct master *master)
{
	const struct streams_plan plan = setup_streams_plan(&master->setup);
	pid_t pid = master_fork(master, "streams process");

	if (pid < 0) {
		close(master->setup.status_listener);
		base_release_fd(&master->setup.archive_in);
		close(master->setup.queue_in);
		close(master->setup.shares);
		streams_main(&plan);
	}
	master->streams = pid;
	master->streams_next = io_now_ms() + 1000;
	atomic_store(&master->setup.board->streams, pid);
}

/* Its streams end, and clients begin others. */
static void master_renew_streams(const struct master *master)
{
	if (master->streams > 0)
		kill(master->streams, LEAVE_SIGNAL);
}

/* Its descriptors are those of master_fork() that no other helper needs. */
static void master_start_log(struct master *master)
{
	struct log_writer writer = master->setup.log;

	writer.in = fcntl(writer.in, F_DUPFD_CLOEXEC, 3);
	if (writer.in < 0) {
		log_error("fork the log writer: %s", log_errno(errno));
		return;
	}
	pid_t pid = master_fork(master, "log writer");

	if (pid < 0) {
		close(master->setup.status_listener);
		base_release_fd(&master->setup.archive_in);
		close(master->setup.queue_in);
		close(master->setup.shares);
		master_close_streams(master);
		log_writer_main(&writer);
	}
	close(writer.in);
	master->log = pid;
	master->log_next = io_now_ms() + 1000;
}

static void master_keep_log(struct master *master)
{
	if (master->setup.log.in >= 0 && master->log == 0 &&
	    io_now_ms() >= master->log_next)
		master_start_log(master);
}

/* The former program's own have left, as they were told. */
static bool master_reaped_helper(struct master *master, pid_t pid, int status)
{
	const struct {
		pid_t *pid;
		const char *name, *lost;
		bool silent;
	} rows[] = {
		{&master->status, "status process", "", master->stopping},
		{&master->queue, "queue", " its calls are lost;",
		 master->stopping},
		{&master->streams, "streams process", " its streams are lost;",
		 master->stopping},
		{&master->archive, "archive process", "", master->stopping},
		{&master->log, "log writer", "", false},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (pid != *rows[i].pid)
			continue;
		*rows[i].pid = 0;
		if (!rows[i].silent && status != 0)
			log_warn("%s died: wait_status=%d;%s starting another",
				 rows[i].name, status, rows[i].lost);
		return true;
	}
	return false;
}

void master_reap(struct master *master)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (!master_reaped_helper(master, pid, status) &&
		    !upgrade_reaped(master, pid, status))
			generations_reaped(&master->generations, pid, status);
}

/* ---- signals --------------------------------------------------------- */

/* A stop begins, which may take STOP_S seconds. */
static void master_begin_stop(struct master *master, unsigned stop_s)
{
	master->stopping = true;
	atomic_store(&master->setup.board->draining, 1);
	notify_stopping(stop_s);
	notify_status("stopping when running requests are done, in %u s at "
		      "most", stop_s);
	setup_stop_listening(&master->setup);
	master_renew_streams(master);
}

static void master_stop_now(struct master *master)
{
	log_info("stopping");
	if (!master->stopping)
		master_begin_stop(master, 5);
	generations_kill(&master->generations);
	registry_close(&master->registry);
	master->stop_by = io_now_ms() + 5000;
}

static void master_stop_when_idle(struct master *master)
{
	if (master->stopping)
		return;
	log_info("stopping after running requests");
	master_begin_stop(master, master->setup.conf.stop_timeout_s);
	generations_retire_all(&master->generations);
	if (master->queue > 0) /* no worker will take its calls */
		kill(master->queue, SIGKILL);
	master->stop_by = io_now_ms() +
			  (int64_t)master->setup.conf.stop_timeout_s * 1000;
}

void master_allow_calls(struct master *master, const struct conf *conf)
{
	const int64_t call_ms = (int64_t)conf_call_ms(conf) +
				SESSION_CLIENT_END_MS + MASTER_CALL_MS;

	if (call_ms > master->registry.call_ms)
		master->registry.call_ms = call_ms;
}

static void master_reload(struct master *master)
{
	struct conf conf;
	struct bytes text;
	char error[CONF_ERROR_MAX];

	if (master->stopping)
		return;
	if (master->announced) {
		notify_reloading();
		master->reloading = true;
	}
	if (pools_read(master->setup.conf_path, master->setup.pool, &text,
		       &conf, error) < 0) {
		generations_refuse_reload(&master->generations, error);
		return;
	}
	if (conf_fixed_differ(&master->setup.conf, &conf, error))
		log_warn("only a restart changes: %s", error);
	master_allow_calls(master, &conf);
	conf_free(&conf);
	log_info("reloading");
	generations_reload(&master->generations, text);
	master_renew_streams(master);
}

static void master_reopen(struct master *master)
{
	if (master->setup.log.in < 0)
		log_info("logs go to standard error; nothing to reopen");
	else if (master->log > 0)
		kill(master->log, SIGUSR1);
}

static const struct {
	int signal;
	void (*act)(struct master *master);
} master_actions[] = {
	{SIGTERM, master_stop_now},       {SIGINT, master_stop_now},
	{SIGQUIT, master_stop_when_idle}, {SIGHUP, master_reload},
	{SIGUSR2, upgrade_begin},         {SIGUSR1, master_reopen},
	{SIGCHLD, master_reap},
};

static void master_receive_signals(struct master *master)
{
	struct signalfd_siginfo info;

	while (read(master->setup.signals, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info))
		for (size_t i = 0; i < ARRAY_LEN(master_actions); i++)
			if (master_actions[i].signal == (int)info.ssi_signo)
				master_actions[i].act(master);
}

/* ---- life ------------------------------------------------------------ */

/* Make lost control groups anew. A generation opens the files of its groups
 * when it starts, so new groups help only the next generation. */
static void master_mend_groups(struct master *master)
{
	if (io_now_ms() < master->groups_next)
		return;
	int rc = setup_mend(&master->setup);

	master->groups_next = io_now_ms() + (rc == 0 ? MASTER_GROUPS_MS
						     : MASTER_MENDED_MS);
	if (rc > 0)
		generations_renew(&master->generations);
	if (rc >= 0)
		return;
	log_error("stopping: guests cannot run without their control groups");
	master->failed = true;
	master_stop_now(master);
}

/* Tell how many lines the log lacks, once it takes lines again. */
static void master_tell_dropped(struct master *master)
{
	struct scoreboard_counters *counters = &master->setup.board->counters;
	const uint64_t dropped =
		atomic_fetch_add(&counters->log_dropped, log_take_dropped());

	if (dropped <= master->dropped_told)
		return;
	log_warn("log lines were dropped, because their reader was slow or "
		 "had no room: in_all=%ju",
		 (uintmax_t)dropped);
	const uint64_t again = log_take_dropped();

	if (again == 0)
		master->dropped_told = dropped;
	/* This line is no loss. */
}

/* Observations for the status page that no process reports. */
static void master_watch(struct master *master)
{
	struct scoreboard *board = master->setup.board;

	if (io_now_ms() < master->watch_next)
		return;
	master->watch_next = io_now_ms() + MASTER_WATCH_MS;
	master_tell_dropped(master);
	int length = master->diag < 0
			     ? -1
			     : listen_queue_length(master->diag,
						   master->setup.listener);

	if (length < 0)
		return;
	for (size_t i = 0; i < ADDRESS_LISTEN_MAX; i++)
		length += listen_queue_length_tcp(master->setup.tcp[i]);
	atomic_store(&board->listen_queue, (unsigned)length);
	if ((unsigned)length > atomic_load(&board->listen_queue_max))
		atomic_store(&board->listen_queue_max, (unsigned)length);
}

static void master_announce(struct master *master)
{
	if (master->announced || !generations_serving(&master->generations))
		return;
	master->announced = true;
	log_info("serving on %s", master->setup.conf.socket);
	notify_send("READY=1");
}

/* Does the reload that was asked for last still go on? */
static bool master_reload_goes_on(const struct scoreboard *board)
{
	const uint32_t asked = atomic_load(&board->reload_asked);

	return atomic_load(&board->reload_done) != asked &&
	       atomic_load(&board->reload_failed) != asked;
}

/* Tell the service manager of changes: which generation serves, why the next
 * one cannot, and that a reload has ended. */
static void master_tell(struct master *master)
{
	const struct scoreboard *board = master->setup.board;
	const uint32_t generation = atomic_load(&board->generation);

	if (!master->announced)
		return;
	if (generation != master->told_generation ||
	    strcmp(board->next_error, master->told_error) != 0) {
		master->told_generation = generation;
		snprintf(master->told_error, sizeof(master->told_error), "%s",
			 board->next_error);
		notify_status(*board->next_error
				      ? "generation %u serves; the next one "
					"cannot: %s"
				      : "generation %u serves%s",
			      generation, board->next_error);
	}
	if (!master->reloading || master_reload_goes_on(board))
		return;
	master->reloading = false;
	notify_send("READY=1");
}

static void master_step(struct master *master)
{
	static struct pollfd polled[1 + GENERATIONS_FDS + REGISTRY_FDS];
	size_t count = generations_poll(&master->generations, polled + 1);

	count += registry_poll(&master->registry, polled + 1 + count);
	polled[0] = (struct pollfd){.fd = master->setup.signals,
				    .events = POLLIN};
	if (poll(polled, 1 + count, 200) < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	notify_alive();
	master_receive_signals(master);
	generations_receive(&master->generations);
	registry_step(&master->registry,
		      generations_orders(&master->generations));
	/* A failure of the first start ends the server, so that the operator
	 * sees it. Later failures leave the present generation serving. */
	if (master->generations.start_failed && !master->stopping) {
		master->failed = true;
		master_stop_now(master);
	}
	master_watch(master);
	master_keep_log(master);
	if (!master->stopping) {
		master_mend_groups(master);
		upgrade_step(master);
		generations_keep(&master->generations);
		if (master->status == 0 &&
		    io_now_ms() >= master->status_next)
			master_start_status(master);
		if (master->queue == 0 && io_now_ms() >= master->queue_next)
			master_start_queue(master);
		if (master->streams == 0 &&
		    io_now_ms() >= master->streams_next)
			master_start_streams(master);
		if (master->archive == 0 && master->setup.archive_in >= 0 &&
		    io_now_ms() >= master->archive_next)
			master_start_archive(master);
		master_announce(master);
		master_tell(master);
	} else if (generations_gone(&master->generations) &&
		   !master->registry.closing) {
		registry_close(&master->registry);
	} else if (io_now_ms() >= master->stop_by) {
		generations_kill(&master->generations);
		registry_kill(&master->registry);
		master->stop_by = io_now_ms() + 5000;
	}
}

void master_make_registry(struct master *master)
{
	int rc = registry_init(&master->registry, &master->setup.conf.sessions,
			       master->setup.conf.cache_dir,
			       master->setup.board);

	if (rc < 0)
		die("make the registry of sessions: %s", log_errno(rc));
	log_info("sessions: max=%u", master->setup.conf.sessions.max);
	master->registry.streams = master->setup.streams_out;
	master_allow_calls(master, &master->setup.conf);
}

void master_make_generations(struct master *master)
{
	const struct setup *setup = &master->setup;
	struct generation_handle_fds fds = {
		.listener = setup->listener,
		.board = setup->board_fd,
		.registry = master->registry.theirs,
		.archive = setup->archive_out,
		.queue = setup->queue_out,
		.shares = setup->shares};

	memcpy(fds.tcp, setup->tcp, sizeof(fds.tcp));
	generations_init(&master->generations, setup->board, &fds);
	master->generations.stall_ms = (int)setup->conf.start_stall_s * 1000;
}

/* A reload replaces the generations' copy of the configuration's text. */
static void master_begin(struct master *master)
{
	const struct bytes *from = &master->setup.text;
	struct bytes *to = &master->generations.text;

	setup_make(&master->setup);
	to->data = malloc(from->size + 1);
	if (!to->data)
		die("out of memory");
	memcpy(to->data, from->data, from->size + 1);
	to->size = from->size;
	master_make_registry(master);
	master_make_generations(master);
}

static bool master_is_done(const struct master *master)
{
	return master->stopping && generations_gone(&master->generations) &&
	       registry_gone(&master->registry);
}

/* The other processes are gone, so the writer comes to the end of the pipe. */
static void master_end_log(struct master *master)
{
	const int64_t until = io_now_ms() + MASTER_LOG_MS;

	log_writer_close(&master->setup.log);
	while (master->log > 0 && waitpid(master->log, NULL, WNOHANG) == 0 &&
	       io_now_ms() < until)
		poll(NULL, 0, 5);
}

static void master_clean_up(struct master *master)
{
	const pid_t helpers[] = {master->status, master->archive,
				 master->queue, master->streams};

	for (size_t i = 0; i < ARRAY_LEN(helpers); i++)
		if (helpers[i] > 0) {
			kill(helpers[i], SIGKILL);
			waitpid(helpers[i], NULL, 0);
		}
	master_reap(master);
	setup_remove(&master->setup);
	log_info("stopped");
	master_end_log(master);
}

int master_main(const char *path, const char *pool)
{
	static struct master master;
	char error[HANDOVER_ERROR_MAX];
	struct handover *kept;

	log_set_role("master");
	signal(SIGPIPE, SIG_IGN);
	if (notify_init(error) < 0)
		die("%s", error);
	if (handover_read(&kept, error) < 0)
		die("%s", error);
	master.setup = (struct setup){.conf_path = path, .pool = pool};
	master.diag = -1;
	upgrade_init(&master);
	if (kept)
		upgrade_take_over(&master, kept);
	else
		master_begin(&master);
	handover_free(&kept);
	master.diag = listen_queue_open();
	while (!master_is_done(&master))
		master_step(&master);
	master_clean_up(&master);
	return master.failed;
}
