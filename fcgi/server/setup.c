/* setup - see setup.h. */
#include "setup.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "conf/pools.h"
#include "sandbox/base/io.h"
#include "sandbox/base/steps.h"
#include "sandbox/walls/cgroup_tree.h"
#include "sandbox/walls/kernel_calls.h"
#include "sandbox/walls/landlock.h"
#include "sandbox/walls/oom_score.h"
#include "fcgi/host/claim.h"
#include "fcgi/host/listen.h"
#include "passed.h"
#include "fcgi/sessions/registry.h"

static void setup_load(struct setup *setup)
{
	char error[CONF_ERROR_MAX];

	if (pools_read(setup->conf_path, setup->pool, &setup->text,
		       &setup->conf, error) < 0)
		die("%s", error);
	log_set_level(setup->conf.log_level);
}

/* All programs together may have less memory than the limit of one run. Then
 * that is the limit of a run, and programs see it. */
static void setup_ceiling(struct scoreboard *board, unsigned memory_mb)
{
	uint64_t ceiling = board->all_mb;

	if (ceiling == 0 || ceiling >= memory_mb)
		return;
	log_warn("limits.memory_mb = %u is more than all programs together may "
		 "have: a run has %ju MB",
		 memory_mb, (uintmax_t)ceiling);
	board->ceiling_mb = (unsigned)ceiling;
}

static struct cgroup_slots setup_slots(const struct setup *setup)
{
	return (struct cgroup_slots){
		.count = setup->board->generations * setup->conf.workers,
		.sessions = setup->board->session_slots,
		.session_copies = 1 + setup->conf.sessions.branches,
		.memory_mb = setup->board->all_mb};
}

/* Claim the names before cgroup_tree_begin() could remove another server's
 * groups. */
static int setup_claim(struct setup *setup)
{
	const struct cgroup_paths paths = cgroup_host_paths(
		setup->conf.cgroup_name);
	struct cgroup_host host = {.kind = CGROUP_NONE};
	const struct claim claim = {.conf = &setup->conf, .host = &host};
	char error[CLAIM_ERROR_MAX];

	if (setup->conf.cgroups != CONF_OFF)
		cgroup_host_probe(&host, &paths);
	int rc = claim_take(&claim, &setup->claim, error);

	if (rc == 0)
		die("%s", error);
	if (rc < 0)
		log_warn("a second server with the same cgroup name or user "
			 "ids would not be detected: %s",
			 error);
	return 0;
}

static void setup_without_cgroups(const struct setup *setup)
{
	log_warn("without control groups: %s; memory and processor time of "
		 "guests are bounded by resource limits alone",
		 setup->board->cgroups.why);
	claim_release_groups(setup->claim);
}

static int setup_cgroups(struct setup *setup)
{
	struct cgroup_host *host = &setup->board->cgroups;
	const struct cgroup_paths paths = cgroup_host_paths(
		setup->conf.cgroup_name);

	*host = (struct cgroup_host){.kind = CGROUP_NONE};
	if (setup->conf.cgroups == CONF_OFF)
		return 0;
	cgroup_host_probe(host, &paths);
	if (host->kind != CGROUP_NONE)
		setup->board->all_mb = cgroup_host_share_mb(
			host, setup->conf.memory_percent);
	const struct cgroup_slots slots = setup_slots(setup);

	if (cgroup_tree_begin(host, &paths, &setup->conf.limits, &slots) == 0)
		setup_ceiling(setup->board, setup->conf.limits.memory_mb);
	else if (setup->conf.cgroups == CONF_REQUIRE)
		die("control groups cannot be used: %s; %s", host->why,
		    cgroup_tree_advice());
	else
		setup_without_cgroups(setup);
	return 0;
}

/* Try the kernel calls that are made later, because a failure in the middle of
 * a request would be harder to find. */
