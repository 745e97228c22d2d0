/*
 * input_files - the input files of a request: [{filename, b64_data}, ...].
 *
 * The result keeps the promise of struct job_file: names are relative, without
 * empty, "." or ".." components. No name occurs twice, and none is a directory
 * of another one: of two of one name the later counts.
 */
#ifndef TERRARIUM_INPUT_FILES_H
#define TERRARIUM_INPUT_FILES_H

#include "sandbox/text/json.h"

struct input_files_limits {
	size_t count;	/* most files */
	uint64_t bytes; /* most bytes of all contents, decoded */
	const char *home_aliases; /* removed from names: aliases.h */
};

/*
 * Read ARRAY into job->files, with `once` set. json_check() must have checked
 * it with json_limits_request. If ARRAY lies in the job's body, names and
 * contents are decoded in place. Returns 0; -ENOMEM; or -EINVAL with *WHY: 400
 * bad_type, 413 too_many_files or file_too_large, 200 parsing for a malformed
 * entry.
 */
int input_files_read(struct json_span array,
		     const struct input_files_limits *limits, struct job *job,
		     struct refusal *why);

/* Make NAME, a path that a client gave, relative to home. Returns its fault, as
 * job_file_name_fault() does. */
const char *input_files_name(const char *home_aliases, char *name);

/*
 * Of files with the same name keep the last one. Returns 0; -ENOMEM; or -EEXIST
 * if one file's name is that of a directory of another: CLASH gets the later
 * one's index and the earlier one's.
 */
int input_files_settle(struct job *job, size_t clash[2]);

#endif
