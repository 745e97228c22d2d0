/* route_e2b_files - see route_e2b.h: the files of a sandbox. */
#include "route_e2b.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fcgi/e2b/e2b_files.h"
#include "fcgi/e2b/e2b_rpc.h"

/* The order of each kind of call, and the form of its refusals. */
static const struct {
	enum session_order_kind order;
	const struct door *door;
	bool body;
} route_e2b_files_kinds[E2B_FILES_KINDS] = {
	[E2B_FILES_READ] = {SESSION_ORDER_TREE_GET, &e2b_files_door, false},
	[E2B_FILES_WRITE] = {SESSION_ORDER_TREE_PUT, &e2b_files_door, true},
	[E2B_FILES_LIST] = {SESSION_ORDER_TREE_LIST, &e2b_rpc_door, true},
	[E2B_FILES_STAT] = {SESSION_ORDER_TREE_STAT, &e2b_rpc_door, true},
	[E2B_FILES_MAKE] = {SESSION_ORDER_TREE_MAKE, &e2b_rpc_door, true},
	[E2B_FILES_MOVE] = {SESSION_ORDER_TREE_MOVE, &e2b_rpc_door, true},
	[E2B_FILES_REMOVE] = {SESSION_ORDER_TREE_REMOVE, &e2b_rpc_door, true},
};

static const struct {
	int status;
	const char *code, *sentence;
} route_e2b_files_failures[SESSION_FILES_RESULTS] = {
	[SESSION_FILES_MISSING] = 
		{404, "not_found", "there is no such file"},
	[SESSION_FILES_DIRECTORY] = 
		{400, "bad_path", "the path is a directory"},
	[SESSION_FILES_BLOCKED] =
		{400, "bad_path", "a file or a link is in the way, or a "
				  "directory that cannot be written to"},
	[SESSION_FILES_NO_ROOM] = 
		{507, "no_room", "the sandbox has no room for it"},
	[SESSION_FILES_EXISTS] = {409, "exists", "the directory exists"},
	[SESSION_FILES_TOO_LARGE] =
		{413, "too_large", "the file is too large for an answer"},
	[SESSION_FILES_FAILED] = 
		{500, "internal_error", "the file could not be used"},
};

int route_e2b_files_do(struct route_call *call, struct e2b_files *request,
		       const char *id, struct refusal *why)
{
	struct session_client client = route_call_sessions(call);
	const enum session_order_kind order =
		route_e2b_files_kinds[request->kind].order;
	char depth[16];
	int size = snprintf(depth, sizeof(depth), "%u", request->depth);
	int rc = session_client_are_on(&client, why);

	free(request->job.args.data);
	client.must_exist = true;
	request->job.args = (struct bytes){strndup(depth, (size_t)size),
					   (size_t)size + 1};
	if (!request->job.args.data)
		return refuse(why, 500, "internal_error",
			      "the server ran out of memory");
	if (rc == 0)
		rc = session_client_files(&client, order, id, &request->job,
					  &call->files, why);
	if (rc < 0 && why->status == 410)
		return refuse(why, 410, "not_found",
			      "there is no such sandbox");
	if (rc < 0 || call->files.result == SESSION_FILES_DONE)
		return rc;
	return refuse(why, route_e2b_files_failures[call->files.result].status,
		      route_e2b_files_failures[call->files.result].code, "%s",
		      route_e2b_files_failures[call->files.result].sentence);
}

/* Read a call of KIND for the sandbox ID, and do it. */
static int route_e2b_files_serve(struct route_call *call,
				 enum e2b_files_kind kind,
				 struct e2b_files *request,
				 struct refusal *why)
{
	struct session_order_sandbox found;
	struct session_order ask = {0};
	char id[E2B_ID + 1];
	int rc = 0;

	request->aliases = call->box->home_aliases;
	request->query = request_param(call->request, "QUERY_STRING");
	request->content_type = request_param(call->request, "CONTENT_TYPE");
	if (route_e2b_files_kinds[kind].body)
		rc = request_body(call->request,
				  (uint64_t)call->conf->body_mb << 20,
				  &request->job.body, why);
	call->report.bytes_in = request->job.body.size;
	if (rc == 0)
		rc = route_e2b_open_id(call, id, why);
	if (rc == 0)
		rc = e2b_files_read(kind, request, why);
	if (rc < 0)
		return rc;
	return request->top ? route_e2b_ask(call, SESSION_ORDER_LOOK, id, &ask,
					    &found, why)
			    : route_e2b_files_do(call, request, id, why);
}

