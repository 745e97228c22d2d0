/* session - see session.h. */
#include "session.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"
#include "watch.h"

#define SESSION_ANY 0 /* not a pid: any process that is not a member yet */

/* ---- members --------------------------------------------------------- */

static void session_signal(const struct session_member *member, int number)
{
	pidfd_signal(member->pidfd, number);
}

/* Kill MEMBER and clear it. Only the first guest is this process's child and is
 * reaped here. The namespace's init reaps all others. */
static void session_kill(struct session *session, struct session_member *member)
{
	if (member->pid == 0)
		return;
	session_signal(member, SIGKILL);
	if (member->pid == session->child) {
		while (waitpid(member->pid, NULL, 0) < 0 && errno == EINTR)
			;
		session->child = 0;
	}
	base_release_fd(&member->pidfd);
	*member = (struct session_member){.pidfd = -1};
}

/* Kill MEMBER, which may be running, and wait for its death for at most
 * SESSION_SETTLE_MS. Until then it could still write, and the next call would
 * receive its output. */
static void session_kill_and_wait(struct session *session,
				  struct session_member *member)
{
	if (member->pid == 0)
		return;
	session_signal(member, SIGKILL);
	if (!pidfd_wait(member->pidfd, SESSION_SETTLE_MS))
		log_warn("session process does not die: pid=%d", member->pid);
	session_kill(session, member);
}

/* Stop MEMBER, which waits at the gate. */
static void session_stop(const struct session_member *member)
{
	session_signal(member, SIGSTOP);
}

/* Continue MEMBER, which is stopped, so that it knocks at the gate again.
 * SIGSTOP has interrupted its wait: it leaves the gate, and knocks anew once it
 * continues. An answer that is given while it leaves can be lost without an
 * error (seccomp_unotify(2)). So wait until it has left. */
static int session_wake(const struct session *session,
			struct session_member *member)
{
	int64_t end = io_now_ms() + SESSION_SETTLE_MS;

	while (fork_gate_waits(session->run.gate, &member->knock)) {
		if (io_now_ms() > end)
			return -ETIMEDOUT;
		poll(NULL, 0, 1);
	}
	member->waiting = false;
	session_signal(member, SIGCONT);
	return 0;
}

static bool session_knows(const struct session *session, pid_t pid)
{
	if (pid == session->copy.pid)
		return true;
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		if (session->members[i].pid == pid)
			return true;
	return false;
}

/* ---- the gate -------------------------------------------------------- */

/* Does KNOCK come from PID, or, for SESSION_ANY, from a new process, which
 * becomes the copy? Any other knock is refused. */
static bool session_accept_knock(struct session *session, pid_t pid,
				 const struct fork_gate_knock *knock)
{
	int gate = session->run.gate;

	if (pid != SESSION_ANY && knock->pid == pid)
		return true;
	if (pid != SESSION_ANY || session_knows(session, knock->pid)) {
		fork_gate_refuse(gate, knock, EPERM);
		return false;
	}
	session->copy.pidfd = fork_gate_pidfd(gate, knock);
	if (session->copy.pidfd < 0) { /* a thread, or dead by now */
		fork_gate_refuse(gate, knock, EPERM);
		return false;
	}
	session->copy.pid = knock->pid;
	return true;
}

/* Use the knock that watch.c kept while MEMBER ran its call, if there is
 * one. */
static bool session_use_kept_knock(struct session *session,
				   struct session_member *member)
{
	struct fork_gate_knock *kept = &session->run.knock;

	if (kept->pid == 0 || kept->pid != member->pid)
		return false;
	member->knock = *kept;
	member->waiting = true;
	*kept = (struct fork_gate_knock){0};
	return true;
}

/*
 * Wait until MEMBER knocks. With FRESH, wait until a new process knocks, which
 * becomes the copy, or until MEMBER itself knocks again since its fork failed.
 * Returns 1; 0 when FRESH is set and MEMBER knocked; or a negative errno value:
 * -ETIMEDOUT, or -ECHILD when MEMBER is dead.
 */
