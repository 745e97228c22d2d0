/* opensandbox_files - see opensandbox_files.h. */
#include "opensandbox_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fcgi/e2b/e2b_list.h"
#include "fcgi/http/multipart.h"
#include "fcgi/http/query.h"
#include "sandbox/text/text.h"

#define OPENSANDBOX_FILES_DEPTH_MAX 1000 /* more than a path can have */

void opensandbox_files_free(struct opensandbox_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		e2b_files_free(&files->list[i].request);
		free(files->list[i].path);
	}
	free(files->list);
	free(files->body.data);
	*files = (struct opensandbox_files){0};
}

static int opensandbox_files_end(int rc, struct refusal *why)
{
	return rc == -ENOMEM ? refuse(why, 500, "internal_error",
				      "the server ran out of memory")
			     : rc;
}

/* Add a call of KIND. NULL: there is no memory. */
static struct opensandbox_file *
opensandbox_files_add(struct opensandbox_files *files, enum e2b_files_kind kind)
{
	struct opensandbox_file *list = reallocarray(
		files->list, files->count + 1, sizeof(*list));

	if (!list)
		return NULL;
	files->list = list;
	list[files->count] = (struct opensandbox_file){
		.request = {.kind = kind, .depth = 1,
			    .aliases = files->aliases}};
	return &list[files->count++];
}

/* Add a call of KIND for the path TEXT, which the request has as FIELD. */
static int opensandbox_files_add_path(struct opensandbox_files *files,
				      enum e2b_files_kind kind,
				      const struct bytes *text,
				      const char *field)
{
	struct opensandbox_file *file;

	if (files->count >= OPENSANDBOX_FILES_MOST)
		return refuse(files->why, 400, "too_many",
			      "a request may have at most %d of %s",
			      OPENSANDBOX_FILES_MOST, field);
	file = opensandbox_files_add(files, kind);
	if (!file)
		return -ENOMEM;
	file->path = strdup(text->data);
	if (!file->path)
		return -ENOMEM;
	int rc = e2b_files_add(&file->request, text, field, files->why);

	if (rc == 0 && file->request.top)
		return refuse(files->why, 400, "bad_path",
			      "%s must lead below /home/user or /tmp", field);
	return rc;
}

/* ---- requests without a body ------------------------------------------- */

/* Add a call of KIND for each parameter path of the query. */
static int opensandbox_files_query(struct opensandbox_files *files,
				   enum e2b_files_kind kind)
{
	int rc = 0;

	for (const char *at = files->query; *at && rc >= 0; at += *at == '&') {
		size_t size = strcspn(at, "&");
		owned_free char *part = strndup(at, size);
		struct bytes path = {0};

		rc = part ? query_find(part, "path", &path) : -ENOMEM;
		if (rc > 0)
			rc = opensandbox_files_add_path(files, kind, &path,
							"path");
		free(path.data);
		at += size;
	}
	if (rc < 0)
		return rc;
	return files->count > 0 ? 0 : refuse(files->why, 400, "missing",
					     "path is required");
}

/* The same for calls that take one path. */
static int opensandbox_files_one(struct opensandbox_files *files,
				 enum e2b_files_kind kind)
{
	int rc = opensandbox_files_query(files, kind);

	return rc == 0 && files->count > 1
		       ? refuse(files->why, 400, "twice", "path is for one "
				"file alone") : rc;
}

int opensandbox_files_download(struct opensandbox_files *files,
			       struct refusal *why)
{
	static const char *const lines[] = {"offset", "limit"};
	int rc = 0;

	files->why = why;
	for (size_t i = 0; i < ARRAY_LEN(lines) && rc == 0; i++) {
		struct bytes ignored = {0};

		rc = query_find(files->query, lines[i], &ignored);
		free(ignored.data);
		if (rc > 0)
			rc = refuse(why, 501, "not_implemented",
				    "%s: files are read as a whole", lines[i]);
	}
	if (rc == 0)
		rc = opensandbox_files_one(files, E2B_FILES_READ);
	return opensandbox_files_end(rc, why);
}

int opensandbox_files_info(struct opensandbox_files *files,
			   struct refusal *why)
{
	files->why = why;
	return opensandbox_files_end(
		opensandbox_files_query(files, E2B_FILES_STAT), why);
}

int opensandbox_files_remove(struct opensandbox_files *files,
			     struct refusal *why)
{
	files->why = why;
	return opensandbox_files_end(
		opensandbox_files_query(files, E2B_FILES_REMOVE), why);
}

