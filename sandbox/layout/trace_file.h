/*
 * trace_file - keep a trace in a file between two starts.
 *
 * The next start with the same program, options and packages reads the trace
 * instead of making it, which takes half of the time. A file that was made for
 * another start, is damaged, or could have been written by another user is
 * refused, and the start makes a trace of its own. A wrong trace could only
 * make guests slower (block_layout.h).
 */
#ifndef TERRARIUM_TRACE_FILE_H
#define TERRARIUM_TRACE_FILE_H

#include "trace.h"

#define TRACE_FILE_NAME "terrarium-layout"
#define TRACE_FILE_KEY_MAX 16384

/* The inputs of a trace that a start knows before it imports: options, and the
 * build ids of the program and of the libraries that it is linked with. */
struct trace_file_key {
	size_t size;
	char text[TRACE_FILE_KEY_MAX];
};

/* Why a file was refused. */
struct trace_file_refused {
	const char *reason;
	char path[256]; /* the source that has changed, or "" */
};

/* Make a key of this process and COUNT options, before it loads libraries.
 * 0, -E2BIG, or -ENOTSUP: a library has no build id. */
int trace_file_make_key(struct trace_file_key *key, const char *const *options,
			size_t count);

/*
 * Read the file in the directory DIR into TRACE, which is empty, and stays so
 * on failure. 0; -ENOENT: there is none; or another negative errno value, with
 * the reason in REFUSED.
 */
int trace_file_read(int dir, const struct trace_file_key *key,
		    struct trace *trace, struct trace_file_refused *refused);

/* Replace the file in DIR. 0, or a negative errno value; -ENODATA: the sources
 * of TRACE are not known. */
int trace_file_write(int dir, const struct trace_file_key *key,
		     const struct trace *trace);

/* Remove the file in DIR, if there is one. */
void trace_file_remove(int dir);

#endif
