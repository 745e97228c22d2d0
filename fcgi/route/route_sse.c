/* route_sse - see route_sse.h. */
#include "route_sse.h"

#include "sandbox/base/log.h"
#include "fcgi/mcp/mcp.h"
#include "fcgi/streams/stream_call.h"
#include "route_mcp.h"

static void route_sse_renew_reply(struct route_call *call)
{
	reply_free(&call->reply);
	call->reply.id = request_id(call->request);
}

/* Answer 202. From here on the request has no other answer, and the program
 * ends when the client's stream does. */
static void route_sse_accept(struct route_call *call, int channel)
{
	struct reply reply;

	reply_init(&reply);
	reply.status = 202;
	reply.id = request_id(call->request);
	int rc = reply_send_early(call->request, &reply);

	/* The message counts, also if its sender is gone: the stream is not. */
	if (rc < 0)
		log_info("202 not sent: id=%s error=\"%s\"", reply.id,
			 log_errno(rc));
	reply_free(&reply);
	call->answered = true;
	call->reader = channel;
}

static void route_sse_say(struct route_call *call, int channel)
{
	int rc = stream_call_say(channel, &call->reply);

	if (rc < 0)
		log_info("answer not taken by the stream: id=%s error=\"%s\"",
			 request_id(call->request), log_errno(rc));
}

/* If this worker dies, the client gets this. */
static void route_sse_say_failed(const struct mcp *mcp, int channel)
{
	const struct refusal why = {
		.status = 500,
		.code = "internal_error",
		.message = "the server failed while it served the call, which "
			   "may have run"};
	struct mcp other = {.kind = mcp->kind, .id = mcp->id};
	struct reply reply;

	reply_init(&reply);
	mcp_refuse_run(&other, &why, &reply);
	(void)!stream_call_say(channel, &reply);
	reply_free(&reply);
}

static void route_sse_run(struct route_call *call, struct mcp *mcp, bool busy)
{
	struct refusal why = {0};
	int rc;

	if (busy) {
		rc = refuse(&why, 503, "unavailable",
			    "busy: too many programs of this stream run; send "
			    "the call again when one has ended");
	} else {
		route_sse_say_failed(mcp, call->reader);
		rc = route_call_run_job(call, &mcp_door, &mcp->job, &why);
	}
	if (rc == 0) {
		route_call_answer(call, &mcp_door, &mcp->job);
		return;
	}
	call->why = why;
	mcp_refuse_run(mcp, &why, &call->reply);
}

/* The reply is the answer to the message, if that needs no run. */
static void route_sse_answer(struct route_call *call, struct mcp *mcp)
{
	const struct session_client client = route_call_sessions(call);
	const bool silent = call->reply.status == 202;
	struct refusal why = {0};
	bool busy = false;
	owned_fd int channel = stream_call_open(
		call->orders, client.owner,
		request_param(call->request, "MCP_STREAM"), mcp->run, &busy,
		&why);

	if (channel < 0) {
		route_sse_renew_reply(call);
		route_call_refuse(call, &mcp_door, &why);
		return;
	}
	if (silent)
		return;
	route_sse_accept(call, channel);
	if (mcp->run)
		route_sse_run(call, mcp, busy);
	if (call->outcome.verdict != OUTCOME_CANCELLED)
		route_sse_say(call, channel);
	call->reply.status = 202;
}

void route_sse(struct route_call *call)
{
	const struct door_limits most = route_call_door_limits(call);
	const struct mcp_headers headers = {
		.version = request_param(call->request,
					 "HTTP_MCP_PROTOCOL_VERSION"),
		.method = "",
		.name = ""};
	const struct mcp_facts facts = {
		.most = &most, .limits = &call->limits,
		.packages = &call->box->packages,
		.python = call->box->python};
	struct mcp mcp = {.kind = &mcp_kind_old,
			  .facts = &facts,
			  .headers = &headers};
	int rc = route_mcp_take(call, &mcp);

	if (rc == 0 && call->reply.status < 400)
		route_sse_answer(call, &mcp);
	mcp_free(&mcp);
}

void route_sse_elsewhere(struct route_call *call)
{
	struct refusal why = {0};

	refuse(&why, 503, "unavailable",
	       "the web server must pass this path to server.streams_socket");
	route_call_refuse(call, &mcp_door, &why);
}