static int session_await(struct session *session, struct session_member *member,
			 bool fresh, int timeout_ms)
{
	struct pollfd polled[] = {
		{.fd = session->run.gate, .events = POLLIN},
		{.fd = member->pidfd, .events = POLLIN},
	};
	int64_t end = io_now_ms() + timeout_ms;

	if (session_use_kept_knock(session, member))
		return !fresh;
	for (;;) {
		struct fork_gate_knock knock;
		int64_t left = end - io_now_ms();
		int n = left < 0 ? 0 : poll(polled, 2, (int)left);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (n == 0)
			return -ETIMEDOUT;
		int rc = fork_gate_next(session->run.gate, &knock);

		if (rc < 0)
			return rc == -EPIPE ? -ECHILD : rc;
		if (rc > 0 && knock.signals) { /* no signal is due between two
					        * calls */
			fork_gate_refuse(session->run.gate, &knock, EPERM);
			continue;
		}
		if (rc > 0 && knock.pid == member->pid) {
			member->knock = knock;
			member->waiting = true;
			return !fresh;
		}
		if (rc > 0 &&
		    session_accept_knock(session,
					 fresh ? SESSION_ANY : member->pid,
					 &knock)) {
			session->copy.knock = knock;
			session->copy.waiting = true;
			return 1;
		}
		if (rc == 0 && polled[1].revents)
			return -ECHILD;
	}
}

/* Answer the knock of MEMBER, which waits, with errno value ANSWER (0: let it
 * pass). A signal, such as the one that stopped it, may have interrupted its
 * wait; then it must knock again first. */
static int session_answer(struct session *session,
			  struct session_member *member, int answer)
{
	int gate = session->run.gate;
	int rc = -ENOENT;

	for (int tries = 0; rc == -ENOENT && tries < 10; tries++) {
		if (member->waiting)
			rc = answer ? fork_gate_refuse(gate, &member->knock,
						       answer)
				    : fork_gate_pass(gate, &member->knock);
		member->waiting = false;
		if (rc != -ENOENT)
			break;
		int got = session_await(session, member, false,
					SESSION_SETTLE_MS);

		if (got < 0)
			return got;
	}
	return rc;
}

/* ---- the running member ---------------------------------------------- */

/* Make MEMBER the guest that session->run serves. */
static void session_select(struct session *session,
			   const struct session_member *member)
{
	session->run.guest = member->pid;
	session->run.pidfd = member->pidfd;
	session->run.adopted = member->pid != session->child;
	session->run.number = session->run.adopted ? 0 : SYSCALLS_GUEST_PID;
}

static void session_deselect(struct session *session)
{
	session->run.guest = -1;
	session->run.pidfd = -1;
}

/* Empty the pipes: output after the end of a call, and unread input, is lost.
 * All these descriptors are non-blocking and were opened by this process,
 * because a thread of the guest that is not stopped yet may use the same pipes.
 * Returns -ETIMEDOUT for a thread that fills them without end: it is not
 * stopped. */
static int session_drain(struct session *session)
{
	const int fds[] = {session->run.job_in,
			   session->run.ends[WIRE_FD_OUT],
			   session->run.ends[WIRE_FD_ERR],
			   session->run.ends[WIRE_FD_RESULT]};
	const int64_t end = io_now_ms() + SESSION_SETTLE_MS;
	char chunk[4096];

	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		while (read(fds[i], chunk, sizeof(chunk)) > 0)
			if (io_now_ms() > end)
				return -ETIMEDOUT;
	session->run.knock = (struct fork_gate_knock){0};
	wire_reader_free(&session->run.reader);
	wire_reader_init(&session->run.reader, session->run.limits);
	return 0;
}

static void session_kill_all(struct session *session)
{
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		session_kill(session, &session->members[i]);
	session_kill(session, &session->copy);
}

/* Let MEMBER continue. With COPY, its fork passes and the child stays behind as
 * the copy. */
static int session_resume(struct session *session,
			  struct session_member *member, bool copy)
{
	int rc = session_drain(session);

	if (rc == 0)
		rc = session_wake(session, member);
	if (rc == 0)
		rc = session_answer(session, member, copy ? 0 : EPERM);
	if (rc < 0 || !copy)
		return rc;
	rc = session_await(session, member, true, SESSION_SETTLE_MS);
	if (rc > 0)
		return 0;
	/* It could not fork, or did not report the child. Kill all: no unknown
	 * process may survive. */
	session_kill_all(session);
	return rc == 0 ? -EAGAIN : rc;
}

/* Make the copy MEMBER, and let it proceed to the gate, where it waits for its
 * next call. */
