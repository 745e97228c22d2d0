/* watch - see watch.h. */
#include "watch.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/base/pidfd.h"
#include "watch_frames.h"

#define WATCH_END_TURNS 64 /* at the end: a thread may go on to print */
#define WATCH_MEMORY_MS 20 /* between samples, if the kernel keeps no peak */
/* A knock costs this process as much time as the guest. Only the guest's time
 * has a limit, so the knocks have one, too. A refused knock counts for
 * several. */
#define WATCH_KNOCKS_MAX 100000
#define WATCH_KNOCKS_REFUSED 10
/* A slow program is asked where it is, again if it was in code that cannot
 * answer, such as a long call in C. */
#define WATCH_ASK_MS 1000
#define WATCH_ASKS_MAX 10

void watch_finish(struct watch *watch, enum outcome_verdict verdict, int detail)
{
	if (watch->finished)
		return;
	watch->finished = true;
	watch->outcome->verdict = verdict;
	watch->outcome->detail = detail;
}

void watch_fail(struct watch *watch, int rc)
{
	watch->failed = rc;
	watch_finish(watch, OUTCOME_INTERNAL, 0);
}

/* ---- job pipe -------------------------------------------------------- */

static void watch_stop_feeding(struct watch *watch)
{
	if (!watch->run->session)
		base_release_fd(&watch->run->ends[WIRE_FD_JOB]);
	watch->polled[WATCH_JOB].fd = -1;
}

static void watch_job(struct watch *watch)
{
	for (size_t i = 0; i < WIRE_PARTS; i++) {
		struct bytes *rest = &watch->feed.parts[i];

		while (rest->size > 0) {
			ssize_t n = write(watch->run->ends[WIRE_FD_JOB],
					  rest->data, rest->size);

			if (n < 0 && errno == EINTR)
				continue;
			if (n < 0 && errno == EAGAIN)
				return;
			if (n < 0) { /* the guest closed its end, as it may */
				watch_stop_feeding(watch);
				return;
			}
			rest->data += n;
			rest->size -= (size_t)n;
		}
	}
	watch_stop_feeding(watch); /* the guest reads the end of standard
				    * input */
}

/* ---- output pipes ---------------------------------------------------- */

/* Read once what SLOT's pipe holds. */
static void watch_stream(struct watch *watch, enum watch_slot slot,
			 enum sink_stream stream)
{
	const int fd = watch->run->ends[stream == SINK_OUT ? WIRE_FD_OUT
							   : WIRE_FD_ERR];
	int rc = output_read(&watch->output, stream, fd);

	if (rc == 0)
		watch->polled[slot].fd = -1;
	else if (rc == -EFBIG)
		watch_finish(watch, OUTCOME_OUTPUT, 0);
	else if (rc < 0)
		watch_fail(watch, rc);
}

static void watch_out(struct watch *watch)
{
	watch_stream(watch, WATCH_OUT, SINK_OUT);
}

static void watch_err(struct watch *watch)
{
	watch_stream(watch, WATCH_ERR, SINK_ERR);
}

/* Let SLOT be polled, or not. Then its number is below -1. */
static void watch_hold(struct watch *watch, enum watch_slot slot, bool hold)
{
	int *fd = &watch->polled[slot].fd;

	if (*fd != -1 && hold == (*fd >= 0))
		*fd = -2 - *fd;
}

void watch_drain(struct watch *watch, int turns)
{
	watch_hold(watch, WATCH_OUT, false);
	watch_hold(watch, WATCH_ERR, false);
	struct pollfd pipes[] = {
		{.fd = watch->polled[WATCH_OUT].fd, .events = POLLIN},
		{.fd = watch->polled[WATCH_ERR].fd, .events = POLLIN},
	};

	for (int i = 0; i < turns && poll(pipes, 2, 0) > 0; i++) {
		if (pipes[0].revents)
			watch_out(watch);
		if (pipes[1].revents)
			watch_err(watch);
		pipes[0].fd = watch->polled[WATCH_OUT].fd;
		pipes[1].fd = watch->polled[WATCH_ERR].fd;
	}
}