int opensandbox_files_list(struct opensandbox_files *files,
			   struct refusal *why)
{
	unsigned depth = 1;
	int rc;

	files->why = why;
	rc = opensandbox_files_one(files, E2B_FILES_LIST);
	if (rc == 0)
		rc = e2b_list_number(files->query, "depth", 0,
				     OPENSANDBOX_FILES_DEPTH_MAX, &depth, why);
	if (rc == 0)
		files->list[0].request.depth = depth;
	return opensandbox_files_end(rc, why);
}

/* ---- bodies of JSON ---------------------------------------------------- */

/* Check the body: its value must be of KIND. */
static int opensandbox_files_check(const struct opensandbox_files *files,
				   enum json_kind kind)
{
	const struct bytes *body = &files->body;
	int rc;

	if (body->size == 0)
		return refuse(files->why, 400, "empty_body",
			      "the body is empty");
	rc = json_check(body->data, body->size, &json_limits_request,
			files->why);
	if (rc == 0 && json_kind(json_whole(body->data, body->size)) != kind)
		return refuse(files->why, 400, "bad_type",
			      "the body must be %s", json_kind_names[kind]);
	return rc;
}

int opensandbox_files_make(struct opensandbox_files *files,
			   struct refusal *why)
{
	int rc;

	files->why = why;
	rc = opensandbox_files_check(files, JSON_OBJECT);
	if (rc < 0)
		return opensandbox_files_end(rc, why);
	struct json_walk walk = json_walk(
		json_whole(files->body.data, files->body.size));

	while (rc == 0 && json_next(&walk)) {
		struct bytes path = {0};

		if (json_kind(walk.value) != JSON_OBJECT)
			return refuse(why, 400, "bad_type",
				      "each member must be an object");
		rc = json_string(walk.key, &path);
		if (rc == 0)
			rc = opensandbox_files_add_path(
				files, E2B_FILES_MAKE, &path, "each name");
		free(path.data);
	}
	return opensandbox_files_end(rc, why);
}

static int opensandbox_files_take_source(void *context, struct json_span span)
{
	struct opensandbox_files *files = context;
	struct bytes path = {0};
	int rc;

	if (!span.data)
		return refuse(files->why, 400, "missing", "src is required");
	rc = json_string(span, &path);
	if (rc == 0)
		rc = opensandbox_files_add_path(files, E2B_FILES_MOVE, &path,
						"src");
	free(path.data);
	return rc;
}

/* The source has been taken before. */
static int opensandbox_files_take_target(void *context, struct json_span span)
{
	struct opensandbox_files *files = context;
	struct bytes path = {0};
	int rc;

	if (!span.data)
		return refuse(files->why, 400, "missing", "dest is required");
	rc = json_string(span, &path);
	if (rc == 0)
		rc = e2b_files_add(&files->list[files->count - 1].request,
				   &path, "dest", files->why);
	free(path.data);
	return rc;
}

static const struct field opensandbox_files_move_rows[] = {
	{"src", JSON_STRING, true, opensandbox_files_take_source, NULL, NULL},
	{"dest", JSON_STRING, true, opensandbox_files_take_target, NULL, NULL},
};

static const struct fields opensandbox_files_move_fields = {
	opensandbox_files_move_rows, ARRAY_LEN(opensandbox_files_move_rows),
	.bad_type = 400};

int opensandbox_files_move(struct opensandbox_files *files,
			   struct refusal *why)
{
	int rc;

	files->why = why;
	rc = opensandbox_files_check(files, JSON_ARRAY);
	if (rc < 0)
		return opensandbox_files_end(rc, why);
	struct json_walk walk = json_walk(
		json_whole(files->body.data, files->body.size));

	while (rc == 0 && json_next(&walk)) {
		if (json_kind(walk.value) != JSON_OBJECT)
			return refuse(why, 400, "bad_type",
				      "each element must be an object");
		rc = fields_read_object(walk.value,
					&opensandbox_files_move_fields, files,
					why);
	}
	return opensandbox_files_end(rc, why);
}

/* ---- an upload --------------------------------------------------------- */

/* The parts of a body, while they are read: metadata, and the file of it. */
struct opensandbox_files_upload {
	struct e2b_files *request;
	bool told; /* the last file of the request has no content yet */
	struct refusal *why;
};

static int opensandbox_files_take_path(void *context, struct json_span span)
{
	struct opensandbox_files_upload *upload = context;
	struct bytes path = {0};
	int rc;

	if (!span.data)
		return refuse(upload->why, 400, "missing",
			      "path is required in metadata");
	rc = json_string(span, &path);
	if (rc == 0)
		rc = e2b_files_add(upload->request, &path, "path",
				   upload->why);
	free(path.data);
	return rc;
}

