/*
 * master - who is started, stopped and reloaded.
 *
 * Who:    started by an operator; parent of everything else; no Python, no
 *         thread, no request.
 * Holds:  the listening sockets, so that no reload ever closes them; the
 *         scoreboard; for each generation of workers the end of a pipe that
 *         makes it leave, and one that tells when it is gone.
 * May:    what its user may; as root it makes control groups.
 * Talks:  hears one-byte news from zygotes; nothing a client sent reaches it.
 * Ends:   TERM, INT: at once. QUIT: when running requests are done. HUP,
 *         USR2: a new generation replaces the present one. USR1: logs go to
 *         standard error, so there is nothing to reopen.
 *
 * How generations are started and retired is in succession.c.
 */
#include "master.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "../conf/conf.h"
#include "../sandbox/io.h"
#include "../sandbox/landlock.h"
#include "archive.h"
#include "listen.h"
#include "notify.h"
#include "registry.h"
#include "status.h"
#include "succession.h"

struct master {
	const char *conf_path;
	struct conf conf; /* of the start; a reload changes the pool's only */
	struct scoreboard *board;
	int board_fd;
	int listener, status_listener;
	int signals;
	pid_t status;
	int64_t status_next; /* not before then is it started again */
	pid_t archivist;
	int64_t archivist_next;
	int archive_in, archive_out; /* of its socket; /dev/null without one */
	struct succession line;
	struct registry registry;
	bool announced;
	bool stopping;
	bool failed;
	int64_t stop_by; /* when patience ends */
};

/* ---- start ----------------------------------------------------------- */

static void master_load(struct master *master)
{
	char error[CONF_ERROR_MAX];
	struct bytes text;

	if (succession_read(master->conf_path, &text, &master->conf,
			    error) < 0)
		die("%s", error);
	master->line.text = text;
	log_set_level(master->conf.log_level);
}

static void master_cgroups(struct master *master)
{
	struct cgroup_host *host = &master->board->cgroups;
	char error[CGROUP_PATH_MAX];

	*host = (struct cgroup_host){.kind = CGROUP_NONE};
	if (master->conf.cgroups == CONF_OFF)
		return;
	cgroup_probe(host, "/sys/fs/cgroup", "/proc/self",
		     master->conf.cgroup_name);
	const struct cgroup_slots slots = {
		.count = 2 * master->conf.workers,
		.sessions = master->board->session_slots,
		.session_copies = 1 + master->conf.sessions.branches};
	int rc = host->kind == CGROUP_NONE
			 ? -ENOENT
			 : cgroup_make_master(host, &master->conf.limits,
					      &slots, error);

	if (rc == 0)
		return;
	if (host->kind != CGROUP_NONE)
		snprintf(host->why, sizeof(host->why), "%.400s: %s", error,
			 log_errno(rc));
	if (master->conf.cgroups == CONF_REQUIRE)
		die("control groups cannot be used (%s); set walls.cgroups "
		    "= optional to run with resource limits alone", host->why);
	log_warn("without control groups: %s; memory and processor time of "
		 "guests are bounded by resource limits alone", host->why);
	host->kind = CGROUP_NONE;
}

static void master_landlock(struct master *master)
{
	int abi = master->conf.landlock == CONF_OFF ? 0 : landlock_abi();

	master->board->landlock_abi = abi;
	if (abi > 0 || master->conf.landlock == CONF_OFF)
		return;
	if (master->conf.landlock == CONF_REQUIRE)
		die("this kernel has no Landlock; set walls.landlock = "
		    "optional to run without it");
	log_warn("without Landlock: this kernel has none; the mounts alone "
		 "say what a guest can read and write");
}

static void master_scoreboard(struct master *master)
{
	master->board_fd = scoreboard_create();
	if (master->board_fd < 0)
		die("make the scoreboard: %s", log_errno(master->board_fd));
	master->board = scoreboard_map(master->board_fd);
	if (!master->board)
		die("map the scoreboard: %s", log_errno(errno));
	master->board->workers = master->conf.workers;
	master->board->sessions_max = master->conf.sessions.max;
	master->board->session_slots = registry_slots(&master->conf.sessions);
	master->board->root = geteuid() == 0;
	master->board->started_ms = io_now_ms();
	atomic_store(&master->board->master, getpid());
}

static void master_listen(struct master *master)
{
	const struct conf *conf = &master->conf;
	char error[LISTEN_ERROR_MAX];

	master->listener = listen_unix(conf->socket, conf->socket_mode,
				       conf->socket_group, conf->backlog,
				       error);
	if (master->listener < 0)
		die("%s", error);
	master->status_listener = listen_unix(
		conf->status_socket, conf->socket_mode, conf->socket_group,
		conf->backlog, error);
	if (master->status_listener < 0)
		die("%s", error);
}