/* ---- a session's gate ------------------------------------------------ */

/* Decide on KNOCK and return its cost. A signal passes only if the guest sends
 * it to itself. A fork is refused while the program runs. After the end frame,
 * a fork is the guest's request for its next job, so the knock is kept. */
static unsigned watch_knock(struct watch *watch,
			    const struct fork_gate_knock *knock)
{
	struct run *run = watch->run;

	if (knock->signals && run->number == 0)
		run->number = fork_gate_number(&run->mirror, run->pidfd);
	if (fork_gate_signals_itself(run->gate, knock, run->guest,
				     run->number)) {
		fork_gate_pass(run->gate, knock);
		return 1;
	}
	if (!knock->signals)
		/* The end frame precedes this knock. */
		watch_frames_read(watch);
	if (!knock->signals && watch->ended && knock->pid == run->guest)
		run->knock = *knock;
	else
		fork_gate_refuse(run->gate, knock, EPERM);
	return WATCH_KNOCKS_REFUSED;
}

static void watch_gate(struct watch *watch)
{
	struct run *run = watch->run;
	struct fork_gate_knock knock;

	/* One at a time, because a flood of knocks must not delay the clock. */
	if (watch->ended || fork_gate_next(run->gate, &knock) <= 0)
		return;
	watch->knocks += watch_knock(watch, &knock);
	if (watch->knocks > WATCH_KNOCKS_MAX)
		watch_finish(watch, OUTCOME_PROTOCOL, 0);
}

/* ---- the end of a run ------------------------------------------------ */

/* The end frame has come: conclude from the guest's own report. */
static void watch_conclude_end(struct watch *watch)
{
	const char *type = watch->outcome->error_type;

	watch_drain(watch, WATCH_END_TURNS);
	if (!type)
		watch_finish(watch, OUTCOME_OK, 0);
	else if (watch->warned && strcmp(type, "timeout") == 0)
		watch_finish(watch, OUTCOME_TIMEOUT, 0);
	else
		watch_finish(watch, OUTCOME_RAISED, 0);
}

/* Read the guest's status without reaping it: run.c reaps it, and until then
 * its pid stays its own. */
static int watch_exit_status(const struct run *run, siginfo_t *info)
{
	if (run->adopted) {
		fork_gate_death(run->pidfd, info);
		return 0;
	}
	if (run->channel >= 0)
		return fork_order_status(run->channel, FORK_ORDER_STATUS, info);
	return waitid(P_PID, (id_t)run->guest, info,
		      WEXITED | WNOWAIT | WNOHANG) < 0 ? -errno : 0;
}

/* The guest died without an end frame: conclude from the kernel's report. */
static void watch_exit(struct watch *watch)
{
	struct run *run = watch->run;
	siginfo_t info = {0};

	watch_frames_read(watch);
	if (watch->finished || watch->ended)
		return;
	watch_drain(watch, WATCH_END_TURNS);
	if (cgroup_memory_kills(run->group) >
	    run->memory_kills) {
		watch_finish(watch, OUTCOME_MEMORY,
			     cgroup_own_ooms(run->group) > run->own_ooms
				     ? OUTCOME_OWN : OUTCOME_OF_ALL);
		return;
	}
	int rc = watch_exit_status(run, &info);

	if (rc < 0)
		watch_fail(watch, rc);
	else if (info.si_code == CLD_EXITED)
		watch_finish(watch, OUTCOME_EXITED, info.si_status);
	else
		watch_finish(watch, OUTCOME_KILLED, info.si_status);
}

static void watch_client(struct watch *watch)
{
	watch_finish(watch, OUTCOME_CANCELLED, 0);
}

/* ---- the sink -------------------------------------------------------- */

static void watch_sink(struct watch *watch)
{
	watch->sink->calls->flush(watch->sink);
}

