/*
 * keeper - who keeps a session, and the branches of it, from call to call.
 *
 * Who:    forked by a nursery on the master's order, clean of any client's
 *         bytes; it outlives that nursery.
 * Holds:  its guest's pipes, processes, gate and tmpfs; a socket to the
 *         master; of one call at a time, its channel to a worker. No Python
 *         runs in it, though it has it mapped.
 * May:    until its guest is armed, what it may inside its user namespace;
 *         then what confine.c leaves it, with the keeper's calls.
 * Talks:  to the master (tasks in, news out), to a worker (a job in, an
 *         outcome out: parcels, checked), to its guest (frames, believed
 *         nowhere).
 * Ends:   with the last of its sessions: by a release, or when their
 *         processes are dead; and when the master lets go of its socket, or
 *         is dead.
 */
#include "session_keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include "sandbox/walls/confine.h"
#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/guest/session.h"
#include "sandbox/base/title.h"
#include "session_order.h"
#include "transfer.h"

struct keeper {
	const struct keeper_place *place;
	struct session session;
	struct cgroup_slot group; /* of its guest */
	bool there[SESSION_MEMBERS_MAX]; /* as far as the master knows */
	struct call_news spent; /* in the present task */
	bool over;
};

/* What a task came to. */
struct keeper_done {
	enum session_fate fate;
	struct call_answer answer; /* CALL_ANSWER_KINDS: none is wanted */
	struct outcome outcome;	   /* for CALL_OUTCOME */
};

static void keeper_tell(const struct keeper *keeper, enum call_news_kind kind,
			unsigned member, enum session_fate fate)
{
	struct call_news news = keeper->spent;

	news.kind = kind;
	news.member = member;
	news.fate = fate;
	news.pid = getpid();
	int rc = call_send(keeper->place->control, &news, sizeof(news), -1);

	if (rc < 0 && rc != -EPIPE)
		log_warn("tell the master: %s", log_errno(rc));
}

/* ---- calls ----------------------------------------------------------- */

static void keeper_answer(struct parcel *channel,
			  const struct call_answer *answer)
{
	parcel_begin(channel);
	parcel_put(channel, answer, sizeof(*answer));
}

/* Say what we take, hear what the worker does, and take the job. */
static int keeper_take_job(const struct keeper *keeper, struct parcel *channel,
			   struct job *job, struct limits *most)
{
	const struct conf *conf = keeper->place->conf;
	const struct { /* in one piece: each wakes the worker */
		struct call_answer go;
		struct parcel_terms terms;
	} ours = {{.kind = CALL_GO},
		  {.limits = conf->limits, .body_mb = conf->body_mb}};
	struct parcel_terms theirs;

	parcel_begin(channel);
	parcel_put(channel, &ours, sizeof(ours));
	if (!parcel_take(channel, &theirs, sizeof(theirs)))
		return channel->error;
	*most = theirs.limits;
	return parcel_take_job(channel, (uint64_t)conf->body_mb << 20,
			       conf->limits.files_in, job);
}

static void keeper_run_job(struct keeper *keeper, unsigned member,
			   struct parcel *channel, struct keeper_done *done)
{
	struct limits most;
	struct job job = {0};

	if (keeper_take_job(keeper, channel, &job, &most) == 0) {
		done->fate = session_call(&keeper->session, member, &job,
					  &most, channel->fd, &done->outcome);
		done->answer.kind = CALL_OUTCOME;
		keeper->spent = (struct call_news){
			.ran = 1, .cpu_ms = done->outcome.cpu_ms,
			.memory_peak_kb = done->outcome.memory_peak_kb};
	}
	job_free(&job);
}

static void keeper_run(struct keeper *keeper, const struct call_task *task,
		       struct parcel *channel, struct keeper_done *done)
{
	if (!call_is_wanted(channel->fd))
		return;
	if (!keeper->there[task->member])
		done->answer = (struct call_answer){CALL_REFUSED, CALL_FAILED};
	else
		keeper_run_job(keeper, task->member, channel, done);
}

static void keeper_release(struct keeper *keeper, const struct call_task *task,
			   struct parcel *channel, struct keeper_done *done)
{
	(void)channel;
	(void)done;
	session_drop(&keeper->session, task->member);
	keeper->there[task->member] = false;
}

static void keeper_fork(struct keeper *keeper, const struct call_task *task,
			struct parcel *channel, struct keeper_done *done)
{
	/* Else the master is told that there is none: keeper_count(). */
	bool wanted = call_is_wanted(channel->fd);
	int rc = wanted ? session_branch(&keeper->session, task->member,
					 task->other)
			: 0;