static int setup_kernel_calls(struct setup *setup)
{
	struct kernel_calls calls;
	char names[KERNEL_CALLS_WORDS_MAX];
	int rc = kernel_calls_try(&calls);

	(void)setup;
	if (rc < 0)
		return rc;
	if (kernel_calls_lacking(&calls, true, names) > 0)
		die("required kernel calls do not work: "
		    "%s; " KERNEL_CALLS_REASON,
		    names);
	if (kernel_calls_lacking(&calls, false, names) > 0)
		log_warn("kernel calls that do not work: "
			 "%s; " KERNEL_CALLS_REASON,
			 names);
	return 0;
}

static int setup_landlock(struct setup *setup)
{
	int abi = setup->conf.landlock == CONF_OFF ? 0 : landlock_abi();

	setup->board->landlock_abi = abi;
	if (abi > 0 || setup->conf.landlock == CONF_OFF)
		return 0;
	if (setup->conf.landlock == CONF_REQUIRE)
		die("this kernel has no Landlock; set walls.landlock = "
		    "optional to run without it");
	log_warn("without Landlock: this kernel has none; the mounts alone "
		 "bound the files of a guest");
	return 0;
}

static int setup_scoreboard(struct setup *setup)
{
	setup->board_fd = scoreboard_create();
	if (setup->board_fd < 0)
		return setup->board_fd;
	setup->board = scoreboard_map(setup->board_fd);
	if (!setup->board)
		return -errno;
	setup->board->workers = setup->conf.workers;
	setup->board->generations = conf_generations(&setup->conf);
	setup->board->client_percent = setup->conf.client_percent;
	setup->board->client_waiting = setup->conf.client_waiting;
	setup->board->uid_base = setup->conf.uid_base;
	setup->board->session_options = setup->conf.sessions;
	setup->board->session_slots = registry_slots(&setup->conf.sessions);
	setup->board->root = geteuid() == 0;
	setup->board->backlog = setup->conf.backlog;
	setup->board->client_names = setup->conf.client_names;
	setup->board->started_ms = io_now_ms();
	atomic_store(&setup->board->master, getpid());
	return 0;
}

/* Use the socket PASSED, or if that is negative, make one. Returns its
 * descriptor. */
static int setup_listen_at(const struct conf *conf, const char *path,
			   int passed)
{
	char error[LISTEN_ERROR_MAX];
	int fd = passed >= 0 ? passed
			     : listen_unix(path, conf->socket_mode,
					   conf->socket_group, conf->backlog,
					   error);

	if (fd < 0)
		die("%s", error);
	if (passed >= 0)
		log_info("the service manager has passed the socket %s", path);
	return fd;
}

static int setup_listen(struct setup *setup)
{
	const struct conf *conf = &setup->conf;
	char error[PASSED_ERROR_MAX];
	struct passed passed;

	if (passed_take(conf, &passed, error) < 0)
		die("%s", error);
	setup->listener_passed = passed.socket >= 0;
	setup->status_passed = passed.status >= 0;
	setup->listener = setup_listen_at(conf, conf->socket, passed.socket);
	setup->status_listener = setup_listen_at(conf, conf->status_socket,
						 passed.status);
	setup->streams_listener = setup_listen_at(conf, conf->streams_socket,
						  -1);
	return 0;
}

static int setup_listen_tcp(struct setup *setup)
{
	struct address_listen list[ADDRESS_LISTEN_MAX];
	const int count = address_read_listen(setup->conf.listen, list);
	char error[LISTEN_ERROR_MAX];

	for (int i = 0; i < ADDRESS_LISTEN_MAX; i++) {
		int fd = i < count ? listen_tcp(&list[i], setup->conf.backlog,
						error)
				   : open("/dev/null", O_RDONLY | O_CLOEXEC);

		if (fd < 0 && i < count)
			die("%s", error);
		if (fd < 0)
			return -errno;
		setup->tcp[i] = fd;
	}
	for (int i = 0; i < count; i++)
		log_warn("FastCGI on %s has no encryption and no password: "
			 "every client of server.allowed_clients can run code "
			 "there",
			 list[i].text);
	return 0;
}

