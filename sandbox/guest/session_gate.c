/* session_gate - see session_gate.h. */
#include "session_gate.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"

#define SESSION_ANY 0 /* not a pid: somebody who was not there before */

/* ---- processes ------------------------------------------------------- */

static void session_signal(const struct session_member *member, int number)
{
	pidfd_signal(member->pidfd, number);
}

void session_kill(struct session *session, struct session_member *member)
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

void session_bury(struct session *session, struct session_member *member)
{
	if (member->pid == 0)
		return;
	session_signal(member, SIGKILL);
	if (!pidfd_wait(member->pidfd, SESSION_SETTLE_MS))
		log_warn("a session's process does not die: pid=%d",
			 member->pid);
	session_kill(session, member);
}

void session_stop(const struct session_member *member)
{
	session_signal(member, SIGSTOP);
}

/* The signal interrupts its wait: it leaves the gate, and knocks once more
 * when it goes on. What is answered while it leaves may be lost with no word
 * to us (seccomp_unotify(2) has no more to say), so it must have left. */
int session_wake(const struct session *session,
		 struct session_member *member)
{
	int64_t end = io_now_ms() + SESSION_SETTLE_MS;

	while (fork_gate_stands(session->run.gate, &member->knock)) {
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

/* Is KNOCK that of PID, or of a new process for SESSION_ANY? Whoever is not
 * waited for is refused. */
static bool session_is_for(struct session *session, pid_t pid,
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
	if (session->copy.pidfd < 0) { /* a thread, or gone */
		fork_gate_refuse(gate, knock, EPERM);
		return false;
	}
	session->copy.pid = knock->pid;
	return true;
}

/* MEMBER has knocked already, while its call was watched. */
static bool session_has_knocked(struct session *session,
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

int session_await(struct session *session, struct session_member *member,
		  bool fresh, int timeout_ms)
{
	struct pollfd polled[] = {
		{.fd = session->run.gate, .events = POLLIN},
		{.fd = member->pidfd, .events = POLLIN},
	};
	int64_t end = io_now_ms() + timeout_ms;

	if (session_has_knocked(session, member))
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
		if (rc > 0 && knock.signals) { /* not between two calls */
			fork_gate_refuse(session->run.gate, &knock, EPERM);
			continue;
		}
		if (rc > 0 && knock.pid == member->pid) {
			member->knock = knock;
			member->waiting = true;
			return !fresh;
		}
		if (rc > 0 &&
		    session_is_for(session, fresh ? SESSION_ANY : member->pid,
				   &knock)) {
			session->copy.knock = knock;
			session->copy.waiting = true;
			return 1;
		}
		if (rc == 0 && polled[1].revents)
			return -ECHILD;
	}
}

int session_answer(struct session *session, struct session_member *member,
		   int answer)
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
