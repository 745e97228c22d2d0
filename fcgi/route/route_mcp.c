/* route_mcp - see route_mcp.h. */
#include "route_mcp.h"

#include <stdlib.h>

#include "fcgi/mcp/mcp.h"
#include "fcgi/mcp/mcp_progress.h"
#include "fcgi/http/accept.h"

/* A host that asks for progress gets it, if it takes a stream. */
static void route_mcp_choose_form(struct route_call *call,
				  const struct mcp *mcp)
{
	const char *accept = request_param(call->request, "HTTP_ACCEPT");

	if (mcp->token.data && !mcp->batch && accept_takes(accept, ACCEPT_SSE))
		route_call_stream(call, &mcp_progress_stream, ACCEPT_SSE, mcp);
}

static void route_mcp_run(struct route_call *call, struct mcp *mcp)
{
	struct refusal why = {0};

	route_mcp_choose_form(call, mcp);
	if (route_call_run_job(call, &mcp_door, &mcp->job, &why) == 0) {
		route_call_answer(call, &mcp_door, &mcp->job);
		return;
	}
	call->why = why;
	if (why.status == 503)
		call->reply.retry_after_s = 1;
	mcp_refuse_run(mcp, &why, &call->reply);
	mcp_finish(mcp, &call->reply);
}

/* Failures of a session's files, for a host. */
static const struct {
	int status;
	const char *words;
} route_mcp_failures[SESSION_FILES_RESULTS] = {
	[SESSION_FILES_MISSING] = {404, "there is no such file"},
	[SESSION_FILES_DIRECTORY] = {404, "it is a directory"},
	[SESSION_FILES_BLOCKED] = {404, "a file or a link is in the way"},
	[SESSION_FILES_NO_ROOM] = {500, "there is no room"},
	[SESSION_FILES_TOO_LARGE] = {413, "the file is too large"},
	[SESSION_FILES_FAILED] = {500, "the file could not be read"},
};

static int route_mcp_read(struct route_call *call, const struct mcp *mcp,
			  struct refusal *why)
{
	struct session_client client = route_call_sessions(call);
	const char *session = mcp->job.session.data;
	int rc = session_client_check(&client, mcp_door.session, session, why);

	client.must_exist = true;
	if (rc == 0)
		rc = session_client_files(&client, SESSION_ORDER_GET, session,
					  &mcp->job, &call->files, why);
	if (rc < 0)
		return rc;
	const enum session_files_result result = call->files.result;

	if (result != SESSION_FILES_DONE)
		return refuse(why, route_mcp_failures[result].status,
			      "not_found", "params.uri: %s",
			      route_mcp_failures[result].words);
	return call->files.got.files_count == 1
		       ? 0 : refuse(why, 500, "internal_error",
				    "the session's process failed");
}

static void route_mcp_fetch(struct route_call *call, struct mcp *mcp)
{
	struct refusal why = {0};

	if (route_mcp_read(call, mcp, &why) == 0) {
		mcp_render_fetch(mcp, call->files.got.files, &call->reply);
		return;
	}
	call->why = why;
	if (why.status == 503)
		call->reply.retry_after_s = 1;
	mcp_refuse_fetch(mcp, &why, &call->reply);
}

int route_mcp_take(struct route_call *call, struct mcp *mcp)
{
	struct refusal why = {0};
	int rc = request_body(call->request,
			      (uint64_t)call->conf->body_mb << 20,
			      &mcp->job.body, &why);

	call->report.bytes_in = mcp->job.body.size;
	if (rc < 0)
		route_call_refuse(call, &mcp_door, &why);
	else
		mcp_read(mcp, &call->reply);
	return rc;
}

void route_mcp(struct route_call *call)
{
	const struct door_limits most = route_call_door_limits(call);
	const struct mcp_headers headers = {
		.version = request_param(call->request,
					 "HTTP_MCP_PROTOCOL_VERSION"),
		.method = request_param(call->request, "HTTP_MCP_METHOD"),
		.name = request_param(call->request, "HTTP_MCP_NAME")};
	const struct mcp_facts facts = {
		.most = &most, .limits = &call->limits,
		.packages = &call->box->packages,
		.python = call->box->python};
	struct mcp mcp = {.kind = &mcp_kind_present,
			  .facts = &facts,
			  .headers = &headers};

	route_mcp_take(call, &mcp);
	if (mcp.run)
		route_mcp_run(call, &mcp);
	else if (mcp.fetch)
		route_mcp_fetch(call, &mcp);
	mcp_free(&mcp);
}
