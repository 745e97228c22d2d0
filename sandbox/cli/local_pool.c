/*
 * local_pool - the command's own pool process, and its workers.
 *
 * Who:    started by exec from the local command, so that it holds nothing of
 *         the command's memory and environment. One thread.
 * Holds:  a warm Python, its guests' namespaces and root, and one end of a
 *         socket. Only the command has the other end.
 * May:    all that its user namespace permits; nothing outside it.
 * Talks:  to no process. Its one worker at a time talks to the command
 *         (transfer.h).
 * Ends:   when the command closes the socket or dies.
 *
 * The worker arms its guest before it reads a job, and serves one job.
 */
#include "local_pool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "conf/loan.h"
#include "sandbox/walls/confine.h"
#include "sandbox/base/io.h"
#include "sandbox/walls/landlock.h"
#include "sandbox/guest/run.h"
#include "sandbox/base/spawn.h"
#include "sandbox/text/json.h"
#include "sandbox/ipc/transfer.h"

/* Descriptors that the pool process inherits. */
enum local_pool_fd {
	LOCAL_POOL_LINK = SPAWN_FIRST,
	LOCAL_POOL_CONF,
	LOCAL_POOL_LIVE,
	LOCAL_POOL_FD_END
};

/* Limits of a job. The command has compared its parts with the options. */
#define LOCAL_POOL_JOB_MAX (UINT64_C(1) << 40) /* bytes */
#define LOCAL_POOL_FILES_MAX 1000000

/* A worker's exit statuses. */
enum { LOCAL_POOL_SERVED = 0, LOCAL_POOL_FAILED = 1, LOCAL_POOL_ALONE = 2 };

/* ---- worker ---------------------------------------------------------- */

static void local_pool_confine(const struct box *box, const struct run *run)
{
	const struct confine_plan plan = {.filter = &box->worker_filter,
					  .landlock_abi = box->landlock_abi,
					  .home = run->home.fd};
	char error[CONFINE_ERROR_MAX];

	if (confine_process(&plan, error) < 0)
		die("%s", error);
}

/* The command sends a job when its guest is armed, because a pool may take
 * longer to start than a message may take to pass. */
static void local_pool_report_ready(struct transfer *link)
{
	transfer_begin(link);
	transfer_send(link, "", 1);
	transfer_flush(link);
}

/* A packet of output as it comes: its enum sink_stream as one byte, then up to
 * this many bytes. */
#define LOCAL_POOL_LIVE_MAX 16384

/* Pass output on as packets. When the command does not keep up, no more
 * follow: it takes the rest from the outcome. */
static void local_pool_pass_out(struct sink *sink, enum sink_stream stream,
				const char *data, size_t size)
{
	char packet[1 + LOCAL_POOL_LIVE_MAX];

	packet[0] = (char)stream;
	while (size > 0 && sink->fd >= 0) {
		size_t part = size < LOCAL_POOL_LIVE_MAX ? size
							 : LOCAL_POOL_LIVE_MAX;

		memcpy(packet + 1, data, part);
		if (write(sink->fd, packet, 1 + part) < 0)
			sink->fd = -1;
		data += part;
		size -= part;
	}
}

static int local_pool_serve(struct run *run)
{
	static const struct transfer_limits limits = {LOCAL_POOL_JOB_MAX,
						      LOCAL_POOL_FILES_MAX};
	struct transfer link = {.fd = LOCAL_POOL_LINK, .client = -1};
	struct outcome outcome;
	struct job job = {0};

	local_pool_report_ready(&link);
	transfer_wait(&link, -1);
	int rc = link.error ? link.error
			    : transfer_job_receive(&link, &limits, &job);

	if (rc == -EPIPE)
		return LOCAL_POOL_ALONE;
	if (rc < 0)
		die("read a job: %s", log_errno(rc));
	run_job(run, &job, LOCAL_POOL_LINK, &outcome);
	rc = outcome.verdict == OUTCOME_CANCELLED
		     ? -EPIPE
		     : transfer_outcome_send(&link, &outcome);
	outcome_free(&outcome);
	job_free(&job);
	return rc < 0 ? LOCAL_POOL_ALONE : LOCAL_POOL_SERVED;
}

