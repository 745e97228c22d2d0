/* run - see run.h. From the hand-over of a job to its end, see watch.c. */
#include "run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/filesystem/collect.h"
#include "guest.h"
#include "sandbox/walls/init.h"
#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"
#include "sandbox/base/stall.h"
#include "sandbox/base/steps.h"
#include "watch.h"

/* The work on a guest until it is armed. */
struct run_work {
	struct run *run;
	int theirs[WIRE_FD_COUNT]; /* the guest's ends of its pipes */
	char *error;
};

static int run_reset_group(struct run_work *work)
{
	const struct run *run = work->run;

	return cgroup_reset(run->group, run->limits, run->limits->memory_mb);
}

static int run_start_init(struct run_work *work)
{
	struct run *run = work->run;

	return init_start(&run->box->init_filter, run->box->fork_server >= 0,
			  &run->init, &run->init_pidfd);
}

/* A pipe's index 0 is for reading, index 1 for writing. The guest reads only
 * its job pipe. */
static int run_make_pipes(struct run_work *work)
{
	struct run *run = work->run;

	for (int i = 0; i < WIRE_FD_COUNT; i++) {
		int ends[2];
		bool to_guest = i == WIRE_FD_JOB;

		if (pipe2(ends, O_CLOEXEC) < 0)
			return -errno;
		work->theirs[i] = ends[to_guest ? 0 : 1];
		run->ends[i] = ends[to_guest ? 1 : 0];
		int rc = io_set_nonblocking(run->ends[i], true);

		if (rc < 0)
			return rc;
	}
	return 0;
}

static void run_close_all(int fds[WIRE_FD_COUNT])
{
	for (int i = 0; i < WIRE_FD_COUNT; i++)
		base_release_fd(&fds[i]);
}

static void run_become_guest(struct run *run, int theirs[WIRE_FD_COUNT],
			     int gate) NORETURN;

static void run_become_guest(struct run *run, int theirs[WIRE_FD_COUNT],
			     int gate)
{
	struct guest_args args = {.box = run->box,
				  .slot = run->slot,
				  .home = &run->home,
				  .group = run->group,
				  .gate = gate};

	run_close_all(run->ends);
	memcpy(args.fds, theirs, sizeof(args.fds));
	guest_main(&args);
}

