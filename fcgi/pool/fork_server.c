/*
 * fork_server - the process that all guests of one generation are forked from.
 *
 * Who:    forked by a pool process before it starts any other process. One
 *         thread.
 * Holds:  a preloaded, frozen Python; the namespaces and the root of its pool
 *         process; a channel for each guest that lives. It holds nothing of any
 *         request, and no text of the configuration.
 * May:    the same as its pool process.
 * Talks:  It answers workers. A worker orders a guest and gets its pid. Later
 *         it may ask to lower the guest's priority, or how the guest died.
 * Ends:   after its last guest, once its pool process has ended.
 *
 * It is the only process whose fork copies the mappings of Python. A worker has
 * no Python mapped, so its own fork and exit are cheap.
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
#include <sys/wait.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/guest/guest.h"
#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"
#include "sandbox/base/steps.h"
#include "sandbox/walls/oom_score.h"
#include "sandbox/walls/privileges.h"
#include "sandbox/base/title.h"
#include "fcgi/shared/generation.h"
#include "children.h"
#include "session_fork_server.h"

/* A slot's guest may still be dying when its next one is ordered. */
#define FORK_SERVER_GUESTS_MAX (2 * SCOREBOARD_WORKERS_MAX)

/* The nice value nearest to an eighth of the weight, which a control group
 * would give (sched(7): each step is a factor of 1.25). */
#define FORK_SERVER_NICE 9

/* A guest that is not reaped yet. */
struct fork_server_guest {
	pid_t pid;   /* 0: none */
	int channel; /* to the worker that ordered it; -1: none */
	int pidfd; /* while this process waits for its death; else -1 */
	enum fork_order_question asked;
	bool told; /* its death was answered once */
};

struct fork_server {
	struct pool *pool;
	int orders; /* orders of workers */
	int poller;
	int score; /* our oom_score_adj, which a guest inherits (oom_score.h) */
	int needed; /* our score between two guests */
	int session_fork_server; /* pidfd; -1: there is none */
	bool orders_closed; /* no worker can order a guest any more */
	size_t entries; /* files of a control group, as each order must have */
	unsigned alive;
	struct fork_server_guest guests[FORK_SERVER_GUESTS_MAX];
};

/* Tags of polled descriptors. A guest's tag is its index. */
enum fork_server_tag {
	FORK_SERVER_ORDERS = FORK_SERVER_GUESTS_MAX,
	FORK_SERVER_SESSIONS
};

static int fork_server_poll(struct fork_server *fork_server, int fd,
			    unsigned tag)
{
	struct epoll_event event = {.events = EPOLLIN, .data.u32 = tag};

	return epoll_ctl(fork_server->poller, EPOLL_CTL_ADD, fd, &event) < 0
		       ? -errno
		       : 0;
}

/* A child that was just forked may hold the descriptor too. So closing it alone
 * would not end its events. */
static void fork_server_close_fd(struct fork_server *fork_server, int *fd)
{
	if (*fd >= 0)
		epoll_ctl(fork_server->poller, EPOLL_CTL_DEL, *fd, NULL);
	base_release_fd(fd);
}

/* ---- deaths ---------------------------------------------------------- */

/* The guest was reaped: free its entry. */
static void fork_server_reaped(struct fork_server *fork_server,
			       struct fork_server_guest *guest)
{
	fork_server->alive--;
	fork_server_close_fd(fork_server, &guest->channel);
	fork_server_close_fd(fork_server, &guest->pidfd);
	*guest = (struct fork_server_guest){.channel = -1, .pidfd = -1};
}

/* The guest has not died yet: wait for its death. */
static void fork_server_watch_death(struct fork_server *fork_server,
				    struct fork_server_guest *guest)
{
	if (guest->pidfd >= 0)
		return;
	guest->pidfd = pidfd_of(guest->pid);
	int rc = guest->pidfd < 0
			 ? guest->pidfd
			 : fork_server_poll(
				   fork_server, guest->pidfd,
				   (unsigned)(guest - fork_server->guests));

	if (rc < 0)
		die("wait for a guest's death: %s", log_errno(rc));
}

/* Answer a question about the guest's death, or wait for its death. A guest
 * without a channel is only reaped. */
static void fork_server_answer(struct fork_server *fork_server,
			       struct fork_server_guest *guest)
{
	bool keep = guest->channel >= 0 && guest->asked == FORK_ORDER_STATUS;
	siginfo_t info = {0};

	if (waitid(P_PID, (id_t)guest->pid, &info,
		   WEXITED | WNOHANG | (keep ? WNOWAIT : 0)) < 0)
		die("reap a guest: %s", log_errno(errno));
	if (info.si_pid == 0) {
		fork_server_watch_death(fork_server, guest);
		return;
	}
	if (guest->channel >= 0)
		fork_order_send_status(guest->channel, &info);
	guest->asked = FORK_ORDER_NOTHING;
	guest->told = true;
	if (keep)
		fork_server_close_fd(fork_server, &guest->pidfd);
	else
		fork_server_reaped(fork_server, guest);
}

