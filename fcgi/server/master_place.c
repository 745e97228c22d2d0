/* master_place - see master_place.h. */
#include "master_place.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"
#include "sandbox/base/steps.h"
#include "sandbox/walls/cgroup_tree.h"
#include "sandbox/walls/kernel_calls.h"
#include "sandbox/walls/landlock.h"
#include "sandbox/walls/oom_score.h"
#include "claim.h"
#include "listen.h"
#include "fcgi/sessions/registry.h"
#include "generations.h"

static void place_load(struct master_place *place, struct bytes *text)
{
	char error[CONF_ERROR_MAX];

	if (generations_read(place->conf_path, text, &place->conf, error) < 0)
		die("%s", error);
	log_set_level(place->conf.log_level);
}

/* All programs together may have less memory than one run is promised: then that
 * is a run's limit, and programs are told so. */
static void place_ceiling(struct scoreboard *board, unsigned memory_mb)
{
	uint64_t ceiling = board->all_mb;

	if (ceiling == 0 || ceiling >= memory_mb)
		return;
	log_warn("limits.memory_mb = %u is more than the %ju MB that the "
		 "server's programs may have in all: a run has %ju MB",
		 memory_mb, (uintmax_t)ceiling, (uintmax_t)ceiling);
	board->ceiling_mb = (unsigned)ceiling;
}

static struct cgroup_slots place_slots(const struct master_place *place)
{
	return (struct cgroup_slots){
		.count = place->board->generations * place->conf.workers,
		.sessions = place->board->session_slots,
		.session_copies = 1 + place->conf.sessions.branches,
		.memory_mb = place->board->all_mb};
}

/* Before anything of another server's could be swept away. */
static int place_claim(struct master_place *place)
{
	const struct cgroup_paths where = cgroup_host_paths(
		place->conf.cgroup_name);
	struct cgroup_host host = {.kind = CGROUP_NONE};
	const struct claim claim = {.conf = &place->conf, .host = &host};
	char words[CLAIM_WORDS_MAX];

	if (place->conf.cgroups != CONF_OFF)
		cgroup_host_probe(&host, &where);
	int rc = claim_take(&claim, &place->claim, words);

	if (rc == 0)
		die("%s", words);
	if (rc < 0)
		log_warn("a second server of the same cgroup name or user ids "
			 "would not be noticed: %s", words);
	return 0;
}

static void place_without_cgroups(const struct master_place *place)
{
	log_warn("without control groups: %s; memory and processor time of "
		 "guests are bounded by resource limits alone",
		 place->board->cgroups.why);
	claim_release_groups(place->claim);
}

static int place_cgroups(struct master_place *place)
{
	struct cgroup_host *host = &place->board->cgroups;
	const struct cgroup_paths where = cgroup_host_paths(
		place->conf.cgroup_name);

	*host = (struct cgroup_host){.kind = CGROUP_NONE};
	if (place->conf.cgroups == CONF_OFF)
		return 0;
	cgroup_host_probe(host, &where);
	if (host->kind != CGROUP_NONE)
		place->board->all_mb = cgroup_host_share_mb(
			host, place->conf.memory_percent);
	const struct cgroup_slots slots = place_slots(place);

	if (cgroup_tree_begin(host, &where, &place->conf.limits, &slots) == 0)
		place_ceiling(place->board, place->conf.limits.memory_mb);
	else if (place->conf.cgroups == CONF_REQUIRE)
		die("control groups cannot be used: %s; %s", host->why,
		    cgroup_tree_advice());
	else
		place_without_cgroups(place);
	return 0;
}

/* Those that are made later, perhaps in the middle of a request. */
static int place_kernel_calls(struct master_place *place)
{
	struct kernel_calls calls;
	char words[KERNEL_CALLS_WORDS_MAX];
	int rc = kernel_calls_try(&calls);

	(void)place;
	if (rc < 0)
		return rc;
	if (kernel_calls_lacking(&calls, true, words) > 0)
		die("kernel calls that are needed do not work: %s; "
		    KERNEL_CALLS_REASON, words);
	if (kernel_calls_lacking(&calls, false, words) > 0)
		log_warn("kernel calls that do not work: %s; "
			 KERNEL_CALLS_REASON, words);
	return 0;
}

static int place_landlock(struct master_place *place)
{
	int abi = place->conf.landlock == CONF_OFF ? 0 : landlock_abi();

	place->board->landlock_abi = abi;
	if (abi > 0 || place->conf.landlock == CONF_OFF)
		return 0;
	if (place->conf.landlock == CONF_REQUIRE)
		die("this kernel has no Landlock; set walls.landlock = "
		    "optional to run without it");
	log_warn("without Landlock: this kernel has none; the mounts alone "
		 "say what a guest can read and write");
	return 0;
}

static int place_scoreboard(struct master_place *place)
{
	place->board_fd = scoreboard_create();
	if (place->board_fd < 0)
		return place->board_fd;
	place->board = scoreboard_map(place->board_fd);
	if (!place->board)
		return -errno;
	place->board->workers = place->conf.workers;
	place->board->generations = conf_generations(&place->conf);
	place->board->client_percent = place->conf.client_percent;
	place->board->client_waiting = place->conf.client_waiting;
	place->board->sessions_max = place->conf.sessions.max;
	place->board->session_slots = registry_slots(&place->conf.sessions);
	place->board->root = geteuid() == 0;
	place->board->started_ms = io_now_ms();
	atomic_store(&place->board->master, getpid());
	return 0;
}

