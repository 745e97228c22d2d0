/* route_files - see route_files.h. */
#include "route_files.h"

#include <errno.h>
#include <string.h>

#include "fcgi/code_interpreter/code_interpreter_files.h"

#define ROUTE_FILES_FILE_MAX (100u << 20) /* bytes of one file */

/* The order of each kind of call, and whether it has a body. */
static const struct {
	enum session_order_kind order;
	bool body;
} route_files_kinds[CODE_INTERPRETER_FILES_KINDS] = {
	[CODE_INTERPRETER_UPLOAD] = {SESSION_ORDER_PUT, true},
	[CODE_INTERPRETER_EXPORT] = {SESSION_ORDER_GET, true},
	[CODE_INTERPRETER_REMOVE] = {SESSION_ORDER_REMOVE, true},
	[CODE_INTERPRETER_REPLACE] = {SESSION_ORDER_PUT, true},
	[CODE_INTERPRETER_FETCH] = {SESSION_ORDER_GET, false},
	[CODE_INTERPRETER_LIST] = {SESSION_ORDER_LIST, false},
};

static const struct {
	int status;
	const char *reason;
} route_files_failures[SESSION_FILES_RESULTS] = {
	[SESSION_FILES_MISSING] = {404, "File not found in sandbox"},
	[SESSION_FILES_DIRECTORY] = {400, "Invalid path: it is a directory"},
	[SESSION_FILES_BLOCKED] =
		{400, "Invalid path: a file or a link is in the way, or a "
		      "directory that cannot be written to"},
	[SESSION_FILES_NO_ROOM] =
		{413, "File exceeds size limit: the sandbox has no room for "
		      "all files, so none was written"},
	[SESSION_FILES_TOO_LARGE] =
		{413, "File exceeds size limit: the files are too large for "
		      "one answer"},
	[SESSION_FILES_EXISTS] = {409, "The directory exists"},
	[SESSION_FILES_FAILED] = {500, "The files could not be used"},
};

/* Are the files of REQUEST small enough, each and all together? */
static int route_files_sizes(const struct route_call *call,
			     enum code_interpreter_files_kind kind,
			     const struct code_interpreter_files *request,
			     struct refusal *why)
{
	uint64_t all = 0;
	size_t large = 0;

	for (size_t i = 0; i < request->job.files_count; i++) {
		all += request->job.files[i].content.size;
		large += request->job.files[i].content.size >
			 ROUTE_FILES_FILE_MAX;
	}
	if (all > (uint64_t)call->limits.home_mb << 20 && large == 0)
		large = request->job.files_count;
	return large > 0 ? code_interpreter_files_failed(
				   kind, request, large, 413,
				   "File exceeds size limit", why)
			 : 0;
}

static int route_files_read(struct route_call *call,
			    enum code_interpreter_files_kind kind,
			    struct code_interpreter_files *request,
			    struct refusal *why)
{
	const char *query = request_param(call->request, "QUERY_STRING");
	int rc = 0;

	if (route_files_kinds[kind].body)
		rc = request_body(call->request,
				  (uint64_t)call->conf->body_mb << 20,
				  &request->job.body, why);
	call->report.bytes_in = request->job.body.size;
	if (rc == 0)
		rc = code_interpreter_files_read(kind, query, request, why);
	return rc < 0 ? rc : route_files_sizes(call, kind, request, why);
}

/* Have the session keeper do it. The result is in CALL->files. */
static int route_files_do(struct route_call *call,
			  enum code_interpreter_files_kind kind,
			  const struct code_interpreter_files *request,
			  struct refusal *why)
{
	const enum session_order_kind order = route_files_kinds[kind].order;
	const struct session_files *done = &call->files;
	struct session_client client = route_call_sessions(call);
	int rc = session_client_check(&client, CODE_INTERPRETER_V1_NAME,
				      request->job.session.data, why);

	client.must_exist = order != SESSION_ORDER_PUT;
	if (rc == 0)
		rc = session_client_files(&client, order,
					  request->job.session.data,
					  &request->job, &call->files, why);
	if (rc < 0 || done->result == SESSION_FILES_DONE)
		return rc;
	/* Nothing was written, so an upload failed for all its files. */
	const size_t failed = done->result == SESSION_FILES_NO_ROOM
				      ? request->count
				      : done->failed;

	return code_interpreter_files_failed(
		kind, request, failed, route_files_failures[done->result].status,
		route_files_failures[done->result].reason, why);
}

/* Serve a call of KIND: read it, do it, and let ANSWER write the answer. */
static void route_files(struct route_call *call,
			enum code_interpreter_files_kind kind,
			void (*answer)(struct route_call *,
				       const struct code_interpreter_files *))
{
	struct code_interpreter_files request = {0};
	struct session_client client = route_call_sessions(call);
	struct refusal why = {0};
	int rc = session_client_are_on(&client, &why);

	if (rc == 0)
		rc = route_files_read(call, kind, &request, &why);
	if (rc == 0)
		rc = route_files_do(call, kind, &request, &why);
	if (rc < 0)
		route_call_refuse(call, &code_interpreter_v1_door, &why);
	else
		answer(call, &request);
	free(why.list);
	code_interpreter_files_free(&request);
}

static void route_files_uploaded(struct route_call *call,
				 const struct code_interpreter_files *request)
{
	code_interpreter_files_uploaded(request, &call->reply);
}

static void route_files_exported(struct route_call *call,
				 const struct code_interpreter_files *request)
{
	code_interpreter_files_exported(request, &call->files.got,
					&call->reply);
}

static void route_files_removed(struct route_call *call,
				const struct code_interpreter_files *request)
{
	(void)request;
	call->reply.status = 204;
}

static void route_files_listed(struct route_call *call,
			       const struct code_interpreter_files *request)
{
	const struct home_files_list *list = &call->files.list;

	(void)request;
	reply_text(&call->reply, "{\"files\":[");
	for (size_t i = 0; i < list->count; i++)
		code_interpreter_files_listed(&call->reply, i == 0,
					      list->entries[i].name,
					      list->entries[i].size,
					      list->entries[i].modified);
	reply_text(&call->reply, list->cut ? "],\"truncated\":true}\n"
					   : "]}\n");
}

static void route_files_fetched(struct route_call *call,
				const struct code_interpreter_files *request)
{
	(void)request;
	code_interpreter_files_fetched(&call->files.got, &call->reply);
}

void route_files_upload(struct route_call *call)
{
	route_files(call, CODE_INTERPRETER_UPLOAD, route_files_uploaded);
}

void route_files_export(struct route_call *call)
{
	route_files(call, CODE_INTERPRETER_EXPORT, route_files_exported);
}

void route_files_remove(struct route_call *call)
{
	route_files(call, CODE_INTERPRETER_REMOVE, route_files_removed);
}

void route_files_list(struct route_call *call)
{
	route_files(call, CODE_INTERPRETER_LIST, route_files_listed);
}

void route_files_fetch(struct route_call *call)
{
	route_files(call, CODE_INTERPRETER_FETCH, route_files_fetched);
}

void route_files_replace(struct route_call *call)
{
	route_files(call, CODE_INTERPRETER_REPLACE, route_files_uploaded);
}
