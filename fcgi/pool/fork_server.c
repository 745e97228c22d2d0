/*
 * mold - who all guests of one generation are cast from.
 *
 * Who:    forked by a zygote before that has started anything; one thread.
 * Holds:  a warm Python, frozen; the namespaces and the root of its zygote; a
 *         channel for each guest that lives. Nothing of any request, and of
 *         the configuration no text.
 * May:    what its zygote may.
 * Talks:  to workers: those that arm (an order in, a pid out), those whose
 *         guest is to let others go first, and those that want to know how it
 *         died.
 * Ends:   when its zygote has ended, after the last of its guests.
 *
 * It is the one process whose fork takes all of Python along. A worker has
 * none mapped, so that being forked, and ending, costs it little.
 */
#include "fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/guest/guest.h"
#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/walls/oom_score.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/base/title.h"
#include "fcgi/shared/generation.h"
#include "session_fork_server.h"

/* A slot's guest may still be dying when its next one is ordered. */
#define MOLD_GUESTS_MAX (2 * SCOREBOARD_WORKERS_MAX)

/* Nearest to the eighth of a weight that a control group would have (sched(7):
 * each step is a factor of 1.25). */
#define MOLD_SLOW_NICE 9

/* One that is not buried yet. */
struct mold_guest {
	pid_t pid;   /* 0: none */
	int channel; /* to who ordered it; -1: nobody asks for it */
	int pidfd;   /* while its death is waited for; else -1 */
	enum cast_question asked;
	bool looked;
};

struct mold {
	struct zygote *zygote;
	int orders;  /* of workers */
	int poller;
	int score;   /* of ours, which a guest inherits: oom_score.h */
	int nursery; /* pidfd; -1: there is none */
	bool let_go; /* nobody will order a guest any more */
	size_t entries; /* that a control group has */
	unsigned alive;
	struct mold_guest guests[MOLD_GUESTS_MAX];
};

/* What is polled besides guests, whose tags are their indices. */
enum mold_tag { MOLD_ORDERS = MOLD_GUESTS_MAX, MOLD_NURSERY };

static int mold_poll(struct mold *mold, int fd, unsigned tag)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u32 = tag};

	return epoll_ctl(mold->poller, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno
								      : 0;
}

/* A child that has just been forked may hold it too, so closing it is not
 * enough to be told no more. */
static void mold_forget_fd(struct mold *mold, int *fd)
{
	if (*fd >= 0)
		epoll_ctl(mold->poller, EPOLL_CTL_DEL, *fd, NULL);
	base_release_fd(fd);
}

/* ---- deaths ---------------------------------------------------------- */

static void mold_bury(struct mold *mold, struct mold_guest *guest)
{
	mold->alive--;
	mold_forget_fd(mold, &guest->channel);
	mold_forget_fd(mold, &guest->pidfd);
	*guest = (struct mold_guest){.channel = -1, .pidfd = -1};
}

/* Not dead yet: come back when it is. */
static void mold_await(struct mold *mold, struct mold_guest *guest)
{
	if (guest->pidfd >= 0)
		return;
	guest->pidfd = (int)syscall(SYS_pidfd_open, guest->pid, 0);
	int rc = guest->pidfd < 0
			 ? -errno
			 : mold_poll(mold, guest->pidfd,
				     (unsigned)(guest - mold->guests));

	if (rc < 0)
		die("wait for a guest's end: %s", log_errno(rc));
}

static void mold_answer_for(struct mold *mold, struct mold_guest *guest)
{
	bool look = guest->channel >= 0 && guest->asked == CAST_LOOK;
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)guest->pid, &info,
		   WEXITED | WNOHANG | (look ? WNOWAIT : 0)) < 0)
		die("bury a guest: %s", log_errno(errno));
	if (info.si_pid == 0) {
		mold_await(mold, guest);
		return;
	}
	if (guest->channel >= 0)
		cast_tell(guest->channel, &info);
	guest->asked = CAST_NOTHING;
	guest->looked = true;
	if (look)
		mold_forget_fd(mold, &guest->pidfd);
	else
		mold_bury(mold, guest);
}

