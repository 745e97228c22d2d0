/* route_opensandbox_files - see route_opensandbox.h: the files of a sandbox. */
#include "route_opensandbox.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fcgi/opensandbox/opensandbox_files.h"

/* One path: how its request is read, done and answered. */
struct route_opensandbox_files {
	int (*read)(struct opensandbox_files *, struct refusal *);
	int (*check)(struct route_call *, struct opensandbox_file *,
		     const char *, struct refusal *); /* before; or NULL */
	bool there; /* it is no error if there is one already */
	/* Write the result of one call; NULL: the answer is empty. */
	void (*put)(struct route_call *, const struct opensandbox_file *,
		    size_t index);
	const char *begin, *end; /* of the answer, or NULL */
};

/* Have the session keeper do FILE in the sandbox ID. */
static int route_opensandbox_files_one(struct route_call *call,
				       struct opensandbox_file *file,
				       const char *id, struct refusal *why)
{
	session_files_free(&call->files);
	call->files = (struct session_files){0};
	return route_e2b_files_do(call, &file->request, id, why);
}

static int route_opensandbox_files_all(struct route_call *call,
				       const struct route_opensandbox_files *row,
				       struct opensandbox_files *files,
				       const char *id, struct refusal *why)
{
	int rc = 0;

	for (size_t i = 0; i < files->count && rc == 0; i++) {
		struct opensandbox_file *file = &files->list[i];

		if (row->check)
			rc = row->check(call, file, id, why);
		if (rc == 0)
			rc = route_opensandbox_files_one(call, file, id, why);
		if (rc < 0 && row->there &&
		    call->files.result == SESSION_FILES_EXISTS)
			rc = 0;
		if (rc == 0 && row->put)
			row->put(call, file, i);
	}
	return rc;
}

static void route_opensandbox_files_serve(
	struct route_call *call, const struct route_opensandbox_files *row)
{
	struct opensandbox_files files = {
		.aliases = call->box->home_aliases,
		.query = request_param(call->request, "QUERY_STRING"),
		.content_type = request_param(call->request, "CONTENT_TYPE")};
	struct refusal why = {0};
	char id[E2B_ID + 1];
	int rc = request_body(call->request,
			      (uint64_t)call->conf->body_mb << 20, &files.body,
			      &why);

	call->report.bytes_in = files.body.size;
	if (rc == 0)
		rc = route_opensandbox_id(call, id, &why);
	if (rc == 0)
		rc = row->read(&files, &why);
	if (rc == 0) {
		reply_text(&call->reply, row->begin ? row->begin : "");
		rc = route_opensandbox_files_all(call, row, &files, id, &why);
		reply_text(&call->reply, row->end ? row->end : "");
	}
	if (rc < 0) { /* in place of the results that were written */
		reply_free(&call->reply);
		reply_init(&call->reply);
		route_call_refuse(call, &opensandbox_run_door, &why);
	}
	opensandbox_files_free(&files);
}

/* ---- results ----------------------------------------------------------- */

static void route_opensandbox_files_put(struct route_call *call, size_t index)
{
	const struct e2b_files_entry one =
		route_e2b_files_entry(&call->files.list.entries[index]);

	opensandbox_files_put(&call->reply, &one);
}

static void route_opensandbox_files_got(struct route_call *call,
					const struct opensandbox_file *file,
					size_t index)
{
	const struct outcome *got = &call->files.got;

	(void)file;
	(void)index;
	call->reply.content_type = "application/octet-stream";
	if (got->files_count > 0)
		reply_raw_file(&call->reply, got->files[0].fd,
			       got->files[0].size);
}

static void route_opensandbox_files_described(
	struct route_call *call, const struct opensandbox_file *file,
	size_t index)
{
	reply_text(&call->reply, index ? "," : "");
	reply_string(&call->reply, file->path);
	reply_text(&call->reply, ":");
	if (call->files.list.count > 0)
		route_opensandbox_files_put(call, 0);
	else
		reply_text(&call->reply, "null");
}

static void route_opensandbox_files_listed(struct route_call *call,
					   const struct opensandbox_file *file,
					   size_t index)
{
	(void)file;
	(void)index;
	for (size_t i = 0; i < call->files.list.count; i++) {
		reply_text(&call->reply, i ? "," : "");
		route_opensandbox_files_put(call, i);
	}
}

/* The call that removes files removes no directories. */
static int route_opensandbox_files_is_file(struct route_call *call,
					   struct opensandbox_file *file,
					   const char *id, struct refusal *why)
{
	int rc;

	file->request.kind = E2B_FILES_STAT;
	rc = route_opensandbox_files_one(call, file, id, why);
	file->request.kind = E2B_FILES_REMOVE;
	if (rc == 0 && call->files.list.count > 0 &&
	    S_ISDIR(call->files.list.entries[0].mode))
		return refuse(why, 400, "bad_path", "path is a directory");
	return rc;
}

/* ---- the paths --------------------------------------------------------- */

void route_opensandbox_download(struct route_call *call)
{
	static const struct route_opensandbox_files row = {
		.read = opensandbox_files_download,
		.put = route_opensandbox_files_got};

	route_opensandbox_files_serve(call, &row);
}

void route_opensandbox_upload(struct route_call *call)
{
	static const struct route_opensandbox_files row = {
		.read = opensandbox_files_upload};

	route_opensandbox_files_serve(call, &row);
}

void route_opensandbox_info(struct route_call *call)
{
	static const struct route_opensandbox_files row = {
		.read = opensandbox_files_info,
		.put = route_opensandbox_files_described,
		.begin = "{",
		.end = "}\n"};

	route_opensandbox_files_serve(call, &row);
}

void route_opensandbox_remove_files(struct route_call *call)
{
	static const struct route_opensandbox_files row = {
		.read = opensandbox_files_remove,
		.check = route_opensandbox_files_is_file};

	route_opensandbox_files_serve(call, &row);
}

void route_opensandbox_move(struct route_call *call)
{
	static const struct route_opensandbox_files row = {
		.read = opensandbox_files_move};

	route_opensandbox_files_serve(call, &row);
}

void route_opensandbox_directory(struct route_call *call)
{
	static const struct route_opensandbox_files row = {
		.read = opensandbox_files_list,
		.put = route_opensandbox_files_listed,
		.begin = "[",
		.end = "]\n"};

	route_opensandbox_files_serve(call, &row);
}

void route_opensandbox_make(struct route_call *call)
{
	static const struct route_opensandbox_files row = {
		.read = opensandbox_files_make,
		.there = true};

	route_opensandbox_files_serve(call, &row);
}

void route_opensandbox_remove_directories(struct route_call *call)
{
	static const struct route_opensandbox_files row = {
		.read = opensandbox_files_remove};

	route_opensandbox_files_serve(call, &row);
}