/* The worker that ordered it is dead or cannot be told: kill the guest. */
static void fork_server_abandon(struct fork_server *fork_server,
				struct fork_server_guest *guest)
{
	fork_server_close_fd(fork_server, &guest->channel);
	kill(guest->pid, SIGKILL);
}

/* Used where no cpu controller limits the guest. A guest leads a process group,
 * which holds all its threads. The guest may have ended (ESRCH). */
static void fork_server_lower_priority(const struct fork_server_guest *guest)
{
	if (setpriority(PRIO_PGRP, (id_t)guest->pid, FORK_SERVER_NICE) < 0 &&
	    errno != ESRCH)
		log_warn("lower a guest's priority: %s", log_errno(errno));
}

/* A question came on the guest's channel, or the guest has died. */
static void fork_server_handle_guest(struct fork_server *fork_server,
				     struct fork_server_guest *guest)
{
	enum fork_order_question question;
	int rc = guest->channel < 0 ? 0
				    : fork_order_receive_question(
					      guest->channel, &question);

	/* The second answer about a death is the last one, so that no worker
	 * can keep this process busy. */
	if (rc > 0 && question == FORK_ORDER_SLOW)
		fork_server_lower_priority(guest);
	else if (rc > 0)
		guest->asked = guest->told ? FORK_ORDER_REAP : question;
	else if (rc < 0)
		fork_server_abandon(fork_server, guest);
	if (guest->channel < 0 || guest->asked)
		fork_server_answer(fork_server, guest);
}

/* ---- guests ---------------------------------------------------------- */

static struct fork_server_guest *
fork_server_free_guest(struct fork_server *fork_server)
{
	for (size_t i = 0; i < FORK_SERVER_GUESTS_MAX; i++)
		if (fork_server->guests[i].pid == 0)
			return &fork_server->guests[i];
	return NULL;
}

static void fork_server_be_guest(struct fork_server *fork_server,
				 const struct fork_order *order) NORETURN;

static void fork_server_be_guest(struct fork_server *fork_server,
				 const struct fork_order *order)
{
	const struct box *box = &fork_server->pool->box;
	const struct home home = {.fd = order->fds[FORK_ORDER_HOME]};
	struct cgroup_slot group;
	struct guest_args args = {.box = box,
				  .slot = order->slot,
				  .home = &home,
				  .group = &group,
				  .gate = -1,
				  .by_fork_server = true};

	cgroup_slot_none(&group);
	group.kind = box->groups[order->slot].kind;
	memcpy(group.entry, &order->fds[FORK_ORDER_ENTRIES],
	       order->entries * sizeof(int));
	memcpy(args.fds, &order->fds[FORK_ORDER_PIPES], sizeof(args.fds));
	guest_main(&args);
}

static pid_t fork_server_fork_scored(struct fork_server *fork_server,
				     const struct fork_order *order)
{
	/* A guest could not set its own score, because it has no /proc. */
	oom_score_set(fork_server->score, OOM_SCORE_GUEST);
	pid_t pid = fork();

	if (pid == 0)
		fork_server_be_guest(fork_server, order);
	const int failed = errno;

	oom_score_set(fork_server->score, fork_server->needed);
	return pid < 0 ? -failed : pid;
}

/* Fork the guest into the pid namespace of the worker's init. */
static pid_t fork_server_fork_guest(struct fork_server *fork_server,
				    const struct fork_order *order)
{
	if (setns(order->fds[FORK_ORDER_INIT], CLONE_NEWPID) < 0)
		return -errno;
	return fork_server_fork_scored(fork_server, order);
}

/* Answer the order. Later questions about GUEST come on its channel. */
static int fork_server_connect(struct fork_server *fork_server,
			       struct fork_server_guest *guest,
			       struct fork_order *order)
{
	int rc = fork_server_poll(fork_server, order->fds[FORK_ORDER_CHANNEL],
				  (unsigned)(guest - fork_server->guests));

	guest->channel = take_fd(&order->fds[FORK_ORDER_CHANNEL]);
	if (rc < 0)
		return rc;
	owned_fd int pidfd = pidfd_of(guest->pid);

	return pidfd < 0 ? pidfd
			 : fork_order_send_guest(guest->channel, guest->pid,
						 pidfd);
}

static void fork_server_start_guest(struct fork_server *fork_server,
				    struct fork_order *order)
{
	struct fork_server_guest *guest = fork_server_free_guest(fork_server);
	/* A guest may only enter the groups of a worker's slot. */
	const bool valid = children_has_group(fork_server->pool, order->slot) &&
			   order->entries == fork_server->entries;
	pid_t pid = !guest   ? -EAGAIN
		    : !valid ? -EINVAL
			     : fork_server_fork_guest(fork_server, order);

