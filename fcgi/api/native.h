/*
 * native - the door of Terrarium's own API: POST / with {code, files, ...},
 * answered with one line of JSON.
 */
#ifndef TERRARIUM_NATIVE_H
#define TERRARIUM_NATIVE_H

#include "door.h"
#include "sandbox/text/fields.h"

/*
 * Turn JOB->body into the rest of *JOB (door.h). No large memory is allocated:
 * the job's data points into its body.
 *
 * Returns 0, or a negative errno value with *WHY filled in. -EINVAL: status
 * 200 and code "parsing" for faults that existing clients expect in an answer,
 * else 400, 403 or 413. -ENOMEM: status 500.
 */
int native_parse(const struct door_limits *limits, struct job *job,
		 struct refusal *why);

extern const struct door native_door;

/* For the description of the API. */
extern const struct fields native_fields;

#endif
