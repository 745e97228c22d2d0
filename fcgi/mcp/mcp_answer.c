/* mcp_answer - see mcp_answer.h. */
#include "mcp_answer.h"

#ifndef TERRARIUM_VERSION
#define TERRARIUM_VERSION "0"
#endif

struct bytes mcp_answer_bytes(struct json_span span)
{
	return (struct bytes){(char *)(uintptr_t)span.data, span.size};
}

void mcp_answer_begin(struct mcp *mcp, const struct bytes *id,
		      struct reply *reply)
{
	if (mcp->batch)
		reply_text(reply, mcp->answers ? "," : "[");
	mcp->answers++;
	reply_text(reply, "{\"jsonrpc\":\"2.0\",\"id\":");
	if (id && id->data)
		reply_json(reply, id);
	else
		reply_text(reply, "null");
	reply_text(reply, ",");
}

void mcp_answer_end(struct mcp *mcp, struct reply *reply)
{
	reply_text(reply, mcp->batch ? "}" : "}\n");
}

void mcp_answer_error(struct reply *reply, enum mcp_error error,
		      const char *why)
{
	reply_format(reply, "\"error\":{\"code\":%d,\"message\":", error);
	reply_string(reply, why);
}

void mcp_answer_versions(const struct mcp *mcp, struct reply *reply)
{
	const char *glue = "[";

	for (size_t i = 0; i < ARRAY_LEN(mcp_versions); i++) {
		if (!mcp_message_serves(mcp, i))
			continue;
		reply_format(reply, "%s\"%s\"", glue, mcp_versions[i]);
		glue = ",";
	}
	reply_text(reply, "]");
}

/* On the old transport a client's writer ends with an error of HTTP. So only a
 * body that is no message has one there, and a version that is not served. */
static bool mcp_answer_is_http(const struct mcp *mcp,
			       const struct mcp_message *message)
{
	return message->status && !mcp->batch &&
	       (!mcp->kind->old || message->error != MCP_PARAMS);
}

void mcp_answer_fault(struct mcp *mcp, const struct mcp_message *message,
		      struct reply *reply)
{
	const struct bytes id = mcp_answer_bytes(message->id);

	if (mcp_answer_is_http(mcp, message))
		reply->status = message->status;
	mcp_answer_begin(mcp, &id, reply);
	mcp_answer_error(reply, message->error, message->why);
	if (message->error == MCP_VERSION) {
		const struct bytes asked = mcp_answer_bytes(message->requested);

		reply_text(reply, ",\"data\":{\"supported\":");
		mcp_answer_versions(mcp, reply);
		reply_text(reply, ",\"requested\":");
		if (asked.data)
			reply_json(reply, &asked);
		else
			reply_string(reply, mcp->headers->version);
		reply_text(reply, "}");
	}
	reply_text(reply, "}");
	mcp_answer_end(mcp, reply);
}

/* Begin a result. Clients of the second era want to know its kind. */
void mcp_answer_result(struct mcp *mcp, const struct bytes *id,
		       struct reply *reply)
{
	mcp_answer_begin(mcp, id, reply);
	reply_text(reply, mcp->modern
				  ? "\"result\":{\"resultType\":\"complete\","
				  : "\"result\":{");
}

void mcp_answer_end_result(struct mcp *mcp, struct reply *reply)
{
	reply_text(reply, "}");
	mcp_answer_end(mcp, reply);
}

void mcp_answer_server(const struct mcp *mcp, struct reply *reply)
{
	reply_format(reply, "{\"name\":\"%s\",\"title\":\"Terrarium\","
		     "\"version\":\"" TERRARIUM_VERSION "\"}",
		     mcp->kind->server);
}

void mcp_answer_cache(const struct mcp *mcp, unsigned keep_ms,
		      struct reply *reply)
{
	if (mcp->modern)
		reply_format(reply,
			     "\"ttlMs\":%u,\"cacheScope\":\"private\",",
			     keep_ms);
}

void mcp_answer_capabilities(const struct mcp *mcp, struct reply *reply)
{
	reply_text(reply, mcp->facts->most->sessions && !mcp->kind->old
				  ? "\"capabilities\":{\"tools\":{},"
				    "\"resources\":{}},"
				  : "\"capabilities\":{\"tools\":{}},");
}

void mcp_answer_refusal(struct mcp *mcp, enum mcp_error error,
			const struct refusal *why, struct reply *reply)
{
	reply->status = why->status;
	mcp_answer_begin(mcp, NULL, reply);
	mcp_answer_error(reply, error, why->message);
	reply_text(reply, "}");
	mcp_answer_end(mcp, reply);
}
