/*
 * worker - who serves a request.
 *
 * Who:    forked by a pool process; one of a fixed number that stand armed.
 * Holds:  the listening socket, its guest's pipes, process and tmpfs, later
 *         one connection; no Python, which its guest has from the mold.
 * May:    until its guest is armed, what it may inside its user namespace;
 *         then what confine.c leaves it.
 * Talks:  to the fork server while it arms; then to the web server (FastCGI),
 * to its guest (frames, believed nowhere), to its pool process (reports), and
 *         to the fork server of its guest's pace and end.
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

#include "sandbox/walls/confine.h"
#include "sandbox/guest/run.h"
#include "sandbox/base/title.h"
#include "worker_fds.h"
#include "fcgi/http/rehearse.h"
#include "fcgi/shared/report.h"
#include "fcgi/http/request.h"
#include "route.h"

/* Exit statuses; the pool process tells a failure from a farewell by them. */
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

/* The request that CAME with a connection; NULL: there is none. */
static struct request *worker_read(const struct worker_place *place,
				   const struct accepted *came)
{
	struct request *request;
	int rc = request_read(&request, came->head, came->connection,
			      place->conf->header_timeout_ms);

	if (rc < 0 && rc != -ENODATA)
		log_info("a connection was dropped: %s", log_errno(rc));
	return rc < 0 ? NULL : request;
}

static const char worker_crowded[] = "too many of your requests wait";

/* Serve REQUEST, and say in REPORT how it went. */
static void worker_serve(const struct worker_place *place, struct run *run,
			 const char *why_not, struct request *request,
			 bool armed, struct report *report)
{
	struct route_call call = {
		.request = request,
		.conf = place->conf, .box = place->box, .run = run,
		.registry = place->registry, .archive = place->archive,
		.why_not = why_not, .crowded = why_not == worker_crowded,
		.report = *report,
		.outcome = {.armed = armed}};

	int rc = request_parse(request);

	if (rc < 0) {
		log_info("a connection was dropped: %s", log_errno(rc));
		request_close(&call.request);
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

	close(place->box->fork_server); /* it has had its guest */
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

/* ---- clients take turns ---------------------------------------------- */

static void worker_tell(const struct worker_place *place,
			enum report_event event)
{
	struct report report = {.slot = place->slot, .event = event};

	report_send(place->report, &report);
}

/* Another's call, which waits until its client may go on; or is refused, if
 * too many of that client's do. The guest has seen nothing of it. */
static void worker_put_off(const struct worker_place *place, uint64_t key,
			   struct request **slot)
{
	const struct conf *conf = place->conf;
	struct report report = {.slot = place->slot};
	struct request *request = *slot;
	char client[SCOREBOARD_CLIENT_MAX];
	owned_fd int head = -1;
	int rc = -EAGAIN;

	/* As many others may be about to send one, too. */
	if (client_share_waits(place->shares, key) < conf->client_waiting &&
	    atomic_load(&place->shares->waiting) + conf->workers <
		    atomic_load(&place->shares->room))
		head = request_undo(request);
	if (head >= 0)
		rc = queue_send(place->accept_queue.queue, key,
				request_connection(request), head);
	worker_tell(place, rc == 0 ? REPORT_QUEUED : REPORT_CROWDED);
	if (rc == 0) {
		request_forget(slot);
		return;
	}
	request_client(request, client, sizeof(client));
	log_info("client refused: client=%.64s: %s", client, log_errno(rc));
	worker_serve(place, NULL, worker_crowded, request, false, &report);
	*slot = NULL;
}

/* The queue's entry for a call that has come, unless it has been given to
 * another call since. */
static void worker_end_grant(const struct worker_place *place,
			     const struct accepted *came)
{
	uint64_t key = came->key;

	if (!place->shares || came->head < 0 ||
	    came->grant >= CLIENT_SHARE_GRANTS)
		return;
	atomic_compare_exchange_strong(&place->shares->running[came->grant],
				       &key, 0);
}

/* May the client of REQUEST have this worker? What came from the queue has
 * been asked that already. */
static bool worker_admits(const struct worker_place *place,
			  const struct accepted *came, struct request **request)
{
	const struct client_share_rule rule = {place->conf->workers,
					       place->conf->client_percent};
	char client[SCOREBOARD_CLIENT_MAX];

	if (!place->shares)
		return true;
	request_client(*request, client, sizeof(client));
	const uint64_t key = client_share_key(client);

	if (came->head >= 0 && came->grant < CLIENT_SHARE_GRANTS) {
		atomic_store(&place->shares->running[place->entry], key);
		worker_end_grant(place, came);
		return true;
	}
	if (client_share_enter(place->shares, &rule, key, place->entry))
		return true;
	worker_put_off(place, key, request);
	return false;
}

/* The next request that this worker is to serve; or a negative errno value.
 * One that came to nothing ends the worker, as it always did. */
static int worker_next(const struct worker_place *place, int guest,
		       struct request **request, bool *armed)
{
	struct accepted came;

	*armed = true;
	for (;;) {
		int rc = accept_queue_take(&place->accept_queue, guest,
					   place->conf->send_timeout_ms, &came);

		if (rc < 0)
			return rc;
		*armed = came.waited;
		*request = worker_read(place, &came);
		if (!*request)
			worker_end_grant(place, &came);
		if (!*request || worker_admits(place, &came, request))
			return 0;
	}
}

void worker_main(const struct worker_place *place)
{
	struct report report = {.slot = place->slot};
	struct cgroup_slot cgroup = place->cgroup;
	struct run run;
	bool armed;

	if (place->born < 0)
		worker_give_up(place);
	prefault_take(&place->box->worker_prefault);
	log_set_role("worker");
	title_set("worker");
	signal(SIGPIPE, SIG_IGN);
	if (worker_arm(place, &cgroup, &run) < 0)
		_exit(WORKER_EXIT_FAILED);
	struct request *request = NULL;
	int rc = worker_next(place, run.pidfd, &request, &armed);

	if (rc < 0) {
		run_end(&run);
		_exit(rc == -ECANCELED ? WORKER_EXIT_OK
					       : WORKER_EXIT_FAILED);
	}
	report.event = REPORT_BUSY;
	report_send(place->report, &report);
	if (request)
		worker_serve(place, &run, NULL, request, armed, &report);
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
	const struct accepted came = {.connection = ends[0], .head = -1};
	struct request *request = worker_read(place, &came);

	if (request)
		worker_serve(place, &run, NULL, request, true, &report);
	run_end(&run);
	return report.ran ? 0 : -EPROTO;
}

void worker_refuse_main(const struct worker_place *place, const char *reason)
{
	log_set_role("worker");
	signal(SIGPIPE, SIG_IGN);
	close(place->box->fork_server);
	char error[RUN_ERROR_MAX];
	int rc = worker_fds_drop();

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
		struct accepted came;

		if (accept_queue_take(&place->accept_queue, -1,
				      place->conf->send_timeout_ms, &came) < 0)
			_exit(WORKER_EXIT_OK);
		struct request *request = worker_read(place, &came);

		worker_end_grant(place, &came);
		if (request)
			worker_serve(place, NULL, reason, request, false,
				     &report);
	}
}
