/* code_interpreter_files - see code_interpreter_files.h. */
#include "code_interpreter_files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "code_interpreter_path.h"
#include "fcgi/http/query.h"
#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"

#define CODE_INTERPRETER_FILES_LOC 160

/* ---- files of the job ------------------------------------------------- */

/* Add the file of a checked place to the job, with an empty content. LOC is for
 * a name that is too long for a file system. */
static int code_interpreter_files_add(struct code_interpreter_files *files,
				      const struct code_interpreter_place *place,
				      const char *loc,
				      struct findings *findings)
{
	const char *name = place->name.data;
	const struct bytes dir = code_interpreter_path_dir(&place->path, name);
	struct job_file *file = job_add_file(&files->job);
	char *whole = NULL;

	if (!file || asprintf(&whole, "%.*s%s%s", (int)dir.size, dir.data,
			      dir.size ? "/" : "", name) < 0)
		return -ENOMEM;
	file->name = whole;
	if (job_file_name_fault(whole))
		findings_add(findings, "string_too_long", loc,
			     "path and name together %s",
			     job_file_name_fault(whole));
	return 0;
}

/* ---- one entry of a body --------------------------------------------- */

/* The members of an entry: found as spans first, because texts are decoded in
 * place. */
struct code_interpreter_entry {
	struct json_span path, name, download_url, upload_url, upload_fields;
	size_t index;
	bool url; /* it names a URL of the network */
};

static void code_interpreter_files_members(struct json_span span,
					   struct code_interpreter_entry *entry)
{
	const struct {
		const char *name;
		struct json_span *span;
	} rows[] = {{"path", &entry->path},
		    {"name", &entry->name},
		    {"download_url", &entry->download_url},
		    {"upload_url", &entry->upload_url},
		    {"upload_fields", &entry->upload_fields}};
	struct json_walk walk = json_walk(span);

	while (json_next(&walk))
		for (size_t i = 0; i < ARRAY_LEN(rows); i++)
			if (json_is(walk.key, rows[i].name))
				*rows[i].span = walk.value;
}

static void
code_interpreter_files_loc(char loc[CODE_INTERPRETER_FILES_LOC],
			   const struct code_interpreter_entry *entry,
			   const char *field)
{
	snprintf(loc, CODE_INTERPRETER_FILES_LOC,
		 "\"body\",\"files\",%zu%s%s%s", entry->index,
		 field ? ",\"" : "", field ? field : "", field ? "\"" : "");
}

/* Is SPAN a string? If not, that goes to FINDINGS. */
static bool code_interpreter_files_string(struct json_span span,
					  const char *field, const char *loc,
					  struct findings *findings)
{
	if (!span.data)
		findings_add(findings, "missing", loc, "%s is required", field);
	else if (json_kind(span) != JSON_STRING)
		findings_add(findings, "string_type", loc,
			     "%s must be a string", field);
	return span.data && json_kind(span) == JSON_STRING;
}

/* Read path or name. *GOOD: it has no fault. */
static int code_interpreter_files_text(const struct job *job,
				       const struct code_interpreter_entry *entry,
				       const char *field, struct bytes *out,
				       bool *good, struct findings *findings)
{
	const struct json_span span = strcmp(field, "path") == 0 ? entry->path
								 : entry->name;
	char loc[CODE_INTERPRETER_FILES_LOC];

	code_interpreter_files_loc(loc, entry, field);
	*good = code_interpreter_files_string(span, field, loc, findings);
	if (!*good)
		return 0;
	int rc = fields_string(job, span, out);

	if (rc == 0)
		*good = code_interpreter_path_check(out, field, loc, findings);
	return rc;
}

/* Decode "data:[type];base64,CONTENT" in place. */
static bool code_interpreter_files_data(const struct bytes *url,
					struct bytes *content)
{
	static const char mark[] = ";base64";
	char *comma = memchr(url->data, ',', url->size);
	const size_t size = sizeof(mark) - 1;

