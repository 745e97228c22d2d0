/*
 * mcp - see mcp.h. Here the methods are; mcp_message.c reads a message, and
 * mcp_result.c writes the result of a run.
 */
#include "mcp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"
#include "mcp_message.h"
#include "mcp_result.h"
#include "mcp_tool.h"

#ifndef TERRARIUM_VERSION
#define TERRARIUM_VERSION "0"
#endif

static struct bytes mcp_bytes(struct json_span span)
{
	return (struct bytes){(char *)(uintptr_t)span.data, span.size};
}

/* ---- answers --------------------------------------------------------- */

void mcp_begin(struct mcp *mcp, const struct bytes *id, struct reply *reply)
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

void mcp_end(struct mcp *mcp, struct reply *reply)
{
	reply_text(reply, mcp->batch ? "}" : "}\n");
}

static void mcp_put_error(struct reply *reply, enum mcp_error error,
			  const char *why)
{
	reply_format(reply, "\"error\":{\"code\":%d,\"message\":", error);
	reply_string(reply, why);
}

static void mcp_put_versions(struct reply *reply)
{
	for (size_t i = 0; i < ARRAY_LEN(mcp_versions); i++)
		reply_format(reply, "%s\"%s\"", i ? "," : "[",
			     mcp_versions[i]);
	reply_text(reply, "]");
}

static void mcp_put_fault(struct mcp *mcp, const struct mcp_message *message,
			  struct reply *reply)
{
	const struct bytes id = mcp_bytes(message->id);

	if (message->status && !mcp->batch)
		reply->status = message->status;
	mcp_begin(mcp, &id, reply);
	mcp_put_error(reply, message->error, message->why);
	if (message->error == MCP_VERSION) {
		const struct bytes asked = mcp_bytes(message->requested);

		reply_text(reply, ",\"data\":{\"supported\":");
		mcp_put_versions(reply);
		reply_text(reply, ",\"requested\":");
		if (asked.data)
			reply_json(reply, &asked);
		else
			reply_string(reply, mcp->headers->version);
		reply_text(reply, "}");
	}
	reply_text(reply, "}");
	mcp_end(mcp, reply);
}

/* Begin a result. Clients of the second era want to know its kind. */
static void mcp_begin_result(struct mcp *mcp, const struct mcp_message *message,
			     struct reply *reply)
{
	const struct bytes id = mcp_bytes(message->id);

	mcp_begin(mcp, &id, reply);
	reply_text(reply, mcp->modern
				  ? "\"result\":{\"resultType\":\"complete\","
				  : "\"result\":{");
}

static void mcp_end_result(struct mcp *mcp, struct reply *reply)
{
	reply_text(reply, "}");
	mcp_end(mcp, reply);
}

static void mcp_put_server(struct reply *reply)
{
	reply_text(reply, "{\"name\":\"terrarium\",\"title\":\"Terrarium\","
			  "\"version\":\"" TERRARIUM_VERSION "\"}");
}

/* How long a client may keep an answer: the packages change with a reload. */
static void mcp_put_cache(struct reply *reply)
{
	reply_text(reply, "\"ttlMs\":60000,\"cacheScope\":\"private\",");
}

/* ---- methods --------------------------------------------------------- */

static void mcp_initialize(struct mcp *mcp, struct mcp_message *message,
			   struct reply *reply)
{
	struct json_span version = {0};
	bool there = message->params.data &&
		     json_member(message->params, "protocolVersion", &version);

	if (mcp->batch) {
		mcp_message_fault(message, MCP_INVALID, 0,
				  "initialize cannot be part of a batch");
		return;
	}
	if (!there || json_kind(version) != JSON_STRING) {
		mcp_message_fault(message, MCP_PARAMS, 0,
				  "params.protocolVersion must be a string");
		return;
	}
	mcp_begin_result(mcp, message, reply);
	reply_text(reply, "\"protocolVersion\":");
	if (mcp_message_version(version, false)) {
		const struct bytes same = mcp_bytes(version);

		reply_json(reply, &same);
	} else {
		reply_text(reply, "\"" MCP_LATEST_LEGACY "\"");
	}
	reply_text(reply, ",\"capabilities\":{\"tools\":{}},\"serverInfo\":");
	mcp_put_server(reply);
	reply_text(reply, ",\"instructions\":");
	mcp_tool_describe(mcp->facts, reply);
	mcp_end_result(mcp, reply);
}