/* All files belong to the program's user, and have the mode of its files. */
static int opensandbox_files_take_nothing(void *context,
					  struct json_span span)
{
	(void)context;
	(void)span;
	return 0;
}

static const struct field opensandbox_files_about_rows[] = {
	{"path", JSON_STRING, true, opensandbox_files_take_path, NULL, NULL},
	{"owner", JSON_STRING, false, opensandbox_files_take_nothing, NULL,
	 NULL},
	{"group", JSON_STRING, false, opensandbox_files_take_nothing, NULL,
	 NULL},
	{"mode", JSON_NUMBER, false, opensandbox_files_take_nothing, NULL,
	 NULL},
};

static const struct fields opensandbox_files_about_fields = {
	opensandbox_files_about_rows, ARRAY_LEN(opensandbox_files_about_rows),
	.bad_type = 400};

static int opensandbox_files_part(struct opensandbox_files_upload *upload,
				  const struct multipart_part *part)
{
	struct job *job = &upload->request->job;

	if (strcmp(part->name, "metadata") == 0) {
		if (upload->told)
			return refuse(upload->why, 400, "missing",
				      "a part file must follow metadata");
		if (job->files_count >= E2B_FILES_MOST)
			return refuse(upload->why, 400, "too_many",
				      "there are too many files");
		upload->told = true;
		return fields_read(part->content.data, part->content.size,
				   &opensandbox_files_about_fields, upload,
				   upload->why);
	}
	if (strcmp(part->name, "file") != 0)
		return 0;
	if (!upload->told)
		return refuse(upload->why, 400, "missing",
			      "a part metadata must come before each file");
	job->files[job->files_count - 1].content = part->content;
	upload->told = false;
	return 0;
}

static int opensandbox_files_parts(struct opensandbox_files *files,
				   struct opensandbox_files_upload *upload)
{
	struct multipart parts;
	struct multipart_part part;
	int got = multipart_begin(&parts, files->content_type,
				  files->body.data, files->body.size);

	if (got == 0)
		got = 1;
	while (got > 0) {
		int rc;

		got = multipart_next(&parts, &part);
		if (got <= 0)
			break;
		rc = opensandbox_files_part(upload, &part);
		if (rc < 0)
			return rc;
	}
	if (got < 0)
		return refuse(upload->why, 400, "bad_body",
			      "the body must be of the type "
			      "multipart/form-data, and whole");
	return upload->told || upload->request->job.files_count == 0
		       ? refuse(upload->why, 400, "missing",
				"the body must have a part metadata, and a "
				"part file after it")
		       : 0;
}

int opensandbox_files_upload(struct opensandbox_files *files,
			     struct refusal *why)
{
	struct opensandbox_file *file = opensandbox_files_add(files,
							      E2B_FILES_WRITE);
	int rc = file ? 0 : -ENOMEM;

	files->why = why;
	if (file) {
		struct opensandbox_files_upload upload = {
			.request = &file->request, .why = why};

		rc = multipart_is(files->content_type)
			     ? opensandbox_files_parts(files, &upload)
			     : refuse(why, 400, "bad_body",
				      "the body must be of the type "
				      "multipart/form-data");
		if (rc == 0 && e2b_files_twice(&file->request.job))
			rc = refuse(why, 400, "twice",
				    "two files have the same path");
	}
	return opensandbox_files_end(rc, why);
}

/* ---- answers ----------------------------------------------------------- */

/* The API writes a mode as the decimal number that has its octal digits. */
void opensandbox_files_put(struct reply *reply,
			   const struct e2b_files_entry *entry)
{
	const char *rest, *top = e2b_path_top(entry->name, &rest);
	struct text path = {0};

	text_format(&path, "%s%s", top, rest);
	reply_text(reply, "{\"path\":");
	reply_json_string(reply, path.data, path.size);
	reply_format(reply,
		     ",\"type\":\"%s\",\"size\":%ju,\"mode\":%o,"
		     "\"owner\":\"user\",\"group\":\"user\"",
		     S_ISDIR(entry->mode)   ? "directory"
		     : S_ISLNK(entry->mode) ? "symlink"
					    : "file",
		     (uintmax_t)entry->size, (unsigned)(entry->mode & 0777));
	e2b_reply_time(reply, "modified_at", entry->modified);
	e2b_reply_time(reply, "created_at", entry->modified);
	reply_text(reply, "}");
	if (path.error)
		reply->error = path.error;
	text_free(&path);
}