/* Before a wait: read no output while the sink is full, or gathers. */
static void watch_sink_before(struct watch *watch)
{
	const struct sink *sink = watch->sink;
	bool hold = sink->full || io_now_ms() < watch->output.gather;

	watch_hold(watch, WATCH_OUT, hold);
	watch_hold(watch, WATCH_ERR, hold);
	watch->polled[WATCH_SINK].fd = sink->pending ? sink->fd : -1;
}

static void watch_sink_after(struct watch *watch)
{
	struct sink *sink = watch->sink;
	int64_t now = io_now_ms();

	if (now >= sink->next && sink->calls->tick)
		sink->calls->tick(sink, now);
	if (sink->error)
		watch_finish(watch, OUTCOME_CANCELLED, 0);
}

/* The time of its next call, if that is before NEXT. */
static int64_t watch_sink_next(const struct watch *watch, int64_t next)
{
	const struct sink *sink = watch->sink;

	if (!sink->full && watch->output.gather < next && io_now_ms() < watch->output.gather)
		next = watch->output.gather;
	return sink->next < next ? sink->next : next;
}

/* ---- the clock ------------------------------------------------------- */

/* Ask a slow program where it is, by SIGURG. */
static void watch_ask(struct watch *watch, int64_t now)
{
	if (now < watch->ask_at || watch->warned)
		return;
	watch->asks++;
	watch->ask_at = watch->asks < WATCH_ASKS_MAX ? now + WATCH_ASK_MS
						     : INT64_MAX;
	pidfd_signal(watch->run->pidfd, SIGURG);
}

/* At the deadline ask the program, by SIGXCPU, to raise an exception, so that
 * the traceback says where it was. RUN_GRACE_MS later the run is over. */
static void watch_clock(struct watch *watch)
{
	int64_t now = io_now_ms();

	if (watch->share.next && now >= watch->share.next)
		cpu_share_check(&watch->share, now);
	watch_ask(watch, now);
	if (now < watch->deadline)
		return;
	if (watch->warned) {
		watch_drain(watch, WATCH_END_TURNS);
		watch_finish(watch, OUTCOME_TIMEOUT, 0);
		return;
	}
	watch->warned = true;
	cpu_share_end(&watch->share);
	watch->deadline = now + RUN_GRACE_MS;
	pidfd_signal(watch->run->pidfd, SIGXCPU);
}

static void watch_memory(struct watch *watch)
{
	uint64_t now = cgroup_peak_kb(watch->run->group);

	if (now > watch->peak_kb)
		watch->peak_kb = now;
}

