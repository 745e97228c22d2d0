/*
 * session_keeper - the process that keeps a session and its branches between
 * calls.
 *
 * Who:    forked by a session fork server on the master's order, before any
 *         client's bytes were read; it outlives the session fork server.
 * Holds:  its guest's pipes, processes, gate and tmpfs; a socket to the master;
 *         during a call the channel to a worker. Python is mapped in it, but
 *         does not run.
 * May:    until its guest is armed, all that a process may in its user
 *         namespace; then all that confine.c leaves, with the session keeper's
 *         filter.
 * Talks:  to the master (tasks in, reports out), to a worker (a job in, an
 *         outcome or files out: transfer.h, session_files.h), to its guest (frames, all checked).
 * Ends:   with its last session, by a release or by the death of its processes;
 *         and when the master closes its socket or dies.
 */
#include "session_keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "sandbox/walls/confine.h"
#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/steps.h"
#include "sandbox/guest/session.h"
#include "sandbox/base/title.h"
#include "sandbox/ipc/transfer.h"
#include "session_files.h"
#include "session_order.h"
#include "session_pieces.h"

struct session_keeper {
	const struct session_keeper_args *args;
	struct session session;
	struct cgroup_slot group; /* of its guest */
	bool there[SESSION_MEMBERS_MAX]; /* by the last report to the master */
	uint32_t programs[SESSION_MEMBERS_MAX]; /* that clients have run */
	struct session_order_news spent; /* in the present task */
	bool over;
	char error[RUN_ERROR_MAX]; /* of the start */
};
_Static_assert(RUN_ERROR_MAX >= CONFINE_ERROR_MAX, "it takes either's text");

/* The result of a task. */
struct session_keeper_done {
	enum session_fate fate;
	/* Its kind is SESSION_ORDER_ANSWER_KINDS if no answer is expected. */
	struct session_order_answer answer;
	struct outcome outcome; /* for SESSION_ORDER_OUTCOME */
	struct session_pieces pieces; /* of which the rest is to be sent */
	struct session_files files; /* for SESSION_ORDER_FILES */
};

static void session_keeper_report(const struct session_keeper *keeper,
				  enum session_order_news_kind kind,
				  unsigned member, enum session_fate fate)
{
	struct session_order_news news = keeper->spent;

	news.kind = kind;
	news.member = member;
	news.fate = fate;
	news.pid = getpid();
	int rc = session_order_send(keeper->args->control, &news, sizeof(news),
				    -1);

	if (rc < 0 && rc != -EPIPE)
		log_warn("report to the master failed: error=\"%s\"",
			 log_errno(rc));
}

/* ---- calls ----------------------------------------------------------- */

static void session_keeper_answer(struct transfer *channel,
				  const struct session_order_answer *answer)
{
	transfer_begin(channel);
	transfer_send(channel, answer, sizeof(*answer));
}

/* Exchange terms with the worker, and receive the job. */
static int session_keeper_receive_job(const struct session_keeper *keeper,
				      unsigned member,
				      struct transfer *channel, struct job *job,
				      struct session_order_terms *theirs)
{
	const struct conf *conf = keeper->args->conf;
	const struct session_order_answer go = {
		.kind = SESSION_ORDER_GO, .detail = keeper->programs[member]};
	const struct box *box = keeper->args->box;
	const struct session_order_terms ours = {.limits = conf->limits,
						 .body_mb = conf->body_mb,
						 .call_ms = box->call_ms};
	const struct transfer_limits largest = {(uint64_t)conf->body_mb << 20,
						conf->limits.files_in};

	transfer_begin(channel);
	transfer_send(channel, &go, sizeof(go));
	transfer_send(channel, &ours, sizeof(ours));
	transfer_flush(channel);
	if (!transfer_receive(channel, theirs, sizeof(*theirs)))
		return channel->error;
	if (theirs->declined)
		return -ECANCELED;
	if (!theirs->own_time &&
	    theirs->limits.timeout_ms > conf->limits.timeout_ms)
		theirs->limits.timeout_ms = conf->limits.timeout_ms;
	return transfer_job_receive(channel, &largest, job);
}

static void session_keeper_run_job(struct session_keeper *keeper,
				   unsigned member, struct transfer *channel,
				   struct session_keeper_done *done)
{
	struct session_order_terms terms;
	struct job job = {0};

	if (session_keeper_receive_job(keeper, member, channel, &job,
				       &terms) == 0) {
		keeper->programs[member] += !(job.habits & JOB_SETUP);
		session_pieces_init(&done->pieces, channel->fd);
		if (terms.pieces)
			keeper->session.run.sink = &done->pieces.sink;
		done->fate = session_call(&keeper->session, member, &job,
					  &terms.limits, channel->fd,
					  &done->outcome);
		keeper->session.run.sink = NULL;
		done->answer = (struct session_order_answer){
			.kind = SESSION_ORDER_OUTCOME, .detail = done->fate};
		keeper->spent = (struct session_order_news){
			.ran = 1,
			.cpu_ms = done->outcome.cpu_ms,
			.memory_peak_kb = done->outcome.memory_peak_kb};
	}
	job_free(&job);
}

