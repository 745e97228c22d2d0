/* e2b_files - see e2b_files.h. */
#include "e2b_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "e2b_reply.h"
#include "e2b_rpc.h"
#include "fcgi/http/multipart.h"
#include "fcgi/http/query.h"
#include "sandbox/text/text.h"

/* ---- paths ------------------------------------------------------------- */

/* Does a call of KIND change files? */
static bool e2b_files_changes(enum e2b_files_kind kind)
{
	return kind != E2B_FILES_READ && kind != E2B_FILES_LIST &&
	       kind != E2B_FILES_STAT;
}

/* Is NAME home or /tmp itself? */
static bool e2b_files_is_top(const char *name)
{
	return !strchr(name, '/');
}

/* A path that leads to no file that the call may use. */
static int e2b_files_astray(const struct e2b_files *files, int kind,
			    const char *field, struct refusal *why)
{
	if (!e2b_files_changes(files->kind))
		return kind == E2B_PATH_ELSEWHERE
			       ? refuse(why, 404, "not_found",
					"there is no such file")
			       : refuse(why, 400, "bad_path",
					"%s is a directory", field);
	if (files->kind == E2B_FILES_MAKE && kind != E2B_PATH_ELSEWHERE)
		return refuse(why, 409, "exists", "the directory exists");
	return refuse(why, 400, "bad_path",
		      "%s must lead below /home/user or /tmp", field);
}

/* May the call use NAME? A fault of a part of it is told by the rules for input
 * files. */
static int e2b_files_check(const struct e2b_files *files, const char *name,
			   const char *field, struct refusal *why)
{
	const bool top = e2b_files_is_top(name);
	const char *fault = top ? NULL
				: job_file_name_fault(strchr(name, '/') + 1);

	if (fault)
		return refuse(why, 400, "bad_path", "%s %s", field, fault);
	if (!top || files->kind == E2B_FILES_LIST ||
	    files->kind == E2B_FILES_STAT || files->kind == E2B_FILES_MAKE)
		return 0;
	return refuse(why, 400, "bad_path", "%s is a directory that stays",
		      field);
}

int e2b_files_add(struct e2b_files *files, const struct bytes *text,
		  const char *field, struct refusal *why)
{
	char name[E2B_PATH_MAX];
	int kind = e2b_path(files->aliases, text->data, text->size, name);

	if (kind == -ENOMEM)
		return kind;
	if (kind < 0)
		return refuse(why, 400, "bad_path",
			      "%s must be a path of 1 to %d bytes", field,
			      JOB_FILE_NAME_MAX);
	if ((kind == E2B_PATH_ROOT || kind == E2B_PATH_HOMES) &&
	    (files->kind == E2B_FILES_LIST || files->kind == E2B_FILES_STAT)) {
		files->top = (enum e2b_path_kind)kind;
		return 0;
	}
	if (kind != E2B_PATH_FILE)
		return e2b_files_astray(files, kind, field, why);
	int rc = e2b_files_check(files, name, field, why);

	if (rc < 0)
		return rc;
	struct job_file *file = job_add_file(&files->job);

	if (file)
		file->name = strdup(name);
	return file && file->name ? 0 : -ENOMEM;
}

/* ---- bodies of JSON ---------------------------------------------------- */

static int e2b_files_take(struct e2b_files *files, struct json_span span,
			  const char *field)
{
	struct bytes text = {0};
	int rc;

	if (!span.data)
		return refuse(files->why, 400, "missing", "%s is required",
			      field);
	rc = json_string(span, &text);
	if (rc == 0)
		rc = e2b_files_add(files, &text, field, files->why);
	free(text.data);
	return rc;
}

static int e2b_files_take_path(void *context, struct json_span span)
{
	return e2b_files_take(context, span, "path");
}

static int e2b_files_take_source(void *context, struct json_span span)
{
	return e2b_files_take(context, span, "source");
}

static int e2b_files_take_destination(void *context, struct json_span span)
{
	return e2b_files_take(context, span, "destination");
}

static int e2b_files_take_depth(void *context, struct json_span span)
{
	struct e2b_files *files = context;
	long long depth = INT_MAX;
	int rc = json_integer(span, &depth);

	if (rc == -EINVAL || depth < 0)
		return refuse(files->why, 400, "bad_type",
			      "depth must be a whole number of 0 or more");
	files->depth = depth < INT_MAX ? (unsigned)depth : INT_MAX;
	return 0;
}

static const struct field e2b_files_list_rows[] = {
	{"path", JSON_STRING, true, e2b_files_take_path, "string 1..",
	 "The directory: absolute, or relative to home."},
	{"depth", JSON_NUMBER, false, e2b_files_take_depth, "integer 0.. = 1",
	 "Levels of directories that are listed; 0 is 1."},
};

static const struct field e2b_files_path_rows[] = {
	{"path", JSON_STRING, true, e2b_files_take_path, "string 1..",
	 "The file or directory: absolute, or relative to home."},
};