	if (!comma || (size_t)(comma - url->data) < size ||
	    strncasecmp(comma - size, mark, size) != 0)
		return false;
	content->data = comma + 1;
	content->size = url->size - (size_t)(comma + 1 - url->data);
	return text_base64_decode_loosely(content->data, content->size,
					  &content->size) == 0;
}

/* Whether URL is one of http or https with a host. *SCHEME: it has a scheme,
 * and another one. */
static bool code_interpreter_files_http(const char *url, bool *scheme)
{
	size_t size = strspn(url, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789+.-");
	const bool http = (size == 4 && strncasecmp(url, "http", 4) == 0) ||
			  (size == 5 && strncasecmp(url, "https", 5) == 0);

	*scheme = size > 0 && url[size] == ':' && !http;
	return http && strncmp(url + size, "://", 3) == 0 &&
	       !strchr("/?#:@ \\", url[size + 3]);
}

static void code_interpreter_files_bad_url(const char *field, const char *loc,
					   bool scheme,
					   struct findings *findings)
{
	if (scheme)
		findings_add(findings, "url_scheme", loc,
			     "%s must be a URL of another scheme", field);
	else
		findings_add(findings, "url_parsing", loc,
			     "%s must be a valid URL", field);
}

static int code_interpreter_files_download(const struct job *job,
					   struct code_interpreter_entry *entry,
					   struct bytes *content,
					   struct findings *findings)
{
	static const char field[] = "download_url";
	char loc[CODE_INTERPRETER_FILES_LOC];
	struct bytes url;
	bool scheme, good;

	code_interpreter_files_loc(loc, entry, field);
	if (!code_interpreter_files_string(entry->download_url, field, loc,
					   findings))
		return 0;
	int rc = fields_string(job, entry->download_url, &url);

	if (rc < 0)
		return rc;
	if (strncasecmp(url.data, "data:", 5) == 0) {
		good = code_interpreter_files_data(&url, content);
		scheme = false;
	} else {
		good = code_interpreter_files_http(url.data, &scheme);
		entry->url |= good;
	}
	if (!good)
		code_interpreter_files_bad_url(field, loc, scheme, findings);
	return 0;
}

static bool code_interpreter_files_given(struct json_span span)
{
	return span.data && json_kind(span) != JSON_NULL;
}

static void
code_interpreter_files_check_form(const struct code_interpreter_entry *entry,
				  struct findings *findings)
{
	char loc[CODE_INTERPRETER_FILES_LOC];

	code_interpreter_files_loc(loc, entry, "upload_fields");
	if (json_kind(entry->upload_fields) != JSON_OBJECT) {
		findings_add(findings, "dict_type", loc,
			     "upload_fields must be an object");
		return;
	}
	struct json_walk walk = json_walk(entry->upload_fields);

	while (json_next(&walk))
		if (json_kind(walk.value) != JSON_STRING) {
			findings_add(findings, "string_type", loc,
				     "each of upload_fields must be a string");
			return;
		}
	if (code_interpreter_files_given(entry->upload_url))
		return;
	code_interpreter_files_loc(loc, entry, "upload_url");
	findings_add(findings, "missing", loc,
		     "upload_fields need an upload_url");
}

static int code_interpreter_files_target(struct code_interpreter_entry *entry,
					 struct findings *findings)
{
	static const char field[] = "upload_url";
	char loc[CODE_INTERPRETER_FILES_LOC];
	struct bytes url = {0};
	bool scheme;
	int rc = 0;

	if (code_interpreter_files_given(entry->upload_fields))
		code_interpreter_files_check_form(entry, findings);
	if (!code_interpreter_files_given(entry->upload_url))
		return 0;
	code_interpreter_files_loc(loc, entry, field);
	if (code_interpreter_files_string(entry->upload_url, field, loc,
					  findings) &&
	    (rc = json_string(entry->upload_url, &url)) == 0) {
		bool good = code_interpreter_files_http(url.data, &scheme);

		entry->url |= good;
		if (!good)
			code_interpreter_files_bad_url(field, loc, scheme,
						       findings);
	}
	free(url.data);
	return rc;
}

/* Read the entry SPAN: its place, its file, and what it says of URLs. */
static int code_interpreter_files_entry(enum code_interpreter_files_kind kind,
					struct json_span span,
					struct code_interpreter_entry *entry,
					struct code_interpreter_files *files,
					struct findings *findings)
{
	struct code_interpreter_place *place = &files->places[files->count];
	struct bytes content = {0};
	char loc[CODE_INTERPRETER_FILES_LOC];
	bool path = false, name = false;

	code_interpreter_files_loc(loc, entry, NULL);
	if (json_kind(span) != JSON_OBJECT) {
		findings_add(findings, "model_attributes_type", loc,
			     "an entry of files must be an object");
		return 0;
	}
	code_interpreter_files_members(span, entry);
	files->count++;
	/* This one reads JSON, so it precedes those that decode in place. */
	int rc = kind == CODE_INTERPRETER_EXPORT
			 ? code_interpreter_files_target(entry, findings)
			 : 0;

	if (rc == 0)
		rc = code_interpreter_files_text(&files->job, entry, "path",
						 &place->path, &path, findings);
	if (rc == 0)
		rc = code_interpreter_files_text(&files->job, entry, "name",
						 &place->name, &name, findings);
	if (rc == 0 && kind == CODE_INTERPRETER_UPLOAD)
		rc = code_interpreter_files_download(&files->job, entry,
						     &content, findings);
	code_interpreter_files_loc(loc, entry, "path");
	if (rc == 0 && path && name)
		rc = code_interpreter_files_add(files, place, loc, findings);
	if (rc == 0 && path && name && content.data) {
		files->job.files[files->job.files_count - 1].content = content;
		files->job.files[files->job.files_count - 1].once = true;
	}
	return rc;
}

/* ---- a body ---------------------------------------------------------- */

static bool code_interpreter_files_list(const struct job *job,
					struct json_span *list,
					struct findings *findings)
{
	static const char loc[] = "\"body\",\"files\"";
	size_t count = 0;

	if (!json_member(json_whole(job->body.data, job->body.size), "files",
			 list)) {
		findings_add(findings, "missing", loc, "files is required");
		return false;
	}
	if (json_kind(*list) != JSON_ARRAY) {
		findings_add(findings, "list_type", loc,
			     "files must be a list");
		return false;
	}
	for (struct json_walk walk = json_walk(*list); json_next(&walk);)
		count++;
	if (count == 0)
		findings_add(findings, "too_short", loc,
			     "files must not be empty");
	if (count > CODE_INTERPRETER_FILES_MOST)
		findings_add(findings, "too_long", loc,
			     "files has more than %d entries",
			     CODE_INTERPRETER_FILES_MOST);
	return count > 0 && count <= CODE_INTERPRETER_FILES_MOST;
}

/* Read a body with a list of files. *URL: one of them names a URL. */
static int code_interpreter_files_body(enum code_interpreter_files_kind kind,
				       struct code_interpreter_files *files,
				       struct findings *findings, bool *url)
{
	const struct job *job = &files->job;
	const size_t before = findings->count;
	struct json_span list;
	int rc = code_interpreter_v1_body(job->body.data, job->body.size,
					  findings);

	if (rc < 0 || findings->count > before ||
	    !code_interpreter_files_list(job, &list, findings))
		return rc;
	files->places = calloc(CODE_INTERPRETER_FILES_MOST,
			       sizeof(*files->places));
	if (!files->places)
		return -ENOMEM;
	struct json_walk walk = json_walk(list);

	while (rc == 0 && json_next(&walk)) {
		struct code_interpreter_entry entry = {.index = walk.index};

		rc = code_interpreter_files_entry(kind, walk.value, &entry,
						  files, findings);
		*url |= entry.url;
	}
	return rc;
}

/* ---- a query --------------------------------------------------------- */

/* Read FIELD of QUERY. *GOOD: it is there and has no fault. */
static int code_interpreter_files_param(const char *query, const char *field,
					struct bytes *out, bool *good,
					struct findings *findings)
{
	char loc[CODE_INTERPRETER_FILES_LOC];
	int count = query_find(query, field, out);

	snprintf(loc, sizeof(loc), "\"query\",\"%s\"", field);
	*good = false;
	if (count < 0)
		return count;
	if (count == 0)
		findings_add(findings, "missing", loc,
			     "%s is required in the query", field);
	else if (count > 1)
		findings_add(findings, "string_type", loc, "%s was sent twice",
			     field);
	else
		*good = code_interpreter_path_check(out, field, loc, findings);
	return 0;
}

/* LIST: the directory, which is home if the query has none. */
static int code_interpreter_files_folder(const char *query,
					 struct code_interpreter_files *files,
					 struct findings *findings)
{
	struct bytes path = {0};
	bool good;
	int rc = query_find(query, "path", &path);

	free(path.data);
	if (rc <= 0)
		return rc;
	rc = code_interpreter_files_param(query, "path", &path, &good,
					  findings);
	if (rc == 0 && good) {
		const struct bytes dir = code_interpreter_path_dir(&path,
								    NULL);
		struct job_file *file = dir.size > 0
						? job_add_file(&files->job)
						: NULL;

		if (file)
			file->name = strndup(dir.data, dir.size);
		if (dir.size > 0 && (!file || !file->name))
			rc = -ENOMEM;
		else if (file && job_file_name_fault(file->name))
			findings_add(findings, "string_too_long",
				     "\"query\",\"path\"", "path %s",
				     job_file_name_fault(file->name));
	}
	free(path.data);
	return rc;
}

/* REPLACE, FETCH: one file. Its content is the body. */
static int code_interpreter_files_one(enum code_interpreter_files_kind kind,
				      const char *query,
				      struct code_interpreter_files *files,
				      struct findings *findings)
{
	bool path = false, name = false;

	files->places = calloc(1, sizeof(*files->places));
	if (!files->places)
		return -ENOMEM;
	struct code_interpreter_place *place = files->places;

	files->count = 1;
	int rc = code_interpreter_files_param(query, "path", &place->path,
					      &path, findings);

	if (rc == 0)
		rc = code_interpreter_files_param(query, "name", &place->name,
						  &name, findings);
	if (rc == 0 && path && name)
		rc = code_interpreter_files_add(files, place,
						"\"query\",\"path\"", findings);
	if (rc == 0 && path && name && kind == CODE_INTERPRETER_REPLACE) {
		files->job.files[0].content = files->job.body;
		files->job.files[0].once = true;
	}
	return rc;
}

/* ---- a request ------------------------------------------------------- */

int code_interpreter_files_read(enum code_interpreter_files_kind kind,
				const char *query,
				struct code_interpreter_files *files,
				struct refusal *why)
{
	struct findings findings = {0};
	bool url = false;
	int rc = code_interpreter_v1_name(query, &files->job.session,
					  &findings);

	if (rc < 0)
		;
	else if (kind == CODE_INTERPRETER_LIST)
		rc = code_interpreter_files_folder(query, files, &findings);
	else if (kind >= CODE_INTERPRETER_REPLACE)
		rc = code_interpreter_files_one(kind, query, files, &findings);
	else
		rc = code_interpreter_files_body(kind, files, &findings, &url);
	if (rc < 0) {
		text_free(&findings.text);
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
		return rc;
	}
	rc = findings_refuse(&findings, why);
	if (rc == 0 && url)
		return refuse(why, 501, "no_urls",
			      "This server transfers no files by URL: send "
			      "them as data: URLs, and leave upload_url out to "
			      "get them in the answer");
	return rc;
}

void code_interpreter_files_free(struct code_interpreter_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct code_interpreter_place *place = &files->places[i];

		if (!job_holds(&files->job, place->path.data))
			free(place->path.data);
		if (!job_holds(&files->job, place->name.data))
			free(place->name.data);
	}
	base_release_ptr(&files->places);
	files->count = 0;
	job_free(&files->job);
}

