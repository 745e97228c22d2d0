/*
 * session_guest - the guest of a session, from the moment it is armed.
 *
 * Who:    a guest (guest.c) behind the same walls. A gate (fork_gate.h)
 *         supervises its one fork.
 * Holds:  a guest's descriptors. The job pipe has another number, because
 *         standard input belongs to the program.
 * Talks:  to its session keeper: frames up, jobs down, and knocks at the gate.
 * Ends:   when it is killed, or when its session keeper dies.
 *
 *	it knocks, by fork()		idle; the session keeper may stop it
 *	the fork passes			there are two processes
 *	  the child knocks		it is the copy. After a successful call
 *					it is killed. Else its fork is refused,
 *					it becomes the session, and starts at
 *					the top
 *	  the parent runs a job		and starts at the top
 *	the fork is refused		it runs a job without a copy
 *
 * It is stopped between its end frame and the next fork that passes. So no
 * thread of the program runs between calls.
 */
#include "session_guest.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

#include "sandbox/walls/fork_gate.h"
#include "sandbox/base/io.h"
#include "sandbox/python/interpreter.h"

/* Behind the program's three standard descriptors. */
#define SESSION_FD_JOB GUEST_FD_GATE /* after the gate is up */
#define SESSION_FD_ERR (GUEST_FD_GATE + 1)

int session_guest_lock(const struct guest_args *args)
{
	int rc = fork_gate_load(&args->box->gate, GUEST_FD_GATE);

	if (rc == 0)
		rc = syscalls_load(&args->box->session_filter);
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

/* Wait at the gate until a call comes. The copy that may be left behind waits
 * for its own next call. All signals are blocked meanwhile, whatever handlers
 * the program has set. */
static void session_guest_wait(void)
{
	sigset_t all, none;

	/* A copy that is killed needs no reaping. */
	signal(SIGCHLD, SIG_IGN);
	sigfillset(&all);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &all, NULL);
	int rc;

	while ((rc = interpreter_fork(session_guest_copy)) > 0)
		; /* this is the copy, and the session from now on */
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (rc == -ENOSYS)
		_exit(0);
}

/* Read the job that follows the head CALL. */
static int session_guest_read(const struct wire_call *call, struct job *job,
			      struct bytes *env)
{
	int rc = wire_read_section(SESSION_FD_JOB, call->input_size,
				   &job->input);

	return rc < 0 ? rc : wire_read_job(SESSION_FD_JOB, job, env);
}

static unsigned session_guest_run(const struct guest_args *args,
				  const struct wire_call *call,
				  const struct job *job,
				  const struct bytes *env)
{
	struct limits limits = args->box->limits;

	limits.timeout_ms = call->timeout_ms;
	limits.value_kb = call->value_kb;
	limits.displays = call->displays;
	limits.displays_mb = call->displays_mb;
	if (dup2(job->merge_output ? WIRE_FD_OUT : SESSION_FD_ERR,
		 WIRE_FD_ERR) < 0)
		_exit(1);
	return interpreter_session_run(job, env, &limits);
}

static void session_guest_call(const struct guest_args *args)
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

	if (rc == -ENOMEM) /* the session keeper empties the pipe */
		interpreter_send_no_memory();
	else if (rc < 0)
		_exit(0);
	else
		exit_code = session_guest_run(args, &call, &job, &env);
	job_free(&job);
	free(env.data);
	fflush(NULL);
	guest_send_end(exit_code);
}

void session_guest_main(const struct guest_args *args)
{
	if (session_guest_streams() < 0)
		_exit(1);
	for (;;) {
		session_guest_wait();
		session_guest_call(args);
	}
}
