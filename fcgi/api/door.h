/*
 * door - what an HTTP API must offer to be one: a body becomes a job, an
 * outcome a body. A door holds no policy: limits come from the caller,
 * verdicts from the outcome. To add one, write a file with these three
 * functions and give it a row in route.c.
 */
#ifndef TERRARIUM_DOOR_H
#define TERRARIUM_DOOR_H

#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "fcgi/http/reply.h"

/* What a request may ask for at most. */
struct door_limits {
	unsigned timeout_ms;
	unsigned memory_mb;
	size_t files;	     /* number of input files */
	uint64_t home_bytes; /* their contents in all */
	unsigned threads;
	unsigned cores;	     /* of the host */
	bool sessions;	     /* a job may run in one */
};

/* What became of the session that a run was in, for a client. */
struct door_session {
	const char *word;
	const char *sentence; /* for one whose call failed */
};

/* What there is to answer with. All is borrowed, the id and the outcome's
 * files until the reply is sent. */
struct door_answer {
	const struct outcome *outcome;
	const struct job *job;
	const struct limits *limits; /* those that the run had */
	const char *id;
	const char *kept; /* where the run's files are kept, or NULL */
	const struct door_session *session; /* NULL: it was in none */
};

struct door {
	/*
	 * Turn JOB->body into the rest of *JOB, which is empty but for that
	 * and is to be released with job_free() whatever happens. What is
	 * large stays where it lies in the body, decoded: no second copy is
	 * made. Returns 0, or a negative errno value with *WHY filled in.
	 */
	int (*parse)(const struct door_limits *limits, struct job *job,
		     struct refusal *why);
	/* Write the answer to a run. REPLY is fresh from reply_init(). */
	void (*render)(const struct door_answer *answer, struct reply *reply);
	/* Write the answer to a request that was not run; the status is
	 * WHY's, unless the door's clients expect another. */
	void (*refuse)(const struct refusal *why, const char *id,
		       struct reply *reply);
	/* The field that names a job's session; NULL: it takes none. */
	const char *session;
};

#endif