static void mcp_discover(struct mcp *mcp, struct mcp_message *message,
			 struct reply *reply)
{
	mcp_begin_result(mcp, message, reply);
	mcp_put_cache(reply);
	reply_text(reply, "\"supportedVersions\":");
	mcp_put_versions(reply);
	reply_text(reply, ",\"capabilities\":{\"tools\":{}},"
			  "\"_meta\":{\"" MCP_META_SERVER "\":");
	mcp_put_server(reply);
	reply_text(reply, "},\"instructions\":");
	mcp_tool_describe(mcp->facts, reply);
	mcp_end_result(mcp, reply);
}

static void mcp_ping(struct mcp *mcp, struct mcp_message *message,
		     struct reply *reply)
{
	mcp_begin_result(mcp, message, reply);
	mcp_end_result(mcp, reply);
}

static void mcp_list(struct mcp *mcp, struct mcp_message *message,
		     struct reply *reply)
{
	struct json_span cursor;

	if (message->params.data &&
	    json_member(message->params, "cursor", &cursor)) {
		mcp_message_fault(
			message, MCP_PARAMS, 0,
			"params.cursor is not of this server, whose list "
			"has one page");
		return;
	}
	mcp_begin_result(mcp, message, reply);
	if (mcp->modern)
		mcp_put_cache(reply);
	reply_text(reply, "\"tools\":[");
	mcp_tool_put(mcp->facts, reply);
	reply_text(reply, "]");
	mcp_end_result(mcp, reply);
}

/* Remember the id, because reading the job may overwrite the body. */
static int mcp_keep_id(struct mcp *mcp, struct json_span id)
{
	free(mcp->id.data);
	mcp->id = (struct bytes){0};
	return fields_copy(id, &mcp->id);
}

static void mcp_call_tool(struct mcp *mcp, struct mcp_message *message,
			  struct json_span arguments, struct reply *reply)
{
	struct refusal why = {0};
	int rc = mcp_keep_id(mcp, message->id);

	if (rc == 0)
		rc = mcp_tool_read(mcp->facts->most, arguments, &mcp->job,
				   &why);
	else
		refuse(&why, 500, "internal_error",
		       "the server ran out of memory");
	mcp->run = rc == 0;
	if (rc < 0)
		mcp_refuse_run(mcp, &why, reply);
}

static void mcp_call(struct mcp *mcp, struct mcp_message *message,
		     struct reply *reply)
{
	static const char none[] = "{}";
	struct json_span name = {0}, arguments = json_whole(none, 2);
	bool named = message->params.data &&
		     json_member(message->params, "name", &name) &&
		     json_kind(name) == JSON_STRING;
	bool fixture = named && mcp_fixture && mcp_fixture(name, &arguments);

	if (!named)
		mcp_message_fault(message, MCP_PARAMS, 0,
				  "params.name must be a string");
	else if (!fixture && !json_is(name, MCP_TOOL))
		mcp_message_fault(
			message, MCP_PARAMS, 0,
			"params.name: there is no such tool, only " MCP_TOOL);
	else if (!fixture &&
		 json_member(message->params, "arguments", &arguments) &&
		 json_kind(arguments) != JSON_OBJECT)
		mcp_message_fault(message, MCP_PARAMS, 0,
				  "params.arguments must be an object");
	else if (mcp->called)
		mcp_message_fault(message, MCP_SERVER, 0,
				  "a batch may call a tool once");
	else
		mcp_call_tool(mcp, message, arguments, reply);
}

