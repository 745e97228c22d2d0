/* route_opensandbox - see route_opensandbox.h. */
#include "route_opensandbox.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fcgi/http/query.h"
#include "fcgi/opensandbox/opensandbox_events.h"
#include "fcgi/opensandbox/opensandbox_list.h"
#include "fcgi/opensandbox/opensandbox_reply.h"

#define ROUTE_OPENSANDBOX "/opensandbox/" /* an id follows in execd's paths */
#define ROUTE_OPENSANDBOX_PORT "/endpoints/" /* a port follows */
#define ROUTE_OPENSANDBOX_CONTEXTS "/contexts/" /* an id follows */

/* Answer WHY, or nothing with STATUS. */
static void route_opensandbox_done(struct route_call *call, int rc, int status,
				   const struct refusal *why)
{
	if (rc < 0)
		route_call_refuse(call, call->door, why);
	else
		call->reply.status = status;
}

/* The same, but PUT writes the answer from FOUND. */
static void route_opensandbox_answer(
	struct route_call *call, int rc, int status, const struct refusal *why,
	const struct session_order_sandbox *found,
	void (*put)(struct reply *, const struct e2b_sandbox *))
{
	const struct e2b_sandbox sandbox = route_e2b_describe(call, found);

	route_opensandbox_done(call, rc, status, why);
	if (rc == 0)
		put(&call->reply, &sandbox);
}

/* ---- the lifecycle ----------------------------------------------------- */

void route_opensandbox_create(struct route_call *call)
{
	struct session_order_sandbox found = {0};
	struct refusal why = {0};
	int rc = route_e2b_new(call, opensandbox_read_create, &found, &why);

	route_opensandbox_answer(call, rc, 202, &why, &found,
				 opensandbox_reply_created);
}

void route_opensandbox_list(struct route_call *call)
{
	struct e2b_list list = {0};
	struct refusal why = {0};
	int rc = opensandbox_list_read(
		&list, request_param(call->request, "QUERY_STRING"), &why);

	if (rc == 0)
		rc = route_e2b_collect(call, &list, &why);
	route_opensandbox_done(call, rc, 200, &why);
	if (rc == 0)
		opensandbox_list_reply(&list, &call->reply);
	e2b_list_free(&list);
}

void route_opensandbox_detail(struct route_call *call)
{
	struct session_order_sandbox found = {0};
	struct refusal why = {0};
	int rc = route_e2b_look(call, &found, &why);

	route_opensandbox_answer(call, rc, 200, &why, &found,
				 opensandbox_reply_detail);
}

void route_opensandbox_delete(struct route_call *call)
{
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_e2b_path_id(call, id, &why);

	if (rc == 0)
		rc = route_e2b_end(call, id, &why);
	route_opensandbox_done(call, rc, 204, &why);
}

void route_opensandbox_renew(struct route_call *call)
{
	struct e2b_request request = {0};
	struct session_order_sandbox found = {0};
	struct session_order ask = {.longer = true};
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_e2b_body(call, &request.job.body, &why);

	if (rc == 0)
		rc = opensandbox_read_renew(&request, time(NULL), &why);
	if (rc == 0)
		rc = route_e2b_path_id(call, id, &why);
	ask.idle_s = request.timeout_s;
	if (rc == 0)
		rc = route_e2b_ask(call, SESSION_ORDER_USE, id, &ask, &found,
				   &why);
	route_opensandbox_answer(call, rc, 200, &why, &found,
				 opensandbox_reply_renewed);
	e2b_free(&request);
}

/* May the call have the address of the port that its path names? All of a
 * sandbox's calls have the same address. Clients also ask for that of the rules
 * for its network when they make a sandbox, and fail without one. */
static int route_opensandbox_port(const struct route_call *call,
				  struct refusal *why)
{
	const char *path = request_param(call->request, "DOCUMENT_URI");
	const char *at = strstr(path, ROUTE_OPENSANDBOX_PORT);
	struct bytes signed_until = {0};
	int found = query_find(request_param(call->request, "QUERY_STRING"),
			       "expires", &signed_until);