/* Whoever ordered it is dead, or will never hear of it. */
static void mold_give_up(struct mold *mold, struct mold_guest *guest)
{
	mold_forget_fd(mold, &guest->channel);
	kill(guest->pid, SIGKILL);
}

/* Where no cpu controller does it for the worker. A guest leads a group of
 * processes, of all its threads. It may be gone (ESRCH). */
static void mold_slow(const struct mold_guest *guest)
{
	if (setpriority(PRIO_PGRP, (id_t)guest->pid, MOLD_SLOW_NICE) < 0 &&
	    errno != ESRCH)
		log_warn("let others go first: %s", log_errno(errno));
}

/* Something was said on its channel, or it has died. */
static void mold_mind(struct mold *mold, struct mold_guest *guest)
{
	enum cast_question question;
	int rc = guest->channel < 0
			 ? 0 : cast_hear(guest->channel, &question);

	if (rc > 0 && question == CAST_SLOW)
		mold_slow(guest);
	else if (rc > 0) /* two answers in all: nobody can be made to wait */
		guest->asked = guest->looked ? CAST_BURY : question;
	else if (rc < 0)
		mold_give_up(mold, guest);
	if (guest->channel < 0 || guest->asked)
		mold_answer_for(mold, guest);
}

/* ---- guests ---------------------------------------------------------- */

static struct mold_guest *mold_room(struct mold *mold)
{
	for (size_t i = 0; i < MOLD_GUESTS_MAX; i++)
		if (mold->guests[i].pid == 0)
			return &mold->guests[i];
	return NULL;
}

static void mold_be_guest(struct mold *mold,
			  const struct cast_order *order) NORETURN;

static void mold_be_guest(struct mold *mold, const struct cast_order *order)
{
	const struct sandbox *box = &mold->zygote->box;
	const struct home home = {.fd = order->fds[CAST_HOME]};
	struct cgroup_slot group;
	struct guest_place place = {.box = box, .slot = order->slot,
				    .home = &home, .group = &group,
				    .gate = -1, .cast = true};

	cgroup_slot_none(&group);
	group.kind = box->groups[order->slot].kind;
	memcpy(group.entry, &order->fds[CAST_ENTRIES],
	       order->entries * sizeof(int));
	memcpy(place.fds, &order->fds[CAST_PIPES], sizeof(place.fds));
	guest_main(&place);
}

static pid_t mold_fork_scored(struct mold *mold,
			      const struct cast_order *order)
{
	/* A guest could not set it: it has no /proc. */
	oom_score_set(mold->score, OOM_SCORE_GUEST);
	pid_t pid = fork();

	if (pid == 0)
		mold_be_guest(mold, order);
	const int failed = errno;

	oom_score_set(mold->score, OOM_SCORE_NEEDED);
	return pid < 0 ? -failed : pid;
}

/* In the pid namespace that the worker's init is of. */
static pid_t mold_fork_guest(struct mold *mold,
			     const struct cast_order *order)
{
	if (setns(order->fds[CAST_INIT], CLONE_NEWPID) < 0)
		return -errno;
	return mold_fork_scored(mold, order);
}

/* What follows of GUEST is said on its channel. */
static int mold_keep(struct mold *mold, struct mold_guest *guest,
		     struct cast_order *order)
{
	int rc = mold_poll(mold, order->fds[CAST_CHANNEL],
			   (unsigned)(guest - mold->guests));

	guest->channel = take_fd(&order->fds[CAST_CHANNEL]);
	if (rc < 0)
		return rc;
	owned_fd int pidfd = (int)syscall(SYS_pidfd_open, guest->pid, 0);

	return pidfd < 0 ? -errno
			 : cast_answer(guest->channel, guest->pid, pidfd);
}