	if (pid < 0) {
		fork_order_send_guest(order->fds[FORK_ORDER_CHANNEL], pid, -1);
		return;
	}
	fork_server->alive++;
	*guest = (struct fork_server_guest){
		.pid = pid, .channel = -1, .pidfd = -1};
	if (fork_server_connect(fork_server, guest, order) < 0) {
		fork_server_abandon(fork_server, guest);
		fork_server_handle_guest(fork_server, guest);
	}
}

static void fork_server_receive_order(struct fork_server *fork_server)
{
	struct fork_order order;
	int rc = fork_order_receive(fork_server->orders, &order);

	if (rc > 0) {
		fork_server_start_guest(fork_server, &order);
		fork_order_release(&order);
	} else if (rc == -EPIPE) {
		fork_server_close_fd(fork_server, &fork_server->orders);
		fork_server->orders_closed = true;
	} else if (rc < 0) {
		log_warn("receive an order: %s", log_errno(rc));
	}
}

/* ---- life ------------------------------------------------------------ */

/* The session fork server ends when our generation leaves. If it dies before
 * that, no session could begin, so this process ends, too. */
static void fork_server_sessions_died(struct fork_server *fork_server)
{
	if (io_wait_readable(GENERATION_LEAVE, 0) == 0)
		die("the session fork server has died");
	fork_server_close_fd(fork_server, &fork_server->session_fork_server);
}

static void fork_server_handle(struct fork_server *fork_server, unsigned tag)
{
	if (tag == FORK_SERVER_ORDERS)
		fork_server_receive_order(fork_server);
	else if (tag == FORK_SERVER_SESSIONS)
		fork_server_sessions_died(fork_server);
	else if (fork_server->guests[tag].pid != 0)
		fork_server_handle_guest(fork_server,
					 &fork_server->guests[tag]);
}

static void fork_server_step(struct fork_server *fork_server)
{
	struct epoll_event event;
	int n = epoll_wait(fork_server->poller, &event, 1, -1);

	if (n < 0 && errno != EINTR)
		die("poll: %s", log_errno(errno));
	if (n > 0)
		fork_server_handle(fork_server, event.data.u32);
}

/* Close the descriptors that belong to the pool process and its other
 * children. */
static void fork_server_close(const struct pool *pool)
{
	close(pool->signals);
	close(pool->report_in);
	close(pool->report_out);
	generation_close_listeners(pool->tcp);
	close(GENERATION_EVENTS);
	close(GENERATION_SERVE);
	close(GENERATION_REGISTRY);
	close(GENERATION_ARCHIVE);
	close(GENERATION_QUEUE);
	close(GENERATION_SHARES);
}

/* Must run before this process enters a guest's pid namespace. */
static int fork_server_open_sessions(struct fork_server *fork_server)
{
	if (fork_server->pool->conf.sessions.max == 0)
		return 0;
	pid_t pid = session_fork_server_start(fork_server->pool,
					      fork_server->orders);

	if (pid < 0)
		return pid;
	fork_server->session_fork_server = pidfd_of(pid);
	return fork_server->session_fork_server < 0
		       ? fork_server->session_fork_server
		       : 0;
}

/* How many control groups a guest enters. */
static size_t fork_server_entries(const struct pool *pool)
{
	int files[CGROUP_CONTROLLERS];

	return cgroup_entries(&pool->box.groups[pool->first], files);
}

static int fork_server_forget_groups(struct fork_server *fork_server)
{
	struct pool *pool = fork_server->pool;

	fork_server->entries = fork_server_entries(pool);
	for (unsigned i = 0; i < pool->box.slots; i++)
		cgroup_forget(&pool->box.groups[i]);
	return 0;
}

static int fork_server_open_poller(struct fork_server *fork_server)
{
	const int sessions = fork_server->session_fork_server;

	fork_server->poller = epoll_create1(EPOLL_CLOEXEC);
	if (fork_server->poller < 0)
		return -errno;
	int rc = fork_server_poll(fork_server, fork_server->orders,
				  FORK_SERVER_ORDERS);

	if (rc == 0 && sessions >= 0)
		rc = fork_server_poll(fork_server, sessions,
				      FORK_SERVER_SESSIONS);
	return rc;
}

/* In this order, because the session fork server needs the sessions' groups. */
static const STEP(struct fork_server *) fork_server_steps[] = {
	{"start the session fork server", fork_server_open_sessions},
	{"forget control groups", fork_server_forget_groups},
	{"poll for orders", fork_server_open_poller},
};