static const struct field e2b_files_move_rows[] = {
	{"source", JSON_STRING, true, e2b_files_take_source, "string 1..",
	 "The file or directory that is moved."},
	{"destination", JSON_STRING, true, e2b_files_take_destination,
	 "string 1..", "Its new path."},
};

const struct fields e2b_files_list_fields = {
	e2b_files_list_rows, ARRAY_LEN(e2b_files_list_rows), .bad_type = 400};
const struct fields e2b_files_path_fields = {
	e2b_files_path_rows, ARRAY_LEN(e2b_files_path_rows), .bad_type = 400};
const struct fields e2b_files_move_fields = {
	e2b_files_move_rows, ARRAY_LEN(e2b_files_move_rows), .bad_type = 400};

/* ---- /files ------------------------------------------------------------ */

static int e2b_files_query(struct e2b_files *files, const char *name,
			   struct bytes *out, struct refusal *why)
{
	int found = query_find(files->query, name, out);

	return found == -ENOMEM ? refuse(why, 500, "internal_error",
					 "the server ran out of memory")
				: found;
}

/* Add the file of the query. 1; 0: it names none. */
static int e2b_files_of_query(struct e2b_files *files, struct refusal *why)
{
	struct bytes path = {0}, signature = {0};
	int found = e2b_files_query(files, "signature", &signature, why);

	if (found > 0)
		found = refuse(why, 401, "signed",
			       "signed addresses are not served: use the "
			       "token");
	if (found == 0)
		found = e2b_files_query(files, "path", &path, why);
	if (found > 0) {
		int rc = e2b_files_add(files, &path, "path", why);

		found = rc < 0 ? rc : 1;
	}
	free(path.data);
	free(signature.data);
	return found;
}

bool e2b_files_twice(const struct job *job)
{
	for (size_t i = 0; i < job->files_count; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(job->files[i].name, job->files[j].name) == 0)
				return true;
	return false;
}

/* Add the file of PART. NAMED: the query names it. */
static int e2b_files_part(struct e2b_files *files,
			  const struct multipart_part *part, bool named,
			  struct refusal *why)
{
	struct job *job = &files->job;
	const struct bytes name = {(char *)(uintptr_t)part->file,
				   strlen(part->file)};
	int rc = named ? 0 : e2b_files_add(files, &name, "filename", why);

	if (rc < 0)
		return rc;
	job->files[job->files_count - 1].content = part->content;
	return 0;
}

static int e2b_files_parts(struct e2b_files *files, bool named,
			   struct refusal *why)
{
	struct multipart parts;
	struct multipart_part part;
	size_t count = 0;
	int rc = multipart_begin(&parts, files->content_type,
				 files->job.body.data, files->job.body.size);

	while (rc == 0) {
		int got = multipart_next(&parts, &part);

		if (got <= 0) {
			rc = got;
			break;
		}
		if (strcmp(part.name, "file") != 0)
			continue;
		if (++count > (named ? 1 : E2B_FILES_MOST))
			return refuse(why, 400, "too_many",
				      named ? "path is for one file alone"
					    : "there are too many files");
		rc = e2b_files_part(files, &part, named, why);
		if (rc == -EINVAL)
			return rc;
	}
	if (rc == -EINVAL)
		return refuse(why, 400, "bad_body",
			      "the body must be of the type "
			      "multipart/form-data, and whole");
	return rc == 0 && count == 0
		       ? refuse(why, 400, "missing",
				"the body has no part with the name file")
		       : rc;
}

static int e2b_files_read_write(struct e2b_files *files, struct refusal *why)
{
	int named = e2b_files_of_query(files, why);
	struct job *job = &files->job;

	if (named < 0)
		return named;
	if (multipart_is(files->content_type)) {
		int rc = e2b_files_parts(files, named > 0, why);

		if (rc == 0 && e2b_files_twice(job))
			return refuse(why, 400, "twice",
				      "two files have the same path");
		return rc;
	}
	if (!named)
		return refuse(why, 400, "missing", "path is required");
	job->files[0].content = job->body;
	return 0;
}

static int e2b_files_read_read(struct e2b_files *files, struct refusal *why)
{
	int named = e2b_files_of_query(files, why);

	return named == 0 ? refuse(why, 400, "missing", "path is required")
			  : named < 0 ? named : 0;
}

int e2b_files_read(enum e2b_files_kind kind, struct e2b_files *files,
		   struct refusal *why)
{
	static const struct fields *const bodies[E2B_FILES_KINDS] = {
		[E2B_FILES_LIST] = &e2b_files_list_fields,
		[E2B_FILES_STAT] = &e2b_files_path_fields,
		[E2B_FILES_MAKE] = &e2b_files_path_fields,
		[E2B_FILES_MOVE] = &e2b_files_move_fields,
		[E2B_FILES_REMOVE] = &e2b_files_path_fields,
	};
	int rc;

	files->kind = kind;
	files->why = why;
	files->depth = 1;
	if (bodies[kind])
		return fields_read(files->job.body.data, files->job.body.size,
				   bodies[kind], files, why);
	rc = kind == E2B_FILES_READ ? e2b_files_read_read(files, why)
				    : e2b_files_read_write(files, why);
	if (rc == -ENOMEM)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	return rc;
}