static void mold_cast(struct mold *mold, struct cast_order *order)
{
	struct mold_guest *guest = mold_room(mold);
	/* No guest enters but some of its groups. */
	const bool right = brood_has_group(mold->zygote, order->slot) &&
			   order->entries == mold->entries;
	pid_t pid = !guest   ? -EAGAIN
		    : !right ? -EINVAL
			     : mold_fork_guest(mold, order);

	if (pid < 0) {
		cast_answer(order->fds[CAST_CHANNEL], pid, -1);
		return;
	}
	mold->alive++;
	*guest = (struct mold_guest){.pid = pid, .channel = -1, .pidfd = -1};
	if (mold_keep(mold, guest, order) < 0) {
		mold_give_up(mold, guest);
		mold_mind(mold, guest);
	}
}

static void mold_take_orders(struct mold *mold)
{
	struct cast_order order;
	int rc = cast_take(mold->orders, &order);

	if (rc > 0) {
		mold_cast(mold, &order);
		cast_release(&order);
	} else if (rc == -EPIPE) {
		mold_forget_fd(mold, &mold->orders);
		mold->let_go = true;
	} else if (rc < 0) {
		log_warn("take an order: %s", log_errno(rc));
	}
}

/* ---- life ------------------------------------------------------------ */

/* It ends when our generation leaves: else no session could be opened. */
static void mold_hear_nursery(struct mold *mold)
{
	if (io_wait_readable(GENERATION_LEAVE, 0) == 0)
		die("the nursery has died");
	mold_forget_fd(mold, &mold->nursery);
}

static void mold_handle(struct mold *mold, unsigned tag)
{
	if (tag == MOLD_ORDERS)
		mold_take_orders(mold);
	else if (tag == MOLD_NURSERY)
		mold_hear_nursery(mold);
	else if (mold->guests[tag].pid != 0)
		mold_mind(mold, &mold->guests[tag]);
}

static void mold_step(struct mold *mold)
{
	struct epoll_event event;
	int n = epoll_wait(mold->poller, &event, 1, -1);

	if (n < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	if (n > 0)
		mold_handle(mold, event.data.u32);
}

/* What is its zygote's, and its zygote's other children's. */
static void mold_close(const struct zygote *zygote)
{
	close(zygote->signals);
	close(zygote->report_in);
	close(zygote->report_out);
	close(GENERATION_LISTENER);
	close(GENERATION_NEWS);
	close(GENERATION_SERVE);
	close(GENERATION_REGISTRY);
	close(GENERATION_ARCHIVE);
	close(GENERATION_QUEUE);
	close(GENERATION_CROWD);
}

/* It is to be forked before we enter any guest's pid namespace. */
static int mold_open_nursery(struct mold *mold)
{
	pid_t pid = nursery_start(mold->zygote, mold->orders);

	if (pid < 0)
		return pid;
	mold->nursery = (int)syscall(SYS_pidfd_open, pid, 0);
	return mold->nursery < 0 ? -errno : 0;
}

/* How many control groups a guest enters. */
static size_t mold_entries(const struct zygote *zygote)
{
	int files[CGROUP_CONTROLLERS];

	return cgroup_entries(&zygote->box.groups[zygote->first], files);
}

static void mold_open(struct mold *mold, struct zygote *zygote, int orders)
{
	int rc = 0;

	*mold = (struct mold){.zygote = zygote, .orders = orders,
			      .nursery = -1,
			      .score = oom_score_open(zygote->box.proc)};
	if (mold->score < 0)
		log_warn("guests are not preferred when memory is short: %s",
			 log_errno(mold->score));
	for (size_t i = 0; i < MOLD_GUESTS_MAX; i++)
		mold->guests[i] = (struct mold_guest){
			.channel = -1, .pidfd = -1};
	if (zygote->conf.sessions.max > 0)
		rc = mold_open_nursery(mold);
	mold->entries = mold_entries(zygote);
	for (unsigned i = 0; i < zygote->box.slots; i++)
		cgroup_forget(&zygote->box.groups[i]);
	mold->poller = epoll_create1(EPOLL_CLOEXEC);
	if (rc == 0 && mold->poller < 0)
		rc = -errno;
	if (rc == 0)
		rc = mold_poll(mold, orders, MOLD_ORDERS);
	if (rc == 0 && mold->nursery >= 0)
		rc = mold_poll(mold, mold->nursery, MOLD_NURSERY);
	if (rc < 0)
		die("get ready to fork: %s", log_errno(rc));
	close(GENERATION_ORDERS);
	close(GENERATION_BOARD);
}

/* ---- birth ----------------------------------------------------------- */

/* What the mold says once it is warm, or cannot be, in front of a text: the
 * list of packages, or why. */
struct mold_hello {
	int32_t rc;
	uint32_t size;
	uint64_t base_kb;
};

static int mold_say_hello(int fd, int rc, const struct sandbox *box,
			  const char *error)
{
	struct mold_hello hello = {
		.rc = rc, .base_kb = box->base_kb,
		.size = (uint32_t)(rc < 0 ? strlen(error)
					  : box->packages.size)};
	int sent = io_write_full(fd, &hello, sizeof(hello));

	return sent < 0 ? sent
			: io_write_full(fd, rc < 0 ? error
						   : box->packages.data,
					hello.size);
}

static void mold_main(struct zygote *zygote, const struct sandbox_plan *plan,
		      int orders, int hello, pid_t parent) NORETURN;

static void mold_main(struct zygote *zygote, const struct sandbox_plan *plan,
		      int orders, int hello, pid_t parent)
{
	static struct mold mold;
	char error[SANDBOX_ERROR_MAX] = "";

	log_set_role("mold");
	title_set("mold");
	mold_close(zygote);
	/* A preload takes its time: nobody may want it any more. Later our
	 * guests do. */
	int rc = privileges_die_with(parent);

	if (rc == 0)
		rc = sandbox_warm_up(&zygote->box, plan, error);
	if (rc == 0 && prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) < 0)
		rc = -errno;
	/* Guests have what we have. PLAN's are gone with them. */
	conf_forget_texts(&zygote->loan, &zygote->conf);
	stage_use(NULL);
	scoreboard_unmap_stage(zygote->stage); /* before there are guests */
	if (mold_say_hello(hello, rc, &zygote->box, error) < 0 || rc < 0)
		_exit(1);
	close(hello);
	mold_open(&mold, zygote, orders);
	base_release_fd(&zygote->box.proc);
	while (!mold.let_go || mold.alive > 0)
		mold_step(&mold);
	_exit(0);
}