static void route_e2b_files(struct route_call *call, enum e2b_files_kind kind,
			    void (*answer)(struct route_call *,
					   const struct e2b_files *))
{
	struct e2b_files request = {0};
	struct refusal why = {0};

	int rc = route_e2b_files_serve(call, kind, &request, &why);

	if (rc == -ENOMEM && why.status == 0)
		refuse(&why, 500, "internal_error",
		       "the server ran out of memory");
	if (rc < 0)
		route_call_refuse(call, route_e2b_files_kinds[kind].door, &why);
	else
		answer(call, &request);
	e2b_files_free(&request);
}

/* ---- answers ----------------------------------------------------------- */

struct e2b_files_entry
route_e2b_files_entry(const struct home_files_entry *entry)
{
	return (struct e2b_files_entry){.name = entry->name,
					.target = entry->target,
					.size = entry->size,
					.modified = entry->modified,
					.mode = entry->mode};
}

static void route_e2b_files_got(struct route_call *call,
				const struct e2b_files *request)
{
	const struct outcome *got = &call->files.got;

	(void)request;
	call->reply.content_type = "application/octet-stream";
	if (got->files_count > 0)
		reply_raw_file(&call->reply, got->files[0].fd,
			       got->files[0].size);
}

static void route_e2b_files_wrote(struct route_call *call,
				  const struct e2b_files *request)
{
	e2b_files_written(request, &call->reply);
}

static void route_e2b_files_listed(struct route_call *call,
				   const struct e2b_files *request)
{
	const struct home_files_list *list = &call->files.list;

	if (request->top) {
		e2b_files_list_top(&call->reply, request->top);
		return;
	}
	reply_text(&call->reply, "{\"entries\":[");
	for (size_t i = 0; i < list->count; i++) {
		const struct e2b_files_entry entry =
			route_e2b_files_entry(&list->entries[i]);

		reply_text(&call->reply, i ? "," : "");
		e2b_files_put(&call->reply, &entry);
	}
	reply_text(&call->reply, "]}\n");
}

static void route_e2b_files_described(struct route_call *call,
				      const struct e2b_files *request)
{
	const struct home_files_list *list = &call->files.list;

	reply_text(&call->reply, "{\"entry\":");
	if (request->top) {
		e2b_files_put_top(&call->reply, request->top);
	} else if (list->count > 0) {
		const struct e2b_files_entry entry =
			route_e2b_files_entry(&list->entries[0]);

		e2b_files_put(&call->reply, &entry);
	} else {
		reply_text(&call->reply, "null");
	}
	reply_text(&call->reply, "}\n");
}

static void route_e2b_files_removed(struct route_call *call,
				    const struct e2b_files *request)
{
	(void)request;
	reply_text(&call->reply, "{}\n");
}

void route_e2b_files_read(struct route_call *call)
{
	route_e2b_files(call, E2B_FILES_READ, route_e2b_files_got);
}

void route_e2b_files_write(struct route_call *call)
{
	route_e2b_files(call, E2B_FILES_WRITE, route_e2b_files_wrote);
}

void route_e2b_files_list(struct route_call *call)
{
	route_e2b_files(call, E2B_FILES_LIST, route_e2b_files_listed);
}

void route_e2b_files_stat(struct route_call *call)
{
	route_e2b_files(call, E2B_FILES_STAT, route_e2b_files_described);
}

void route_e2b_files_make(struct route_call *call)
{
	route_e2b_files(call, E2B_FILES_MAKE, route_e2b_files_described);
}

void route_e2b_files_move(struct route_call *call)
{
	route_e2b_files(call, E2B_FILES_MOVE, route_e2b_files_described);
}

void route_e2b_files_remove(struct route_call *call)
{
	route_e2b_files(call, E2B_FILES_REMOVE, route_e2b_files_removed);
}