	keeper->there[task->other] = true; /* or the news of it is not told */
	if (wanted && rc == 0 && !call_is_wanted(channel->fd)) {
		session_drop(&keeper->session, task->other);
		wanted = false; /* the client was told that there is none */
	}
	if (!wanted)
		return;
	if (rc < 0) {
		log_warn("a session could not be copied: %s", log_errno(rc));
		done->answer = (struct call_answer){CALL_REFUSED, CALL_FAILED};
	} else {
		done->answer = (struct call_answer){CALL_OK, 1};
	}
}

static void (*const keeper_acts[CALL_KINDS])(
	struct keeper *, const struct call_task *, struct parcel *,
	struct keeper_done *) = {
	[CALL_RUN] = keeper_run,
	[CALL_RELEASE] = keeper_release,
	[CALL_FORK] = keeper_fork,
};

/* Say what there is to be said of a task to whoever asked for it. */
static void keeper_conclude(struct parcel *channel, struct keeper_done *done)
{
	if (done->answer.kind < CALL_ANSWER_KINDS)
		keeper_answer(channel, &done->answer);
	if (done->answer.kind == CALL_OUTCOME)
		parcel_put_outcome(channel, &done->outcome, done->fate);
	if (channel->error && channel->error != -EPIPE)
		log_info("a call broke off: %s", log_errno(channel->error));
	outcome_free(&done->outcome);
}

/* Tell of those that are dead. */
static void keeper_count(struct keeper *keeper)
{
	for (unsigned i = 0; i < SESSION_MEMBERS_MAX; i++) {
		if (!keeper->there[i] || session_lives(&keeper->session, i))
			continue;
		session_drop(&keeper->session, i);
		keeper->there[i] = false;
		keeper_tell(keeper, CALL_GONE, i, SESSION_ENDED);
	}
	if (session_members(&keeper->session) == 0)
		keeper->over = true;
}

static void keeper_hear(struct keeper *keeper)
{
	struct call_task task;
	int with = -1;
	int rc = call_receive(keeper->place->control, &task, sizeof(task),
			      &with);
	owned_fd int fd = with;

	if (rc < 0)
		keeper->over = true;
	if (rc <= 0 || task.kind >= CALL_KINDS ||
	    task.member >= SESSION_MEMBERS_MAX ||
	    task.other >= SESSION_MEMBERS_MAX)
		return;
	struct parcel channel = {.fd = fd, .client = -1};
	struct keeper_done done = {.fate = SESSION_KEPT,
				   .answer.kind = CALL_ANSWER_KINDS};

	keeper_acts[task.kind](keeper, &task, &channel, &done);
	/* The master knows first: whoever has the answer, or sees the end of
	 * the channel, may ask again at once, and shall not find the session
	 * busy, or one that is no more. */
	keeper_count(keeper);
	keeper_tell(keeper, CALL_DONE, task.member, done.fate);
	keeper->spent = (struct call_news){0};
	keeper_conclude(&channel, &done);
}

/* ---- life ------------------------------------------------------------ */

static void keeper_confine(const struct keeper_place *place, int home)
{
	const struct confine_plan plan = {
		.filter = &place->box->keeper_filter,
		.landlock_abi = place->box->landlock_abi, .home = home};
	char error[CONFINE_ERROR_MAX];

	if (confine_process(&plan, error) == 0)
		return;
	log_error("%s", error);
	_exit(1);
}

static void keeper_step(struct keeper *keeper)
{
	struct pollfd polled[] = {
		{.fd = keeper->place->control, .events = POLLIN},
		{.fd = keeper->session.run.gate, .events = POLLIN},
	};

	if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
		keeper->over = true;
	if (polled[1].revents)
		session_mind(&keeper->session);
	if (polled[1].revents & (POLLHUP | POLLERR))
		keeper_count(keeper);
	if (polled[0].revents)
		keeper_hear(keeper);
}

void keeper_main(const struct keeper_place *place)
{
	static struct keeper keeper;
	char error[RUN_ERROR_MAX];

	log_set_role("keeper");
	title_set("keeper");
	signal(SIGPIPE, SIG_IGN);
	cgroup_keep_own(place->box->groups, place->box->slots, place->group);
	keeper.place = place;
	keeper_tell(&keeper, CALL_HELLO, 0, SESSION_KEPT);
	keeper.group = place->box->groups[place->group];
	if (session_arm(&keeper.session, place->box, place->group,
			&keeper.group, place->conf->sessions.snapshots,
			error) < 0) {
		log_error("no session could be armed: %s", error);
		_exit(1);
	}
	cgroup_forget_entry(&keeper.group);
	close(place->box->proc); /* its gate's mirror is open */
	keeper_confine(place, keeper.session.run.home.fd);
	keeper.there[0] = true;
	while (!keeper.over)
		keeper_step(&keeper);
	session_end(&keeper.session);
	_exit(0);
}