static void local_pool_worker(const struct box *box) NORETURN;

static void local_pool_worker(const struct box *box)
{
	static const struct sink_calls calls = {.output = local_pool_pass_out};
	struct sink sink = {.calls = &calls, .keep = true,
			    .fd = LOCAL_POOL_LIVE, .next = INT64_MAX};
	char error[RUN_ERROR_MAX];
	struct run run;

	log_set_role("worker");
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	signal(SIGPIPE, SIG_IGN);
	if (run_arm(&run, box, 0, &box->groups[0], error) < 0)
		die("no guest could be armed: %s", error);
	local_pool_confine(box, &run);
	run.sink = &sink;
	int status = local_pool_serve(&run);

	run_end(&run);
	_exit(status);
}

/* ---- pool process ---------------------------------------------------- */

static void local_pool_read_conf(struct loan **loan, struct conf *conf)
{
	char error[CONF_ERROR_MAX];

	if (loan_read(LOCAL_POOL_CONF, loan, conf, error) < 0)
		die("%s", error);
	close(LOCAL_POOL_CONF);
	log_set_level(conf->log_level);
}

/* Prepare without control groups. Those belong to a server, and the command may
 * run beside one, or as a user that cannot make any. */
static void local_pool_prepare(struct box *box, const struct conf *conf)
{
	const struct box_plan plan = {
		.limits = conf->limits,
		.slots = 1,
		.preload = conf->preload,
		.python_path = conf->python_path,
		.skeleton = conf->skeleton,
		.cache_dir = conf->cache_dir,
		.home_aliases = conf->home_aliases,
		.uid_base = conf->uid_base,
		.landlock = conf->landlock != CONF_OFF &&
			    (conf->landlock == CONF_REQUIRE ||
			     landlock_abi() > 0),
		.jit = conf->jit,
		.freeze = conf->freeze,
		.layout = conf->layout,
		.random_hashes = conf->hash_seed == CONF_HASH_SEED_RANDOM,
		.installing = conf->installing,
	};
	char error[BOX_ERROR_MAX];

	if (box_prepare(box, &plan, error) < 0)
		die("%s", error);
	base_release_fd(&box->proc);
}

static void local_pool_close_terminal(void)
{
	owned_fd int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0)
		die("open /dev/null: %s", log_errno(errno));
}

void local_pool_main(void)
{
	static struct box box;
	struct loan *loan;
	struct conf conf;
	int status;

	log_set_role("sandbox");
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	fcntl(LOCAL_POOL_LINK, F_SETFD, FD_CLOEXEC);
	fcntl(LOCAL_POOL_LIVE, F_SETFD, FD_CLOEXEC);
	local_pool_close_terminal();
	local_pool_read_conf(&loan, &conf);
	local_pool_prepare(&box, &conf);
	loan_drop(&loan, &conf); /* before the first fork */
	for (;;) {
		pid_t pid = fork();

		if (pid == 0)
			local_pool_worker(&box);
		if (pid < 0)
			die("fork: %s", log_errno(errno));
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		if (!WIFEXITED(status) ||
		    WEXITSTATUS(status) != LOCAL_POOL_SERVED)
			exit(WIFEXITED(status) ? WEXITSTATUS(status)
					       : LOCAL_POOL_FAILED);
	}
}

/* ---- the command's side ---------------------------------------------- */

static int local_pool_conf_file(const struct conf *conf)
{
	owned_fd int fd = memfd_create("configuration", MFD_CLOEXEC);
	int copy = fd < 0 ? -1 : dup(fd);
	FILE *out = copy < 0 ? NULL : fdopen(copy, "w");

	if (!out)
		return -errno;
	conf_print(conf, out);
	return fclose(out) == 0 ? take_fd(&fd) : -EIO;
}

