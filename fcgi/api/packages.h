/*
 * packages - the native door's small endpoints about Python packages.
 */
#ifndef TERRARIUM_PACKAGES_H
#define TERRARIUM_PACKAGES_H

#include "sandbox/base/job.h"
#include "fcgi/http/reply.h"

#define PACKAGES_BODY_MAX (256 * 1024) /* of /forbidden-packages, bytes */

/* {"packages": [name...]} out of the pool process's list of rows. */
void packages_names(const struct bytes *list, struct reply *reply);

/* Take {"packages": [...]} and give the list back. It changes nothing. */
int packages_forbid(const struct bytes *body, struct reply *reply,
		    struct refusal *why);

#endif