static int watch_left_ms(const struct watch *watch)
{
	const int64_t look = watch->share.next;
	int64_t next = look && look < watch->deadline ? look
						      : watch->deadline;

	if (watch->ask_at < next && !watch->warned)
		next = watch->ask_at;
	if (watch->sink)
		next = watch_sink_next(watch, next);
	int64_t left = next - io_now_ms();

	if (watch->run->group->sampled && left > WATCH_MEMORY_MS)
		left = WATCH_MEMORY_MS;
	return left < 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

/* ---- the loop -------------------------------------------------------- */

/* In order of precedence: output takes precedence over exit, and both over the
 * client's hang-up. */
static const struct {
	short events;
	void (*handle)(struct watch *watch);
} watch_handlers[WATCH_SLOTS] = {
	[WATCH_JOB] = {POLLOUT, watch_job},
	[WATCH_OUT] = {POLLIN, watch_out},
	[WATCH_ERR] = {POLLIN, watch_err},
	[WATCH_RESULT] = {POLLIN, watch_frames_read},
	[WATCH_GATE] = {POLLIN, watch_gate},
	[WATCH_EXIT] = {POLLIN, watch_exit},
	[WATCH_CLIENT] = {POLLRDHUP, watch_client},
	[WATCH_SINK] = {POLLOUT, watch_sink},
};

static void watch_begin(struct watch *watch, const struct job *job, int client)
{
	struct run *run = watch->run;
	const int fds[WATCH_SLOTS] = {
		[WATCH_JOB] = run->ends[WIRE_FD_JOB],
		[WATCH_OUT] = run->ends[WIRE_FD_OUT],
		[WATCH_ERR] = run->ends[WIRE_FD_ERR],
		[WATCH_RESULT] = run->ends[WIRE_FD_RESULT],
		[WATCH_GATE] = run->gate,
		[WATCH_EXIT] = run->pidfd,
		[WATCH_CLIENT] = client,
		[WATCH_SINK] = -1,
	};
	unsigned limit = run->limits->timeout_ms;

	if (job->timeout_ms > 0 && job->timeout_ms < limit)
		limit = job->timeout_ms;
	for (size_t i = 0; i < WATCH_SLOTS; i++)
		watch->polled[i] = (struct pollfd){
			.fd = fds[i], .events = watch_handlers[i].events};
	cpu_share_begin(&watch->share, run->group, run->guest, run->channel,
			io_now_ms());
	watch->deadline = watch->share.start + limit;
	watch->ask_at = run->slow.after_ms
				? watch->share.start + run->slow.after_ms
				: INT64_MAX;
	if (watch->sink && watch->sink->calls->begin)
		watch->sink->calls->begin(watch->sink);
}

static void watch_step(struct watch *watch)
{
	if (watch->sink)
		watch_sink_before(watch);
	int n = poll(watch->polled, WATCH_SLOTS, watch_left_ms(watch));

	if (n < 0 && errno != EINTR) {
		watch_fail(watch, -errno);
		return;
	}
	if (watch->run->group->sampled)
		watch_memory(watch);
	for (size_t i = 0; n > 0 && i < WATCH_SLOTS; i++) {
		if (watch->polled[i].revents && !watch->finished)
			watch_handlers[i].handle(watch);
		watch->polled[i].revents = 0;
	}
	if (watch->sink)
		watch_sink_after(watch);
	if (watch->ended)
		watch_conclude_end(watch);
	if (!watch->finished)
		watch_clock(watch);
}

static void watch_account(struct watch *watch)
{
	struct outcome *outcome = watch->outcome;

	watch_memory(watch);
	outcome->runtime_ms = (uint64_t)(io_now_ms() - watch->share.start);
	outcome->cpu_ms = cpu_share_cpu_ms(&watch->share);
	cpu_share_end(&watch->share);
	if (watch->peak_kb > 0)
		outcome->memory_peak_kb = watch->peak_kb;
}

/* The exit code that a shell would show. The guest's own figure counts only if
 * it sent an end frame, and cannot turn a failure into success. */
static int watch_exit_code(const struct watch *watch)
{
	const struct outcome *outcome = watch->outcome;

	switch (outcome->verdict) {
	case OUTCOME_OK:
		return 0;
	case OUTCOME_EXITED:
		return outcome->detail;
	case OUTCOME_KILLED:
		return 128 + outcome->detail;
	default:
		if (!watch->ended)
			return 128 + SIGKILL;
		return outcome->exit_code ? outcome->exit_code : 1;
	}
}

static void watch_complete(struct watch *watch)
{
	struct outcome *outcome = watch->outcome;
	const struct run_slow *slow = &watch->run->slow;

	if (watch->asks > 0 && !watch->told)
		slow->tell(slow->context, NULL, (int64_t)outcome->runtime_ms);

	outcome->probe.marked = watch->output.marker.count;
	outcome->exit_code = watch_exit_code(watch);
	if (outcome->verdict == OUTCOME_OK &&
	    outcome->probe.phase == OUTCOME_RUN)
		outcome->probe.phase = OUTCOME_FINISHED;
}

int watch_guest(struct run *run, const struct job *job,
		const struct wire_feed *feed, int client,
		struct outcome *outcome)
{
	struct watch watch = {.run = run, .outcome = outcome, .feed = *feed,
			      .sink = run->sink};

	output_begin(&watch.output, job, run->limits, run->sink, outcome);
	watch_begin(&watch, job, client);
	watch_job(&watch); /* most jobs fit into the pipe at once */
	while (!watch.finished)
		watch_step(&watch);
	watch_account(&watch);
	watch_complete(&watch);
	return watch.failed;
}