static void session_keeper_run(struct session_keeper *keeper,
			       const struct session_order_task *task,
			       struct transfer *channel,
			       struct session_keeper_done *done)
{
	if (!session_order_is_wanted(channel->fd))
		return;
	if (!keeper->there[task->member])
		done->answer = (struct session_order_answer){
			.kind = SESSION_ORDER_REFUSED,
			.detail = SESSION_ORDER_FAILED};
	else
		session_keeper_run_job(keeper, task->member, channel, done);
}

/* The guest is stopped meanwhile, and so are its branches. */
static void session_keeper_use_files(struct session_keeper *keeper,
				     const struct session_order_task *task,
				     struct transfer *channel,
				     struct session_keeper_done *done)
{
	struct session_order_terms terms;
	struct job job = {0};

	if (!session_order_is_wanted(channel->fd))
		return;
	if (!keeper->there[task->member]) {
		done->answer = (struct session_order_answer){
			.kind = SESSION_ORDER_REFUSED,
			.detail = SESSION_ORDER_FAILED};
	} else if (session_keeper_receive_job(keeper, task->member, channel,
					      &job, &terms) == 0) {
		session_files_do(&keeper->session.run.home,
				 (enum session_order_kind)task->kind, &job,
				 (uint64_t)keeper->args->conf->limits.home_mb
					 << 20, &done->files);
		done->answer.kind = SESSION_ORDER_FILES;
	}
	job_free(&job);
}

static void session_keeper_release(struct session_keeper *keeper,
				   const struct session_order_task *task,
				   struct transfer *channel,
				   struct session_keeper_done *done)
{
	(void)channel;
	(void)done;
	session_drop(&keeper->session, task->member);
	keeper->there[task->member] = false;
}

static void session_keeper_fork(struct session_keeper *keeper,
				const struct session_order_task *task,
				struct transfer *channel,
				struct session_keeper_done *done)
{
	/* If not, session_keeper_report_dead() reports that there is none. */
	bool wanted = session_order_is_wanted(channel->fd);
	int rc = wanted ? session_branch(&keeper->session, task->member,
					 task->other)
			: 0;

	keeper->there[task->other] = true; /* so that its death is reported */
	keeper->programs[task->other] = keeper->programs[task->member];
	if (wanted && rc == 0 && !session_order_is_wanted(channel->fd)) {
		session_drop(&keeper->session, task->other);
		wanted = false; /* the client knows of no new session */
	}
	if (!wanted)
		return;
	if (rc < 0) {
		log_warn("copy of a session failed: error=\"%s\"",
			 log_errno(rc));
		done->answer = (struct session_order_answer){
			.kind = SESSION_ORDER_REFUSED,
			.detail = SESSION_ORDER_FAILED};
	} else {
		done->answer = (struct session_order_answer){
			.kind = SESSION_ORDER_OK, .detail = 1};
	}
}

static void (*const session_keeper_acts[SESSION_ORDER_KINDS])(
	struct session_keeper *, const struct session_order_task *,
	struct transfer *, struct session_keeper_done *) = {
	[SESSION_ORDER_RUN] = session_keeper_run,
	[SESSION_ORDER_RELEASE] = session_keeper_release,
	[SESSION_ORDER_FORK] = session_keeper_fork,
	[SESSION_ORDER_PUT] = session_keeper_use_files,
	[SESSION_ORDER_GET] = session_keeper_use_files,
	[SESSION_ORDER_REMOVE] = session_keeper_use_files,
	[SESSION_ORDER_LIST] = session_keeper_use_files,
	[SESSION_ORDER_TREE_PUT] = session_keeper_use_files,
	[SESSION_ORDER_TREE_GET] = session_keeper_use_files,
	[SESSION_ORDER_TREE_LIST] = session_keeper_use_files,
	[SESSION_ORDER_TREE_STAT] = session_keeper_use_files,
	[SESSION_ORDER_TREE_MAKE] = session_keeper_use_files,
	[SESSION_ORDER_TREE_MOVE] = session_keeper_use_files,
	[SESSION_ORDER_TREE_REMOVE] = session_keeper_use_files,
};

