/*
 * door - the interface of an HTTP API: it turns a body into a job, and an
 * outcome into a body. A door has no policy: limits come from the caller,
 * verdicts from the outcome. To add one, write a file with these three
 * functions and give it a row in route.c.
 */
#ifndef TERRARIUM_DOOR_H
#define TERRARIUM_DOOR_H

#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "fcgi/http/reply.h"

/* The most that a request may ask for. */
struct door_limits {
	unsigned timeout_ms;
	unsigned memory_mb;
	size_t files;	     /* number of input files */
	uint64_t home_bytes; /* their contents in all */
	const char *home_aliases; /* paths that mean home (aliases.h) */
	unsigned threads;
	unsigned cores;	     /* of the host */
	bool sessions;	     /* a job may run in one */
	const char *query;   /* of the request's address; "": none */
	const char *content_type; /* of its body; "": not told */
	uint64_t queued_ms;  /* time that the request has waited */
	const char *python;  /* its version */
	bool piston_strict;  /* options of single doors: conf.h */
	bool snekbox_strict;
	bool snekbox_colors;
};

/* The state of a session after a run, for a client. */
struct door_session {
	const char *word; /* new, kept, rolled_back, ended */
	const char *reason; /* the end of a former one of the same name; or
			     * NULL */
	const char *sentence; /* for the client of a failed call */
	bool ended; /* it is gone, with its files */
};

/* The material of an answer. All is borrowed; the id and the outcome's files
 * must live until the reply is sent. */
struct door_answer {
	const struct outcome *outcome;
	const struct job *job;
	const struct limits *limits; /* those that the run had */
	const char *id;
	const char *kept; /* directory of the run's kept files, or NULL */
	const struct door_session *session; /* NULL: the run had none */
	const char *python; /* its version */
	const char *query;  /* of the request's address; "": none */
};

struct door {
	/*
	 * Turn JOB->body into the rest of *JOB, which is empty. Large texts
	 * are decoded in the body, without a second copy. The caller calls
	 * job_free() in any case. Returns 0, or a negative errno value with
	 * *WHY filled in.
	 */
	int (*parse)(const struct door_limits *limits, struct job *job,
		     struct refusal *why);
	/* Write the answer to a run. REPLY is fresh from reply_init(). */
	void (*render)(const struct door_answer *answer, struct reply *reply);
	/* Write the answer to a request that was not run. The status is that
	 * of WHY, unless the door's clients expect another one. */
	void (*refuse)(const struct refusal *why, const char *id,
		       struct reply *reply);
	/* The field that names a job's session; NULL: the door has none. */
	const char *session;
	const char *name; /* of the API, for clients (discovery.h) */
};

struct events_lines;

/* A door's streams: lines of JSON during the run, and at its end. The status is
 * 200. */
struct door_stream {
	const struct events_lines *lines; /* during the run (events.h) */
	/* Write the lines behind those that were sent during the run. */
	void (*render)(const struct door_answer *answer, struct reply *reply);
	/* The same for a call that was not run after all. */
	void (*refuse)(const struct refusal *why, const char *id,
		       struct reply *reply);
};

#endif
