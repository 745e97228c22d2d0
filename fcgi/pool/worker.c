/*
 * worker - the process that serves one request.
 *
 * Who:    forked by a pool process, which keeps a fixed number of workers
 *         armed.
 * Holds:  its guest's pipes, process and tmpfs; the listening sockets until it
 *         has read the head of its request; then one connection. It has no
 *         Python: its guest gets that from the fork server.
 * May:    until its guest is armed, all that its user namespace allows; after
 *         that only the system calls and files that confine.c leaves.
 * Talks:  It orders its guest from the fork server. It talks to the web server
 *         (FastCGI), and to its guest by frames, all of which it checks. It
 *         sends reports to its pool process. It asks the fork server to lower
 *         its guest's priority, and how its guest ended.
 * Ends:   after one request. An idle worker ends when it is told to leave, or
 *         when its guest has died.
 *
 * The guest is forked before the worker accepts a connection. So it cannot hold
 * anything that its worker has read.
 */
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>

#include "sandbox/walls/confine.h"
#include "sandbox/guest/run.h"
#include "sandbox/base/io.h"
#include "sandbox/base/title.h"
#include "sandbox/base/digest.h"
#include "fcgi/route/access_log.h"
#include "worker_fds.h"
#include "fcgi/http/rehearse.h"
#include "fcgi/shared/report.h"
#include "fcgi/http/request.h"
#include "fcgi/route/route.h"

/* Exit statuses. By them the pool process tells a failure from a normal end. */
enum { WORKER_EXIT_OK = 0, WORKER_EXIT_FAILED = 1 };

/* An error of the connection is the client's. Any other error is the
 * server's. */
static void worker_reply(struct route_call *call)
{
	int rc = call->stream.begun
			 ? stream_send(&call->stream, &call->reply)
			 : reply_send(call->request, &call->reply);

	if (rc == -EPIPE || rc == -ECONNRESET || rc == -ETIMEDOUT ||
	    rc == -EAGAIN)
		log_info("reply incomplete: id=%s: the client hung up or timed "
			 "out",
			 request_id(call->request));
	else if (rc < 0)
		log_error("reply failed: id=%s error=\"%s\"",
			  request_id(call->request), log_errno(rc));
}

/* Read the request of an accepted connection. NULL: it brought none. */
static struct request *worker_read(const struct worker_args *args,
				   const struct accepted *accepted)
{
	struct request *request;
	int rc = request_read(&request, accepted->head, accepted->connection,
			      args->conf->header_timeout_ms);

	if (rc < 0 && rc != -ENODATA)
		log_info("connection dropped: %s", log_errno(rc));
	return rc < 0 ? NULL : request;
}

static const char worker_refused[] = "too many of your requests wait";

/* Serve REQUEST, and set the results in REPORT. */
static void worker_serve(const struct worker_args *args, struct run *run,
			 const char *why_not, struct request *request,
			 bool armed, struct report *report)
{
	struct route_call call = {.request = request,
				  .conf = args->conf,
				  .box = args->box,
				  .run = run,
				  .registry = args->registry,
				  .archive = args->archive,
				  .orders = args->orders,
				  .why_not = why_not,
				  .refuse_all = why_not == worker_refused,
				  .report = *report,
				  .outcome = {.armed = armed}};

	int rc = request_parse(request);

	if (rc < 0) {
		log_info("connection dropped: %s", log_errno(rc));
		request_close(&call.request);
		return;
	}
	reply_init(&call.reply);
	route_serve(&call);
	/* Before the reply is sent, because that frees the parameters. */
	access_log_write(&call);
	if (!call.answered && call.outcome.verdict != OUTCOME_CANCELLED)
		worker_reply(&call);
	else if (call.stream.out.error == -ETIMEDOUT)
		log_info("stream given up: id=%s: the client took nothing for "
			 "%u ms", request_id(call.request),
			 call.stream.timeout_ms);
	stream_free(&call.stream);
	events_free(&call.events);
	*report = call.report;
	reply_free(&call.reply);
	outcome_free(&call.outcome);
	session_files_free(&call.files);
	request_close(&call.request);
}