static int setup_signals(struct setup *setup)
{
	static const int signals[] = {SIGTERM, SIGINT,  SIGQUIT, SIGHUP,
				      SIGUSR1, SIGUSR2, SIGCHLD};
	sigset_t mask;

	sigemptyset(&mask);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++)
		sigaddset(&mask, signals[i]);
	/* If the parent process had it ignored, the kernel would reap the
	 * children. */
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	setup->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return setup->signals < 0 ? -errno : 0;
}

/* Workers of a dead pool process become the master's children. */
static int setup_orphans(struct setup *setup)
{
	(void)setup;
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ? -errno : 0;
}

static int setup_files(struct setup *setup)
{
	struct rlimit files;

	(void)setup;
	/* A worker opens one descriptor for each output file. */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	return 0;
}

static int setup_cache(struct setup *setup)
{
	const struct conf *conf = &setup->conf;
	uid_t owner = geteuid() == 0 ? conf->uid_base : geteuid();

	if (!*conf->cache_dir)
		return 0;
	if (mkdir(conf->cache_dir, 0755) < 0 && errno != EEXIST)
		die("make server.cache_dir %s: %s", conf->cache_dir,
		    log_errno(errno));
	if (chown(conf->cache_dir, owner, (gid_t)-1) < 0)
		die("give server.cache_dir %s to the workers: %s",
		    conf->cache_dir, log_errno(errno));
	return 0;
}

struct archive_plan setup_archive_plan(const struct setup *setup)
{
	const struct conf *conf = &setup->conf;

	return (struct archive_plan){
		.dir = conf->artifacts_dir,
		.keep = conf->artifacts_keep,
		.part_max = (uint64_t)conf->limits.home_mb << 20,
		.uid = conf->uid_base,
		.master = getpid(),
		.landlock_abi = setup->board->landlock_abi};
}

static int setup_archive(struct setup *setup)
{
	const struct archive_plan plan = setup_archive_plan(setup);

	setup->archive_in = -1;
	if (!*plan.dir) {
		setup->archive_out = open("/dev/null", O_WRONLY | O_CLOEXEC);
		return setup->archive_out < 0 ? -errno : 0;
	}
	int rc = archive_open(&plan, &setup->archive_in, &setup->archive_out);

	if (rc < 0)
		die("make server.artifacts_dir %s: %s", plan.dir,
		    log_errno(rc));
	return 0;
}

struct queue_plan setup_queue_plan(const struct setup *setup)
{
	const struct conf *conf = &setup->conf;

	return (struct queue_plan){
		.shares = setup->shares,
		.workers = setup->queue_in,
		.uid = conf->uid_base,
		.master = getpid(),
		.landlock_abi = setup->board->landlock_abi,
		.rule = {conf->workers, conf->client_percent},
		.client_waiting = conf->client_waiting};
}

static int setup_queue(struct setup *setup)
{
	int rc = queue_open(&setup->queue_in, &setup->queue_out);

	if (rc == 0)
		rc = setup->shares = client_share_create();
	return rc < 0 ? rc : 0;
}

struct streams_plan setup_streams_plan(const struct setup *setup)
{
	return (struct streams_plan){
		.listener = setup->streams_listener,
		.orders = setup->streams_in,
		.board = setup->board_fd,
		.uid = setup->conf.uid_base,
		.master = getpid()};
}

static int setup_streams(struct setup *setup)
{
	return streams_open(&setup->streams_in, &setup->streams_out);
}

