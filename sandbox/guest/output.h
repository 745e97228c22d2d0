/*
 * output - the printed output of one job: what is kept, passed on and counted
 * of the bytes that come from two pipes, and the order of both.
 */
#ifndef TERRARIUM_OUTPUT_H
#define TERRARIUM_OUTPUT_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "sandbox/base/sink.h"

/* Counts how often a text occurs, in any case of ASCII letters, in bytes that
 * stream by, in pieces of any size. No byte is kept. */
struct output_marker {
	struct bytes text; /* borrowed; its first letter occurs only once in it.
			    * No data: nothing is counted */
	size_t matched; /* bytes of it that the last bytes match */
	uint64_t count; /* whole matches so far */
};

/* Count the matches that the next SIZE bytes at DATA complete. */
void output_marker_pass(struct output_marker *marker, const char *data,
		       size_t size);

struct output {
	const struct limits *limits;
	struct outcome *outcome;
	struct sink *sink;	/* the run's, or NULL */
	int64_t gather; /* with a sink: nothing is read before this time */
	uint64_t printed;      /* bytes of both streams together */
	struct output_marker marker; /* the job's, counted in standard output */
	bool ordered;	       /* outcome->order is kept */
};

/* Begin with JOB, and with OUTCOME, which has no output. All is borrowed. */
void output_begin(struct output *output, const struct job *job,
		  const struct limits *limits, struct sink *sink,
		  struct outcome *outcome);

/*
 * Read once from FD, the pipe of STREAM. 1; 0 at the end of the file; -ENOMEM;
 * or -EFBIG: both streams together are above limits.flood_mb.
 */
int output_read(struct output *output, enum sink_stream stream, int fd);

#endif
