/*
 * sink - takes the results of a run as they come.
 *
 * The process that watches the run (watch.c), or that gets its results from
 * another process, calls the sink's functions. None of them may block. The sink
 * states in its fields when it is to be called again, and whether it can take
 * more.
 */
#ifndef TERRARIUM_SINK_H
#define TERRARIUM_SINK_H

#include "job.h"

enum sink_stream { SINK_OUT, SINK_ERR };

struct sink;

/* A function that is NULL is not called. */
struct sink_calls {
	/* The program is about to run: no refusal can follow. */
	void (*begin)(struct sink *sink);
	/* SIZE bytes that the program printed, limits.output_kb of each stream
	 * at most. They may be invalid UTF-8, and begin or end within a
	 * character. */
	void (*output)(struct sink *sink, enum sink_stream stream,
		       const char *data, size_t size);
	/* A rich value, as the program sent it: not checked. */
	void (*display)(struct sink *sink, const struct bytes *text);
	/* FD can be written. */
	void (*flush)(struct sink *sink);
	/* The time of NEXT has come. */
	void (*tick)(struct sink *sink, int64_t now);
};

struct sink {
	const struct sink_calls *calls;
	bool keep;    /* the outcome holds output and displays, too */
	int fd;	      /* while PENDING is set: wait until it can be written */
	bool pending; /* bytes wait for FD */
	bool full;    /* it wants no more output now, so the program waits */
	int64_t next; /* of tick(), io_now_ms(); INT64_MAX: never */
	int error;    /* negative errno value: nothing is received any more, so
		       * the run is cancelled; or 0 */
};

#endif
