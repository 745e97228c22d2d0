/*
 * session_guest - the guest of a session, from the moment it is armed.
 *
 * Who:    a guest (guest.c) behind the same walls, with a gate (fork_gate.h) in
 *         front of its one fork.
 * Holds:  what a guest holds; the job pipe is another descriptor, so that
 *         standard input is the program's.
 * Talks:  to its session keeper: frames up, jobs down, and knocks at the gate.
 * Ends:   when it is killed, or its session keeper is gone.
 *
 *	it knocks, by fork()		idle; the session keeper may let it
 *stand the fork passes			there are two
 *	  the child knocks		it is the copy: killed when the call
 *					went well, else refused, and so it is
 *					the session, and begins above
 *	  the parent runs a job		and begins above
 *	the fork is refused		it runs a job without a copy
 *
 * Between its end frame and the next passing it is stopped: no thread of the
 * program runs while no call does.
 */
#include "session_guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

#include "sandbox/walls/fork_gate.h"
#include "sandbox/base/io.h"
#include "sandbox/python/interpreter.h"

/* Out of the program's way, behind its three. */
#define SESSION_FD_JOB GUEST_FD_GATE /* once the gate is up */
#define SESSION_FD_ERR (GUEST_FD_GATE + 1)

int session_guest_lock(const struct guest_place *place)
{
	int rc = fork_gate_put_up(&place->box->gate, GUEST_FD_GATE);

	if (rc == 0)
		rc = syscalls_load(&place->box->session_filter);
	return rc;
}

static int session_guest_streams(void)
{
	if (dup2(WIRE_FD_JOB, SESSION_FD_JOB) < 0 ||
	    dup2(WIRE_FD_ERR, SESSION_FD_ERR) < 0)
		return -errno;
	owned_fd int null = open("/dev/null", O_RDONLY);

	return null < 0 || dup2(null, WIRE_FD_JOB) < 0 ? -errno : 0;
}

static int session_guest_copy(void)
{
	int rc = fork_gate_wait();

	if (rc == -ENOSYS)
		_exit(0);
	return rc;
}

/* Wait for leave to go on, with a copy of us left behind if we may. Whatever
 * the program did about signals, none comes between. */
static void session_guest_wait(void)
{
	sigset_t all, none;

	/* A copy that is not needed shall not wait to be buried. */
	signal(SIGCHLD, SIG_IGN);
	sigfillset(&all);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &all, NULL);
	int rc;

	while ((rc = interpreter_fork(session_guest_copy)) > 0)
		; /* the copy is needed: it waits for its own next call */
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (rc == -ENOSYS)
		_exit(0);
}

/* Read the rest of a call, whose head is CALL. */
static int session_guest_read(const struct wire_call *call, struct job *job,
			      struct bytes *env)
{
	int rc = wire_read_section(SESSION_FD_JOB, call->input_size,
				   &job->input);

	return rc < 0 ? rc : wire_read_job(SESSION_FD_JOB, job, env);
}

static unsigned session_guest_run(const struct guest_place *place,
				  const struct wire_call *call,
				  const struct job *job,
				  const struct bytes *env)
{
	struct limits limits = place->box->limits;

	limits.value_kb = call->value_kb;
	limits.displays = call->displays;
	limits.displays_mb = call->displays_mb;
	if (dup2(job->merge_output ? WIRE_FD_OUT : SESSION_FD_ERR,
		 WIRE_FD_ERR) < 0)
		_exit(1);
	return interpreter_session_run(job, env, &limits);
}

static void session_guest_call(const struct guest_place *place)
{
	struct wire_call call;
	struct job job = {0};
	struct bytes env = {0};
	unsigned exit_code = 1;

	if (io_read_full(SESSION_FD_JOB, &call, sizeof(call)) < 0)
		_exit(0);
	if (call.rest)
		return;
	int rc = session_guest_read(&call, &job, &env);

	if (rc == -ENOMEM) /* what stands in the pipe is the session keeper's to
			      take */
		interpreter_say_no_room();
	else if (rc < 0)
		_exit(0);
	else
		exit_code = session_guest_run(place, &call, &job, &env);
	job_free(&job);
	free(env.data);
	fflush(NULL);
	guest_say_end(exit_code);
}

void session_guest_main(const struct guest_place *place)
{
	if (session_guest_streams() < 0)
		_exit(1);
	for (;;) {
		session_guest_wait();
		session_guest_call(place);
	}
}
