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
#include "mcp_answer.h"
#include "mcp_progress.h"
#include "mcp_python.h"
#include "mcp_resource.h"
#include "mcp_result.h"
#include "mcp_tool.h"

const struct mcp_kind mcp_kind_present = {
	MCP_TOOL, "terrarium", false, mcp_tool_describe, mcp_tool_put,
	mcp_tool_read, mcp_result_put, mcp_result_refuse};

const struct mcp_kind mcp_kind_old = {
	MCP_PYTHON, MCP_PYTHON, true, mcp_python_describe, mcp_python_put,
	mcp_python_read, mcp_python_result, mcp_python_refuse};

/* ---- methods --------------------------------------------------------- */

static void mcp_begin_result(struct mcp *mcp, const struct mcp_message *message,
			     struct reply *reply)
{
	const struct bytes id = mcp_answer_bytes(message->id);

	mcp_answer_result(mcp, &id, reply);
}

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
	if (mcp_message_legacy(mcp, version)) {
		const struct bytes same = mcp_answer_bytes(version);

		reply_json(reply, &same);
	} else {
		reply_text(reply, "\"" MCP_LATEST_LEGACY "\"");
	}
	reply_text(reply, ",");
	mcp_answer_capabilities(mcp, reply);
	reply_text(reply, "\"serverInfo\":");
	mcp_answer_server(mcp, reply);
	reply_text(reply, ",\"instructions\":");
	mcp->kind->describe(mcp->facts, reply);
	mcp_answer_end_result(mcp, reply);
}

static void mcp_discover(struct mcp *mcp, struct mcp_message *message,
			 struct reply *reply)
{
	mcp_begin_result(mcp, message, reply);
	mcp_answer_cache(mcp, MCP_ANSWER_KEEP_MS, reply);
	reply_text(reply, "\"supportedVersions\":");
	mcp_answer_versions(mcp, reply);
	reply_text(reply, ",");
	mcp_answer_capabilities(mcp, reply);
	reply_text(reply, "\"_meta\":{\"" MCP_META_SERVER "\":");
	mcp_answer_server(mcp, reply);
	reply_text(reply, "},\"instructions\":");
	mcp->kind->describe(mcp->facts, reply);
	mcp_answer_end_result(mcp, reply);
}

static void mcp_ping(struct mcp *mcp, struct mcp_message *message,
		     struct reply *reply)
{
	mcp_begin_result(mcp, message, reply);
	mcp_answer_end_result(mcp, reply);
}

/* Begin the answer with a list, unless another page of it is asked for. */
static bool mcp_begin_list(struct mcp *mcp, struct mcp_message *message,
			   struct reply *reply)
{
	struct json_span cursor;

	if (message->params.data &&
	    json_member(message->params, "cursor", &cursor)) {
		mcp_message_fault(
			message, MCP_PARAMS, 0,
			"params.cursor is not of this server, whose list "
			"has one page");
		return false;
	}
	mcp_begin_result(mcp, message, reply);
	mcp_answer_cache(mcp, MCP_ANSWER_KEEP_MS, reply);
	return true;
}

static void mcp_list(struct mcp *mcp, struct mcp_message *message,
		     struct reply *reply)
{
	if (!mcp_begin_list(mcp, message, reply))
		return;
	reply_text(reply, "\"tools\":[");
	mcp->kind->put(mcp->facts, reply);
	reply_text(reply, "]");
	mcp_answer_end_result(mcp, reply);
}

/* The files of sessions are found by the links in results: no request says
 * which sessions are a host's own. */
static void mcp_list_resources(struct mcp *mcp, struct mcp_message *message,
			       struct reply *reply)
{
	if (!mcp_begin_list(mcp, message, reply))
		return;
	reply_text(reply, "\"resources\":[]");
	mcp_answer_end_result(mcp, reply);
}

static void mcp_list_templates(struct mcp *mcp, struct mcp_message *message,
			       struct reply *reply)
{
	if (!mcp_begin_list(mcp, message, reply))
		return;
	reply_text(reply, "\"resourceTemplates\":");
	mcp_resource_put_templates(reply);
	mcp_answer_end_result(mcp, reply);
}

/* Remember a part of the message, because reading the job may overwrite the
 * body. */
static int mcp_keep(struct bytes *kept, struct json_span span)
{
	free(kept->data);
	*kept = (struct bytes){0};
	return fields_copy(span, kept);
}

static void mcp_read_resource(struct mcp *mcp, struct mcp_message *message,
			      struct reply *reply)
{
	struct refusal why = {0};
	struct json_span uri = {0};

	if (!message->params.data ||
	    !json_member(message->params, "uri", &uri) ||
	    json_kind(uri) != JSON_STRING)
		mcp_message_fault(message, MCP_PARAMS, 0,
				  "params.uri must be a string");
	else if (mcp->batch)
		mcp_message_fault(message, MCP_INVALID, 0,
				  "resources/read cannot be part of a batch");
	if (message->is_bad)
		return;
	int rc = mcp_keep(&mcp->id, message->id);

	if (rc == 0)
		rc = mcp_keep(&mcp->uri, uri);
	if (rc < 0)
		refuse(&why, 500, "internal_error",
		       "the server ran out of memory");
	else
		rc = mcp_resource_read(uri, &mcp->job, &why);
	mcp->fetch = rc == 0;
	if (rc < 0)
		mcp_refuse_fetch(mcp, &why, reply);
}

static void mcp_call_tool(struct mcp *mcp, struct mcp_message *message,
			  struct json_span arguments, struct reply *reply)
{
	struct refusal why = {0};
	int rc = mcp->kind->old ? 0 : mcp_progress_read(mcp, message);