/* In which era a method is known. */
enum { MCP_OLD = 1, MCP_NEW = 2 };

static const struct mcp_method {
	const char *name;
	unsigned eras;
	void (*serve)(struct mcp *mcp, struct mcp_message *message,
		      struct reply *reply);
} mcp_methods[] = {
	{"initialize", MCP_OLD, mcp_initialize},
	{"ping", MCP_OLD, mcp_ping},
	{"server/discover", MCP_NEW, mcp_discover},
	{"tools/list", MCP_OLD | MCP_NEW, mcp_list},
	{"tools/call", MCP_OLD | MCP_NEW, mcp_call},
};

static const struct mcp_method *mcp_find_method(const struct mcp *mcp,
						struct json_span name)
{
	for (size_t i = 0; i < ARRAY_LEN(mcp_methods); i++)
		if (json_is(name, mcp_methods[i].name))
			return mcp_methods[i].eras &
					       (mcp->modern ? MCP_NEW : MCP_OLD)
				       ? &mcp_methods[i] : NULL;
	return NULL;
}

static void mcp_serve(struct mcp *mcp, struct mcp_message *message,
		      struct reply *reply)
{
	const struct mcp_method *method;

	if (!message->is_bad)
		mcp_message_find_era(mcp, message);
	if (!message->is_bad && mcp->modern && message->is_response)
		mcp_message_fault(
			message, MCP_INVALID, 400,
			"this version of the protocol has no responses of "
			"clients");
	if (!message->is_bad && (message->is_response || !message->id.data))
		return; /* nothing is remembered of notifications */
	if (!message->is_bad && mcp->modern)
		mcp_message_check_modern(mcp, message);
	if (!message->is_bad) {
		method = mcp_find_method(mcp, message->method);
		if (method)
			method->serve(mcp, message, reply);
		else
			mcp_message_fault(message, MCP_METHOD,
					  mcp->modern ? 404 : 0,
					  "there is no such method");
	}
	if (message->is_bad)
		mcp_put_fault(mcp, message, reply);
}

/* ---- bodies ---------------------------------------------------------- */

static void mcp_put_refusal(struct mcp *mcp, enum mcp_error error,
			    const struct refusal *why, struct reply *reply)
{
	reply->status = why->status;
	mcp_begin(mcp, NULL, reply);
	mcp_put_error(reply, error, why->message);
	reply_text(reply, "}");
	mcp_end(mcp, reply);
}

static void mcp_read_one(struct mcp *mcp, struct json_span object,
			 struct reply *reply)
{
	struct mcp_message message;

	mcp_message_read(&message, object);
	mcp_serve(mcp, &message, reply);
}

static void mcp_refuse_batch(struct mcp *mcp, const char *words,
			     struct reply *reply)
{
	struct refusal why = {0};

	mcp->batch = false;
	refuse(&why, 400, "bad_request", "%s", words);
	mcp_put_refusal(mcp, MCP_INVALID, &why, reply);
}

static bool mcp_is_call(struct json_span object)
{
	struct json_span id, method;

	return json_kind(object) == JSON_OBJECT &&
	       json_member(object, "id", &id) &&
	       json_member(object, "method", &method) &&
	       json_kind(method) == JSON_STRING &&
	       json_is(method, "tools/call");
}

/* Two passes, because reading a job overwrites the body. */
static void mcp_read_batch(struct mcp *mcp, struct json_span list,
			   struct reply *reply)
{
	const char *version = mcp->headers->version;
	struct json_span call = {0};
	struct json_walk walk = json_walk(list);
	size_t count = 0;