	free(signed_until.data);
	if (found > 0)
		return refuse(why, 501, "not_implemented",
			      "expires: there are no signed addresses");
	at = at ? at + strlen(ROUTE_OPENSANDBOX_PORT) : "";
	const unsigned long port = strtoul(at, NULL, 10);

	if (at[strspn(at, "0123456789")] == '\0' &&
	    (port == OPENSANDBOX_PORT || port == OPENSANDBOX_EGRESS_PORT))
		return 0;
	return refuse(why, 404, "not_found",
		      "nothing listens in a sandbox here but its port %d",
		      OPENSANDBOX_PORT);
}

void route_opensandbox_endpoint(struct route_call *call)
{
	struct session_order_sandbox found = {0};
	struct refusal why = {0};
	int rc = route_e2b_look(call, &found, &why);

	if (rc == 0)
		rc = route_opensandbox_port(call, &why);
	route_opensandbox_answer(call, rc, 200, &why, &found,
				 opensandbox_reply_endpoint);
}

/* ---- calls of one sandbox ---------------------------------------------- */

int route_opensandbox_id(const struct route_call *call, char out[E2B_ID + 1],
			 struct refusal *why)
{
	const char *path = request_param(call->request, "DOCUMENT_URI");

	if (strncmp(path, ROUTE_OPENSANDBOX, strlen(ROUTE_OPENSANDBOX)) == 0) {
		path += strlen(ROUTE_OPENSANDBOX);
		if (e2b_id(path, strcspn(path, "/"), out))
			return 0;
	}
	return refuse(why, 410, "not_found", "there is no such sandbox");
}

/* The id of the sandbox of the path, which lives. */
static int route_opensandbox_look(struct route_call *call,
				  char id[E2B_ID + 1], struct refusal *why)
{
	struct session_order_sandbox found;
	struct session_order ask = {0};
	int rc = route_opensandbox_id(call, id, why);

	return rc < 0 ? rc : route_e2b_ask(call, SESSION_ORDER_LOOK, id, &ask,
					   &found, why);
}

void route_opensandbox_ping(struct route_call *call)
{
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_opensandbox_look(call, id, &why);

	route_opensandbox_done(call, rc, 200, &why);
}

/* ---- programs ---------------------------------------------------------- */

/* Run JOB in the context ID and stream its results. */
static void route_opensandbox_run(struct route_call *call,
				  const struct job *job, const char *id)
{
	const struct opensandbox_run run = {id, &call->session.programs};
	struct refusal why = {0};

	route_call_stream(call, &opensandbox_stream, ACCEPT_SSE, &run);
	if (route_call_run_job(call, &opensandbox_run_door, job, &why) < 0) {
		if (why.status == 410)
			refuse(&why, 410, "not_found",
			       "there is no such sandbox");
		route_call_refuse(call, &opensandbox_run_door, &why);
		return;
	}
	/* Also for a program that did not begin. */
	if (call->outcome.verdict != OUTCOME_CANCELLED)
		events_open(&call->events);
	route_call_answer(call, &opensandbox_run_door, job);
}

void route_opensandbox_code(struct route_call *call)
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
		rc = route_opensandbox_id(call, id, &why);
	if (rc == 0)
		rc = opensandbox_read_run(&run, &why);
	if (rc == 0)
		rc = route_e2b_name(call, &run, id, &why);
	if (rc < 0)
		route_call_refuse(call, &opensandbox_run_door, &why);
	else if (!e2b_is_python(&run))
		opensandbox_reply_language(&call->reply, run.language.data);
	else
		route_opensandbox_run(call, &job, run.context.size > 0
							  ? run.context.data
							  : id);
	job_free(&job);
}

/* A client that wants a run to end hangs up. */
void route_opensandbox_no_interrupt(struct route_call *call)
{
	struct refusal why = {0};

	refuse(&why, 501, "not_implemented",
	       "a run ends when its client hangs up, or when its context is "
	       "removed");
	route_call_refuse(call, call->door, &why);
}

