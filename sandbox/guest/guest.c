/*
 * guest - who runs the stranger's program.
 *
 * Who:    forked by the fork server, for a worker that has accepted nothing
 * yet; the second process of a pid namespace whose init does nothing. A
 *         session's is forked by its keeper.
 * Holds:  four pipe ends (wire.h) and its tmpfs; no socket, no directory, no
 *         byte of any request but the job that comes down its pipe.
 * May:    compute, and read and write below /home/user and /tmp.
 * Talks:  to its worker, by frames; the worker believes none of them.
 * Ends:   after one job, or when its worker dies, or when it is killed; it
 *         never returns.
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

/* Of the fork server's session guests are, who has no terminal: the kernel may
 * share processors out by sessions (sched(7), autogroup), and priorities, by
 * which long programs let quick ones go first, tell within one only. */
static int guest_detach(const struct guest_place *place)
{
	sigset_t none;

	title_set("guest");
	sigemptyset(&none);
	if (sigprocmask(SIG_SETMASK, &none, NULL) < 0 ||
	    (place->cast ? setpgid(0, 0) : setsid()) < 0)
		return -errno;
	umask(022);
	return 0;
}

static int guest_pages(const struct guest_place *place)
{
	prefault_take(&place->box->prefault);
	return 0;
}

static int guest_group(const struct guest_place *place)
{
	return cgroup_enter(place->group);
}

static int guest_interpreter(const struct guest_place *place)
{
	(void)place;
	return interpreter_after_fork();
}

static int guest_mounts(const struct guest_place *place)
{
	(void)place;
	return namespaces_own_mounts();
}

static int guest_home(const struct guest_place *place)
{
	int rc = home_attach(place->home);

	if (rc == 0 && chdir("/home/user") < 0)
		rc = -errno;
	return rc;
}

/* Park the pipe ends first: the final numbers may be in use among them. */
static int guest_descriptors(const struct guest_place *place)
{
	int count = place->gate < 0 ? WIRE_FD_COUNT : GUEST_FD_GATE + 1;
	int parked[GUEST_FD_GATE + 1];

	for (int i = 0; i < count; i++) {
		int fd = i == GUEST_FD_GATE ? place->gate : place->fds[i];

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

/* Without a uid of its own a guest shares the count of tasks with the whole
 * pool, so only the pool as a whole can be kept from growing past it. */
static int guest_limits(const struct guest_place *place)
{
	const struct box *box = place->box;
	const struct limits *limits = place->gate < 0 ? &box->limits
						      : &box->session_limits;
	unsigned long tasks = limits->threads + 1ul;

	if (!box->who.separate)
		tasks += 4ul * box->slots + 16;
	return limits_apply(limits, box->base_kb, tasks);
}

static int guest_identity(const struct guest_place *place)
{
	return privileges_become(
		namespaces_guest_uid(&place->box->who, place->slot));
}

static int guest_capabilities(const struct guest_place *place)
{
	(void)place;
	return privileges_drop_capabilities();
}

/* A guest dies with its namespace's init, who dies with the worker, or the
 * session keeper, at whatever moment that dies. Whom the fork server casts the
 * fork server kills, too, when the worker hangs up. */
static int guest_lock(const struct guest_place *place)
{
	int rc = place->cast ? 0 : privileges_die_with(0);

	return rc < 0 ? rc : privileges_lock();
}

static int guest_landlock(const struct guest_place *place)
{
	int abi = place->box->landlock_abi;

	return abi > 0 ? landlock_enforce(abi) : 0;
}

static int guest_filter(const struct guest_place *place)
{
	if (place->gate >= 0)
		return session_guest_lock(place);
	return syscalls_load(&place->box->filter);
}

/* The guest's life up to the moment it is armed, in this order. The filter
 * is the last: none of the calls above it is one that a program may make. */
static const STEP(const struct guest_place *) guest_steps[] = {
	{"enter the control group", guest_group},
	{"take the pages it will need", guest_pages},
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

/* A step failed: say which, to a worker that will not serve without it. */
static void guest_give_up(int fd, const char *words) NORETURN;

static void guest_give_up(int fd, const char *words)
{
	wire_write(fd, WIRE_FAILED, words, strlen(words));
	_exit(1);
}

static void guest_arm(const struct guest_place *place)
{
	char words[160];

	if (steps_take(guest_steps, place, words, sizeof(words)) < 0)
		/* The number stays valid until it is closed, and is
		 * moved to its final place by the same step. */
		guest_give_up(fcntl(place->fds[WIRE_FD_RESULT], F_GETFD) < 0
				      ? WIRE_FD_RESULT
				      : place->fds[WIRE_FD_RESULT],
			      words);
	if (wire_write(WIRE_FD_RESULT, WIRE_ARMED, NULL, 0) < 0)
		_exit(1);
}

void guest_say_end(unsigned exit_code)
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
		interpreter_say_no_room();
	} else {
		if (job.merge_output && dup2(WIRE_FD_OUT, WIRE_FD_ERR) < 0)
			_exit(1);
		exit_code = interpreter_run(&job, &env, limits);
		fflush(NULL); /* what C code has printed */
	}
	guest_say_end(exit_code);
	return 0;
}

void guest_main(const struct guest_place *place)
{
	guest_arm(place);
	if (place->gate >= 0)
		session_guest_main(place);
	/* To end takes a while, and there may be one processor for that and
	 * for the answer: we are killed when that is on its way. */
	if (guest_serve(&place->box->limits) == 0)
		poll(NULL, 0, -1);
	_exit(0);
}
