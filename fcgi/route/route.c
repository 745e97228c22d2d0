/* route - see route.h. */
#include "route.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sandbox/base/log.h"
#include "sandbox/text/json.h"
#include "fcgi/api/code_interpreter.h"
#include "fcgi/api/code_interpreter_v1.h"
#include "fcgi/api/dify.h"
#include "access_log.h"
#include "fcgi/e2b/e2b.h"
#include "fcgi/e2b/e2b_files.h"
#include "fcgi/e2b/e2b_rpc.h"
#include "archive.h"
#include "discovery.h"
#include "route_e2b.h"
#include "route_files.h"
#include "route_mcp.h"
#include "route_packages.h"
#include "route_piston.h"
#include "fcgi/api/solver_api.h"
#include "fcgi/mcp/mcp.h"
#include "fcgi/api/native.h"
#include "fcgi/api/piston.h"
#include "fcgi/api/ragflow.h"
#include "fcgi/api/snekbox.h"
#include "fcgi/openapi/operations.h"

void route_refuse(struct route_call *call, const struct door *door,
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
	(door ? door : &native_door)->refuse(why, request_id(call->request),
					     &call->reply);
}

/* Milliseconds since the web server received the request; 0 if it does not
 * tell. */
static uint64_t route_queue_ms(const struct request *request)
{
	double sent = strtod(request_param(request, "REQUEST_MSEC"), NULL);
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	double waited = ((double)now.tv_sec + (double)now.tv_nsec / 1e9 -
			 sent) * 1000;

	return sent > 0 && waited > 0 && waited < 1e9 ? (uint64_t)waited : 0;
}

static void route_spoil(struct outcome *outcome)
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
static void route_check_json(struct outcome *outcome)
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
		route_spoil(outcome);
}

/* The sink for the results of the run, or NULL. */
static struct sink *route_sink(struct route_call *call)
{
	return call->streams ? &call->events.sink : NULL;
}

/* Check all that the guest declared to be JSON, and that is not sent yet. */
static void route_check_results(struct route_call *call)
{
	struct outcome *outcome = &call->outcome;

	if (call->streams)
		events_end(&call->events, outcome);
	if (outcome->verdict >= OUTCOME_CANCELLED)
		return;
	route_check_json(outcome);
	if (call->events.bad)
		route_spoil(outcome);
}

static void route_account(struct route_call *call)
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
static void route_report(struct route_call *call)
{
	struct report *report = &call->report;

	report->status = (uint32_t)call->reply.status;
	report->bytes_out = call->stream.size + reply_length(&call->reply);
	report->total_ms = route_queue_ms(call->request);
	snprintf(report->client, sizeof(report->client), "%s",
		 request_param(call->request, "TERRARIUM_CLIENT"));
	snprintf(report->door, sizeof(report->door), "%s",
		 call->door ? call->door->name : "");
}

static void route_run(struct route_call *call, const struct job *job)
{
	struct outcome *outcome = &call->outcome;
	uint64_t queued = route_queue_ms(call->request);
	bool armed = outcome->armed;

	call->run->sink = route_sink(call);
	call->run->slow = (struct run_slow){
		.after_ms = call->conf->slow_after_ms,
		.tell = access_log_tell_slow,
		.context = call};
	run_job(call->run, job, request_connection(call->request), outcome);
	outcome->queue_ms = queued;
	outcome->armed = armed;
	route_check_results(call);
	route_account(call);
}

struct session_client route_sessions(const struct route_call *call)
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
static bool route_must_exist(const struct route_call *call,
			     const struct job *job)
{
	return job->session_must_exist ||
	       strcmp(request_param(call->request,
				    "HTTP_SESSION_MUST_EXIST"), "true") == 0;
}

/* May a session begin here? A web server in front of several hosts that chose
 * this one without a key would find another one for the next call. */
static int route_check_host(const struct route_call *call, struct refusal *why)
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
static int route_run_session(struct route_call *call, const struct door *door,
			     const struct job *job, struct refusal *why)
{
	struct session_client client = route_sessions(call);
	struct outcome *outcome = &call->outcome;
	uint64_t queued = route_queue_ms(call->request);
	bool armed = outcome->armed;
	int rc = route_check_host(call, why);

	if (rc == 0)
		rc = session_client_check(&client, door->session,
					  job->session.data, why);
	client.must_exist = route_must_exist(call, job);
	client.sink = route_sink(call);
	if (job->timeout_ms > 0 && job->timeout_ms < client.wait_ms)
		client.wait_ms = job->timeout_ms;

	if (rc == 0)
		rc = session_client_run(&client, job->session.data, job,
					outcome, &call->session, why);
	if (rc < 0)
		return rc;
	outcome->queue_ms = queued;
	outcome->armed = armed;
	route_check_results(call);
	route_account(call);
	return 0;
}

