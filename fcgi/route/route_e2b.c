/* route_e2b - see route_e2b.h. */
#include "route_e2b.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fcgi/e2b/e2b_list.h"
#include "fcgi/e2b/e2b_reply.h"
#include "fcgi/e2b/e2b_rpc.h"
#include "sandbox/base/io.h"
#include "sandbox/base/log.h"
#include "sandbox/text/text.h"

#define ROUTE_E2B_PATH "sandboxes/" /* an id follows */

_Static_assert(E2B_NOTE_MAX == SESSION_ORDER_NOTE_MAX, "a note fits an order");

/* ---- the sandbox of a call --------------------------------------------- */

static int route_e2b_gone(struct refusal *why)
{
	return refuse(why, 410, "not_found", "there is no such sandbox");
}

int route_e2b_path_id(const struct route_call *call, char out[E2B_ID + 1],
		      struct refusal *why)
{
	const char *path = request_param(call->request, "DOCUMENT_URI");
	const char *at = strstr(path, ROUTE_E2B_PATH);

	if (!at)
		return route_e2b_gone(why);
	at += strlen(ROUTE_E2B_PATH);
	return e2b_id(at, strcspn(at, "/"), out) ? 0 : route_e2b_gone(why);
}

int route_e2b_ask(struct route_call *call, enum session_order_kind kind,
		  const char *id, struct session_order *ask,
		  struct session_order_sandbox *found, struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	bool there = false;
	int rc = session_client_are_on(&client, why);

	snprintf(ask->id, sizeof(ask->id), "%s", id);
	if (rc == 0)
		rc = session_client_sandbox(&client, kind, ask, &there, found,
					    why);
	return rc == 0 && !there ? route_e2b_gone(why) : rc;
}

/* ---- answers ----------------------------------------------------------- */

/* The times of FOUND are those of the monotonic clock. */
struct e2b_sandbox
route_e2b_describe(const struct route_call *call,
		   const struct session_order_sandbox *found)
{
	const int64_t ahead = (int64_t)time(NULL) - io_now_ms() / 1000;

	return (struct e2b_sandbox){
		.id = found->id,
		.note = found->note,
		.domain = request_param(call->request, "E2B_DOMAIN"),
		.request = request_id(call->request),
		.began = ahead + found->began_ms / 1000,
		.ends = ahead + found->used_ms / 1000 + found->idle_s,
		.limits = &call->conf->limits,
		.cores = call->box->cores};
}

/* A call about a sandbox: answer WHY, or nothing with STATUS. */
static void route_e2b_done(struct route_call *call, int rc, int status,
			   const struct refusal *why)
{
	if (rc < 0)
		route_call_refuse(call, &e2b_door, why);
	else
		call->reply.status = status;
}

static void route_e2b_answer_created(struct route_call *call, int rc,
				     int status,
				     const struct session_order_sandbox *found,
				     const struct refusal *why)
{
	const struct e2b_sandbox sandbox = route_e2b_describe(call, found);

	route_e2b_done(call, rc, status, why);
	if (rc == 0)
		e2b_reply_created(&call->reply, &sandbox);
}

/* ---- calls about sandboxes --------------------------------------------- */

int route_e2b_body(struct route_call *call, struct bytes *body,
		   struct refusal *why)
{
	int rc = request_body(call->request, E2B_BODY_MAX, body, why);

	call->report.bytes_in = body->size;
	return rc;
}

/* Keep a copy of the sandbox ID before its first program, for its contexts. A
 * server without branches has no contexts. */
static int route_e2b_keep_beginning(struct route_call *call, const char *id,
				    struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	struct session_order ask = {.beginning = true};

	if (call->conf->sessions.branches == 0)
		return 0;
	snprintf(ask.id, sizeof(ask.id), "%s", id);
	snprintf(ask.other, sizeof(ask.other), "%s/" E2B_BEGINNING, id);
	return session_client_branch(&client, &ask, why);
}