/* Send a task's answer to the worker, and its outcome if there is one. */
static void session_keeper_send_answer(struct transfer *channel,
				       struct session_keeper_done *done)
{
	transfer_begin(channel);
	session_pieces_finish(&done->pieces, channel);
	if (done->answer.kind < SESSION_ORDER_ANSWER_KINDS)
		session_keeper_answer(channel, &done->answer);
	if (done->answer.kind == SESSION_ORDER_OUTCOME)
		transfer_outcome_send(channel, &done->outcome);
	if (done->answer.kind == SESSION_ORDER_FILES)
		session_files_send(channel, &done->files);
	transfer_flush(channel);
	if (channel->error && channel->error != -EPIPE)
		log_info("call broke off: error=\"%s\"",
			 log_errno(channel->error));
	outcome_free(&done->outcome);
	session_files_free(&done->files);
}

/* Report sessions that have died. */
static void session_keeper_report_dead(struct session_keeper *keeper)
{
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++) {
		if (!keeper->there[i] || session_lives(&keeper->session, i))
			continue;
		session_drop(&keeper->session, i);
		keeper->there[i] = false;
		session_keeper_report(keeper, SESSION_ORDER_GONE, i,
				      SESSION_ENDED);
	}
	if (session_members(&keeper->session) == 0)
		keeper->over = true;
}

static void session_keeper_serve(struct session_keeper *keeper)
{
	struct session_order_task task;
	int with = -1;
	int rc = session_order_receive(keeper->args->control, &task,
				       sizeof(task), &with);
	owned_fd int fd = with;

	if (rc < 0)
		keeper->over = true;
	if (rc <= 0 || task.kind >= SESSION_ORDER_KINDS ||
	    task.member >= SESSION_MEMBERS_MAX ||
	    task.other >= SESSION_MEMBERS_MAX)
		return;
	struct transfer channel = {.fd = fd, .client = -1};
	struct session_keeper_done done = {
		.fate = SESSION_KEPT,
		.answer.kind = SESSION_ORDER_ANSWER_KINDS};

	session_keeper_acts[task.kind](keeper, &task, &channel, &done);
	/* Report to the master first: after the answer, or the end of the
	 * channel, the client may send its next call at once. It must not find
	 * the session busy, or a session that has died. */
	session_keeper_report_dead(keeper);
	session_keeper_report(keeper, SESSION_ORDER_DONE, task.member,
			      done.fate);
	keeper->spent = (struct session_order_news){0};
	session_keeper_send_answer(&channel, &done);
}

/* ---- life ------------------------------------------------------------ */

static int session_keeper_arm(struct session_keeper *keeper)
{
	const struct session_keeper_args *args = keeper->args;

	keeper->group = args->box->groups[args->group];
	return session_arm(&keeper->session, args->box, args->group,
			   &keeper->group, args->conf->sessions.snapshots,
			   keeper->error);
}

static int session_keeper_forget(struct session_keeper *keeper)
{
	cgroup_forget_entry(&keeper->group);
	close(keeper->args->box->proc); /* the gate has opened its file there */
	return 0;
}

static int session_keeper_confine(struct session_keeper *keeper)
{
	const struct box *box = keeper->args->box;
	const struct confine_plan plan = {
		.filter = &box->keeper_filter,
		.landlock_abi = box->landlock_abi,
		.home = keeper->session.run.home.fd,
		.keeps = true};

	return confine_process(&plan, keeper->error);
}

/* In this order; the walls are the last. */
static const STEP(struct session_keeper *) session_keeper_steps[] = {
	{"arm a session", session_keeper_arm},
	{"close the control group's entry", session_keeper_forget},
	{"confine the session keeper", session_keeper_confine},
};

static void session_keeper_step(struct session_keeper *keeper)
{
	struct pollfd polled[] = {
		{.fd = keeper->args->control, .events = POLLIN},
		{.fd = keeper->session.run.gate, .events = POLLIN},
	};

	if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
		keeper->over = true;
	if (polled[1].revents)
		session_refuse_knock(&keeper->session);
	if (polled[1].revents & (POLLHUP | POLLERR))
		session_keeper_report_dead(keeper);
	if (polled[0].revents)
		session_keeper_serve(keeper);
}

void session_keeper_main(const struct session_keeper_args *args)
{
	static struct session_keeper keeper;

	log_set_role("session-keeper");
	title_set("session-keeper");
	signal(SIGPIPE, SIG_IGN);
	cgroup_keep_own(args->box->groups, args->box->slots, args->group);
	keeper.args = args;
	session_keeper_report(&keeper, SESSION_ORDER_HELLO, 0, SESSION_KEPT);
	const int rc = steps_take(session_keeper_steps, &keeper, keeper.error,
				  sizeof(keeper.error));

	if (rc < 0) {
		log_error("no session could be armed: error=\"%s\"",
			  keeper.error);
		_exit(1);
	}
	keeper.there[0] = true;
	while (!keeper.over)
		session_keeper_step(&keeper);
	session_end(&keeper.session);
	_exit(0);
}