static int setup_pid_file(struct setup *setup)
{
	const struct conf *conf = &setup->conf;
	char text[24];

	if (!*conf->pid_file)
		return 0;
	owned_fd int fd = open(conf->pid_file,
			       O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
	int size = snprintf(text, sizeof(text), "%d\n", getpid());
	int rc = fd < 0 ? -errno : io_write_full(fd, text, (size_t)size);

	if (fd >= 0 && close(take_fd(&fd)) < 0 && rc == 0)
		rc = -errno;
	if (rc < 0)
		die("write server.pid_file %s: %s", conf->pid_file,
		    log_errno(rc));
	return 0;
}

/* Early, so that the log has all that follows. */
static int setup_log(struct setup *setup)
{
	char error[LOG_WRITER_ERROR_MAX];

	if (log_writer_open(&setup->conf, &setup->log, error) < 0)
		die("%s", error);
	return 0;
}

/* In this order. Each step returns its error, or dies with a sentence that
 * tells more, such as an option's value. */
static const STEP(struct setup *) setup_steps[] = {
	{"open the log", setup_log},
	{"try the required kernel calls", setup_kernel_calls},
	{"make the scoreboard", setup_scoreboard},
	{"detect Landlock", setup_landlock},
	{"claim the cgroup name and user ids", setup_claim},
	{"listen", setup_listen},
	{"listen on internet addresses", setup_listen_tcp},
	{"make control groups", setup_cgroups},
	{"make server.cache_dir", setup_cache},
	{"open /dev/null", setup_archive},
	{"make the queue", setup_queue},
	{"make the socket of streams", setup_streams},
	{"raise the limit on descriptors", setup_files},
	{"make a signal descriptor", setup_signals},
	{"become the subreaper", setup_orphans},
	{"write server.pid_file", setup_pid_file},
};

void setup_make(struct setup *setup)
{
	char error[160];

	setup_load(setup);
	oom_score_set_own(OOM_SCORE_MASTER);
	const int rc = steps_take(setup_steps, setup, error, sizeof(error));

	if (rc < 0)
		die("%s", error);
}

/* ---- from one program to the next ------------------------------------ */

void setup_hand_over(const struct setup *setup, struct setup_kept *kept)
{
	*kept = (struct setup_kept){
		.listener = setup->listener,
		.status_listener = setup->status_listener,
		.streams_listener = setup->streams_listener,
		.streams_in = setup->streams_in,
		.streams_out = setup->streams_out,
		.claim = setup->claim,
		.queue_in = setup->queue_in,
		.queue_out = setup->queue_out,
		.shares = setup->shares,
		.archive_in = setup->archive_in,
		.archive_out = setup->archive_out,
		.log_in = setup->log.in,
		.log_started_with = setup->log.started_with,
		.listener_passed = setup->listener_passed,
		.status_passed = setup->status_passed,
		.cgroups = setup->board->cgroups,
		.all_mb = setup->board->all_mb,
		.ceiling_mb = setup->board->ceiling_mb,
		.workers = setup->board->workers,
		.generations = setup->board->generations,
		.session_slots = setup->board->session_slots,
		.uid_base = setup->conf.uid_base};
	memcpy(kept->tcp, setup->tcp, sizeof(kept->tcp));
}

bool setup_fits(const struct setup_kept *kept, const struct conf *conf,
		char error[SETUP_ERROR_MAX])
{
	const struct {
		const char *name;
		unsigned had, wants;
	} rows[] = {
		{"pool.workers", kept->workers, conf->workers},
		{"pool.standby (generations)", kept->generations,
		 conf_generations(conf)},
		{"sessions.max (with a reserve)", kept->session_slots,
		 registry_slots(&conf->sessions)},
		{"walls.uid_base", kept->uid_base, conf->uid_base},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		if (rows[i].had == rows[i].wants)
			continue;
		snprintf(error, SETUP_ERROR_MAX,
			 "the running server has %s = %u, and by its "
			 "configuration this program takes %u: restart it",
			 rows[i].name, rows[i].had, rows[i].wants);
		return false;
	}
	return true;
}

static int setup_take_log(struct setup *setup)
{
	setup->log = (struct log_writer){
		.file = setup->conf.log_file,
		.syslog = setup->conf.log_syslog,
		.in = setup->kept->log_in,
		.started_with = setup->kept->log_started_with};
	log_set_errors_fd(setup->log.started_with);
	return 0;
}

static int setup_take_sockets(struct setup *setup)
{
	const struct setup_kept *kept = setup->kept;

	setup->listener = kept->listener;
	setup->status_listener = kept->status_listener;
	setup->streams_listener = kept->streams_listener;
	setup->streams_in = kept->streams_in;
	setup->streams_out = kept->streams_out;
	memcpy(setup->tcp, kept->tcp, sizeof(setup->tcp));
	setup->listener_passed = kept->listener_passed;
	setup->status_passed = kept->status_passed;
	setup->claim = kept->claim;
	setup->queue_in = kept->queue_in;
	setup->queue_out = kept->queue_out;
	setup->shares = kept->shares;
	setup->archive_in = kept->archive_in;
	setup->archive_out = kept->archive_out;
	return 0;
}

static int setup_take_cgroups(struct setup *setup)
{
	setup->board->cgroups = setup->kept->cgroups;
	setup->board->all_mb = setup->kept->all_mb;
	setup->board->ceiling_mb = setup->kept->ceiling_mb;
	return 0;
}

/* The steps of setup_steps whose results do not outlive exec. The claim's file
 * must not be opened again: closing it would release the locks (fcntl(2)). */
static const STEP(struct setup *) setup_take_steps[] = {
	{"take the log", setup_take_log},
	{"take sockets", setup_take_sockets},
	{"make the scoreboard", setup_scoreboard},
	{"detect Landlock", setup_landlock},
	{"take control groups", setup_take_cgroups},
	{"make server.cache_dir", setup_cache},
	{"raise the limit on descriptors", setup_files},
	{"make a signal descriptor", setup_signals},
	{"become the subreaper", setup_orphans},
};

int setup_take_over(struct setup *setup, const struct setup_kept *kept,
		    struct bytes text, char error[SETUP_ERROR_MAX])
{
	setup->text = text;
	setup->kept = kept;
	int rc = conf_parse(&setup->conf, setup->conf_path, text.data,
			    text.size, error);

	if (rc == 0 && !setup_fits(kept, &setup->conf, error))
		rc = -EINVAL;
	if (rc == 0) {
		log_set_level(setup->conf.log_level);
		rc = steps_take(setup_take_steps, setup, error,
				SETUP_ERROR_MAX);
	}
	setup->kept = NULL;
	return rc;
}

int setup_mend(struct setup *setup)
{
	struct cgroup_host *host = &setup->board->cgroups;
	const struct cgroup_slots slots = setup_slots(setup);
	char error[CGROUP_PATH_MAX];

	if (cgroup_tree_is_whole(host, &slots))
		return 0;
	log_error("control groups of the server are lost: making them anew "
		  "below %.400s",
		  host->base);
	int rc = cgroup_tree_mend(host, &setup->conf.limits, &slots, error);

	if (rc < 0)
		log_error("%s: %s", error, log_errno(rc));
	return rc < 0 ? rc : 1;
}

void setup_close_listeners(const struct setup *setup)
{
	close(setup->listener);
	for (size_t i = 0; i < ADDRESS_LISTEN_MAX; i++)
		close(setup->tcp[i]);
}

void setup_stop_listening(const struct setup *setup)
{
	if (!setup->listener_passed)
		unlink(setup->conf.socket);
	/* Of all processes that have it. A descriptor of /dev/null is no
	 * socket, and refuses. */
	for (size_t i = 0; i < ADDRESS_LISTEN_MAX; i++)
		shutdown(setup->tcp[i], SHUT_RDWR);
}

void setup_remove(const struct setup *setup)
{
	if (setup->board->cgroups.kind != CGROUP_NONE)
		cgroup_tree_remove(&setup->board->cgroups);
	if (!setup->status_passed)
		unlink(setup->conf.status_socket);
	unlink(setup->conf.streams_socket);
	if (*setup->conf.pid_file)
		unlink(setup->conf.pid_file);
}
