/* route_mcp - see route_mcp.h. */
#include "route_mcp.h"

#include <stdlib.h>

#include "fcgi/api/mcp.h"

static void route_mcp_run(struct route_call *call, struct mcp *mcp)
{
	struct refusal why = {0};

	if (route_run_job(call, &mcp_door, &mcp->job, &why) == 0) {
		route_answer(call, &mcp_door, &mcp->job);
		return;
	}
	call->why = why;
	if (why.status == 503)
		call->reply.retry_after_s = 1;
	mcp_refuse_run(mcp, &why, &call->reply);
	mcp_finish(mcp, &call->reply);
}

void route_mcp(struct route_call *call)
{
	const struct door_limits most = route_door_limits(call);
	const struct mcp_headers headers = {
		.version = request_param(call->request,
					 "HTTP_MCP_PROTOCOL_VERSION"),
		.method = request_param(call->request, "HTTP_MCP_METHOD"),
		.name = request_param(call->request, "HTTP_MCP_NAME")};
	const struct mcp_facts facts = {
		.most = &most, .limits = &call->limits,
		.packages = &call->box->packages,
		.python = call->box->python};
	struct mcp mcp = {.facts = &facts, .headers = &headers};
	struct refusal why = {0};
	int rc = request_body(call->request,
			      (uint64_t)call->conf->body_mb << 20,
			      &mcp.job.body, &why);

	call->report.bytes_in = mcp.job.body.size;
	if (rc < 0)
		route_refuse(call, &mcp_door, &why);
	else
		mcp_read(&mcp, &call->reply);
	if (mcp.run)
		route_mcp_run(call, &mcp);
	mcp_free(&mcp);
}