static void master_signals(struct master *master)
{
	static const int heard[] = {SIGTERM, SIGINT,  SIGQUIT, SIGHUP,
				    SIGUSR1, SIGUSR2, SIGCHLD};
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < ARRAY_LEN(heard); i++)
		sigaddset(&mask, heard[i]);
	/* Ignored by whoever started us, children would bury themselves. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	master->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	if (master->signals < 0)
		die("make a signal descriptor: %s", log_errno(errno));
	/* Workers whose zygote was killed become our children. */
	if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0)
		die("adopt orphans: %s", log_errno(errno));
}

static void master_files(void)
{
	struct rlimit files;

	/* A worker opens one descriptor for each output file. */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
}

static void master_cache(const struct conf *conf)
{
	uid_t owner = geteuid() == 0 ? conf->uid_base : geteuid();

	if (!*conf->cache_dir)
		return;
	if (mkdir(conf->cache_dir, 0755) < 0 && errno != EEXIST)
		die("make server.cache_dir %s: %s", conf->cache_dir,
		    log_errno(errno));
	if (chown(conf->cache_dir, owner, (gid_t)-1) < 0)
		die("give server.cache_dir %s to the workers: %s",
		    conf->cache_dir, log_errno(errno));
}

static struct archive_plan master_archive_plan(const struct master *master)
{
	const struct conf *conf = &master->conf;

	return (struct archive_plan){
		.dir = conf->artifacts_dir, .keep = conf->artifacts_keep,
		.part_max = (uint64_t)conf->limits.home_mb << 20,
		.uid = conf->uid_base,
		.landlock_abi = master->board->landlock_abi};
}

static void master_archive(struct master *master)
{
	const struct archive_plan plan = master_archive_plan(master);

	master->archive_in = -1;
	if (!*plan.dir) {
		master->archive_out = open("/dev/null", O_WRONLY | O_CLOEXEC);
		if (master->archive_out < 0)
			die("open /dev/null: %s", log_errno(errno));
		return;
	}
	int rc = archive_open(&plan, &master->archive_in,
			      &master->archive_out);

	if (rc < 0)
		die("make server.artifacts_dir %s: %s", plan.dir,
		    log_errno(rc));
}

static void master_pid_file(const struct conf *conf)
{
	char text[24];

	if (!*conf->pid_file)
		return;
	owned_fd int fd = open(conf->pid_file,
			       O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
	int size = snprintf(text, sizeof(text), "%d\n", getpid());

	if (fd < 0 || io_write_full(fd, text, (size_t)size) < 0)
		die("write server.pid_file %s: %s", conf->pid_file,
		    log_errno(errno));
}

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
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	close(master->signals);
	close(master->listener);
	close(master->archive_out);
	succession_close_in_child(&master->line);
	registry_close_in_child(&master->registry);
	return -1;
}

static void master_start_archivist(struct master *master)
{
	const struct archive_plan plan = master_archive_plan(master);
	pid_t pid = master_fork(master, "archivist");

	if (pid < 0) {
		close(master->status_listener);
		archive_main(&plan, master->archive_in);
	}
	master->archivist = pid;
	master->archivist_next = io_now_ms() + 1000;
}

static void master_start_status(struct master *master)
{
	pid_t pid = master_fork(master, "status process");

	if (pid < 0) {
		base_release_fd(&master->archive_in);
		status_main(master->board_fd, master->status_listener,
			    master->conf.uid_base);
	}
	master->status = pid;
	master->status_next = io_now_ms() + 1000;
	atomic_store(&master->board->status, pid);
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
	if (pid == master->archivist) {
		master->archivist = 0;
		if (!master->stopping)
			log_warn("the archivist has died (%d); starting "
				 "another", status);
		return;
	}
	succession_buried(&master->line, pid, status);
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
		unlink(master->conf.socket);
	master->stopping = true;
	succession_kill(&master->line);
	registry_close(&master->registry);
	master->stop_by = io_now_ms() + 5000;
}

static void master_stop_gently(struct master *master)
{
	if (master->stopping)
		return;
	log_info("stopping when running requests are done");
	unlink(master->conf.socket); /* new clients are told at once */
	notify_send("STOPPING=1");
	master->stopping = true;
	succession_retire_all(&master->line);
	master->stop_by = io_now_ms() +
			  (int64_t)master->conf.stop_timeout_s * 1000;
}

static bool master_same_sessions(const struct conf_sessions *a,
				 const struct conf_sessions *b)
{
	return a->max == b->max && a->per_client == b->per_client &&
	       a->idle_s == b->idle_s && a->waiting == b->waiting &&
	       a->branches == b->branches && a->snapshots == b->snapshots;
}