static int session_promote(struct session *session,
			   struct session_member *member)
{
	*member = session->copy;
	session->copy = (struct session_member){.pidfd = -1};
	int rc = session_answer(session, member, EPERM);

	if (rc == 0)
		rc = session_await(session, member, false, SESSION_SETTLE_MS);
	if (rc < 0)
		session_kill(session, member);
	else
		session_stop(member);
	return rc < 0 ? rc : 0;
}

/* ---- arming ---------------------------------------------------------- */

int session_arm(struct session *session, const struct box *box, unsigned slot,
		const struct cgroup_slot *group, bool copies,
		char error[RUN_ERROR_MAX])
{
	struct session_member *first = &session->members[0];

	*session = (struct session){
		.copies = copies, .copy.pidfd = -1,
		.clock = memfd_create("clock", MFD_CLOEXEC)};
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		session->members[i].pidfd = -1;
	int rc = session->clock < 0 ? -errno : 0;

	if (rc < 0) {
		snprintf(error, RUN_ERROR_MAX, "memfd_create: %s",
			 log_errno(rc));
		return rc;
	}
	rc = run_arm_session(&session->run, box, slot, group, error);
	if (rc < 0)
		return rc;
	session->limits = box->limits;
	session->run.limits = &session->limits;
	first->pid = session->child = session->run.guest;
	first->pidfd = session->run.pidfd;
	session_deselect(session);
	rc = session_await(session, first, false, RUN_STALL_MS);
	if (rc < 0) {
		snprintf(error, RUN_ERROR_MAX, "wait at its gate: %s",
			 log_errno(rc));
		session_end(session);
		return rc;
	}
	session_stop(first);
	return 0;
}

/* ---- one call -------------------------------------------------------- */

/* Has the program ended by itself, and does it wait for its next call as its
 * end frame says? Corrects OUTCOME if it does not. */
static bool session_is_ready(struct session *session,
			     struct session_member *member,
			     struct outcome *outcome)
{
	bool good = outcome->verdict == OUTCOME_OK ||
		    outcome->verdict == OUTCOME_RAISED;

	/* Without a copy, the interrupted state is the best one left. */
	if (!good && (outcome->verdict != OUTCOME_TIMEOUT ||
		      session->copy.pid != 0))
		return false;
	int rc = session_await(session, member, false,
			       good ? SESSION_SETTLE_MS : RUN_GRACE_MS);

	if (rc > 0) {
		session_stop(member);
		return true;
	}
	if (good) { /* its end frame was false: it went on */
		outcome->verdict = rc == -ECHILD ? OUTCOME_KILLED
						 : OUTCOME_TIMEOUT;
		outcome->detail = SIGKILL;
	}
	return false;
}

static enum session_fate session_decide(struct session *session,
					struct session_member *member,
					struct outcome *outcome)
{
	if (session_is_ready(session, member, outcome)) {
		session_kill(session, &session->copy);
		return SESSION_KEPT;
	}
	session_kill_and_wait(session, member);
	if (session->copy.pid == 0)
		return SESSION_ENDED;
	return session_promote(session, member) < 0 ? SESSION_ENDED
						    : SESSION_ROLLED_BACK;
}

static int session_run(struct session *session, struct session_member *member,
		       const struct job *job, int client,
		       struct outcome *outcome)
{
	struct wire_feed feed = {0};
	int rc = wire_pack_call(job, &session->limits, &feed.parts[0]);

	if (rc < 0)
		return rc;
	feed.own = feed.parts[0].data;
	session_select(session, member);
	rc = watch_guest(&session->run, job, &feed, client, outcome);
	session_deselect(session);
	free(feed.own);
	return rc;
}

/* The timestamp that the kernel gives a file that is changed now, in ns, or a
 * negative errno value. It is that of the last tick, unless the file's time was
 * read since then (Linux 6.13). So the second write's time is later than all
 * times given before. */
static int64_t session_now_ns(const struct session *session)
{
	struct stat st = {0};

	for (int i = 0; i < 2; i++)
		if (pwrite(session->clock, "", 1, 0) < 0 ||
		    fstat(session->clock, &st) < 0)
			return -errno;
	return st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec;
}

/* Begin a call's accounts: its files are those changed from now on, and its
 * memory peak is counted from now on. */
