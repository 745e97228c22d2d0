/*
 * worker - who serves a request.
 *
 * Who:    forked by a zygote; one of a fixed number that stand armed.
 * Holds:  the listening socket, its guest's pipes, process and tmpfs, later
 *         one connection; no Python, which its guest has from the mold.
 * May:    until its guest is armed, what it may inside its user namespace;
 *         then what confine.c leaves it.
 * Talks:  to the mold while it arms; then to the web server (FastCGI), to
 *         its guest (frames, believed nowhere), to its zygote (reports), and
 *         to the mold of its guest's pace and end.
 * Ends:   after one request; or idle, when told to leave or when its guest
 *         has died.
 *
 * The guest is forked before anything is accepted: it cannot hold what its
 * worker has not read.
 */
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "../sandbox/confine.h"
#include "../sandbox/run.h"
#include "../sandbox/title.h"
#include "cradle.h"
#include "rehearse.h"
#include "report.h"
#include "request.h"
#include "route.h"

/* Exit statuses; the zygote tells a failure from a farewell by them. */
enum { WORKER_EXIT_OK = 0, WORKER_EXIT_FAILED = 1 };

/* Before the reply is sent: that is the end of the request's parameters. */
static void worker_log(const struct route_call *call)
{
	const struct outcome *outcome = &call->outcome;

	log_info("%s client=%.64s path=%.64s status=%d verdict=%s "
		 "runtime_ms=%llu queue_ms=%llu",
		 request_id(call->request),
		 request_param(call->request, "TERRARIUM_CLIENT"),
		 request_param(call->request, "DOCUMENT_URI"),
		 call->reply.status,
		 call->report.ran ? outcome_rows[outcome->verdict].name : "-",
		 (unsigned long long)outcome->runtime_ms,
		 (unsigned long long)outcome->queue_ms);
}

/* An error of the connection is the client's; any other is ours. */
static void worker_reply(struct route_call *call)
{
	int rc = reply_send(call->request, &call->reply);

	if (rc == -EPIPE || rc == -ECONNRESET || rc == -ETIMEDOUT ||
	    rc == -EAGAIN)
		log_info("%s: the client did not take all of the reply",
			 request_id(call->request));
	else if (rc < 0)
		log_error("%s: the reply broke off: %s",
			  request_id(call->request), log_errno(rc));
}

/* Serve the request on CONNECTION, and say in REPORT how it went. */
static void worker_serve(const struct worker_place *place, struct run *run,
			 const char *why_not, int connection, bool armed,
			 struct report *report)
{
	struct route_call call = {
		.conf = place->conf, .box = place->box, .run = run,
		.registry = place->registry, .archive = place->archive,
		.why_not = why_not,
		.report = *report,
		.outcome = {.armed = armed}};

	int rc = request_open(&call.request, connection,
			      place->conf->header_timeout_ms);

	if (rc < 0) {
		if (rc != -ENODATA)
			log_info("a connection was dropped: %s",
				 log_errno(rc));
		return;
	}
	reply_init(&call.reply);
	route_serve(&call);
	worker_log(&call);
	if (call.outcome.verdict != OUTCOME_CANCELLED)
		worker_reply(&call);
	*report = call.report;
	reply_free(&call.reply);
	outcome_free(&call.outcome);
	request_close(&call.request);
}

static int worker_confine(const struct worker_place *place, int home,
			  char error[RUN_ERROR_MAX])
{
	const struct confine_plan plan = {
		.filter = &place->box->worker_filter,
		.landlock_abi = place->box->landlock_abi,
		.home = home};

	return confine_process(&plan, error);
}

/* Arm a guest, and lock ourselves up. */
static int worker_arm(const struct worker_place *place,
		      struct cgroup_slot *cgroup, struct run *run)
{
	struct report report = {.slot = place->slot, .event = REPORT_ARMED};
	char error[RUN_ERROR_MAX];
	int rc = run_arm(run, place->box, place->group, cgroup, error);

	close(place->box->mold); /* it has had its guest */
	cgroup_forget_entry(cgroup);
	if (rc == 0)
		rc = worker_confine(place, run->home.fd, error);
	report.guest = run->guest;
	if (rc < 0) {
		report.event = REPORT_ARM_FAILED;
		snprintf(report.words, sizeof(report.words), "%.150s", error);
	}
	report_send(place->report, &report);
	return rc;
}

/* Nothing may be closed: it would be closed for the zygote. */
static void worker_give_up(const struct worker_place *place) NORETURN;

static void worker_give_up(const struct worker_place *place)
{
	struct report report = {.slot = place->slot,
				.event = REPORT_ARM_FAILED};

	snprintf(report.words, sizeof(report.words),
		 "close descriptors of control groups: %s",
		 log_errno(place->born));
	report_send(place->report, &report);
	_exit(WORKER_EXIT_FAILED);
}

void worker_main(const struct worker_place *place)
{
	struct report report = {.slot = place->slot};
	struct cgroup_slot cgroup = place->cgroup;
	struct run run;
	bool armed;

	if (place->born < 0)
		worker_give_up(place);
	warm_take(&place->box->worker_warm);
	log_set_role("worker");
	title_set("worker");
	signal(SIGPIPE, SIG_IGN);
	if (worker_arm(place, &cgroup, &run) < 0)
		_exit(WORKER_EXIT_FAILED);
	int connection = turn_take(&place->turn, run.pidfd,
				   place->conf->send_timeout_ms, &armed);

	if (connection < 0) {
		run_end(&run);
		_exit(connection == -ECANCELED ? WORKER_EXIT_OK
					       : WORKER_EXIT_FAILED);
	}
	report.event = REPORT_BUSY;
	report_send(place->report, &report);
	worker_serve(place, &run, NULL, connection, armed, &report);
	run_end(&run);
	report.event = REPORT_DONE;
	report_send(place->report, &report);
	_exit(WORKER_EXIT_OK);
}

int worker_rehearse(void *context)
{
	const struct worker_place *place = context;
	struct report report = {.slot = place->slot};
	char error[RUN_ERROR_MAX];
	struct run run = {0};
	int ends[2];

	log_set_level(LOG_LEVEL_ERROR); /* nobody asked for this one */
	int rc = rehearse_request(ends);

	if (rc == 0)
		rc = run_arm(&run, place->box, place->group, &place->cgroup,
			     error);
	if (rc != 0)
		return rc;
	worker_serve(place, &run, NULL, ends[0], true, &report);
	run_end(&run);
	return report.ran ? 0 : -EPROTO;
}

void worker_refuse_main(const struct worker_place *place, const char *reason)
{
	log_set_role("worker");
	signal(SIGPIPE, SIG_IGN);
	close(place->box->mold);
	char error[RUN_ERROR_MAX];
	int rc = cradle_leave();

	if (rc < 0)
		snprintf(error, sizeof(error),
			 "close descriptors of control groups: %s",
			 log_errno(rc));
	else
		rc = worker_confine(place, -1, error);
	if (rc < 0) {
		log_error("%s", error);
		_exit(WORKER_EXIT_FAILED);
	}
	for (;;) {
		struct report report = {.slot = place->slot};
		bool armed;
		int connection = turn_take(&place->turn, -1,
					   place->conf->send_timeout_ms,
					   &armed);

		if (connection < 0)
			_exit(WORKER_EXIT_OK);
		worker_serve(place, NULL, reason, connection, false, &report);
	}
}