int code_interpreter_files_failed(enum code_interpreter_files_kind kind,
				  const struct code_interpreter_files *files,
				  size_t failed, int status,
				  const char *reason, struct refusal *why)
{
	static const char *const acts[CODE_INTERPRETER_FILES_KINDS] = {
		[CODE_INTERPRETER_UPLOAD] = "Upload",
		[CODE_INTERPRETER_EXPORT] = "Export",
		[CODE_INTERPRETER_REMOVE] = "Deletion",
		[CODE_INTERPRETER_REPLACE] = "Upload",
		[CODE_INTERPRETER_FETCH] = "Download",
		[CODE_INTERPRETER_LIST] = "Listing"};

	return refuse(why, status, "files_failed",
		      "%s: %s failed for %zu/%zu file(s)", reason, acts[kind],
		      failed, files->count ? files->count : 1);
}

/* ---- answers --------------------------------------------------------- */

/* The path with single slashes: with the name, and without a slash at its end
 * or a last component that is the name again. */
static void
code_interpreter_files_put_full(struct reply *reply,
				const struct code_interpreter_place *place)
{
	const struct bytes dir = code_interpreter_path_dir(&place->path,
							    place->name.data);
	const char *below = code_interpreter_path_below(&place->path);
	struct text text = {0};

	text_add(&text, place->path.data, (size_t)(below - place->path.data));
	text_format(&text, "%s%.*s/%s", dir.size ? "/" : "", (int)dir.size,
		    dir.data, place->name.data);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

void code_interpreter_files_uploaded(
	const struct code_interpreter_files *files, struct reply *reply)
{
	reply->status = 201;
	reply_text(reply, "{\"success\":true,\"results\":[");
	for (size_t i = 0; i < files->count; i++) {
		reply_text(reply, i ? ",{\"full_path\":" : "{\"full_path\":");
		code_interpreter_files_put_full(reply, &files->places[i]);
		reply_format(reply, ",\"size\":%zu}",
			     files->job.files[i].content.size);
	}
	reply_text(reply, "]}\n");
}

void code_interpreter_files_exported(
	const struct code_interpreter_files *files, const struct outcome *got,
	struct reply *reply)
{
	reply_text(reply, "{\"success\":true,\"results\":[");
	for (size_t i = 0; i < files->count && i < got->files_count; i++) {
		const struct code_interpreter_place *place = &files->places[i];

		reply_text(reply, i ? ",{\"path\":" : "{\"path\":");
		reply_json_string(reply, place->path.data, place->path.size);
		reply_text(reply, ",\"name\":");
		reply_json_string(reply, place->name.data, place->name.size);
		reply_format(reply, ",\"size\":%ju,\"b64_data\":",
			     (uintmax_t)got->files[i].size);
		reply_base64_file(reply, got->files[i].fd, got->files[i].size);
		reply_text(reply, "}");
	}
	reply_text(reply, "]}\n");
}

void code_interpreter_files_fetched(const struct outcome *got,
				    struct reply *reply)
{
	reply->content_type = "application/octet-stream";
	reply->attachment = true;
	if (got->files_count > 0)
		reply_raw_file(reply, got->files[0].fd, got->files[0].size);
}

void code_interpreter_files_listed(struct reply *reply, bool first,
				   const char *name, uint64_t size,
				   int64_t modified)
{
	const char *slash = strrchr(name, '/');
	const time_t seconds = modified;
	struct text path = {0};
	char when[32] = "";
	struct tm parts;

	text_format(&path, CODE_INTERPRETER_PATH_HOME "%s%.*s",
		    slash ? "/" : "", slash ? (int)(slash - name) : 0, name);
	if (gmtime_r(&seconds, &parts))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &parts);
	reply_text(reply, first ? "{\"path\":" : ",{\"path\":");
	reply_json_string(reply, path.data, path.size);
	reply_text(reply, ",\"name\":");
	reply_string(reply, slash ? slash + 1 : name);
	reply_format(reply, ",\"size\":%ju,\"modified\":", (uintmax_t)size);
	reply_string(reply, when);
	reply_text(reply, "}");
	if (path.error)
		reply->error = path.error;
	text_free(&path);
}