static void master_reload(struct master *master)
{
	struct conf conf;
	struct bytes text;
	char error[CONF_ERROR_MAX];

	if (master->stopping)
		return;
	if (succession_read(master->conf_path, &text, &conf, error) < 0) {
		log_error("not reloaded, the present generation goes on: %s",
			  error);
		return;
	}
	if (conf.workers != master->conf.workers ||
	    strcmp(conf.socket, master->conf.socket) != 0 ||
	    conf.cgroups != master->conf.cgroups ||
	    !master_same_sessions(&conf.sessions, &master->conf.sessions) ||
	    memcmp(&conf.limits, &master->conf.limits,
		   sizeof(conf.limits)) != 0)
		log_warn("the sockets, pool.workers, sessions, the size of "
			 "control groups and walls.cgroups change at a "
			 "restart only");
	conf_free(&conf);
	free(master->line.text.data);
	master->line.text = text;
	log_info("reloading");
	succession_renew(&master->line);
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

	while (read(master->signals, &info, sizeof(info)) ==
	       (ssize_t)sizeof(info))
		for (size_t i = 0; i < ARRAY_LEN(master_actions); i++)
			if (master_actions[i].signal == (int)info.ssi_signo)
				master_actions[i].act(master);
}

/* ---- life ------------------------------------------------------------ */

static void master_announce(struct master *master)
{
	if (master->announced || !succession_serving(&master->line))
		return;
	master->announced = true;
	log_info("serving on %s", master->conf.socket);
	notify_send("READY=1");
}

static void master_step(struct master *master)
{
	static struct pollfd polled[1 + SUCCESSION_FDS + REGISTRY_FDS];
	size_t count = succession_poll(&master->line, polled + 1);

	count += registry_poll(&master->registry, polled + 1 + count);
	polled[0] = (struct pollfd){.fd = master->signals, .events = POLLIN};
	if (poll(polled, 1 + count, 200) < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	master_hear(master);
	succession_hear(&master->line);
	registry_step(&master->registry, succession_orders(&master->line));
	/* At the start a mistake is told to whoever starts us; later the
	 * generation that stands goes on. */
	if (master->line.hopeless && !master->stopping) {
		master->failed = true;
		master_stop_now(master);
	}
	if (!master->stopping) {
		succession_keep(&master->line);
		if (master->status == 0 &&
		    io_now_ms() >= master->status_next)
			master_start_status(master);
		if (master->archivist == 0 && master->archive_in >= 0 &&
		    io_now_ms() >= master->archivist_next)
			master_start_archivist(master);
		master_announce(master);
	} else if (succession_gone(&master->line) &&
		   !master->registry.closing) {
		registry_close(&master->registry);
	} else if (io_now_ms() >= master->stop_by) {
		succession_kill(&master->line);
		registry_kill(&master->registry);
		master->stop_by = io_now_ms() + 5000;
	}
}

static void master_sessions(struct master *master)
{
	int rc = registry_init(&master->registry, &master->conf.sessions,
			       master->board);

	if (rc < 0)
		die("make the registry of sessions: %s", log_errno(rc));
}

static bool master_is_done(const struct master *master)
{
	return master->stopping && succession_gone(&master->line) &&
	       registry_gone(&master->registry);
}

static void master_clean_up(struct master *master)
{
	const pid_t helpers[] = {master->status, master->archivist};

	for (size_t i = 0; i < ARRAY_LEN(helpers); i++)
		if (helpers[i] > 0) {
			kill(helpers[i], SIGKILL);
			waitpid(helpers[i], NULL, 0);
		}
	master_reap(master);
	if (master->board->cgroups.kind != CGROUP_NONE)
		cgroup_remove_master(&master->board->cgroups);
	unlink(master->conf.status_socket);
	if (*master->conf.pid_file)
		unlink(master->conf.pid_file);
	log_info("stopped");
}

int master_main(const char *path)
{
	static struct master master;

	log_set_role("master");
	master.conf_path = path;
	signal(SIGPIPE, SIG_IGN);
	master_load(&master);
	master_scoreboard(&master);
	master_sessions(&master);
	master_landlock(&master);
	master_listen(&master);
	master_cgroups(&master);
	master_cache(&master.conf);
	master_archive(&master);
	master_files();
	master_signals(&master);
	master_pid_file(&master.conf);
	succession_init(&master.line, master.board, master.board_fd,
			master.listener, master.registry.theirs,
			master.archive_out);
	succession_want_new(&master.line);
	while (!master_is_done(&master))
		master_step(&master);
	master_clean_up(&master);
	return master.failed;
}
