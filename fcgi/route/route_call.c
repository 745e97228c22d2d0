/* route_call - see route_call.h. */
#include "route_call.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sandbox/base/log.h"
#include "sandbox/text/json.h"
#include "fcgi/api/native.h"
#include "fcgi/api/native_reply.h"
#include "fcgi/api/solver_api.h"
#include "access_log.h"
#include "archive.h"

void route_call_refuse(struct route_call *call, const struct door *door,
		       const struct refusal *why)
{
	call->why = *why;
	if (call->stream.begun) {
		call->streams->refuse(why, request_id(call->request),
				      &call->reply);
		return;
	}
	if (why->status == 503)
		call->reply.retry_after_s = 1;
	(door ? door : &native_door)
		->refuse(why, request_id(call->request), &call->reply);
}

/* Milliseconds since the web server received the request; 0 if it does not
 * tell. */
static uint64_t route_call_queue_ms(const struct request *request)
{
	double sent = strtod(request_param(request, "REQUEST_MSEC"), NULL);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	double waited =
		((double)now.tv_sec + (double)now.tv_nsec / 1e9 - sent) * 1000;

	return sent > 0 && waited > 0 && waited < 1e9 ? (uint64_t)waited : 0;
}

static void route_call_spoil(struct outcome *outcome)
{
	outcome->verdict = OUTCOME_PROTOCOL;
	if (outcome->exit_code == 0)
		outcome->exit_code = 1;
	for (size_t i = 0; i < outcome->displays_count; i++)
		free(outcome->displays[i].data);
	outcome->displays_count = 0;
}

/* Check the JSON that a guest has sent, before it becomes part of a reply. A
 * value that is no JSON makes the run a protocol error. */
static void route_call_check_json(struct outcome *outcome)
{
	bool good = outcome->value.size == 0 ||
		    json_check_value(outcome->value.data,
				     outcome->value.size) == 0;

	for (size_t i = 0; i < outcome->displays_count && good; i++)
		good = json_check_value(outcome->displays[i].data,
					outcome->displays[i].size) == 0 &&
		       json_kind(json_whole(outcome->displays[i].data,
					    outcome->displays[i].size)) ==
			       JSON_OBJECT;
	if (!good)
		route_call_spoil(outcome);
}

/* The sink for the results of the run, or NULL. */
static struct sink *route_call_sink(struct route_call *call)
{
	return call->streams ? &call->events.sink : NULL;
}

/* Check all that the guest declared to be JSON, and that is not sent yet. */
static void route_call_check_results(struct route_call *call)
{
	struct outcome *outcome = &call->outcome;

	if (call->streams)
		events_end(&call->events, outcome);
	if (outcome->verdict >= OUTCOME_CANCELLED)
		return;
	route_call_check_json(outcome);
	if (call->events.bad)
		route_call_spoil(outcome);
}

static void route_call_account(struct route_call *call)
{
	const struct outcome *outcome = &call->outcome;

	call->report.ran = 1;
	call->report.verdict = outcome->verdict;
	call->report.runtime_ms = outcome->runtime_ms;
	call->report.queue_ms = outcome->queue_ms;
	call->report.cpu_ms = outcome->cpu_ms;
	call->report.memory_peak_kb = outcome->memory_peak_kb;
	call->report.slow = call->conf->slow_after_ms > 0 &&
			    outcome->runtime_ms >= call->conf->slow_after_ms;
}

/* The answer is there. The names are for the metrics. */
void route_call_report(struct route_call *call)
{
	struct report *report = &call->report;

	report->status = (uint32_t)call->reply.status;
	report->bytes_out = call->stream.size + reply_length(&call->reply);
	report->total_ms = route_call_queue_ms(call->request);
	snprintf(report->client, sizeof(report->client), "%s",
		 request_param(call->request, "TERRARIUM_CLIENT"));
	snprintf(report->door, sizeof(report->door), "%s",
		 call->door ? call->door->name : "");
}