static int session_begin_accounts(struct session *session)
{
	struct run *run = &session->run;
	const struct cgroup_slot *group = run->group;
	const int64_t now = session_now_ns(session);
	int rc = cgroup_reset(group, run->limits, run->limits->memory_mb);

	if (rc < 0) /* this call's memory figures include earlier calls */
		log_warn("session control group not reset: error=\"%s\"",
			 log_errno(rc));
	run->memory_kills = cgroup_memory_kills(group);
	run->own_ooms = group->kind == CGROUP_V2 ? cgroup_own_ooms(group) : 0;
	/* Without the time, all files of earlier calls would count as this
	 * call's. */
	if (now < 0)
		return (int)now;
	run->home.since_ns = now;
	return 0;
}

static void session_collect(struct session *session, const struct job *job,
			    struct outcome *outcome)
{
	const struct run *run = &session->run;

	if (outcome->verdict == OUTCOME_CANCELLED ||
	    outcome->verdict == OUTCOME_INTERNAL ||
	    (run->box->skeleton_count == 0 && home_untouched(&run->home)))
		return;
	run_open_files(&session->run, job, outcome);
}

/* Set the next call's limits: those the session began with, or MOST where it is
 * lower. */
static void session_narrow(struct session *session, const struct limits *most)
{
	session->limits = session->run.box->limits;
	session->limits.timeout_ms = session->run.box->call_ms;
	limits_narrow(&session->limits, most);
}

enum session_fate session_call(struct session *session, unsigned number,
			       const struct job *job,
			       const struct limits *most, int client,
			       struct outcome *outcome)
{
	struct session_member *member = &session->members[number];

	*outcome = (struct outcome){.verdict = OUTCOME_INTERNAL};
	if (member->pid == 0)
		return SESSION_ENDED;
	session_narrow(session, most);
	int rc = session_begin_accounts(session);

	if (rc < 0)
		log_error("failed to begin a call: call=pwrite,fstat "
			  "error=\"%s\"", log_errno(rc));
	if (rc < 0 || !run_put_files(&session->run, job, outcome))
		return SESSION_KEPT;
	rc = session_resume(session, member, session->copies);

	if (rc == 0)
		rc = session_run(session, member, job, client, outcome);
	else
		outcome->verdict = OUTCOME_KILLED, outcome->detail = SIGKILL;
	if (rc < 0)
		log_warn("session call failed: error=\"%s\"", log_errno(rc));
	enum session_fate fate = session_decide(session, member, outcome);

	session_collect(session, job, outcome);
	return fate;
}

/* ---- branches -------------------------------------------------------- */

/* Send MEMBER, which forked outside of a call, back to wait for its next
 * call. */
static int session_send_back(struct session *session,
			     struct session_member *member)
{
	const struct wire_call rest = {.rest = 1};
	int rc = io_write_full(session->run.ends[WIRE_FD_JOB], &rest,
			       sizeof(rest));

	if (rc == 0)
		rc = session_await(session, member, false, SESSION_SETTLE_MS);
	if (rc > 0)
		session_stop(member);
	return rc < 0 ? rc : 0;
}

int session_branch(struct session *session, unsigned number, unsigned branch)
{
	struct session_member *member = &session->members[number];

	if (member->pid == 0 || session->members[branch].pid != 0)
		return -ECHILD;
	int rc = session_resume(session, member, true);

	if (rc == 0)
		rc = session_send_back(session, member);
	if (rc == 0)
		rc = session_promote(session, &session->members[branch]);
	if (rc == 0)
		return 0;
	session_kill(session, &session->copy);
	session_kill(session, member);
	return rc;
}

/* ---- ends ------------------------------------------------------------ */

void session_drop(struct session *session, unsigned number)
{
	session_kill(session, &session->members[number]);
}

bool session_lives(const struct session *session, unsigned number)
{
	const struct session_member *member = &session->members[number];

	return member->pid != 0 && !pidfd_wait(member->pidfd, 0);
}

unsigned session_members(const struct session *session)
{
	unsigned count = 0;

	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++)
		count += session_lives(session, i);
	return count;
}

void session_refuse_knock(struct session *session)
{
	struct fork_gate_knock knock;

	if (fork_gate_next(session->run.gate, &knock) > 0)
		fork_gate_refuse(session->run.gate, &knock, EPERM);
}

void session_end(struct session *session)
{
	session_kill_all(session);
	base_release_fd(&session->clock);
	run_end(&session->run);
}
