/*
 * input_files - the input files of a request: [{filename, b64_data}, ...].
 *
 * What comes out is what struct job_file promises: relative names without
 * empty, "." or ".." components, none twice, none that is a directory for
 * another one.
 */
#ifndef TERRARIUM_FILES_H
#define TERRARIUM_FILES_H

#include "sandbox/text/json.h"

struct input_files_limits {
	size_t count;	/* most files */
	uint64_t bytes; /* most bytes of all contents, decoded */
};

/*
 * Read ARRAY, which json_check() has seen with json_limits_request, into
 * job->files, as files that are wanted once. Names and contents stay in the
 * job's body, decoded, if that is where ARRAY lies. Returns 0, or -EINVAL with
 * *WHY: 400 bad_type; 413 too_many_files or file_too_large; 200 parsing for
 * an entry that is malformed; or -ENOMEM.
 */
int input_files_read(struct json_span array,
		     const struct input_files_limits *limits, struct job *job,
		     struct refusal *why);

#endif