/* Begin the session of a new sandbox, by a program without a word. */
static int route_e2b_begin(struct route_call *call,
			   const struct e2b_request *request,
			   const struct text *note, const char *id,
			   struct refusal *why)
{
	struct session_client client = route_call_sessions(call);

	client.note = note->data;
	client.idle_s = request->timeout_s;
	int rc = session_client_run(&client, id, &request->job, &call->outcome,
				    &call->session, why);

	if (rc < 0 || call->outcome.verdict == OUTCOME_CANCELLED)
		return rc;
	if (call->outcome.verdict != OUTCOME_OK)
		return refuse(why, 500, "internal_error",
			      "the sandbox could not be started");
	rc = route_e2b_keep_beginning(call, id, why);
	if (rc < 0) {
		struct refusal ignored;
		bool there;

		session_client_release(&client, id, true, &there, &ignored);
	}
	return rc;
}

/* Whether a call by this path can make a sandbox that needs no credential: SDKs
 * that create by another one send a credential with each call. */
static bool route_e2b_may_be_open(const struct route_call *call)
{
	return strcmp(request_param(call->request, "DOCUMENT_URI"),
		      "/e2b/sandboxes") == 0;
}

int route_e2b_new(struct route_call *call,
		  int (*read)(struct e2b_request *, struct refusal *),
		  struct session_order_sandbox *found, struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	struct e2b_request request = {0};
	struct session_order ask = {0};
	struct text note = {0};
	char id[E2B_ID + 1];
	int rc = session_client_are_on(&client, why);

	if (rc == 0)
		rc = route_e2b_body(call, &request.job.body, why);
	if (rc == 0)
		rc = read(&request, why);
	if (rc == 0) {
		request.secure |= !route_e2b_may_be_open(call);
		e2b_note(&request, &note);
		if (note.error ||
		    e2b_new_id(request_param(call->request, "E2B_TAG"), id) < 0)
			rc = refuse(why, 500, "internal_error",
				    "the server ran out of memory");
	}
	if (rc == 0)
		rc = route_e2b_begin(call, &request, &note, id, why);
	if (rc == 0 && call->outcome.verdict == OUTCOME_OK)
		rc = route_e2b_ask(call, SESSION_ORDER_LOOK, id, &ask, found,
				   why);
	text_free(&note);
	e2b_free(&request);
	return rc;
}

void route_e2b_create(struct route_call *call)
{
	struct session_order_sandbox found = {0};
	struct refusal why = {0};
	int rc = route_e2b_new(call, e2b_read_create, &found, &why);

	route_e2b_answer_created(call, rc, 201, &found, &why);
}

void route_e2b_connect(struct route_call *call)
{
	struct e2b_request request = {0};
	struct session_order_sandbox found = {0};
	struct session_order ask = {.longer = true};
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_e2b_body(call, &request.job.body, &why);

	if (rc == 0)
		rc = e2b_read_connect(&request, &why);
	if (rc == 0)
		rc = route_e2b_path_id(call, id, &why);
	ask.idle_s = request.timeout_s;
	if (rc == 0)
		rc = route_e2b_ask(call, SESSION_ORDER_USE, id, &ask, &found,
				   &why);
	route_e2b_answer_created(call, rc, 200, &found, &why);
	e2b_free(&request);
}

int route_e2b_look(struct route_call *call,
		   struct session_order_sandbox *found, struct refusal *why)
{
	struct session_order ask = {0};
	char id[E2B_ID + 1];
	int rc = route_e2b_path_id(call, id, why);

	return rc < 0 ? rc : route_e2b_ask(call, SESSION_ORDER_LOOK, id, &ask,
					   found, why);
}

void route_e2b_detail(struct route_call *call)
{
	struct session_order_sandbox found = {0};
	struct refusal why = {0};
	int rc = route_e2b_look(call, &found, &why);
	const struct e2b_sandbox sandbox = route_e2b_describe(call, &found);

	route_e2b_done(call, rc, 200, &why);
	if (rc < 0)
		return;
	e2b_reply_detail(&call->reply, &sandbox, true);
	reply_text(&call->reply, "\n");
}