	mcp->batch = true;
	if (*version && strcmp(version, MCP_BATCHES) != 0) {
		mcp_refuse_batch(mcp, "batches are for version " MCP_BATCHES
				 " only", reply);
		return;
	}
	while (json_next(&walk))
		count++;
	if (count == 0 || count > MCP_BATCH_MAX) {
		mcp_refuse_batch(mcp, "a batch must have 1 to 100 messages",
				 reply);
		return;
	}
	walk = json_walk(list);
	while (json_next(&walk))
		if (!mcp->called && mcp_is_call(walk.value)) {
			call = walk.value;
			mcp->called = true;
		} else {
			mcp_read_one(mcp, walk.value, reply);
		}
	mcp->called = false;
	if (call.data)
		mcp_read_one(mcp, call, reply);
}

void mcp_finish(struct mcp *mcp, struct reply *reply)
{
	if (mcp->run)
		return;
	if (mcp->answers == 0)
		reply->status = 202;
	else if (mcp->batch)
		reply_text(reply, "]\n");
}

void mcp_read(struct mcp *mcp, struct reply *reply)
{
	const struct bytes *body = &mcp->job.body;
	struct refusal why = {0};
	int rc = body->size == 0
			 ? refuse(&why, 400, "bad_json", "the body is empty")
			 : json_check(body->data, body->size,
				      &json_limits_request, &why);

	if (rc < 0) {
		if (rc != -EINVAL || !why.code)
			refuse(&why, 500, "internal_error",
			       "the server ran out of memory");
		mcp_put_refusal(mcp, strncmp(why.code, "bad_", 4) == 0
					     ? MCP_PARSE : MCP_INVALID,
				&why, reply);
		return;
	}
	const struct json_span whole = json_whole(body->data, body->size);

	if (json_kind(whole) == JSON_ARRAY)
		mcp_read_batch(mcp, whole, reply);
	else
		mcp_read_one(mcp, whole, reply);
	mcp_finish(mcp, reply);
}

void mcp_free(struct mcp *mcp)
{
	free(mcp->id.data);
	job_free(&mcp->job);
}

/* ---- the run --------------------------------------------------------- */

/* A client's mistake is told to the model, which can mend it; a failure of the
 * server is an error of the protocol. */
void mcp_refuse_run(struct mcp *mcp, const struct refusal *why,
		    struct reply *reply)
{
	mcp->run = false;
	mcp_begin(mcp, &mcp->id, reply);
	if (why->status < 500) {
		reply_text(reply, "\"result\":{");
		mcp_result_refuse(mcp, why, reply);
		reply_text(reply, "}");
	} else {
		if (!mcp->batch)
			reply->status = why->status;
		mcp_put_error(reply, why->status == 503 ? MCP_SERVER
							: MCP_INTERNAL,
			      why->message);
		reply_text(reply, "}");
	}
	mcp_end(mcp, reply);
}

static void mcp_render_result(struct mcp *mcp, const struct door_answer *answer,
			      struct reply *reply)
{
	mcp_begin(mcp, &mcp->id, reply);
	reply_text(reply, "\"result\":{");
	mcp_result_put(mcp, answer, reply);
	reply_text(reply, "}");
	mcp_end(mcp, reply);
}

void mcp_render(const struct door_answer *answer, struct reply *reply)
{
	struct mcp *mcp = (struct mcp *)(uintptr_t)answer->job;
	const struct outcome *outcome = answer->outcome;
	char sentence[OUTCOME_SENTENCE_MAX];
	struct refusal why = {0};

	reply->id = answer->id;
	if (outcome_rows[outcome->verdict].ours) {
		outcome_sentence(outcome, sentence);
		refuse(&why, 500, "internal_error", "%s", sentence);
		mcp_refuse_run(mcp, &why, reply);
	} else {
		mcp_render_result(mcp, answer, reply);
	}
	mcp->run = false;
	mcp_finish(mcp, reply);
}

static void mcp_refuse(const struct refusal *why, const char *id,
		       struct reply *reply)
{
	struct mcp mcp = {0};

	reply->id = id;
	mcp_put_refusal(&mcp, why->status == 500 ? MCP_INTERNAL : MCP_SERVER,
			why, reply);
}

const struct door mcp_door = {NULL, mcp_render, mcp_refuse, "session", "mcp"};