/* The limits of the run: the configured ones, or lower ones if the job
 * asked. */
static struct limits route_limits(const struct route_call *call,
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

struct door_limits route_door_limits(const struct route_call *call)
{
	const struct limits *limits = &call->limits;

	return (struct door_limits){
		.query = request_param(call->request, "QUERY_STRING"),
		.content_type = request_param(call->request, "CONTENT_TYPE"),
		.queued_ms = route_queue_ms(call->request),
		.timeout_ms = limits->timeout_ms,
		.memory_mb = limits->memory_mb,
		.files = limits->files_in,
		.home_bytes = (uint64_t)limits->home_mb << 20,
		.home_aliases = call->box->home_aliases,
		.threads = limits->threads, .cores = call->box->cores,
		.sessions = call->registry >= 0,
		.python = call->box->python,
		.piston_strict = call->conf->piston_strict,
		.snekbox_strict = call->conf->snekbox_strict,
		.snekbox_colors = call->conf->snekbox_colors};
}

static int route_parse(struct route_call *call, const struct door *door,
		       struct job *job, struct refusal *why)
{
	const struct door_limits most = route_door_limits(call);
	int rc = request_body(call->request,
			      (uint64_t)call->conf->body_mb << 20, &job->body,
			      why);

	call->report.bytes_in = job->body.size;
	return rc < 0 ? rc : door->parse(&most, job, why);
}

/* Keep a solver's run in the archive. Returns its path, to be freed; NULL: it
 * was not kept. */
static char *route_keep(struct route_call *call, const struct door *door,
			const struct job *job)
{
	const char *id = request_id(call->request);
	char *path = NULL;

	if (call->archive < 0 || door != &solver_api_execute_door ||
	    call->outcome.verdict == OUTCOME_CANCELLED)
		return NULL;
	int rc = archive_send(call->archive, id, job, &call->outcome);

	if (rc == 0 && asprintf(&path, "%s/%s", call->conf->artifacts_dir,
				id) >= 0)
		return path;
	log_warn("run not kept: id=%s error=\"%s\"", id, log_errno(rc));
	return NULL;
}

void route_answer(struct route_call *call, const struct door *door,
		  const struct job *job)
{
	const struct limits had = route_limits(call, job);
	owned_free char *kept = route_keep(call, door, job);
	const struct door_session session =
		session_client_state(&call->session);
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
} route_streams[] = {
	{&native_door, &native_stream},
};

void route_stream(struct route_call *call, const struct door_stream *streams,
		  enum accept_form form, const void *context)
{
	call->streams = streams;
	stream_init(&call->stream, call->request, form,
		    call->conf->send_timeout_ms);
	events_init(&call->events, &call->stream, streams->lines, context);
}

static void route_choose_form(struct route_call *call, const struct door *door)
{
	enum accept_form form =
		accept_form(request_param(call->request, "HTTP_ACCEPT"));

	if (form == ACCEPT_WHOLE)
		return;
	for (size_t i = 0; i < ARRAY_LEN(route_streams); i++)
		if (route_streams[i].door == door)
			route_stream(call, route_streams[i].streams, form,
				     NULL);
}

int route_run_job(struct route_call *call, const struct door *door,
		  const struct job *job, struct refusal *why)
{
	if (job->session.data)
		return route_run_session(call, door, job, why);
	if (!call->run)
		return refuse(why, 503, "unavailable", "%s", call->why_not);
	route_run(call, job);
	return 0;
}

static void route_door(struct route_call *call, const struct door *door)
{
	struct job job = {0};
	struct refusal why = {0};
	int rc = route_parse(call, door, &job, &why);

	if (rc == 0)
		route_choose_form(call, door);
	if (rc == 0)
		rc = route_run_job(call, door, &job, &why);
	if (rc < 0)
		route_refuse(call, door, &why);
	else
		route_answer(call, door, &job);
	free(why.list);
	job_free(&job);
}

/* Read the session names from the body of a request. OTHER may be NULL. */
static int route_names(struct route_call *call, struct bytes *name,
		       struct bytes *other, struct refusal *why)
{
	const struct session_client client = route_sessions(call);
	struct bytes body;
	int rc = request_body(call->request, CODE_INTERPRETER_NAMES_MAX, &body,
			      why);

	if (rc == 0)
		rc = session_client_are_on(&client, why);
	if (rc == 0)
		rc = code_interpreter_names(body.data, body.size, name, other,
					    why);
	if (rc == 0)
		rc = session_client_check(&client, CODE_INTERPRETER_NAME,
					  name->data, why);
	if (rc == 0 && other)
		rc = session_client_check(&client, CODE_INTERPRETER_OTHER,
					  other->data, why);
	free(body.data);
	return rc;
}

static void route_release(struct route_call *call)
{
	const struct session_client client = route_sessions(call);
	struct bytes name = {0};
	struct refusal why = {0};
	bool there = false;
	int rc = route_names(call, &name, NULL, &why);

	if (rc == 0)
		rc = session_client_release(&client, name.data, false,
					    &there, &why);
	if (rc < 0)
		route_refuse(call, &code_interpreter_door, &why);
	else
		code_interpreter_released(there, &call->reply);
	free(name.data);
}

static void route_fork(struct route_call *call)
{
	const struct session_client client = route_sessions(call);
	struct bytes name = {0}, other = {0};
	struct refusal why = {0};
	int rc = route_names(call, &name, &other, &why);

	if (rc == 0)
		rc = session_client_fork(&client, name.data, other.data, &why);
	if (rc < 0)
		route_refuse(call, &code_interpreter_door, &why);
	else
		code_interpreter_forked(&call->reply);
	free(name.data);
	free(other.data);
}

/* The name of the session comes in the query, and there is no body. */
static int route_v1_name(struct route_call *call,
			 const struct session_client *client,
			 struct bytes *name, struct refusal *why)
{
	struct findings findings = {0};
	int rc = session_client_are_on(client, why);

	if (rc == 0)
		rc = code_interpreter_v1_name(
			request_param(call->request, "QUERY_STRING"), name,
			&findings);
	if (rc == -ENOMEM)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	if (rc == 0)
		rc = findings_refuse(&findings, why);
	return rc == 0 ? session_client_check(client, CODE_INTERPRETER_V1_NAME,
					      name->data, why)
		       : rc;
}

static void route_v1_release(struct route_call *call)
{
	const struct session_client client = route_sessions(call);
	struct bytes name = {0};
	struct refusal why = {0};
	bool there = false;
	int rc = route_v1_name(call, &client, &name, &why);

	if (rc == 0)
		rc = session_client_release(&client, name.data, false,
					    &there, &why);
	if (rc < 0)
		route_refuse(call, &code_interpreter_v1_door, &why);
	else
		code_interpreter_v1_released(there, &call->reply);
	free(why.list);
	free(name.data);
}

/* Clients of another server call this path to stop a run that hangs. Here a run
 * ends when its client hangs up, so nothing is left to do. */
static void route_stop(struct route_call *call)
{
	reply_text(&call->reply, "{\"status\":\"ok\"}\n");
}

static void route_discovery(struct route_call *call);

/* ---- the table ------------------------------------------------------- */

/* Doors with a time limit of their own for the calls of sessions. */
static const struct {
	const struct door *door;
	size_t offset; /* in struct conf, of an unsigned: milliseconds */
} route_times[] = {
	{&code_interpreter_door,
	 offsetof(struct conf, doors.code_interpreter_timeout_ms)},
	{&code_interpreter_v1_door,
	 offsetof(struct conf, doors.code_interpreter_timeout_ms)},
	{&e2b_port_door,
	 offsetof(struct conf, doors.code_interpreter_timeout_ms)},
};

static void route_set_limits(struct route_call *call, const struct door *door)
{
	call->limits = call->conf->limits;
	for (size_t i = 0; i < ARRAY_LEN(route_times); i++) {
		if (route_times[i].door != door)
			continue;
		memcpy(&call->limits.timeout_ms,
		       (const char *)call->conf + route_times[i].offset,
		       sizeof(call->limits.timeout_ms));
		call->own_time = true;
	}
}

/* To add an endpoint, add a row, and a line to nginx.conf.example. */
static const struct route_row {
	const char *method;
	const char *path;
	/* Shape of its errors; NULL: the native door's. */
	const struct door *door;
	void (*serve)(struct route_call *call); /* NULL: the door runs a job */
	const struct operation *operation; /* for /openapi.json */
} route_rows[] = {
	{"POST", "/", &native_door, NULL,
	 &native_run_operation},
	{"GET", "/", NULL, route_discovery,
	 &native_discovery_operation},
	{"POST", "/run", &ragflow_door, NULL,
	 &ragflow_run_operation},
	{"POST", "/api/ai/python-execute", &solver_api_execute_door, NULL,
	 &solver_execute_operation},
	{"POST", "/api/ai/python-syntax-check", &solver_api_syntax_door, NULL,
	 &solver_syntax_operation},
	{"POST", "/api/ai/python-ast-check", &solver_api_ast_door, NULL,
	 &solver_ast_operation},
	{"POST", "/execute", &code_interpreter_door, NULL,
	 &session_execute_operation},
	{"POST", "/release", &code_interpreter_door, route_release,
	 &session_release_operation},
	{"POST", "/fork", &code_interpreter_door, route_fork,
	 &session_fork_operation},
	{"POST", "/api/v1/execute", &code_interpreter_v1_door, NULL,
	 &session_v1_execute_operation},
	{"POST", "/api/v1/release", &code_interpreter_v1_door, route_v1_release,
	 &session_v1_release_operation},
	{"GET", "/api/v1/files", &code_interpreter_v1_door, route_files_list,
	 &session_v1_list_operation},
	{"POST", "/api/v1/files", &code_interpreter_v1_door, route_files_upload,
	 &session_v1_upload_operation},
	{"DELETE", "/api/v1/files", &code_interpreter_v1_door, route_files_remove,
	 &session_v1_remove_operation},
	{"POST", "/api/v1/files/export", &code_interpreter_v1_door, route_files_export,
	 &session_v1_export_operation},
	{"GET", "/api/v1/files/content", &code_interpreter_v1_door, route_files_fetch,
	 &session_v1_fetch_operation},
	{"PUT", "/api/v1/files/content", &code_interpreter_v1_door, route_files_replace,
	 &session_v1_replace_operation},
	{"POST", "/eval", &snekbox_door, NULL,
	 &snekbox_eval_operation},
	{"POST", "/api/v2/execute", &piston_door, NULL,
	 &piston_execute_operation},
	{"GET", "/api/v2/runtimes", &piston_door, route_piston_runtimes,
	 &piston_runtimes_operation},
	{"GET", "/api/v2/packages", &piston_door, route_piston_packages,
	 &piston_packages_operation},
	{"POST", "/api/v2/packages", &piston_door, route_piston_install,
	 &piston_install_operation},
	{"DELETE", "/api/v2/packages", &piston_door, route_piston_remove,
	 &piston_remove_operation},
	{"GET", "/api/v2/connect", &piston_door, route_piston_connect,
	 &piston_connect_operation},
	{"POST", "/api/v2/piston/execute", &piston_door, NULL,
	 &piston_public_execute_operation},
	{"GET", "/api/v2/piston/runtimes", &piston_door, route_piston_runtimes,
	 &piston_public_runtimes_operation},
	{"GET", "/api/v2/piston/packages", &piston_door, route_piston_packages,
	 &piston_public_packages_operation},
	{"POST", "/api/v2/piston/packages", &piston_door, route_piston_install,
	 &piston_public_install_operation},
	{"DELETE", "/api/v2/piston/packages", &piston_door, route_piston_remove,
	 &piston_public_remove_operation},
	{"GET", "/api/v2/piston/connect", &piston_door, route_piston_connect,
	 &piston_public_connect_operation},
	{"POST", "/v1/sandbox/run", &dify_door, NULL,
	 &dify_run_operation},
	{"GET", "/v1/sandbox/dependencies", &dify_door, route_packages_dify,
	 &dify_packages_operation},
	{"GET", "/v1/sandbox/dependencies/refresh", &dify_door, route_packages_dify,
	 &dify_refresh_operation},
	{"POST", "/v1/sandbox/dependencies/update", &dify_door, route_packages_dify_update,
	 &dify_update_operation},
	{"POST", "/mcp", &mcp_door, route_mcp,
	 &mcp_operation},
	{"POST", "/e2b/sandboxes", &e2b_door, route_e2b_create,
	 &e2b_create_operation},
	{"POST", "/e2b/v2/sandboxes", &e2b_door, route_e2b_create,
	 &e2b_create_v2_operation},
	{"GET", "/e2b/sandboxes", &e2b_door, route_e2b_list,
	 &e2b_list_operation},
	{"GET", "/e2b/v2/sandboxes", &e2b_door, route_e2b_list,
	 &e2b_list_v2_operation},
	{"GET", "/e2b/sandboxes/{sandboxID}", &e2b_door, route_e2b_detail,
	 &e2b_detail_operation},
	{"DELETE", "/e2b/sandboxes/{sandboxID}", &e2b_door, route_e2b_kill,
	 &e2b_kill_operation},
	{"POST", "/e2b/sandboxes/{sandboxID}/connect", &e2b_door, route_e2b_connect,
	 &e2b_connect_operation},
	{"POST", "/e2b/v2/sandboxes/{sandboxID}/connect", &e2b_door, route_e2b_connect,
	 &e2b_connect_v2_operation},
	{"POST", "/e2b/sandboxes/{sandboxID}/timeout", &e2b_door, route_e2b_timeout,
	 &e2b_timeout_operation},
	{"POST", "/e2b/sandboxes/{sandboxID}/resume", &e2b_door, route_e2b_resume,
	 &e2b_resume_operation},
	{"GET", "/e2b/sandboxes/{sandboxID}/metrics", &e2b_door, route_e2b_metrics,
	 &e2b_metrics_operation},
	{"GET", "/e2b/health", &e2b_port_door, route_e2b_health,
	 &e2b_health_operation},
	{"POST", "/e2b/execute", &e2b_port_door, route_e2b_execute,
	 &e2b_execute_operation},
	{"GET", "/e2b/contexts", &e2b_port_door, route_e2b_contexts,
	 &e2b_contexts_operation},
	{"POST", "/e2b/contexts", &e2b_port_door, route_e2b_context_create,
	 &e2b_context_create_operation},
	{"POST", "/e2b/contexts/{contextID}/restart", &e2b_port_door, route_e2b_context_restart,
	 &e2b_context_restart_operation},
	{"DELETE", "/e2b/contexts/{contextID}", &e2b_port_door, route_e2b_context_remove,
	 &e2b_context_remove_operation},
	{"POST", "/e2b/process.Process/Start", &e2b_rpc_door, route_e2b_no_stream,
	 &e2b_process_start_operation},
	{"POST", "/e2b/process.Process/Connect", &e2b_rpc_door, route_e2b_no_stream,
	 &e2b_process_connect_operation},
	{"POST", "/e2b/filesystem.Filesystem/WatchDir", &e2b_rpc_door, route_e2b_no_stream,
	 &e2b_watch_operation},
	{"POST", "/e2b/process.Process/List", &e2b_rpc_door, route_e2b_no_processes,
	 &e2b_process_list_operation},
	{"POST", "/e2b/process.Process/SendSignal", &e2b_rpc_door, route_e2b_no_process,
	 &e2b_process_signal_operation},
	{"POST", "/e2b/process.Process/{method}", &e2b_rpc_door, route_e2b_no_rpc,
	 &e2b_process_other_operation},
	{"GET", "/e2b/files", &e2b_files_door, route_e2b_files_read,
	 &e2b_files_read_operation},
	{"POST", "/e2b/files", &e2b_files_door, route_e2b_files_write,
	 &e2b_files_write_operation},
	{"POST", "/e2b/filesystem.Filesystem/ListDir", &e2b_rpc_door, route_e2b_files_list,
	 &e2b_files_list_operation},
	{"POST", "/e2b/filesystem.Filesystem/Stat", &e2b_rpc_door, route_e2b_files_stat,
	 &e2b_files_stat_operation},
	{"POST", "/e2b/filesystem.Filesystem/MakeDir", &e2b_rpc_door, route_e2b_files_make,
	 &e2b_files_make_operation},
	{"POST", "/e2b/filesystem.Filesystem/Move", &e2b_rpc_door, route_e2b_files_move,
	 &e2b_files_move_operation},
	{"POST", "/e2b/filesystem.Filesystem/Remove", &e2b_rpc_door, route_e2b_files_remove,
	 &e2b_files_remove_operation},
	{"GET", "/packages", NULL, route_packages,
	 &native_packages_operation},
	{"GET", "/available-packages", NULL, route_packages_names,
	 &native_names_operation},
	{"POST", "/forbidden-packages", NULL, route_packages_forbidden,
	 &native_forbidden_operation},
	{"GET", "/stop", NULL, route_stop,
	 &native_stop_operation},
};

size_t route_paths(struct operation_path *paths, size_t room)
{
	size_t count = ARRAY_LEN(route_rows);

	for (size_t i = 0; i < count && i < room; i++) {
		const struct route_row *row = &route_rows[i];

		paths[i] = (struct operation_path){
			row->method, row->path,
			(row->door ? row->door : &native_door)->name,
			row->operation};
	}
	return count;
}

/* What a client can find out: the doors are those of the table. */
static void route_discovery(struct route_call *call)
{
	struct discovery_path paths[ARRAY_LEN(route_rows)];

	for (size_t i = 0; i < ARRAY_LEN(route_rows); i++) {
		const struct route_row *row = &route_rows[i];

		paths[i] = (struct discovery_path){
			(row->door ? row->door : &native_door)->name,
			row->method, row->path};
	}
	const struct discovery facts = {
		.conf = call->conf,
		.python = call->box->python,
		.sessions = call->registry >= 0,
		.streaming = ARRAY_LEN(route_streams) > 0,
		.paths = paths,
		.paths_count = ARRAY_LEN(paths)};

	discovery_answer(&facts, &call->reply);
}

/* The methods of PATH, for Allow. */
static const char *route_allow(const char *path)
{
	static const char *const lists[] = {"", "GET, HEAD", "POST",
					    "GET, HEAD, POST"};
	unsigned found = 0;

	for (size_t i = 0; i < ARRAY_LEN(route_rows); i++)
		if (strcmp(route_rows[i].path, path) == 0)
			found |= *route_rows[i].method == 'G' ? 1 : 2;
	return lists[found];
}

static bool route_method(const struct route_row *row, const char *method)
{
	return strcmp(row->method, method) == 0 ||
	       (strcmp(row->method, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

/* Is PATH of the form PATTERN, in which {word} stands for any component? */
static bool route_matches(const char *pattern, const char *path)
{
	while (*pattern && *path) {
		if (*pattern == '{') {
			size_t size = strcspn(path, "/");

			if (size == 0)
				return false;
			path += size;
			pattern += strcspn(pattern, "}") + 1;
		} else if (*pattern++ != *path++) {
			return false;
		}
	}
	return *pattern == *path;
}

/* Find the row of the path. KNOWN: it has the method, too. */
static const struct route_row *route_find(const struct request *request,
					  bool *known)
{
	const char *path = request_param(request, "DOCUMENT_URI");
	const char *method = request_param(request, "REQUEST_METHOD");
	const struct route_row *found = NULL;

	*known = false;
	for (size_t i = 0; i < ARRAY_LEN(route_rows) && !*known; i++) {
		if (!route_matches(route_rows[i].path, path))
			continue;
		found = &route_rows[i];
		*known = route_method(found, method);
	}
	return found;
}

/* May ROW serve the request? If not, returns a negative errno value with the
 * refusal in WHY. */
static int route_check(struct route_call *call, const struct route_row *row,
		       bool known, struct refusal *why)
{
	int rc = request_check(call->request, why);

	if (rc < 0)
		return rc;
	if (!row)
		return refuse(why, 404, "not_found",
			      "there is nothing at this path");
	if (!known) {
		call->reply.allow = route_allow(row->path);
		return refuse(why, 405, "method_not_allowed",
			      "this path takes %s only", call->reply.allow);
	}
	if (*request_param(call->request, "HTTP_CONTENT_ENCODING"))
		return refuse(why, 415, "encoded",
			      "a body with a Content-Encoding is not taken");
	if (call->refuse_all || (!row->serve && !call->run))
		return refuse(why, 503, "unavailable", "%s", call->why_not);
	return 0;
}

void route_serve(struct route_call *call)
{
	struct refusal why = {0};
	bool known;
	const struct route_row *row = route_find(call->request, &known);

	call->reply.id = request_id(call->request);
	route_set_limits(call, row ? row->door : NULL);
	call->door = row ? row->door : NULL;
	if (route_check(call, row, known, &why) < 0 || !row)
		route_refuse(call, row ? row->door : NULL, &why);
	else if (row->serve)
		row->serve(call);
	else
		route_door(call, row->door);
	route_report(call);
}