void route_opensandbox_no_shell(struct route_call *call)
{
	struct refusal why = {0};

	refuse(&why, 501, "not_implemented", "%s", opensandbox_no_shell);
	route_call_refuse(call, call->door, &why);
}

/* ---- contexts ---------------------------------------------------------- */

/* Is the query about contexts of Python, or of any language? */
static bool route_opensandbox_python(const struct route_call *call)
{
	struct bytes language = {0};
	int found = query_find(request_param(call->request, "QUERY_STRING"),
			       "language", &language);
	const bool python = found <= 0 || strcmp(language.data, "python") == 0;

	free(language.data);
	return python;
}

/* The contexts of a language. */
void route_opensandbox_contexts(struct route_call *call)
{
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_opensandbox_look(call, id, &why);

	if (rc == 0 && !route_opensandbox_python(call))
		reply_text(&call->reply, "[]\n");
	else if (rc == 0)
		rc = route_e2b_contexts_put(call, id, &why);
	if (rc < 0)
		route_call_refuse(call, call->door, &why);
}

/* End all contexts of the sandbox ID but its first. */
static int route_opensandbox_end_all(struct route_call *call, const char *id,
				     struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	struct session_order_sandbox found;
	struct session_order ask = {0};
	bool there = true;
	int rc = 0;

	snprintf(ask.id, sizeof(ask.id), "%s", id);
	while (rc == 0) {
		rc = session_client_sandbox(&client, SESSION_ORDER_MEMBER,
					    &ask, &there, &found, why);
		if (rc < 0 || !there || found.place <= ask.place)
			break;
		ask.place = found.place;
		if (strchr(found.id, '/'))
			rc = route_e2b_context_end(call, found.id, why);
	}
	return rc;
}

void route_opensandbox_contexts_remove(struct route_call *call)
{
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_opensandbox_look(call, id, &why);

	if (rc == 0 && route_opensandbox_python(call))
		rc = route_opensandbox_end_all(call, id, &why);
	route_opensandbox_done(call, rc, 200, &why);
}

void route_opensandbox_context_create(struct route_call *call)
{
	struct e2b_context request = {0};
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_e2b_body(call, &request.job.body, &why);

	if (rc == 0)
		rc = opensandbox_read_context(&request, &why);
	if (rc == 0)
		rc = route_opensandbox_id(call, id, &why);
	if (rc == 0)
		rc = route_e2b_context_make(call, &request, id, &why);
	if (rc < 0)
		route_call_refuse(call, call->door, &why);
	job_free(&request.job);
}

/* The CONTEXT of the path, and the NAME of its session. */
static int route_opensandbox_context(struct route_call *call,
				     char context[E2B_ID + 2],
				     char name[SESSION_ORDER_ID_MAX],
				     struct refusal *why)
{
	const char *path = request_param(call->request, "DOCUMENT_URI");
	const char *at = strstr(path, ROUTE_OPENSANDBOX_CONTEXTS);
	char id[E2B_ID + 1];
	int rc = route_opensandbox_id(call, id, why);

	at = at ? at + strlen(ROUTE_OPENSANDBOX_CONTEXTS) : "";
	snprintf(context, E2B_ID + 2, "%s", at);
	return rc < 0 ? rc : route_e2b_context_name(call, id, context, name,
						    why);
}

void route_opensandbox_context_detail(struct route_call *call)
{
	char context[E2B_ID + 2], name[SESSION_ORDER_ID_MAX];
	struct refusal why = {0};
	int rc = route_opensandbox_context(call, context, name, &why);

	route_opensandbox_done(call, rc, 200, &why);
	if (rc < 0)
		return;
	reply_text(&call->reply, "{\"id\":");
	reply_string(&call->reply, context);
	reply_text(&call->reply, ",\"language\":\"python\"}\n");
}

void route_opensandbox_context_remove(struct route_call *call)
{
	char context[E2B_ID + 2], name[SESSION_ORDER_ID_MAX];
	struct refusal why = {0};
	int rc = route_opensandbox_context(call, context, name, &why);

	if (rc == 0)
		rc = route_e2b_context_end(call, name, &why);
	route_opensandbox_done(call, rc, 200, &why);
}