/* Open the pipe NAME. In this order no open(2) waits for another. */
static int run_open_pipe(struct run *run, int theirs[WIRE_FD_COUNT],
			 const char *name)
{
	const int home = run->home.fd;

	run->job_in = openat(home, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (run->job_in < 0)
		return -errno;
	run->ends[WIRE_FD_JOB] =
		openat(home, name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	if (run->ends[WIRE_FD_JOB] < 0)
		return -errno;
	theirs[WIRE_FD_JOB] = openat(home, name, O_RDONLY | O_CLOEXEC);
	return theirs[WIRE_FD_JOB] < 0 ? -errno : 0;
}

/* Make a session's job pipe, which the session keeper empties between calls.
 * Its own reading end must not block, and the guest's must. Both would share
 * flags if they were copies of one descriptor of pipe(2). So the pipe is a
 * named one, and each side opens it for itself. */
static int run_session_pipe(struct run *run, int theirs[WIRE_FD_COUNT])
{
	static const char name[] = "job";

	base_release_fd(&run->ends[WIRE_FD_JOB]);
	base_release_fd(&theirs[WIRE_FD_JOB]);
	if (mkfifoat(run->home.fd, name, 0600) < 0)
		return -errno;
	int rc = run_open_pipe(run, theirs, name);

	return unlinkat(run->home.fd, name, 0) < 0 && rc == 0 ? -errno : rc;
}

/* Make what a session's guest has besides: a socket that passes its gate's
 * listener, and a job pipe that can be emptied. Returns the guest's end of the
 * socket, -1 without a session, or a negative errno value. */
static int run_session_ends(struct run *run, int theirs[WIRE_FD_COUNT])
{
	int pair[2];

	if (!run->session)
		return -1;
	int rc = run_session_pipe(run, theirs);

	if (rc < 0) /* -1, which is EPERM, means something else here */
		return rc == -EPERM ? -EACCES : rc;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
		return -errno;
	run->gate = pair[0];
	return pair[1];
}

static int run_fork(struct run *run, int theirs[WIRE_FD_COUNT])
{
	owned_fd int gate = run_session_ends(run, theirs);

	if (gate < -1)
		return gate;
	run->guest = fork();
	if (run->guest == 0)
		run_become_guest(run, theirs, gate);
	if (run->guest < 0)
		return -errno;
	run->pidfd = pidfd_of(run->guest);
	return run->pidfd < 0 ? run->pidfd : 0;
}

/* Have the fork server fork the guest, because only it has Python mapped. */
static int run_order_guest(struct run *run, const int theirs[WIRE_FD_COUNT])
{
	struct fork_order order = {.fork_server = run->box->fork_server_pid,
				   .slot = run->slot,
				   .fds = {[FORK_ORDER_INIT] = run->init_pidfd,
					   [FORK_ORDER_HOME] = run->home.fd}};

	memcpy(&order.fds[FORK_ORDER_PIPES], theirs,
	       WIRE_FD_COUNT * sizeof(int));
	order.entries = cgroup_entries(run->group,
				       &order.fds[FORK_ORDER_ENTRIES]);
	return fork_order_send(run->box->fork_server, &order, RUN_STALL_MS,
			       &run->guest, &run->pidfd, &run->channel);
}

/* The guest alone keeps its ends. */
static int run_fork_guest(struct run_work *work)
{
	int rc = work->run->box->fork_server < 0
			 ? run_fork(work->run, work->theirs)
			 : run_order_guest(work->run, work->theirs);

	run_close_all(work->theirs);
	return rc;
}

static int run_make_home(struct run_work *work)
{
	struct run *run = work->run;
	const struct box *box = run->box;
	size_t which;
	const struct home_plan plan = {run->limits->home_mb,
				       run->limits->home_inodes,
				       box->home_aliases};
	int rc = home_make(&run->home, &plan,
			   namespaces_guest_uid(&box->who, run->slot));

	if (rc == 0)
		rc = home_put(&run->home, box->skeleton, box->skeleton_count,
			      &which);
	return rc;
}

/* Wait for the frame WIRE_ARMED, or for WIRE_FAILED with the reason. */
static int run_wait_armed(struct run_work *work)
{
	struct run *run = work->run;
	int rc = 0;

	while (rc == 0) {
		if (stall_wait(run->ends[WIRE_FD_RESULT], run->guest,
			       RUN_STALL_MS) <= 0)
			return -ETIMEDOUT;
		rc = wire_read(&run->reader, run->ends[WIRE_FD_RESULT]);
	}
	if (rc < 0)
		return rc;
	if (run->reader.header.type == WIRE_ARMED)
		return 0;
	snprintf(work->error, RUN_ERROR_MAX, "the guest could not %.200s",
		 run->reader.header.type == WIRE_FAILED
			 ? run->reader.payload.data
			 : "follow the protocol");
	return -ECANCELED;
}

static int run_await_init(struct run_work *work)
{
	(void)work;
	return init_await(RUN_STALL_MS);
}

static int run_receive_gate(struct run_work *work)
{
	struct run *run = work->run;

	if (!run->session)
		return 0;
	int listener = fork_gate_receive(run->gate);

	if (listener < 0)
		return listener;
	close(run->gate);
	run->gate = listener;
	return fork_gate_open_mirror(&run->mirror, run->box->proc);
}

static int run_mark_home(struct run_work *work)
{
	return home_mark(&work->run->home);
}

/* In this order. The init is locked before this process reads a byte from a
 * client. */
static const STEP(struct run_work *) run_steps[] = {
	{"reset the control group", run_reset_group},
	{"make home", run_make_home},
	{"make pipes", run_make_pipes},
	{"start a pid namespace", run_start_init},
	{"fork the guest", run_fork_guest},
	{"wait for the guest", run_wait_armed},
	{"lock the namespace's init", run_await_init},
	{"receive its gate", run_receive_gate},
	{"read the state of home", run_mark_home},
};

static int run_start(struct run *run, char *error)
{
	struct run_work work = {
		.run = run, .theirs = {-1, -1, -1, -1}, .error = error};
	int rc = steps_take(run_steps, &work, error, RUN_ERROR_MAX);

	run_close_all(work.theirs);
	return rc;
}

static int run_arm_as(struct run *run, const struct box *box, unsigned slot,
		      const struct cgroup_slot *group, bool session,
		      char error[RUN_ERROR_MAX])
{
	*run = (struct run){.box = box,
			    .limits = &box->limits,
			    .slot = slot,
			    .group = group,
			    .init = -1,
			    .guest = -1,
			    .pidfd = -1,
			    .init_pidfd = -1,
			    .ends = {-1, -1, -1, -1},
			    .session = session,
			    .gate = -1,
			    .job_in = -1,
			    .mirror = FORK_GATE_MIRROR_NONE,
			    .channel = -1,
			    .home = {.fd = -1}};
	wire_reader_init(&run->reader, run->limits);
	run->memory_kills = cgroup_memory_kills(group);
	run->own_ooms = group->kind == CGROUP_V2 ? cgroup_own_ooms(group) : 0;
	int rc = run_start(run, error);

	if (rc < 0)
		run_end(run);
	return rc;
}

int run_arm(struct run *run, const struct box *box, unsigned slot,
	    const struct cgroup_slot *group, char error[RUN_ERROR_MAX])
{
	return run_arm_as(run, box, slot, group, false, error);
}

int run_arm_session(struct run *run, const struct box *box, unsigned slot,
		    const struct cgroup_slot *group, char error[RUN_ERROR_MAX])
{
	return run_arm_as(run, box, slot, group, true, error);
}

/* Kill the guest, and the namespace's init, whose death kills all others in the
 * namespace. */
static void run_kill(struct run *run)
{
	if (run->pidfd >= 0)
		pidfd_signal(run->pidfd, SIGKILL);
	if (run->init_pidfd >= 0)
		pidfd_signal(run->init_pidfd, SIGKILL);
}

static void run_reap(pid_t *pid)
{
	if (*pid <= 0)
		return;
	while (waitpid(*pid, NULL, 0) < 0 && errno == EINTR)
		;
	*pid = -1;
}

/* Have the fork server reap the guest, which is dead, because the fork server
 * must not wait. If the fork server has died, the master or a subreaper reaps
 * the guest. False when the fork server does not answer in time. */
static bool run_order_reap(struct run *run)
{
	siginfo_t ignored;
	int rc = fork_order_status(run->channel, FORK_ORDER_REAP, &ignored);

	base_release_fd(&run->channel);
	run->guest = -1;
	if (rc == -ETIMEDOUT)
		log_warn("guest not reaped by the fork server: slot=%u",
			 run->slot);
	return rc != -ETIMEDOUT;
}

/* Whether the process of FD, which was killed, is dead within MS. It lives on in
 * an uninterruptible call, or in a frozen control group. */
static bool run_died(const struct run *run, int fd, int ms)
{
	if (fd < 0 || pidfd_wait(fd, ms))
		return true;
	log_error("a killed guest does not die: slot=%u pid=%d", run->slot,
		  run->guest);
	return false;
}

/* Kill and reap within MS (-1: however long it takes); false if they live on.
 * The guest comes before the init, because an init is not reaped before all
 * others in its namespace are. */
static bool run_kill_and_reap(struct run *run, int ms)
{
	if (run->dead)
		return true;
	run_kill(run);
	if (!run_died(run, run->pidfd, ms))
		return false;
	if (run->channel < 0)
		run_reap(&run->guest);
	else if (!run_order_reap(run))
		run->init = -1; /* its end waits for the guest's reaping */
	if (run->init > 0 && !run_died(run, run->init_pidfd, ms))
		return false;
	run_reap(&run->init);
	run->dead = true;
	return true;
}

void run_end(struct run *run)
{
	run_kill_and_reap(run, -1);
	run_close_all(run->ends);
	base_release_fd(&run->pidfd);
	base_release_fd(&run->init_pidfd);
	base_release_fd(&run->channel);
	base_release_fd(&run->gate);
	fork_gate_close_mirror(&run->mirror);
	base_release_fd(&run->job_in);
	home_free(&run->home);
	wire_reader_free(&run->reader);
}

/* The worker itself failed at STEP. CALL names the system call, or is NULL. */
static void run_fail(struct outcome *outcome, const char *step,
		     const char *call, int rc)
{
	log_error("failed to %s: call=%s error=\"%s\"", step,
		  call ? call : "-", log_errno(rc));
	outcome->verdict = OUTCOME_INTERNAL;
	free(outcome->error_message);
	if (asprintf(&outcome->error_message, "failed to %s: %s", step,
		     log_errno(rc)) < 0)
		outcome->error_message = NULL;
}

/* Lower the memory limit for this run, if the job asks for less than the pool's
 * limit. */
static int run_lower_memory(struct run *run, const struct job *job)
{
	const struct box *box = run->box;

	if (job->memory_mb == 0 || job->memory_mb >= run->limits->memory_mb)
		return 0;
	int rc = limits_lower_memory(run->guest, &box->base, job->memory_mb);

	return rc < 0 ? rc : cgroup_reset(run->group,
					  run->limits, job->memory_mb);
}

/* Lower the limit on threads likewise. Without a uid of its own a guest shares
 * the kernel's count with the whole pool, so the limit stays. */
static int run_lower_threads(struct run *run, const struct job *job)
{
	if (job->threads == 0 || job->threads >= run->limits->threads ||
	    !run->box->who.separate)
		return 0;
	return limits_lower_threads(run->guest, job->threads);
}

/* Whether the run left no files. Then the answer need not wait for the guest's
 * exit. */
static bool run_has_no_files(const struct run *run, const struct job *job,
			     const struct outcome *outcome)
{
	return (outcome->verdict == OUTCOME_OK ||
		outcome->verdict == OUTCOME_RAISED) &&
	       job->files_count == 0 && run->box->skeleton_count == 0 &&
	       home_untouched(&run->home);
}

void run_open_files(struct run *run, const struct job *job,
		    struct outcome *outcome)
{
	const struct limits *limits = run->limits;
	const struct collect_known known[] = {
		{run->box->skeleton, run->box->skeleton_count},
		{job->files, job->files_count},
	};
	const char *call = NULL;
	int rc = collect_files(
		&run->home, known, ARRAY_LEN(known), limits->files_out,
		(uint64_t)limits->files_out_mb << 20, outcome, &call);

	if (rc < 0)
		run_fail(outcome, "collect output files", call, rc);
}

static void run_collect(struct run *run, const struct job *job,
			struct outcome *outcome)
{
	if (outcome->verdict == OUTCOME_CANCELLED ||
	    outcome->verdict == OUTCOME_INTERNAL)
		return;
	if (run_has_no_files(run, job, outcome))
		return;
	if (!run_kill_and_reap(run, RUN_DEATH_MS)) {
		run_fail(outcome, "end the guest", "kill", -ETIME);
		return;
	}
	run_open_files(run, job, outcome);
}

bool run_put_files(struct run *run, const struct job *job,
		   struct outcome *outcome)
{
	/* Errors that the client caused: by names or sizes of its files, or by
	 * files that an earlier call of the session left in their way. */
	static const int theirs[] = {ENOSPC, EDQUOT, ENAMETOOLONG, ENOTDIR,
				     EISDIR, ELOOP,  EXDEV,	   EACCES,
				     ENXIO,  ENOENT};
	size_t which;
	int rc = home_put(&run->home, job->files, job->files_count, &which);

	if (rc == 0)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(theirs); i++) {
		if (theirs[i] != -rc)
			continue;
		outcome->verdict = OUTCOME_PARSING;
		if (asprintf(&outcome->error_message,
			     "files[%zu]: no room for it: %s", which,
			     log_errno(rc)) < 0)
			outcome->error_message = NULL;
		return false;
	}
	run_fail(outcome, "write input files", NULL, rc);
	return false;
}

void run_job(struct run *run, const struct job *job, int client,
	     struct outcome *outcome)
{
	struct wire_feed feed = {0};

	*outcome = (struct outcome){.verdict = OUTCOME_INTERNAL};
	if (!run_put_files(run, job, outcome))
		return;
	int rc = run_lower_memory(run, job);

	if (rc == 0)
		rc = run_lower_threads(run, job);
	if (rc == 0)
		rc = wire_feed_job(job, &feed);
	if (rc == 0)
		rc = watch_guest(run, job, &feed, client, outcome);
	free(feed.own);
	if (rc < 0)
		run_fail(outcome, "run a job", NULL, rc);
	run_collect(run, job, outcome);
}