static void fork_server_open(struct fork_server *fork_server, struct pool *pool,
			     int orders)
{
	char error[160];

	*fork_server = (struct fork_server){
		.pool = pool,
		.orders = orders,
		.session_fork_server = -1,
		.score = oom_score_open(pool->box.proc)};
	if (fork_server->score < 0)
		log_warn("the OOM killer does not prefer guests: error=\"%s\"",
			 log_errno(fork_server->score));
	fork_server->needed = oom_score_set(fork_server->score,
					    OOM_SCORE_NEEDED);
	for (size_t i = 0; i < FORK_SERVER_GUESTS_MAX; i++)
		fork_server->guests[i] = (struct fork_server_guest){
			.channel = -1, .pidfd = -1};
	const int rc = steps_take(fork_server_steps, fork_server, error,
				  sizeof(error));

	if (rc < 0)
		die("%s", error);
	close(GENERATION_ORDERS);
	close(GENERATION_BOARD);
}

/* ---- start ----------------------------------------------------------- */

/* The first message to the pool process: success or failure. A text follows:
 * the list of packages, or the error. */
struct fork_server_hello {
	int32_t rc;
	uint32_t size;
	struct limits_base base;
};

static int fork_server_send_hello(int fd, int rc, const struct box *box,
				  const char *error)
{
	struct fork_server_hello hello = {
		.rc = rc,
		.base = box->base,
		.size = (uint32_t)(rc < 0 ? strlen(error)
					  : box->packages.size)};
	int sent = io_write_full(fd, &hello, sizeof(hello));

	return sent < 0 ? sent
			: io_write_full(fd, rc < 0 ? error
						   : box->packages.data,
					hello.size);
}

static void fork_server_main(struct pool *pool, const struct box_plan *plan,
			     int orders, int hello, pid_t parent) NORETURN;

static void fork_server_main(struct pool *pool, const struct box_plan *plan,
			     int orders, int hello, pid_t parent)
{
	static struct fork_server fork_server;
	char error[BOX_ERROR_MAX] = "";

	log_set_role("fork-server");
	title_set("fork-server");
	fork_server_close(pool);
	/* A preload takes seconds, so it ends if the pool process dies
	 * meanwhile. Later the guests still need this process. */
	int rc = privileges_die_with(parent);

	if (rc == 0)
		rc = box_start_python(&pool->box, plan, error);
	if (rc == 0 && prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0) < 0)
		rc = -errno;
	/* Guests inherit this memory. The texts of PLAN are released, too. */
	loan_drop(&pool->loan, &pool->conf);
	stage_use(NULL);
	scoreboard_unmap_stage(pool->stage); /* before any guest is forked */
	if (fork_server_send_hello(hello, rc, &pool->box, error) < 0 || rc < 0)
		_exit(1);
	close(hello);
	fork_server_open(&fork_server, pool, orders);
	base_release_fd(&pool->box.proc);
	while (!fork_server.orders_closed || fork_server.alive > 0)
		fork_server_step(&fork_server);
	_exit(0);
}

static int fork_server_receive_hello(int fd, struct box *box,
				     char error[BOX_ERROR_MAX])
{
	struct fork_server_hello hello;
	int rc = io_read_full(fd, &hello, sizeof(hello));
	owned_free char *text = rc < 0 ? NULL : calloc(1, hello.size + 1);

	if (rc == 0)
		rc = text ? io_read_full(fd, text, hello.size) : -ENOMEM;
	if (rc < 0)
		snprintf(error, BOX_ERROR_MAX, "start the fork server: %s",
			 log_errno(rc));
	else if (hello.rc < 0)
		snprintf(error, BOX_ERROR_MAX, "%s", text);
	if (rc < 0 || hello.rc < 0)
		return rc < 0 ? rc : hello.rc;
	box->base = hello.base;
	box->packages = (struct bytes){text, hello.size};
	text = NULL;
	return 0;
}

int fork_server_start(struct pool *pool, const struct box_plan *plan,
		      char error[BOX_ERROR_MAX])
{
	int orders[2], hello[2];

	snprintf(error, BOX_ERROR_MAX, "start the fork server");
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, orders) < 0)
		return -errno;
	pool->box.fork_server = orders[0];
	if (pipe2(hello, O_CLOEXEC) < 0)
		return -errno;
	owned_fd int heard = hello[0];
	pid_t parent = getpid();

	pool->fork_server = fork();
	if (pool->fork_server == 0) {
		close(orders[0]);
		pool->box.fork_server = -1;
		base_release_fd(&heard);
		fork_server_main(pool, plan, orders[1], hello[1], parent);
	}
	close(orders[1]);
	close(hello[1]);
	base_release_ptr(&pool->box.versions.data);
	pool->box.fork_server_pid = pool->fork_server;
	stage_join(pool->fork_server);
	return pool->fork_server < 0
		       ? -errno
		       : fork_server_receive_hello(heard, &pool->box, error);
}