static int place_listen(struct master_place *place)
{
	const struct conf *conf = &place->conf;
	char error[LISTEN_ERROR_MAX];

	place->listener = listen_unix(conf->socket, conf->socket_mode,
				       conf->socket_group, conf->backlog,
				       error);
	if (place->listener < 0)
		die("%s", error);
	place->status_listener = listen_unix(
		conf->status_socket, conf->socket_mode, conf->socket_group,
		conf->backlog, error);
	if (place->status_listener < 0)
		die("%s", error);
	return 0;
}

static int place_signals(struct master_place *place)
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
	place->signals = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
	return place->signals < 0 ? -errno : 0;
}

/* Workers whose pool process was killed become our children. */
static int place_orphans(struct master_place *place)
{
	(void)place;
	return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) < 0 ? -errno : 0;
}

static int place_files(struct master_place *place)
{
	struct rlimit files;

	(void)place;
	/* A worker opens one descriptor for each output file. */
	if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
		files.rlim_cur = files.rlim_max;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	return 0;
}

static int place_cache(struct master_place *place)
{
	const struct conf *conf = &place->conf;
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

struct archive_plan master_place_archive(const struct master_place *place)
{
	const struct conf *conf = &place->conf;

	return (struct archive_plan){
		.dir = conf->artifacts_dir, .keep = conf->artifacts_keep,
		.part_max = (uint64_t)conf->limits.home_mb << 20,
		.uid = conf->uid_base,
		.master = getpid(),
		.landlock_abi = place->board->landlock_abi};
}

static int place_archive(struct master_place *place)
{
	const struct archive_plan plan = master_place_archive(place);

	place->archive_in = -1;
	if (!*plan.dir) {
		place->archive_out = open("/dev/null", O_WRONLY | O_CLOEXEC);
		return place->archive_out < 0 ? -errno : 0;
	}
	int rc = archive_open(&plan, &place->archive_in,
			      &place->archive_out);

	if (rc < 0)
		die("make server.artifacts_dir %s: %s", plan.dir,
		    log_errno(rc));
	return 0;
}

struct queue_plan master_place_queue(const struct master_place *place)
{
	const struct conf *conf = &place->conf;

	return (struct queue_plan){
		.shares = place->shares,
		.workers = place->queue_in,
		.uid = conf->uid_base,
		.master = getpid(),
		.landlock_abi = place->board->landlock_abi,
		.rule = {conf->workers, conf->client_percent},
		.client_waiting = conf->client_waiting};
}

static int place_queue(struct master_place *place)
{
	int rc = queue_open(&place->queue_in, &place->queue_out);

	if (rc == 0)
		rc = place->shares = client_share_create();
	return rc < 0 ? rc : 0;
}

static int place_pid_file(struct master_place *place)
{
	const struct conf *conf = &place->conf;
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

/* In this order. Each returns its error, or dies with a sentence that says
 * more, with an option's value for instance. */
static const STEP(struct master_place *) place_steps[] = {
	{"try the kernel calls that are needed", place_kernel_calls},
	{"make the scoreboard", place_scoreboard},
	{"look for Landlock", place_landlock},
	{"claim the cgroup name and user ids", place_claim},
	{"listen", place_listen},
	{"make control groups", place_cgroups},
	{"make server.cache_dir", place_cache},
	{"open /dev/null", place_archive},
	{"make the queue", place_queue},
	{"raise the limit on descriptors", place_files},
	{"make a signal descriptor", place_signals},
	{"adopt orphans", place_orphans},
	{"write server.pid_file", place_pid_file},
};

void master_place_make(struct master_place *place, const char *conf_path,
		       struct bytes *text)
{
	*place = (struct master_place){.conf_path = conf_path};
	char error[160];

	place_load(place, text);
	oom_score_set_own(OOM_SCORE_MASTER);
	if (steps_take(place_steps, place, error, sizeof(error)) < 0)
		die("%s", error);
}

int master_place_mend(struct master_place *place)
{
	struct cgroup_host *host = &place->board->cgroups;
	const struct cgroup_slots slots = place_slots(place);
	char error[CGROUP_PATH_MAX];

	if (cgroup_tree_is_whole(host, &slots))
		return 0;
	log_error("control groups of the server have vanished: making them "
		  "anew, below %.400s", host->base);
	int rc = cgroup_tree_mend(host, &place->conf.limits, &slots, error);

	if (rc < 0)
		log_error("%s: %s", error, log_errno(rc));
	return rc < 0 ? rc : 1;
}

void master_place_remove(const struct master_place *place)
{
	if (place->board->cgroups.kind != CGROUP_NONE)
		cgroup_tree_remove(&place->board->cgroups);
	unlink(place->conf.status_socket);
	if (*place->conf.pid_file)
		unlink(place->conf.pid_file);
}
