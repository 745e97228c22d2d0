/* route_e2b_contexts - see route_e2b.h: a sandbox's contexts, which are branches
 * of its beginning. They share its files, and no variables. */
#include "route_e2b.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "fcgi/e2b/e2b_reply.h"
#include "sandbox/text/text.h"

#define ROUTE_E2B_CONTEXTS "/contexts/" /* an id follows in the path */

static int route_e2b_no_context(struct refusal *why)
{
	return refuse(why, 404, "not_found", "there is no such context");
}

int route_e2b_context_name(struct route_call *call, const char *id,
			   const char *context, char name[SESSION_ORDER_ID_MAX],
			   struct refusal *why)
{
	const bool own = strcmp(context, id) == 0;
	struct session_order_sandbox found;
	struct session_order ask = {0};
	int rc = route_e2b_ask(call, SESSION_ORDER_LOOK, id, &ask, &found, why);

	if (rc < 0)
		return rc;
	if (!e2b_is_context(context, id))
		return route_e2b_no_context(why);
	snprintf(name, SESSION_ORDER_ID_MAX, "%s%s%s", id, own ? "" : "/",
		 own ? "" : context);
	rc = route_e2b_ask(call, SESSION_ORDER_LOOK, name, &ask, &found, why);
	return rc < 0 && why->status == 410 ? route_e2b_no_context(why) : rc;
}

/* Answer WHY, or null. */
static void route_e2b_context_done(struct route_call *call, int rc,
				   const struct refusal *why)
{
	if (rc < 0)
		route_call_refuse(call, &e2b_port_door, why);
	else
		reply_text(&call->reply, "null\n");
}

/* ---- the list ---------------------------------------------------------- */

int route_e2b_contexts_put(struct route_call *call, const char *id,
			   struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	struct session_order_sandbox found;
	struct session_order ask = {0};
	const char *glue = "[";
	int rc = route_e2b_ask(call, SESSION_ORDER_LOOK, id, &ask, &found, why);

	for (bool there = true; rc == 0; glue = ",") {
		rc = session_client_sandbox(&client, SESSION_ORDER_MEMBER,
					    &ask, &there, &found, why);
		if (rc < 0 || !there || found.place <= ask.place)
			break;
		ask.place = found.place;
		const char *slash = strchr(found.id, '/');

		reply_text(&call->reply, glue);
		e2b_reply_context(&call->reply, slash ? slash + 1 : found.id,
				  found.note);
	}
	if (rc == 0)
		reply_text(&call->reply, glue[0] == '[' ? "[]\n" : "]\n");
	return rc;
}

void route_e2b_contexts(struct route_call *call)
{
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = route_e2b_port_id(call, id, &why);

	if (rc == 0)
		rc = route_e2b_contexts_put(call, id, &why);
	if (rc < 0)
		route_call_refuse(call, &e2b_port_door, &why);
}

/* ---- a new one --------------------------------------------------------- */

/* Have the session NAME go to the directory CWD. */
static int route_e2b_go(struct route_call *call, const char *name,
			const char *cwd, struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	struct job job = {0};
	int rc = e2b_go(&job, cwd);

	if (rc == 0)
		rc = session_client_run(&client, name, &job, &call->outcome,
					&call->session, why);
	else
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	if (rc == 0 && call->outcome.verdict == OUTCOME_RAISED)
		rc = refuse(why, 400, "bad_cwd",
			    "cwd: there is no such directory");
	else if (rc == 0 && call->outcome.verdict != OUTCOME_OK &&
		 call->outcome.verdict != OUTCOME_CANCELLED)
		rc = refuse(why, 500, "internal_error",
			    "the context could not be started");
	job_free(&job);
	return rc;
}

/* Make the session NAME of the sandbox ID, anew if REPLACE is set, in the
 * directory CWD. NOTE is its JSON text. */
static int route_e2b_branch(struct route_call *call, const char *id,
			    const char *name, const char *cwd,
			    const char *note, bool replace,
			    struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	struct session_order ask = {.whole = replace};
	bool there;
	int rc;

	snprintf(ask.id, sizeof(ask.id), "%s/" E2B_BEGINNING, id);
	snprintf(ask.other, sizeof(ask.other), "%s", name);
	snprintf(ask.note, sizeof(ask.note), "%s", note);
	rc = session_client_branch(&client, &ask, why);
	if (rc < 0 && why->status == 404)
		return refuse(why, 501, "no_contexts",
			      "this server has no contexts");
	if (rc == 0 && strcmp(cwd, E2B_CWD) != 0)
		rc = route_e2b_go(call, name, cwd, why);
	if (rc < 0 && strcmp(why->code, "bad_cwd") == 0) {
		struct refusal ignored;

		session_client_release(&client, name, false, &there, &ignored);
	}
	return rc;
}

