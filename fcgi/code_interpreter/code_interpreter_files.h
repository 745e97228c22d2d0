/*
 * code_interpreter_files - the code-interpreter door's calls for files:
 * /api/v1/files, /api/v1/files/export and /api/v1/files/content. From a body or
 * a query to the names and contents of files, and from the result to an answer.
 *
 * A path is /sandbox or a directory below it, and /home/user means the same.
 * Nothing is fetched from a URL or written to one: contents come as data: URLs
 * and leave as base64, or they are the body itself.
 */
#ifndef TERRARIUM_CODE_INTERPRETER_FILES_H
#define TERRARIUM_CODE_INTERPRETER_FILES_H

#include "code_interpreter_v1.h"

#define CODE_INTERPRETER_FILES_MOST 100 /* of one call */

enum code_interpreter_files_kind {
	CODE_INTERPRETER_UPLOAD,  /* body: {files: [{path, name,
				   * download_url}]} */
	CODE_INTERPRETER_EXPORT,  /* body: {files: [{path, name}]} */
	CODE_INTERPRETER_REMOVE,  /* the same */
	CODE_INTERPRETER_REPLACE, /* query: path, name; body: the content */
	CODE_INTERPRETER_FETCH,	  /* query: path, name */
	CODE_INTERPRETER_LIST,	  /* query: path */
	CODE_INTERPRETER_FILES_KINDS
};

/* One entry of a request, as the client wrote it. */
struct code_interpreter_place {
	struct bytes path, name;
};

/* A request. Begins empty, but for job.body, which it owns. */
struct code_interpreter_files {
	struct job job;	      /* the session, and the files relative to home;
			       * LIST: one file, the directory; none for home */
	struct code_interpreter_place *places; /* of the files */
	size_t count;
};

/* Read a request of KIND from FILES->job.body and QUERY. 0, or a negative errno
 * value with *WHY: 422 with a list, 501 for a URL, 500. Release FILES in any
 * case. */
int code_interpreter_files_read(enum code_interpreter_files_kind kind,
				const char *query,
				struct code_interpreter_files *files,
				struct refusal *why);
void code_interpreter_files_free(struct code_interpreter_files *files);

/* Refuse a call of which FAILED files failed: with 404, 413 or 400 for STATUS,
 * and the REASON. */
int code_interpreter_files_failed(enum code_interpreter_files_kind kind,
				  const struct code_interpreter_files *files,
				  size_t failed, int status,
				  const char *reason, struct refusal *why);

/* The answers. GOT has the files in order; they must live until the reply is
 * sent. */
void code_interpreter_files_uploaded(
	const struct code_interpreter_files *files, struct reply *reply);
void code_interpreter_files_exported(
	const struct code_interpreter_files *files, const struct outcome *got,
	struct reply *reply);
void code_interpreter_files_fetched(const struct outcome *got,
				    struct reply *reply);

/* One file of a listing: NAME is its path relative to home. FIRST: of all. */
void code_interpreter_files_listed(struct reply *reply, bool first,
				   const char *name, uint64_t size,
				   int64_t modified);

#endif