static int mold_hear_hello(int fd, struct sandbox *box,
			   char error[SANDBOX_ERROR_MAX])
{
	struct mold_hello hello;
	int rc = io_read_full(fd, &hello, sizeof(hello));
	owned_free char *text = rc < 0 ? NULL : calloc(1, hello.size + 1);

	if (rc == 0)
		rc = text ? io_read_full(fd, text, hello.size) : -ENOMEM;
	if (rc < 0)
		snprintf(error, SANDBOX_ERROR_MAX, "start the mold: %s",
			 log_errno(rc));
	else if (hello.rc < 0)
		snprintf(error, SANDBOX_ERROR_MAX, "%s", text);
	if (rc < 0 || hello.rc < 0)
		return rc < 0 ? rc : hello.rc;
	box->base_kb = hello.base_kb;
	box->packages = (struct bytes){text, hello.size};
	text = NULL;
	return 0;
}

int mold_start(struct zygote *zygote, const struct sandbox_plan *plan,
	       char error[SANDBOX_ERROR_MAX])
{
	int orders[2], hello[2];

	snprintf(error, SANDBOX_ERROR_MAX, "start the mold");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, orders) < 0)
		return -errno;
	zygote->box.mold = orders[0];
	if (pipe2(hello, O_CLOEXEC) < 0)
		return -errno;
	owned_fd int heard = hello[0];
	pid_t parent = getpid();

	zygote->mold = fork();
	if (zygote->mold == 0) {
		close(orders[0]);
		zygote->box.mold = -1;
		base_release_fd(&heard);
		mold_main(zygote, plan, orders[1], hello[1], parent);
	}
	close(orders[1]);
	close(hello[1]);
	zygote->box.mold_pid = zygote->mold;
	stage_join(zygote->mold);
	return zygote->mold < 0 ? -errno
				: mold_hear_hello(heard, &zygote->box, error);
}
