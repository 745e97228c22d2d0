/*
 * events - the lines of a stream: a run's results as they come.
 *
 *	{"type":"stdout","text":…,"timestamp":…}	likewise "stderr"
 *	{"type":"result","png":…,…,"is_main_result":false}
 *	{"type":"error","name":…,"value":…,"traceback":…}
 *
 * The texts of a stream, one behind the other, are those of a whole answer: a
 * character that comes in two pieces is held back until it is complete.
 */
#ifndef TERRARIUM_EVENTS_H
#define TERRARIUM_EVENTS_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "sandbox/base/sink.h"
#include "fcgi/http/reply.h"
#include "fcgi/http/stream.h"

/* One output stream: the beginning of a character whose end has not come. */
struct events_held {
	char bytes[4];
	size_t size;
};

struct events {
	struct sink sink; /* the first member: the run gets it */
	struct stream *stream; /* borrowed */
	struct events_held held[2]; /* by enum sink_stream */
	bool bad; /* the program sent a rich value that is no JSON object */
};

void events_init(struct events *events, struct stream *stream);

/* The run is over: send held bytes, if the stream has begun. */
void events_end(struct events *events);

/* Append the line of a failure. OUTCOME's verdict is not OUTCOME_OK. */
void events_error(struct reply *reply, const struct outcome *outcome,
		  const struct limits *limits);

#endif
