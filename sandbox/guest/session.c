/* session - see session.h. */
#include "session.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"
#include "session_gate.h"
#include "watch.h"

/* ---- turns ----------------------------------------------------------- */

/* MEMBER is the guest of whatever runs a job. */
static void session_give_turn(struct session *session,
			      const struct session_member *member)
{
	session->run.guest = member->pid;
	session->run.pidfd = member->pidfd;
	session->run.adopted = member->pid != session->child;
	session->run.number = session->run.adopted ? 0 : SYSCALLS_GUEST_PID;
}

static void session_take_turn(struct session *session)
{
	session->run.guest = -1;
	session->run.pidfd = -1;
}

/* What was written after the end of a call, or never read, is lost. All these
 * descriptors are of our own opening and do not block: a thread of the guest's
 * that is not stopped yet may read or write the same pipe meanwhile. One that
 * goes on to fill it is not stopped at all. */
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

/* Let MEMBER go on, with a copy of it left behind if there shall be one. */
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
	/* It could not fork, or has not told us whom: nobody may live of whom
	 * we do not know, and it is the end of them all that ends him. */
	session_kill_all(session);
	return rc == 0 ? -EAGAIN : rc;
}

/* The copy is MEMBER now: let it come to where it waits for its turn. */
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
	session_take_turn(session);
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

/* The program's own end: it waits for its next call, and is as it says. */
static bool session_settled(struct session *session,
			    struct session_member *member,
			    struct outcome *outcome)
{
	bool good = outcome->verdict == OUTCOME_OK ||
		    outcome->verdict == OUTCOME_RAISED;

	/* Without a copy the best there is is what came of it. */
	if (!good && (outcome->verdict != OUTCOME_TIMEOUT ||
		      session->copy.pid != 0))
		return false;
	int rc = session_await(session, member, false,
			       good ? SESSION_SETTLE_MS : RUN_GRACE_MS);

	if (rc > 0) {
		session_stop(member);
		return true;
	}
	if (good) { /* it is not: it said that it ended, and did not */
		outcome->verdict = rc == -ECHILD ? OUTCOME_KILLED
						 : OUTCOME_TIMEOUT;
		outcome->detail = SIGKILL;
	}
	return false;
}

static enum session_fate session_settle(struct session *session,
					struct session_member *member,
					struct outcome *outcome)
{
	if (session_settled(session, member, outcome)) {
		session_kill(session, &session->copy);
		return SESSION_KEPT;
	}
	session_bury(session, member);
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
	session_give_turn(session, member);
	rc = watch_guest(&session->run, job, &feed, client, outcome);
	session_take_turn(session);
	free(feed.own);
	return rc;
}

/* The time that the kernel gives to a file which is changed now, or a negative
 * errno value. It is that of the last tick, unless somebody has looked at the
 * file meanwhile (Linux 6.13): so the second time is past all that was given
 * before. */
static int64_t session_now_ns(const struct session *session)
{
	struct stat st = {0};

	for (int i = 0; i < 2; i++)
		if (pwrite(session->clock, "", 1, 0) < 0 ||
		    fstat(session->clock, &st) < 0)
			return -errno;
	return st.st_ctim.tv_sec * 1000000000 + st.st_ctim.tv_nsec;
}

/* Files count as this call's when they were changed since, and so does the
 * most memory that was in use. */
static int session_mark(struct session *session)
{
	struct run *run = &session->run;
	const struct cgroup_slot *group = run->group;
	const int64_t now = session_now_ns(session);
	int rc = cgroup_reset(group, run->limits, run->limits->memory_mb);

	if (rc < 0) /* what is told of memory is that of calls before, too */
		log_warn("reset a session's control group: %s",
			 log_errno(rc));
	run->memory_kills = cgroup_memory_kills(group);
	run->own_ooms = group->kind == CGROUP_V2 ? cgroup_own_ooms(group) : 0;
	/* Without it all files of earlier calls would count as this one's. */
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

/* The next call has the limits that it began with, or less. */
static void session_narrow(struct session *session, const struct limits *most)
{
	session->limits = session->run.box->limits;
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
	int rc = session_mark(session);

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
		log_warn("a call of a session: %s", log_errno(rc));
	enum session_fate fate = session_settle(session, member, outcome);

	session_collect(session, job, outcome);
	return fate;
}

/* ---- branches -------------------------------------------------------- */

/* The one that was forked goes back to wait for its next call. */
static int session_rest(struct session *session,
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
		rc = session_rest(session, member);
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

void session_mind(struct session *session)
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