int route_e2b_context_make(struct route_call *call,
			   const struct e2b_context *request, const char *id,
			   struct refusal *why)
{
	const char *cwd = request->cwd.size ? request->cwd.data : E2B_CWD;
	char made[E2B_CONTEXT + 1], name[SESSION_ORDER_ID_MAX];
	struct session_order_sandbox found;
	struct session_order ask = {0};
	struct text note = {0};
	int rc = route_e2b_ask(call, SESSION_ORDER_LOOK, id, &ask, &found, why);

	text_add_json(&note, cwd, strlen(cwd));
	text_add(&note, "", 1);
	if (rc == 0 && (note.error || !note.data ||
			e2b_new_context_id(made) < 0))
		rc = refuse(why, 500, "internal_error",
			    "the server ran out of memory");
	if (rc == 0) {
		snprintf(name, sizeof(name), "%s/%s", id, made);
		rc = route_e2b_branch(call, id, name, cwd, note.data, false,
				      why);
	}
	if (rc == 0) {
		e2b_reply_context(&call->reply, made, note.data);
		reply_text(&call->reply, "\n");
	}
	text_free(&note);
	return rc;
}

void route_e2b_context_create(struct route_call *call)
{
	struct e2b_context request = {0};
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = request_body(call->request, E2B_BODY_MAX, &request.job.body,
			      &why);

	call->report.bytes_in = request.job.body.size;
	if (rc == 0)
		rc = e2b_read_context(&request, &why);
	if (rc == 0)
		rc = route_e2b_port_id(call, id, &why);
	if (rc == 0)
		rc = route_e2b_context_make(call, &request, id, &why);
	if (rc < 0)
		route_call_refuse(call, &e2b_port_door, &why);
	job_free(&request.job);
}

/* ---- one of them ------------------------------------------------------- */

/* The session NAME of the context in the path, of the sandbox ID. */
static int route_e2b_context_of(struct route_call *call, char id[E2B_ID + 1],
				char name[SESSION_ORDER_ID_MAX],
				struct refusal *why)
{
	const char *path = request_param(call->request, "DOCUMENT_URI");
	const char *at = strstr(path, ROUTE_E2B_CONTEXTS);
	char context[E2B_ID + 2];
	int rc = route_e2b_port_id(call, id, why);

	if (rc < 0)
		return rc;
	at = at ? at + strlen(ROUTE_E2B_CONTEXTS) : "";
	snprintf(context, sizeof(context), "%.*s", (int)strcspn(at, "/"), at);
	return route_e2b_context_name(call, id, context, name, why);
}

/* The directory in FOUND's note, as text; to be freed. */
static char *route_e2b_cwd(const struct session_order_sandbox *found)
{
	const size_t size = strlen(found->note);
	struct bytes text = {0};

	if (!strchr(found->id, '/') ||
	    json_check_value(found->note, size) != 0 ||
	    json_kind(json_whole(found->note, size)) != JSON_STRING)
		return strdup(E2B_CWD);
	return json_string(json_whole(found->note, size), &text) == 0
		       ? text.data : NULL;
}

/* The note of the member NAME of the sandbox ID: its directory. */
static int route_e2b_member(struct route_call *call, const char *id,
			    const char *name,
			    struct session_order_sandbox *found,
			    struct refusal *why)
{
	struct session_order ask = {0};
	int rc;

	do {
		rc = route_e2b_ask(call, SESSION_ORDER_MEMBER, id, &ask, found,
				   why);
		if (rc == 0 && found->place <= ask.place)
			return route_e2b_no_context(why);
		ask.place = found->place;
	} while (rc == 0 && strcmp(found->id, name) != 0);
	return rc;
}

void route_e2b_context_restart(struct route_call *call)
{
	struct session_order_sandbox found = {0};
	struct refusal why = {0};
	char id[E2B_ID + 1], name[SESSION_ORDER_ID_MAX];
	int rc = route_e2b_context_of(call, id, name, &why);

	if (rc == 0)
		rc = route_e2b_member(call, id, name, &found, &why);
	owned_free char *cwd = rc == 0 ? route_e2b_cwd(&found) : NULL;

	if (rc == 0 && !cwd) {
		refuse(&why, 500, "internal_error",
		       "the server ran out of memory");
		rc = -ENOMEM;
	}
	if (rc == 0 && cwd)
		rc = route_e2b_branch(call, id, name, cwd,
				      strchr(name, '/') ? found.note : "",
				      true, &why);
	route_e2b_context_done(call, rc, &why);
}

int route_e2b_context_end(struct route_call *call, const char *name,
			  struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	bool there;

	if (!strchr(name, '/'))
		return refuse(why, 400, "default",
			      "the default context cannot be removed");
	return session_client_release(&client, name, false, &there, why);
}

void route_e2b_context_remove(struct route_call *call)
{
	struct refusal why = {0};
	char id[E2B_ID + 1], name[SESSION_ORDER_ID_MAX];
	int rc = route_e2b_context_of(call, id, name, &why);

	if (rc == 0)
		rc = route_e2b_context_end(call, name, &why);
	route_e2b_context_done(call, rc, &why);
}
