/*
 * env_rule - the names of environment variables that a request may set.
 */
#ifndef TERRARIUM_ENV_RULE_H
#define TERRARIUM_ENV_RULE_H

#include "sandbox/base/job.h"

/* Check the variable NAME that FIELD of a request sets. 0, or -EINVAL with *WHY
 * filled in: 400 bad_env. */
int env_rule_check(const struct bytes *name, const char *field,
		   struct refusal *why);

#endif