int local_pool_start(struct local_pool *pool, const struct conf *conf)
{
	owned_fd int text = local_pool_conf_file(conf);
	int ends[2], lives[2];

	*pool = (struct local_pool){.pid = -1, .link = -1, .live = -1};
	if (text < 0)
		return text;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
		       ends) < 0)
		return -errno;
	owned_fd int ours = ends[0], theirs = ends[1];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK,
		       0, lives) < 0)
		return -errno;
	owned_fd int live = lives[0], their_live = lives[1];
	const int fds[] = {theirs, text, their_live};
	pid_t pid = spawn_pool(LOCAL_POOL_ARGV0, fds, ARRAY_LEN(fds));

	if (pid < 0)
		return pid;
	pool->pid = pid;
	pool->link = take_fd(&ours);
	pool->live = take_fd(&live);
	return 0;
}

/* Check all text that the guest declared to be JSON, before any code relies on
 * it. */
static void local_pool_check_json(struct outcome *outcome)
{
	bool good = outcome->value.size == 0 ||
		    json_check_value(outcome->value.data,
				     outcome->value.size) == 0;

	for (size_t i = 0; i < outcome->displays_count && good; i++)
		good = json_check_value(outcome->displays[i].data,
					outcome->displays[i].size) == 0;
	if (good)
		return;
	outcome->verdict = OUTCOME_PROTOCOL;
	if (outcome->exit_code == 0)
		outcome->exit_code = 1;
	free(take_ptr(&outcome->value.data));
	outcome->value.size = 0;
	outcome->value_present = false;
	while (outcome->displays_count > 0)
		free(outcome->displays[--outcome->displays_count].data);
}

/* Hand on the output that has come. */
static void local_pool_pass_on(const struct local_pool *pool,
			       const struct local_pool_watcher *watcher)
{
	char packet[1 + LOCAL_POOL_LIVE_MAX];
	ssize_t n;

	while ((n = read(pool->live, packet, sizeof(packet))) > 1) {
		if (packet[0] == SINK_OUT && watcher->out)
			watcher->out(watcher->context, packet + 1,
				     (size_t)n - 1);
		else if (packet[0] == SINK_ERR && watcher->err)
			watcher->err(watcher->context, packet + 1,
				     (size_t)n - 1);
	}
}

/* Wait until the worker has sent something, or is gone. All output that it
 * passed on has come by then. */
static void local_pool_await(const struct local_pool *pool,
			     const struct local_pool_watcher *watcher)
{
	struct pollfd polled[] = {{.fd = pool->link, .events = POLLIN},
				  {.fd = pool->live, .events = POLLIN}};

	do {
		if (poll(polled, ARRAY_LEN(polled), LOCAL_POOL_TICK_MS) <= 0) {
			polled[0].revents = 0;
			watcher->tick(watcher->context);
		} else if (polled[1].revents & ~POLLIN) {
			polled[1].fd = -1; /* it has ended */
		}
		local_pool_pass_on(pool, watcher);
	} while (!polled[0].revents);
}

int local_pool_run(struct local_pool *pool, const struct conf *conf,
		   const struct job *job,
		   const struct local_pool_watcher *watcher,
		   struct outcome *outcome)
{
	struct transfer link = {.fd = pool->link, .client = -1};
	char ready;

	*outcome = (struct outcome){.verdict = OUTCOME_INTERNAL};
	local_pool_await(pool, watcher);
	transfer_begin(&link);
	transfer_receive(&link, &ready, sizeof(ready));
	int rc = link.error ? link.error : transfer_job_send(&link, job);

	if (rc == 0) {
		local_pool_await(pool, watcher);
		rc = transfer_outcome_receive(&link, &conf->limits, outcome);
	}
	if (rc == 0) {
		local_pool_check_json(outcome);
		return 0;
	}
	outcome->verdict = OUTCOME_INTERNAL;
	local_pool_stop(pool);
	return rc;
}

void local_pool_stop(struct local_pool *pool)
{
	base_release_fd(&pool->link);
	base_release_fd(&pool->live);
	if (pool->pid > 0)
		while (waitpid(pool->pid, NULL, 0) < 0 && errno == EINTR)
			;
	pool->pid = -1;
}
