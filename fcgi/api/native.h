/*
 * native - the door of Terrarium's own contract: POST / with {code, files,
 * ...}, one line of JSON back.
 */
#ifndef TERRARIUM_NATIVE_H
#define TERRARIUM_NATIVE_H

#include "door.h"

/*
 * Turn JOB->body into the rest of *JOB: see door.h. Nothing of any size is
 * allocated: all that the job holds is a place in its body.
 *
 * Returns 0; -EINVAL with *WHY filled in (status 200 and code "parsing" for
 * what existing clients expect as an answer, else 400, 403 or 413); -ENOMEM
 * with *WHY filled in too, status 500.
 */
int native_parse(const struct door_limits *limits, struct job *job,
		 struct refusal *why);

/* Write the answer to a run: see door.h. */
void native_render(const struct door_answer *answer, struct reply *reply);

/* Write the answer to a request that was not run. */
void native_refuse(const struct refusal *why, const char *id,
		   struct reply *reply);

extern const struct door native_door;

#endif