void route_e2b_metrics(struct route_call *call)
{
	struct session_order_sandbox found;
	struct refusal why = {0};
	int rc = route_e2b_look(call, &found, &why);

	route_e2b_done(call, rc, 200, &why);
	if (rc == 0)
		reply_text(&call->reply, "[]\n");
}

/* Nothing is paused here. */
void route_e2b_resume(struct route_call *call)
{
	struct session_order_sandbox found;
	struct refusal why = {0};

	if (route_e2b_look(call, &found, &why) == 0)
		refuse(&why, 409, "running", "the sandbox is already running");
	route_call_refuse(call, &e2b_door, &why);
}

int route_e2b_end(struct route_call *call, const char *id,
		  struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	bool there = false;
	int rc = session_client_are_on(&client, why);

	if (rc == 0)
		rc = session_client_release(&client, id, true, &there, why);
	return rc == 0 && !there ? route_e2b_gone(why) : rc;
}

void route_e2b_timeout(struct route_call *call)
{
	struct e2b_request request = {0};
	struct session_order_sandbox found;
	struct session_order ask = {0};
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_e2b_body(call, &request.job.body, &why);

	if (rc == 0)
		rc = e2b_read_timeout(&request, &why);
	if (rc == 0)
		rc = route_e2b_path_id(call, id, &why);
	ask.idle_s = request.timeout_s;
	if (rc == 0 && request.timeout_s == 0)
		rc = route_e2b_end(call, id, &why);
	else if (rc == 0)
		rc = route_e2b_ask(call, SESSION_ORDER_USE, id, &ask, &found,
				   &why);
	route_e2b_done(call, rc, 204, &why);
	e2b_free(&request);
}

void route_e2b_kill(struct route_call *call)
{
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_e2b_path_id(call, id, &why);

	if (rc == 0)
		rc = route_e2b_end(call, id, &why);
	route_e2b_done(call, rc, 204, &why);
}

/* ---- the list ---------------------------------------------------------- */

int route_e2b_collect(struct route_call *call, struct e2b_list *list,
		      struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	struct session_order ask = {.id = "-"};
	int rc = session_client_are_on(&client, why);

	for (bool there = true; rc == 0 && there;) {
		struct session_order_sandbox found;

		rc = session_client_sandbox(&client, SESSION_ORDER_NEXT, &ask,
					    &there, &found, why);
		if (rc < 0 || !there || found.place <= ask.place)
			break;
		ask.place = found.place;
		const struct e2b_sandbox sandbox =
			route_e2b_describe(call, &found);

		if (e2b_list_add(list, &sandbox) < 0)
			rc = refuse(why, 500, "internal_error",
				    "the server ran out of memory");
	}
	return rc;
}

void route_e2b_list(struct route_call *call)
{
	struct e2b_list list = {0};
	struct refusal why = {0};
	int rc = e2b_list_read(&list,
			       request_param(call->request, "QUERY_STRING"),
			       &why);

	if (rc == 0)
		rc = route_e2b_collect(call, &list, &why);
	route_e2b_done(call, rc, 200, &why);
	if (rc == 0)
		e2b_list_reply(&list, &call->reply);
	e2b_list_free(&list);
}

/* ---- calls of one sandbox ---------------------------------------------- */

/* The web server has found it in the host's name or in a header. */
int route_e2b_port_id(const struct route_call *call, char out[E2B_ID + 1],
		      struct refusal *why)
{
	const char *id = request_param(call->request, "E2B_SANDBOX");

	if (strcmp(id, "-") == 0)
		return refuse(why, 410, "not_found",
			      "nothing listens in a sandbox here");
	return e2b_id(id, strlen(id), out) ? 0 : route_e2b_gone(why);
}

int route_e2b_open_id(struct route_call *call, char out[E2B_ID + 1],
		      struct refusal *why)
{
	struct session_order_sandbox found;
	struct session_order ask = {0};
	int rc = route_e2b_port_id(call, out, why);

