/*
 * opensandbox_files - the calls of OpenSandbox's clients for files: from a
 * request to calls of E2B's kinds (e2b_files.h), of which one request may hold
 * several, and from a result to an answer.
 */
#ifndef TERRARIUM_OPENSANDBOX_FILES_H
#define TERRARIUM_OPENSANDBOX_FILES_H

#include "fcgi/e2b/e2b_files.h"

#define OPENSANDBOX_FILES_MOST 100 /* calls of one request */

/* One call. */
struct opensandbox_file {
	struct e2b_files request;
	char *path; /* as the client wrote it; of a move the source */
};

/* A request. Begins empty, but for the borrowed texts and the body, which it
 * owns. */
struct opensandbox_files {
	struct bytes body;
	const char *aliases, *query, *content_type; /* borrowed */
	struct opensandbox_file *list;
	size_t count;
	struct refusal *why; /* while it is read */
};

void opensandbox_files_free(struct opensandbox_files *files);

/*
 * Read the request of GET /files/download, POST /files/upload, GET /files/info,
 * DELETE /files and /directories, GET /directories/list, POST /directories and
 * POST /files/mv. 0, or a negative errno value with *WHY.
 */
int opensandbox_files_download(struct opensandbox_files *files,
			       struct refusal *why);
int opensandbox_files_upload(struct opensandbox_files *files,
			     struct refusal *why);
int opensandbox_files_info(struct opensandbox_files *files,
			   struct refusal *why);
int opensandbox_files_remove(struct opensandbox_files *files,
			     struct refusal *why);
int opensandbox_files_list(struct opensandbox_files *files,
			   struct refusal *why);
int opensandbox_files_make(struct opensandbox_files *files,
			   struct refusal *why);
int opensandbox_files_move(struct opensandbox_files *files,
			   struct refusal *why);

/* Append ENTRY as an object. */
void opensandbox_files_put(struct reply *reply,
			   const struct e2b_files_entry *entry);

#endif
