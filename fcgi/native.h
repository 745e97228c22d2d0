/*
 * native - the door of Terrarium's own contract: POST / with {code, files,
 * ...}, one line of JSON back.
 *
 * A door turns a body into a job and an outcome into a body. It holds no
 * policy: limits come from the caller, verdicts from the outcome.
 */
#ifndef TERRARIUM_NATIVE_H
#define TERRARIUM_NATIVE_H

#include "../sandbox/job.h"
#include "../sandbox/limits.h"
#include "../sandbox/outcome.h"
#include "reply.h"

/* What a request may ask for at most. */
struct native_limits {
	unsigned timeout_ms;
	unsigned memory_mb;
	size_t files;	     /* number of input files */
	uint64_t home_bytes; /* their contents in all */
};

/*
 * Turn BODY (SIZE bytes) into *JOB, which is written whatever happens and
 * owns what it points to: release it with job_free() either way. BODY is only
 * read; job and body together take about twice the body at most.
 *
 * Returns 0; -EINVAL with *WHY filled in (status 200 and code "parsing" for
 * what existing clients expect as an answer, else 400, 403 or 413); -ENOMEM
 * with *WHY filled in too, status 500.
 */
int native_parse(const char *body, size_t size,
		 const struct native_limits *limits, struct job *job,
		 struct refusal *why);

/*
 * Write the answer to a run. LIMITS are those the run had; ID is its id,
 * borrowed until the reply is sent, as are the outcome's files. REPLY is
 * fresh from reply_init().
 */
void native_render(const struct outcome *outcome, const char *id,
		   const struct limits *limits, struct reply *reply);

/* Write the answer to a request that was not run. ID as above. */
void native_refuse(const struct refusal *why, const char *id,
		   struct reply *reply);

#endif