	if (rc < 0 || !*request_param(call->request, "E2B_ID_ALONE"))
		return rc;
	rc = route_e2b_ask(call, SESSION_ORDER_LOOK, out, &ask, &found, why);
	return rc == 0 && e2b_note_is_secure(found.note)
		       ? refuse(why, 401, "unauthorized",
				"a credential is required in this sandbox")
		       : rc;
}

/* Without a sandbox it is the server's own. */
void route_e2b_health(struct route_call *call)
{
	const char *given = request_param(call->request, "E2B_SANDBOX");
	struct session_order_sandbox found;
	struct session_order ask = {0};
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = *given ? route_e2b_port_id(call, id, &why) : 0;

	if (rc == 0 && *given)
		rc = route_e2b_ask(call, SESSION_ORDER_LOOK, id, &ask, &found,
				   &why);
	if (rc < 0) {
		route_call_refuse(call, &e2b_port_door, &why);
		return;
	}
	call->reply.status = *given ? 204 : 200;
	if (!*given)
		reply_text(&call->reply, "{\"status\":\"ok\"}\n");
}

/* Run JOB and stream its results. */
static void route_e2b_run(struct route_call *call, const struct job *job)
{
	struct refusal why = {0};

	route_call_stream(call, &e2b_stream, ACCEPT_NDJSON,
			  &call->session.programs);
	if (route_call_run_job(call, &e2b_port_door, job, &why) < 0) {
		if (why.status == 410)
			route_e2b_gone(&why);
		route_call_refuse(call, &e2b_port_door, &why);
		return;
	}
	/* Also for a program that did not begin: its answer has the form of a
	 * stream. */
	if (call->outcome.verdict != OUTCOME_CANCELLED)
		events_open(&call->events);
	route_call_answer(call, &e2b_port_door, job);
}

int route_e2b_name(struct route_call *call, const struct e2b_run *run,
		   const char *id, struct refusal *why)
{
	char name[SESSION_ORDER_ID_MAX];
	int rc = 0;

	if (run->context.size > 0)
		rc = route_e2b_context_name(call, id, run->context.data, name,
					    why);
	else
		snprintf(name, sizeof(name), "%s", id);
	if (rc < 0)
		return rc;
	run->job->session = (struct bytes){strdup(name), strlen(name)};
	return run->job->session.data
		       ? 0 : refuse(why, 500, "internal_error",
				    "the server ran out of memory");
}

void route_e2b_execute(struct route_call *call)
{
	struct job job = {0};
	struct e2b_run run = {.job = &job};
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = request_body(call->request,
			      (uint64_t)call->conf->body_mb << 20, &job.body,
			      &why);

	call->report.bytes_in = job.body.size;
	if (rc == 0)
		rc = route_e2b_open_id(call, id, &why);
	if (rc == 0)
		rc = e2b_read_run(&run, &why);
	if (rc == 0)
		rc = route_e2b_name(call, &run, id, &why);
	if (rc < 0)
		route_call_refuse(call, &e2b_port_door, &why);
	else if (!e2b_is_python(&run))
		e2b_reply_language(&call->reply, run.language.data);
	else
		route_e2b_run(call, &job);
	job_free(&job);
}

/* ---- processes, of which there are none -------------------------------- */

void route_e2b_no_stream(struct route_call *call)
{
	e2b_rpc_no_stream(&call->reply);
}

void route_e2b_no_processes(struct route_call *call)
{
	reply_text(&call->reply, "{\"processes\":[]}\n");
}

void route_e2b_no_process(struct route_call *call)
{
	struct refusal why = {0};

	refuse(&why, 404, "not_found", "there is no such process");
	route_call_refuse(call, &e2b_rpc_door, &why);
}

void route_e2b_no_rpc(struct route_call *call)
{
	struct refusal why = {0};

	refuse(&why, 501, "not_implemented", "%s", e2b_rpc_no_shell);
	route_call_refuse(call, &e2b_rpc_door, &why);
}