static int worker_confine(const struct worker_args *args, int home,
			  char error[RUN_ERROR_MAX])
{
	const struct confine_plan plan = {
		.filter = &args->box->worker_filter,
		.landlock_abi = args->box->landlock_abi,
		.home = home};

	return confine_process(&plan, error);
}

/* Arm a guest, and then confine this worker. */
static int worker_arm(const struct worker_args *args,
		      struct cgroup_slot *cgroup, struct run *run)
{
	struct report report = {.slot = args->slot, .event = REPORT_ARMED};
	char error[RUN_ERROR_MAX];
	const int64_t began_us = io_now_us();
	int rc = run_arm(run, args->box, args->group, cgroup, error);

	close(args->box->fork_server); /* it forks one guest only */
	cgroup_forget_entry(cgroup);
	if (rc == 0)
		rc = worker_confine(args, run->home.fd, error);
	report.guest = run->guest;
	report.arm_us = (uint64_t)(io_now_us() - began_us);
	if (rc < 0) {
		report.event = REPORT_ARM_FAILED;
		snprintf(report.error, sizeof(report.error), "%.150s", error);
	}
	report_send(args->report, &report);
	return rc;
}

/* Report the failure, and close nothing: the pool process would lose its
 * descriptors, because the table is still shared. */
static void worker_exit_shared(const struct worker_args *args) NORETURN;

static void worker_exit_shared(const struct worker_args *args)
{
	struct report report = {.slot = args->slot, .event = REPORT_ARM_FAILED};

	snprintf(report.error, sizeof(report.error),
		 "close descriptors of control groups: %s",
		 log_errno(args->unshared));
	report_send(args->report, &report);
	_exit(WORKER_EXIT_FAILED);
}

/* ---- shares of clients ----------------------------------------------- */

static void worker_report(const struct worker_args *args,
			  enum report_event event)
{
	struct report report = {.slot = args->slot, .event = event};

	report_send(args->report, &report);
}

/* Hand REQUEST to the queue, where it waits until its client may have a
 * worker. If too many of that client's calls wait, refuse it. The guest was
 * not used. */
static void worker_enqueue(const struct worker_args *args, uint64_t key,
			   struct request **slot)
{
	const struct conf *conf = args->conf;
	struct report report = {.slot = args->slot};
	struct request *request = *slot;
	char client[SCOREBOARD_CLIENT_MAX];
	owned_fd int head = -1;
	int rc = -EAGAIN;

	/* Each other worker may be about to send a call, too. */
	if (client_share_waits(args->shares, key) < conf->client_waiting &&
	    atomic_load(&args->shares->waiting) + conf->workers <
		    atomic_load(&args->shares->room))
		head = request_undo(request);
	if (head >= 0)
		rc = queue_send(args->accept_queue.queue, key,
				request_connection(request), head);
	worker_report(args, rc == 0 ? REPORT_QUEUED : REPORT_REFUSED);
	if (rc == 0) {
		request_forget(slot);
		return;
	}
	request_client(request, client, sizeof(client));
	log_info("client refused: client=%.64s error=\"%s\"", client,
		 log_errno(rc));
	worker_serve(args, NULL, worker_refused, request, false, &report);
	*slot = NULL;
}

/* Free the queue's entry for an accepted call, unless the queue has already
 * given it to another call. */
static void worker_release_grant(const struct worker_args *args,
				 const struct accepted *accepted)
{
	uint64_t key = accepted->key;

	if (!args->shares || accepted->head < 0 ||
	    accepted->grant >= CLIENT_SHARE_GRANTS)
		return;
	atomic_compare_exchange_strong(&args->shares->running[accepted->grant],
				       &key, 0);
}

/* May the client of REQUEST have this worker? The queue has already asked that
 * for its own calls. */
static bool worker_admits(const struct worker_args *args,
			  const struct accepted *accepted,
			  struct request **request)
{
	const struct client_share_rule rule = {args->conf->workers,
					       args->conf->client_percent};
	char client[SCOREBOARD_CLIENT_MAX];

	if (!args->shares)
		return true;
	request_client(*request, client, sizeof(client));
	const uint64_t key = digest_text(client);

