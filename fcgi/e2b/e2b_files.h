/*
 * e2b_files - the calls of E2B's SDKs for files: from a request to names and
 * contents, and from the result to an answer.
 */
#ifndef TERRARIUM_E2B_FILES_H
#define TERRARIUM_E2B_FILES_H

#include <sys/types.h>

#include "fcgi/api/door.h"
#include "e2b_path.h"
#include "sandbox/text/fields.h"

#define E2B_FILES_MOST 1000 /* of one request */

enum e2b_files_kind {
	E2B_FILES_READ,  /* GET /files?path= */
	E2B_FILES_WRITE, /* POST /files: a body of parts, or the content */
	E2B_FILES_LIST,  /* {path, depth} */
	E2B_FILES_STAT,  /* {path} */
	E2B_FILES_MAKE,  /* {path} */
	E2B_FILES_MOVE,  /* {source, destination} */
	E2B_FILES_REMOVE, /* {path} */
	E2B_FILES_KINDS
};

/* A request. Begins empty, but for job.body, which it owns. */
struct e2b_files {
	struct job job; /* its files' names are relative to the tmpfs */
	const char *aliases; /* of home; borrowed */
	const char *query, *content_type; /* borrowed */
	enum e2b_files_kind kind;
	enum e2b_path_kind top; /* "/" or "/home": there is no name */
	unsigned depth;
	struct refusal *why;
};

/* Read a request of KIND. 0, or a negative errno value with *WHY: 400, 404 for a
 * path that no sandbox has, 401 for a signed address. */
int e2b_files_read(enum e2b_files_kind kind, struct e2b_files *files,
		   struct refusal *why);
void e2b_files_free(struct e2b_files *files);

/* For another API: add the file of the path TEXT, of FIELD, to the job of FILES.
 * The kind and the aliases of FILES are set before. Returns 0, -EINVAL with
 * *WHY, or -ENOMEM. */
int e2b_files_add(struct e2b_files *files, const struct bytes *text,
		  const char *field, struct refusal *why);

/* Have two files of the job the same name? */
bool e2b_files_twice(const struct job *job);

/* One entry of a sandbox's files. */
struct e2b_files_entry {
	const char *name; /* relative to the tmpfs */
	const char *target; /* of a link: its text, of a guest; or NULL */
	uint64_t size;
	int64_t modified; /* seconds since 1970 */
	mode_t mode;
};

/* Append ENTRY as an object. */
void e2b_files_put(struct reply *reply, const struct e2b_files_entry *entry);

/* Append "/" or "/home", or list their directories as the answer. */
void e2b_files_put_top(struct reply *reply, enum e2b_path_kind top);
void e2b_files_list_top(struct reply *reply, enum e2b_path_kind top);

/* The answer to a write. */
void e2b_files_written(const struct e2b_files *files, struct reply *reply);

/* The form of refusals of /files: {"code": the status, "message"}. */
extern const struct door e2b_files_door;

/* For the description of the API. */
extern const struct fields e2b_files_list_fields;
extern const struct fields e2b_files_path_fields;
extern const struct fields e2b_files_move_fields;

#endif
