/* route - see route.h. */
#include "route.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "sandbox/base/log.h"
#include "sandbox/text/json.h"
#include "fcgi/api/code_interpreter.h"
#include "archive.h"
#include "fcgi/api/solver_api.h"
#include "fcgi/api/native.h"
#include "fcgi/api/packages.h"
#include "fcgi/api/ragflow.h"

/* Answer with an error in the shape of DOOR. NULL: in the native door's
 * shape. */
static void route_refuse(struct route_call *call, const struct door *door,
			 const struct refusal *why)
{
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
	if (good)
		return;
	outcome->verdict = OUTCOME_PROTOCOL;
	if (outcome->exit_code == 0)
		outcome->exit_code = 1;
	for (size_t i = 0; i < outcome->displays_count; i++)
		free(outcome->displays[i].data);
	outcome->displays_count = 0;
}

static void route_account(struct route_call *call)
{
	const struct outcome *outcome = &call->outcome;

	call->report.ran = 1;
	call->report.verdict = outcome->verdict;
	call->report.runtime_ms = outcome->runtime_ms;
	call->report.queue_ms = outcome->queue_ms;
	call->report.cpu_ms = outcome->cpu_ms;
}

static void route_run(struct route_call *call, const struct job *job)
{
	struct outcome *outcome = &call->outcome;
	uint64_t queued = route_queue_ms(call->request);
	bool armed = outcome->armed;

	run_job(call->run, job, request_connection(call->request), outcome);
	outcome->queue_ms = queued;
	outcome->armed = armed;
	if (outcome->verdict < OUTCOME_CANCELLED)
		route_check_json(outcome);
	route_account(call);
}

static struct session_client route_sessions(const struct route_call *call)
{
	/* A web server that sends no token generations sends names alone. */
	const char *owner = request_param(call->request, "TERRARIUM_OWNER");

	return (struct session_client){
		.registry = call->registry,
		.owner = *owner ? owner
				: request_param(call->request,
						"TERRARIUM_CLIENT"),
		.connection = request_connection(call->request),
		.limits = &call->conf->limits,
		.body_mb = call->conf->body_mb,
		.wait_ms = call->conf->limits.timeout_ms};
}

/* Must the session of JOB exist? Its door may have no field for that. */
static bool route_must_exist(const struct route_call *call,
			     const struct job *job)
{
	return job->session_must_exist ||
	       strcmp(request_param(call->request,
				    "HTTP_SESSION_MUST_EXIST"), "true") == 0;
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
	int rc = session_client_check(&client, door->session, job->session.data,
				      why);

	client.must_exist = route_must_exist(call, job);
	if (job->timeout_ms > 0 && job->timeout_ms < client.wait_ms)
		client.wait_ms = job->timeout_ms;

	if (rc == 0)
		rc = session_client_run(&client, job->session.data, job,
					outcome, &call->session, why);
	if (rc < 0)
		return rc;
	outcome->queue_ms = queued;
	outcome->armed = armed;
	if (outcome->verdict < OUTCOME_CANCELLED)
		route_check_json(outcome);
	route_account(call);
	return 0;
}

/* The limits of the run: the configured ones, or lower ones if the job
 * asked. */
static struct limits route_limits(const struct route_call *call,
				  const struct job *job)
{
	struct limits limits = job->session.data ? call->session.limits
						 : call->conf->limits;

	if (job->timeout_ms > 0 && job->timeout_ms < limits.timeout_ms)
		limits.timeout_ms = job->timeout_ms;
	if (job->memory_mb > 0)
		limits.memory_mb = job->memory_mb;
	return limits;
}

/* ---- doors ----------------------------------------------------------- */

static int route_parse(struct route_call *call, const struct door *door,
		       struct job *job, struct refusal *why)
{
	const struct limits *limits = &call->conf->limits;
	const struct door_limits most = {
		.timeout_ms = limits->timeout_ms,
		.memory_mb = limits->memory_mb,
		.files = limits->files_in,
		.home_bytes = (uint64_t)limits->home_mb << 20,
		.home_aliases = call->box->home_aliases,
		.threads = limits->threads, .cores = call->box->cores,
		.sessions = call->registry >= 0};
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

static void route_answer(struct route_call *call, const struct door *door,
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
		.session = job->session.data ? &session : NULL};

	door->render(&answer, &call->reply);
}

static void route_door(struct route_call *call, const struct door *door)
{
	struct job job = {0};
	struct refusal why = {0};
	int rc = route_parse(call, door, &job, &why);

	if (rc == 0 && job.session.data)
		rc = route_run_session(call, door, &job, &why);
	else if (rc == 0)
		route_run(call, &job);
	if (rc < 0)
		route_refuse(call, door, &why);
	else
		route_answer(call, door, &job);
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
		rc = session_client_release(&client, name.data, &there, &why);
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

static void route_packages(struct route_call *call)
{
	reply_bytes(&call->reply, call->box->packages.data,
		    call->box->packages.size);
	reply_text(&call->reply, "\n");
}

static void route_package_names(struct route_call *call)
{
	packages_names(&call->box->packages, &call->reply);
}

static void route_forbidden_packages(struct route_call *call)
{
	struct bytes body;
	struct refusal why = {0};
	int rc = request_body(call->request, PACKAGES_BODY_MAX, &body, &why);

	if (rc == 0)
		rc = packages_forbid(&body, &call->reply, &why);
	free(body.data);
	if (rc < 0)
		route_refuse(call, NULL, &why);
}

/* Clients of another server call this path to stop a run that hangs. Here a run
 * ends when its client hangs up, so nothing is left to do. */
static void route_stop(struct route_call *call)
{
	reply_text(&call->reply, "{\"status\":\"ok\"}\n");
}

/* ---- the table ------------------------------------------------------- */

/* To add an endpoint, add a row, and a line to nginx.conf.example. */
static const struct route_row {
	const char *method;
	const char *path;
	/* Shape of its errors; NULL: the native door's. */
	const struct door *door;
	void (*serve)(struct route_call *call); /* NULL: the door runs a job */
} route_rows[] = {
	{"POST", "/", &native_door, NULL},
	{"POST", "/run", &ragflow_door, NULL},
	{"POST", "/api/ai/python-execute", &solver_api_execute_door, NULL},
	{"POST", "/api/ai/python-syntax-check", &solver_api_syntax_door, NULL},
	{"POST", "/api/ai/python-ast-check", &solver_api_ast_door, NULL},
	{"POST", "/execute", &code_interpreter_door, NULL},
	{"POST", "/release", &code_interpreter_door, route_release},
	{"POST", "/fork", &code_interpreter_door, route_fork},
	{"GET", "/packages", NULL, route_packages},
	{"GET", "/available-packages", NULL, route_package_names},
	{"POST", "/forbidden-packages", NULL, route_forbidden_packages},
	{"GET", "/stop", NULL, route_stop},
};

static bool route_method(const struct route_row *row, const char *method)
{
	return strcmp(row->method, method) == 0 ||
	       (strcmp(row->method, "GET") == 0 && strcmp(method, "HEAD") == 0);
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
		if (strcmp(route_rows[i].path, path) != 0)
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
		call->reply.allow = row->method;
		return refuse(why, 405, "method_not_allowed",
			      "this path takes %s only", row->method);
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
	if (route_check(call, row, known, &why) < 0)
		route_refuse(call, row ? row->door : NULL, &why);
	else if (row->serve)
		row->serve(call);
	else
		route_door(call, row->door);
	call->report.status = (uint32_t)call->reply.status;
	call->report.bytes_out = reply_length(&call->reply);
}