/* Contents lie in the body, but not where job_free() would see that. */
void e2b_files_free(struct e2b_files *files)
{
	for (size_t i = 0; i < files->job.files_count; i++)
		files->job.files[i].content = (struct bytes){0};
	job_free(&files->job);
}

/* ---- answers ----------------------------------------------------------- */

static void e2b_files_time(struct reply *reply, int64_t seconds)
{
	const time_t when = seconds;
	char text[32] = "1970-01-01T00:00:00Z";
	struct tm parts;

	if (gmtime_r(&when, &parts))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	reply_string(reply, text);
}

/* As Go writes them, in which E2B's own server is. */
static void e2b_files_permissions(mode_t mode, char out[11])
{
	static const char letters[] = "rwxrwxrwx";

	memcpy(out, "----------", 11);
	if (S_ISDIR(mode))
		out[0] = 'd';
	if (S_ISLNK(mode))
		out[0] = 'L';
	for (unsigned i = 0; i < 9; i++)
		if (mode & 0400u >> i)
			out[i + 1] = letters[i];
}

/* Append ENTRY, under its PATH. */
static void e2b_files_put_as(struct reply *reply,
			     const struct e2b_files_entry *entry,
			     const char *path)
{
	const char *slash = strrchr(path, '/');
	char permissions[11];

	e2b_files_permissions(entry->mode, permissions);
	reply_text(reply, "{\"name\":");
	reply_string(reply, slash && slash[1] ? slash + 1 : path);
	reply_format(reply, ",\"type\":\"FILE_TYPE_%s\",\"path\":",
		     S_ISDIR(entry->mode) ? "DIRECTORY" : "FILE");
	reply_string(reply, path);
	reply_format(reply,
		     ",\"size\":\"%ju\",\"mode\":%u,\"permissions\":\"%s\","
		     "\"owner\":\"user\",\"group\":\"user\","
		     "\"modifiedTime\":",
		     (uintmax_t)entry->size, (unsigned)(entry->mode & 07777),
		     permissions);
	e2b_files_time(reply, entry->modified);
	if (entry->target) {
		reply_text(reply, ",\"symlinkTarget\":");
		reply_string(reply, entry->target);
	}
	reply_text(reply, "}");
}

void e2b_files_put(struct reply *reply, const struct e2b_files_entry *entry)
{
	const char *rest, *top = e2b_path_top(entry->name, &rest);
	owned_free char *path = NULL;

	if (asprintf(&path, "%s%s", top, rest) < 0)
		reply->error = -ENOMEM;
	else
		e2b_files_put_as(reply, entry, path);
}

static const struct e2b_files_entry e2b_files_fixed = {
	.mode = S_IFDIR | 0555};

void e2b_files_put_top(struct reply *reply, enum e2b_path_kind top)
{
	e2b_files_put_as(reply, &e2b_files_fixed,
			 top == E2B_PATH_ROOT ? "/" : "/home");
}

/* The directories that a program can use. */
void e2b_files_list_top(struct reply *reply, enum e2b_path_kind top)
{
	static const char *const root[] = {"/home", "/tmp", "/usr"};
	static const char *const homes[] = {"/home/user"};
	const char *const *list = top == E2B_PATH_ROOT ? root : homes;
	const size_t count = top == E2B_PATH_ROOT ? ARRAY_LEN(root)
						  : ARRAY_LEN(homes);

	reply_text(reply, "{\"entries\":[");
	for (size_t i = 0; i < count; i++) {
		reply_text(reply, i ? "," : "");
		e2b_files_put_as(reply, &e2b_files_fixed, list[i]);
	}
	reply_text(reply, "]}\n");
}

void e2b_files_written(const struct e2b_files *files, struct reply *reply)
{
	for (size_t i = 0; i < files->job.files_count; i++) {
		const char *rest;
		const char *top = e2b_path_top(files->job.files[i].name, &rest);
		struct text path = {0};

		text_format(&path, "%s%s", top, rest);
		reply_text(reply, i ? ",{\"path\":" : "[{\"path\":");
		reply_json_string(reply, path.data, path.size);
		reply_text(reply, ",\"name\":");
		reply_string(reply, strrchr(rest, '/') + 1);
		reply_text(reply, ",\"type\":\"file\"}");
		if (path.error)
			reply->error = path.error;
		text_free(&path);
	}
	reply_text(reply, "]\n");
}

/* ---- the door ---------------------------------------------------------- */

static int e2b_files_parse(const struct door_limits *limits, struct job *job,
			   struct refusal *why)
{
	(void)limits;
	(void)job;
	return refuse(why, 501, "not_implemented", "%s", e2b_rpc_no_shell);
}

static void e2b_files_refuse(const struct refusal *why, const char *id,
			     struct reply *reply)
{
	struct refusal told = *why;

	told.status = e2b_reply_status(why, 502);
	e2b_reply_refusal(&told, id, reply);
}

const struct door e2b_files_door = {e2b_files_parse, e2b_reply_lines,
				    e2b_files_refuse, NULL, "e2b"};