static void route_call_run(struct route_call *call, const struct job *job)
{
	struct outcome *outcome = &call->outcome;
	uint64_t queued = route_call_queue_ms(call->request);
	bool armed = outcome->armed;

	call->run->sink = route_call_sink(call);
	call->run->slow = (struct run_slow){
		.after_ms = call->conf->slow_after_ms,
		.tell = access_log_tell_slow,
		.context = call};
	run_job(call->run, job,
		call->answered ? call->reader
			       : request_connection(call->request), outcome);
	outcome->queue_ms = queued;
	outcome->armed = armed;
	route_call_check_results(call);
	route_call_account(call);
}

struct session_client route_call_sessions(const struct route_call *call)
{
	/* A web server that sends no token generations sends names alone. */
	const char *owner = request_param(call->request, "TERRARIUM_OWNER");

	return (struct session_client){
		.registry = call->registry,
		.owner = *owner ? owner
				: request_param(call->request,
						"TERRARIUM_CLIENT"),
		.connection = request_connection(call->request),
		.limits = &call->limits,
		.body_mb = call->conf->body_mb,
		.own_time = call->own_time,
		.wait_ms = call->limits.timeout_ms};
}

/* Must the session of JOB exist? Its door may have no field for that. */
static bool route_call_must_exist(const struct route_call *call,
				  const struct job *job)
{
	return job->session_must_exist ||
	       strcmp(request_param(call->request, "HTTP_SESSION_MUST_EXIST"),
		      "true") == 0;
}

/* May a session begin here? A web server in front of several hosts that chose
 * this one without a key would find another one for the next call. */
static int route_call_check_host(const struct route_call *call,
				 struct refusal *why)
{
	if (*request_param(call->request, "TERRARIUM_ANY_HOST"))
		return refuse(why, 400, "bad_session",
			      "this server has several hosts: a call of a "
			      "session needs the header Session-Key, the same "
			      "in all calls of the session");
	return 0;
}

/* Run JOB in the session that it names. The guest of this worker is not
 * used. */
static int route_call_run_session(struct route_call *call,
				  const struct door *door,
				  const struct job *job, struct refusal *why)
{
	struct session_client client = route_call_sessions(call);
	struct outcome *outcome = &call->outcome;
	uint64_t queued = route_call_queue_ms(call->request);
	bool armed = outcome->armed;
	int rc = route_call_check_host(call, why);

	if (rc == 0)
		rc = session_client_check(&client, door->session,
					  job->session.data, why);
	client.must_exist = route_call_must_exist(call, job);
	client.sink = route_call_sink(call);
	if (job->timeout_ms > 0 && job->timeout_ms < client.wait_ms)
		client.wait_ms = job->timeout_ms;

	if (rc == 0)
		rc = session_client_run(&client, job->session.data, job,
					outcome, &call->session, why);
	if (rc < 0)
		return rc;
	outcome->queue_ms = queued;
	outcome->armed = armed;
	route_call_check_results(call);
	route_call_account(call);
	return 0;
}

/* The limits of the run: the configured ones, or lower ones if the job
 * asked. */
static struct limits route_call_limits(const struct route_call *call,
				       const struct job *job)
{
	struct limits limits = job->session.data ? call->session.limits
						 : call->limits;

	if (job->timeout_ms > 0 && job->timeout_ms < limits.timeout_ms)
		limits.timeout_ms = job->timeout_ms;
	if (job->memory_mb > 0)
		limits.memory_mb = job->memory_mb;
	return limits;
}

/* ---- doors ----------------------------------------------------------- */

struct door_limits route_call_door_limits(const struct route_call *call)
{
	const struct limits *limits = &call->limits;

	return (struct door_limits){
		.query = request_param(call->request, "QUERY_STRING"),
		.content_type = request_param(call->request, "CONTENT_TYPE"),
		.queued_ms = route_call_queue_ms(call->request),
		.timeout_ms = limits->timeout_ms,
		.memory_mb = limits->memory_mb,
		.files = limits->files_in,
		.home_bytes = (uint64_t)limits->home_mb << 20,
		.home_aliases = call->box->home_aliases,
		.threads = limits->threads,
		.cores = call->box->cores,
		.sessions = call->registry >= 0,
		.python = call->box->python,
		.piston_strict = call->conf->piston_strict,
		.snekbox_strict = call->conf->snekbox_strict,
		.snekbox_colors = call->conf->snekbox_colors};
}

