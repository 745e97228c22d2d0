/*
 * packages - the native door's small endpoints about Python packages.
 */
#ifndef TERRARIUM_PACKAGES_H
#define TERRARIUM_PACKAGES_H

#include "sandbox/base/job.h"
#include "fcgi/http/reply.h"

#define PACKAGES_BODY_MAX (256 * 1024) /* of /forbidden-packages, bytes */

/* Write {"packages": [name...]} from LIST, the pool's JSON list of rows. */
void packages_names(const struct bytes *list, struct reply *reply);

/* Read {"packages": [...]} from BODY and answer with the same list. It has no
 * other effect. 0, or -EINVAL with *WHY. */
int packages_forbid(const struct bytes *body, struct reply *reply,
		    struct refusal *why);

#endif