	if (message->is_bad)
		return;
	if (rc == 0)
		rc = mcp_keep(&mcp->id, message->id);
	if (rc == 0)
		rc = mcp->kind->read(mcp->facts->most, arguments, &mcp->job,
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
	else if (!fixture && !json_is(name, mcp->kind->tool))
		mcp_message_fault(
			message, MCP_PARAMS, 0,
			"params.name: there is no such tool, only %s",
			mcp->kind->tool);
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

/* Where a method is known: in an era of /mcp, or on the old transport. */
enum { MCP_OLD = 1, MCP_NEW = 2, MCP_STREAMED = 4 };

static const struct mcp_method {
	const char *name;
	unsigned eras;
	bool sessions; /* known only if sessions are on */
	void (*serve)(struct mcp *mcp, struct mcp_message *message,
		      struct reply *reply);
} mcp_methods[] = {
	{"initialize", MCP_OLD | MCP_STREAMED, false, mcp_initialize},
	{"ping", MCP_OLD | MCP_STREAMED, false, mcp_ping},
	{"server/discover", MCP_NEW, false, mcp_discover},
	{"tools/list", MCP_OLD | MCP_NEW | MCP_STREAMED, false, mcp_list},
	{"tools/call", MCP_OLD | MCP_NEW | MCP_STREAMED, false, mcp_call},
	{"resources/list", MCP_OLD | MCP_NEW, true, mcp_list_resources},
	{"resources/templates/list", MCP_OLD | MCP_NEW, true,
	 mcp_list_templates},
	{"resources/read", MCP_OLD | MCP_NEW, true, mcp_read_resource},
};

static const struct mcp_method *mcp_find_method(const struct mcp *mcp,
						struct json_span name)
{
	const unsigned era = mcp->kind->old ? MCP_STREAMED
			     : mcp->modern  ? MCP_NEW
					    : MCP_OLD;

	for (size_t i = 0; i < ARRAY_LEN(mcp_methods); i++)
		if (json_is(name, mcp_methods[i].name) &&
		    mcp_methods[i].eras & era &&
		    (!mcp_methods[i].sessions || mcp->facts->most->sessions))
			return &mcp_methods[i];
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
		mcp_answer_fault(mcp, message, reply);
}

/* ---- bodies ---------------------------------------------------------- */

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
	mcp_answer_refusal(mcp, MCP_INVALID, &why, reply);
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

	if (mcp->kind->old) {
		mcp_refuse_batch(mcp, "a batch is not taken here", reply);
		return;
	}
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
	if (mcp->run || mcp->fetch)
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
		mcp_answer_refusal(mcp, strncmp(why.code, "bad_", 4) == 0
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
	free(mcp->token.data);
	free(mcp->uri.data);
	job_free(&mcp->job);
}

/* ---- the run --------------------------------------------------------- */

/* A client's mistake is told to the model, which can mend it; a failure of the
 * server is an error of the protocol. */
void mcp_refuse_run(struct mcp *mcp, const struct refusal *why,
		    struct reply *reply)
{
	mcp->run = false;
	mcp_answer_begin(mcp, &mcp->id, reply);
	if (why->status < 500) {
		reply_text(reply, "\"result\":{");
		mcp->kind->refuse(mcp, why, reply);
		reply_text(reply, "}");
	} else {
		if (!mcp->batch)
			reply->status = why->status;
		mcp_answer_error(reply, why->status == 503 ? MCP_SERVER
							   : MCP_INTERNAL,
				 why->message);
		reply_text(reply, "}");
	}
	mcp_answer_end(mcp, reply);
}

static void mcp_render_result(struct mcp *mcp, const struct door_answer *answer,
			      struct reply *reply)
{
	mcp_answer_begin(mcp, &mcp->id, reply);
	reply_text(reply, "\"result\":{");
	mcp->kind->result(mcp, answer, reply);
	reply_text(reply, "}");
	mcp_answer_end(mcp, reply);
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

/* ---- the file of a session ------------------------------------------- */

void mcp_render_fetch(struct mcp *mcp, const struct outcome_file *file,
		      struct reply *reply)
{
	mcp->fetch = false;
	mcp_answer_result(mcp, &mcp->id, reply);
	mcp_answer_cache(mcp, 0, reply);
	mcp_resource_put(reply, &mcp->uri, file);
	mcp_answer_end_result(mcp, reply);
}

static enum mcp_error mcp_fetch_error(const struct mcp *mcp, int status)
{
	if (status == 503 || status == 413)
		return MCP_SERVER;
	if (status >= 500)
		return MCP_INTERNAL;
	return mcp->modern ? MCP_PARAMS : MCP_MISSING;
}

void mcp_refuse_fetch(struct mcp *mcp, const struct refusal *why,
		      struct reply *reply)
{
	mcp->fetch = false;
	if (why->status >= 500)
		reply->status = why->status;
	mcp_answer_begin(mcp, &mcp->id, reply);
	mcp_answer_error(reply, mcp_fetch_error(mcp, why->status),
			 why->message);
	if (mcp->uri.data) {
		reply_text(reply, ",\"data\":{\"uri\":");
		reply_json(reply, &mcp->uri);
		reply_text(reply, "}");
	}
	reply_text(reply, "}");
	mcp_answer_end(mcp, reply);
}

static void mcp_refuse(const struct refusal *why, const char *id,
		       struct reply *reply)
{
	struct mcp mcp = {0};

	reply->id = id;
	mcp_answer_refusal(&mcp,
			   why->status == 500 ? MCP_INTERNAL : MCP_SERVER, why,
			   reply);
}

const struct door mcp_door = {NULL, mcp_render, mcp_refuse, "session", "mcp"};