static int route_call_parse(struct route_call *call, const struct door *door,
			    struct job *job, struct refusal *why)
{
	const struct door_limits most = route_call_door_limits(call);
	int rc = request_body(call->request,
			      (uint64_t)call->conf->body_mb << 20, &job->body,
			      why);

	call->report.bytes_in = job->body.size;
	return rc < 0 ? rc : door->parse(&most, job, why);
}

/* Keep a solver's run in the archive. Returns its path, to be freed; NULL: it
 * was not kept. */
static char *route_call_keep(struct route_call *call, const struct door *door,
			     const struct job *job)
{
	const char *id = request_id(call->request);
	char *path = NULL;

	if (call->archive < 0 || door != &solver_api_execute_door ||
	    call->outcome.verdict == OUTCOME_CANCELLED)
		return NULL;
	int rc = archive_send(call->archive, id, job, &call->outcome);

	if (rc == 0 &&
	    asprintf(&path, "%s/%s", call->conf->artifacts_dir, id) >= 0)
		return path;
	log_warn("run not kept: id=%s error=\"%s\"", id, log_errno(rc));
	return NULL;
}

void route_call_answer(struct route_call *call, const struct door *door,
		       const struct job *job)
{
	const struct limits had = route_call_limits(call, job);
	owned_free char *kept = route_call_keep(call, door, job);
	const struct door_session session = session_client_state(
		&call->session);
	const struct door_answer answer = {
		.outcome = &call->outcome,
		.job = job,
		.limits = &had,
		.id = request_id(call->request),
		.kept = kept,
		.session = job->session.data ? &session : NULL,
		.python = call->box->python,
		.query = request_param(call->request, "QUERY_STRING")};

	if (call->stream.begun)
		call->streams->render(&answer, &call->reply);
	else
		door->render(&answer, &call->reply);
}

/* The doors that stream, if the client's Accept header asks for that. */
static const struct {
	const struct door *door;
	const struct door_stream *streams;
} route_call_streams[] = {
	{&native_door, &native_reply_stream},
};

void route_call_stream(struct route_call *call,
		       const struct door_stream *streams, enum accept_form form,
		       const void *context)
{
	call->streams = streams;
	stream_init(&call->stream, call->request, form,
		    call->conf->send_timeout_ms);
	events_init(&call->events, &call->stream, streams->lines, context);
}

static void route_call_choose_form(struct route_call *call,
				   const struct door *door)
{
	enum accept_form form = accept_form(
		request_param(call->request, "HTTP_ACCEPT"));

	if (form == ACCEPT_WHOLE)
		return;
	for (size_t i = 0; i < ARRAY_LEN(route_call_streams); i++)
		if (route_call_streams[i].door == door)
			route_call_stream(call, route_call_streams[i].streams,
					  form, NULL);
}

int route_call_run_job(struct route_call *call, const struct door *door,
		       const struct job *job, struct refusal *why)
{
	if (job->session.data)
		return route_call_run_session(call, door, job, why);
	if (!call->run)
		return refuse(why, 503, "unavailable", "%s", call->why_not);
	route_call_run(call, job);
	return 0;
}

void route_call_serve(struct route_call *call, const struct door *door)
{
	struct job job = {0};
	struct refusal why = {0};
	int rc = route_call_parse(call, door, &job, &why);

	if (rc == 0)
		route_call_choose_form(call, door);
	if (rc == 0)
		rc = route_call_run_job(call, door, &job, &why);
	if (rc < 0)
		route_call_refuse(call, door, &why);
	else
		route_call_answer(call, door, &job);
	free(why.list);
	job_free(&job);
}
