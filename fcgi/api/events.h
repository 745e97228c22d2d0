/*
 * events - the lines of a stream: a run's results as they come. The native
 * API's are
 *
 *	{"type":"stdout","text":…,"timestamp":…}	likewise "stderr"
 *	{"type":"result","png":…,…,"is_main_result":false}
 *	{"type":"error","name":…,"value":…,"traceback":…}
 *	{"type":"keepalive"}				after a silence
 *
 * The texts of a stream, one behind the other, are those of a whole answer: a
 * character that comes in two pieces is held back until it is complete.
 */
#ifndef TERRARIUM_EVENTS_H
#define TERRARIUM_EVENTS_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "sandbox/base/sink.h"
#include "sandbox/text/json.h"
#include "sandbox/text/text.h"
#include "fcgi/http/reply.h"
#include "fcgi/http/stream.h"

/* One output stream: the beginning of a character whose end has not come. */
struct events_held {
	char bytes[4];
	size_t size;
};

struct events;

/* The lines of one API. Each function appends a line to LINE. */
struct events_lines {
	/* The first line, when the program begins; NULL: there is none. */
	void (*first)(const struct events *events, struct text *line);
	/* SIZE bytes that the program printed: whole characters. */
	void (*text)(const struct events *events, struct text *line,
		     enum sink_stream stream, const char *data, size_t size);
	/* A rich value, an object; NULL: it waits for the answer's end. */
	void (*display)(struct text *line, struct json_span value);
	/* Nothing was sent for a while. */
	void (*silence)(const struct events *events, struct text *line);
	bool keep; /* the answer's end has output and rich values, too */
};

extern const struct events_lines events_native;

/* Output and rich values that the answer's end needs. */
struct events_kept {
	struct text texts[2]; /* by enum sink_stream */
	struct bytes *displays;
	size_t displays_count;
};

struct events {
	struct sink sink; /* the first member: the run gets it */
	struct stream *stream; /* borrowed */
	const struct events_lines *lines;
	const void *context; /* of the lines */
	uint64_t sent;	     /* lines */
	bool opened;	     /* the first line was sent */
	struct events_held held[2]; /* by enum sink_stream */
	struct events_kept kept;
	bool bad; /* the program sent a rich value that is no JSON object */
};

void events_init(struct events *events, struct stream *stream,
		 const struct events_lines *lines, const void *context);
void events_free(struct events *events);

/* Send the head, and the first line if there is one, unless that is done. */
void events_open(struct events *events);

/* The short name of the media type KEY, a JSON string, and in *INDEX its number,
 * below EVENTS_NAMES; NULL: it has none. */
#define EVENTS_NAMES 12
const char *events_name(struct json_span key, unsigned *index);

/* The run is over: send held bytes, if the stream has begun. OUTCOME gets
 * output and rich values that were kept. */
void events_end(struct events *events, struct outcome *outcome);

/* Append the line of a failure. OUTCOME's verdict is not OUTCOME_OK. */
void events_error(struct reply *reply, const struct outcome *outcome,
		  const struct limits *limits);

#endif