	if (accepted->head >= 0 && accepted->grant < CLIENT_SHARE_GRANTS) {
		atomic_store(&args->shares->running[args->entry], key);
		worker_release_grant(args, accepted);
		return true;
	}
	if (client_share_enter(args->shares, &rule, key, args->entry))
		return true;
	worker_enqueue(args, key, request);
	return false;
}

/* Accept the next connection, and count those that are not allowed. */
static int worker_accept(const struct worker_args *args, int guest,
			 struct accepted *accepted)
{
	for (;;) {
		int rc = accept_queue_take(&args->accept_queue, guest,
					   args->conf->send_timeout_ms,
					   accepted);

		if (rc != -EACCES)
			return rc;
		worker_report(args, REPORT_PEER_REFUSED);
	}
}

/* Get the next request that this worker is to serve. Returns 0 or a negative
 * errno value. REQUEST is NULL if the connection brought none, which ends the
 * worker. */
static int worker_next(const struct worker_args *args, int guest,
		       struct request **request, bool *armed)
{
	struct accepted accepted;

	*armed = true;
	for (;;) {
		int rc = worker_accept(args, guest, &accepted);

		if (rc < 0)
			return rc;
		*armed = accepted.waited;
		*request = worker_read(args, &accepted);
		if (!*request)
			worker_release_grant(args, &accepted);
		if (!*request || worker_admits(args, &accepted, request))
			return 0;
	}
}

void worker_main(const struct worker_args *args)
{
	struct report report = {.slot = args->slot};
	struct accept_queue accept_queue = args->accept_queue;
	struct cgroup_slot cgroup = args->cgroup;
	struct run run;
	bool armed;

	if (args->unshared < 0)
		worker_exit_shared(args);
	prefault_take(&args->box->worker_prefault);
	log_set_role("worker");
	title_set("worker");
	signal(SIGPIPE, SIG_IGN);
	if (worker_arm(args, &cgroup, &run) < 0)
		_exit(WORKER_EXIT_FAILED);
	struct request *request = NULL;
	int rc = worker_next(args, run.pidfd, &request, &armed);

	if (rc < 0) {
		run_end(&run);
		_exit(rc == -ECANCELED ? WORKER_EXIT_OK
					       : WORKER_EXIT_FAILED);
	}
	accept_queue_leave(&accept_queue);
	worker_report(args, REPORT_BUSY);
	if (request)
		worker_serve(args, &run, NULL, request, armed, &report);
	run_end(&run);
	report.event = REPORT_DONE;
	report_send(args->report, &report);
	_exit(WORKER_EXIT_OK);
}

int worker_rehearse(void *context)
{
	const struct worker_args *args = context;
	struct report report = {.slot = args->slot};
	char error[RUN_ERROR_MAX];
	struct run run = {0};
	int ends[2];

	log_set_level(LOG_LEVEL_ERROR); /* a rehearsal is not logged */
	int rc = rehearse_request(ends);

	if (rc == 0)
		rc = run_arm(&run, args->box, args->group, &args->cgroup,
			     error);
	if (rc != 0)
		return rc;
	const struct accepted accepted = {.connection = ends[0], .head = -1};
	struct request *request = worker_read(args, &accepted);

	if (request)
		worker_serve(args, &run, NULL, request, true, &report);
	run_end(&run);
	return report.ran ? 0 : -EPROTO;
}

void worker_refuse_main(const struct worker_args *args, const char *reason)
{
	log_set_role("worker");
	signal(SIGPIPE, SIG_IGN);
	close(args->box->fork_server);
	char error[RUN_ERROR_MAX];
	int rc = worker_fds_drop();

	if (rc < 0)
		snprintf(error, sizeof(error),
			 "close descriptors of control groups: %s",
			 log_errno(rc));
	else
		rc = worker_confine(args, -1, error);
	if (rc < 0) {
		log_error("%s", error);
		_exit(WORKER_EXIT_FAILED);
	}
	for (;;) {
		struct report report = {.slot = args->slot};
		struct accepted accepted;

		if (worker_accept(args, -1, &accepted) < 0)
			_exit(WORKER_EXIT_OK);
		struct request *request = worker_read(args, &accepted);

		worker_release_grant(args, &accepted);
		if (request)
			worker_serve(args, NULL, reason, request, false,
				     &report);
	}
}
