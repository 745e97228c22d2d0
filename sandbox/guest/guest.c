/*
 * guest - the process that runs one client's program.
 *
 * Who:    forked by the fork server, for a worker that has not accepted a
 *         request yet. The second process of a pid namespace with an idle init.
 *         A session's guest is forked by its session keeper.
 * Holds:  four pipe ends (wire.h) and its tmpfs. No socket, no directory, and
 *         no byte of any request except the job that it reads from its pipe.
 * May:    compute, and read and write below /home/user and /tmp.
 * Talks:  to its worker, by frames. The worker trusts none of them.
 * Ends:   after one job, when its worker dies, or when it is killed. It never
 *         returns.
 */
#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "sandbox/walls/landlock.h"
#include "sandbox/base/steps.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/python/interpreter.h"
#include "session_guest.h"
#include "sandbox/base/title.h"

/* Stay in the fork server's session and take only a new process group, because
 * autogroup (sched(7)) shares processors by session. Nice values, by which long
 * programs yield to quick ones, compare only within one session. A guest of
 * another parent gets a session of its own. */
static int guest_detach(const struct guest_args *args)
{
	sigset_t none;

	title_set("guest");
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0 ||
	    (args->by_fork_server ? setpgid(0, 0) : setsid()) < 0)
		return -errno;
	umask(022);
	return 0;
}

static int guest_prefault(const struct guest_args *args)
{
	prefault_take(&args->box->prefault);
	return 0;
}

static int guest_group(const struct guest_args *args)
{
	return cgroup_enter(args->group);
}

static int guest_interpreter(const struct guest_args *args)
{
	(void)args;
	return interpreter_after_fork();
}

static int guest_mounts(const struct guest_args *args)
{
	(void)args;
	return namespaces_own_mounts();
}

static int guest_home(const struct guest_args *args)
{
	int rc = home_attach(args->home);

	if (rc == 0 && chdir("/home/user") < 0)
		rc = -errno;
	return rc;
}

/* Move the pipe ends out of the way first, because a final number may be in use
 * by one of them. */
static int guest_descriptors(const struct guest_args *args)
{
	int count = args->gate < 0 ? WIRE_FD_COUNT : GUEST_FD_GATE + 1;
	int parked[GUEST_FD_GATE + 1];

	for (int i = 0; i < count; i++) {
		int fd = i == GUEST_FD_GATE ? args->gate : args->fds[i];

		parked[i] = fcntl(fd, F_DUPFD, GUEST_FD_ABOVE);
		if (parked[i] < 0)
			return -errno;
	}
	for (int i = 0; i < count; i++)
		if (dup2(parked[i], i) < 0)
			return -errno;
	if (syscall(SYS_close_range, count, ~0U, 0) < 0)
		return -errno;
	return 0;
}

/* Without a uid of its own, a guest shares the kernel's count of tasks with the
 * whole pool. Then only the pool's total can be limited. */
static int guest_limits(const struct guest_args *args)
{
	const struct box *box = args->box;
	const struct limits *limits = args->gate < 0 ? &box->limits
						     : &box->session_limits;
	unsigned long tasks = limits->threads + 1ul;

	if (!box->who.separate)
		tasks += 4ul * box->slots + 16;
	return limits_apply(limits, &box->base, tasks);
}

static int guest_identity(const struct guest_args *args)
{
	return privileges_become(
		namespaces_guest_uid(&args->box->who, args->slot));
}

static int guest_capabilities(const struct guest_args *args)
{
	(void)args;
	return privileges_drop_capabilities();
}

/* A guest dies with its namespace's init. The init dies with the worker or the
 * session keeper, at any moment of their lives. The fork server also kills its
 * own guests when their worker hangs up. */
static int guest_lock(const struct guest_args *args)
{
	int rc = args->by_fork_server ? 0 : privileges_die_with(0);

	if (rc < 0)
		return rc;
	return args->box->jit ? privileges_lock_worker() : privileges_lock();
}

static int guest_landlock(const struct guest_args *args)
{
	int abi = args->box->landlock_abi;

	return abi > 0 ? landlock_enforce(abi) : 0;
}

static int guest_filter(const struct guest_args *args)
{
	if (args->gate >= 0)
		return session_guest_lock(args);
	return syscalls_load(&args->box->filter);
}

/* The steps from fork to armed, in this order. The filter comes last, because
 * it permits none of the calls that the other steps make. */
static const STEP(const struct guest_args *) guest_steps[] = {
	{"enter the control group", guest_group},
	{"prefault pages", guest_prefault},
	{"leave its parent's group", guest_detach},
	{"take over the interpreter", guest_interpreter},
	{"enter a mount namespace", guest_mounts},
	{"mount home", guest_home},
	{"close descriptors", guest_descriptors},
	{"set resource limits", guest_limits},
	{"change identity", guest_identity},
	{"drop capabilities", guest_capabilities},
	{"lock privileges", guest_lock},
	{"enforce Landlock", guest_landlock},
	{"load the filter", guest_filter},
};

/* Report WORDS, the failed step and its error, to the worker, which will not
 * serve without a guest. */
static void guest_fail(int fd, const char *words) NORETURN;

static void guest_fail(int fd, const char *words)
{
	wire_write(fd, WIRE_FAILED, words, strlen(words));
	_exit(1);
}

static void guest_arm(const struct guest_args *args)
{
	char words[160] = "";
	const int rc = steps_take(guest_steps, args, words, sizeof(words));

	if (rc < 0)
		/* This number is valid until the same step that moves it to
		 * its final place closes it. */
		guest_fail(fcntl(args->fds[WIRE_FD_RESULT], F_GETFD) < 0
				   ? WIRE_FD_RESULT
				   : args->fds[WIRE_FD_RESULT],
			   words);
	if (wire_write(WIRE_FD_RESULT, WIRE_ARMED, NULL, 0) < 0)
		_exit(1);
}

void guest_send_end(unsigned exit_code)
{
	struct rusage usage;
	struct wire_end end = {.exit_code = exit_code};

	if (getrusage(RUSAGE_SELF, &usage) == 0) {
		end.cpu_us = (uint64_t)(usage.ru_utime.tv_sec +
					usage.ru_stime.tv_sec) * 1000000 +
			     (uint64_t)(usage.ru_utime.tv_usec +
					usage.ru_stime.tv_usec);
		end.max_rss_kb = (uint64_t)usage.ru_maxrss;
	}
	wire_write(WIRE_FD_RESULT, WIRE_END, &end, sizeof(end));
}

int guest_serve(const struct limits *limits)
{
	struct bytes env = {0};
	struct job job = {0};
	unsigned exit_code = 1;
	int rc = wire_read_job(WIRE_FD_JOB, &job, &env);

	if (rc < 0 && rc != -ENOMEM)
		return rc;
	if (rc == -ENOMEM) {
		interpreter_send_no_memory();
	} else {
		if (job.merge_output && dup2(WIRE_FD_OUT, WIRE_FD_ERR) < 0)
			_exit(1);
		exit_code = interpreter_run(&job, &env, limits);
		fflush(NULL); /* output that C code has buffered */
	}
	guest_send_end(exit_code);
	return 0;
}

void guest_main(const struct guest_args *args)
{
	guest_arm(args);
	if (args->gate >= 0)
		session_guest_main(args);
	/* Exiting takes time, and the answer may need the same processor. So
	 * wait: the worker kills this process once the answer is sent. */
	if (guest_serve(&args->box->limits) == 0)
		poll(NULL, 0, -1);
	_exit(0);
}
