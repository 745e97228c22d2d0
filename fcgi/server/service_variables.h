/*
 * service_variables - the environment variables by which a service manager
 * talks to a service.
 *
 * Each function removes the variable, because it is meant for one process.
 */
#ifndef TERRARIUM_SERVICE_VARIABLES_H
#define TERRARIUM_SERVICE_VARIABLES_H

#include "sandbox/base/base.h"

/* Take the text of NAME. Returns 0; -ENOENT with OUT "": there is none;
 * -E2BIG with OUT "": it has SIZE bytes or more. */
int service_variables_text(const char *name, char *out, size_t size);

/* Take a decimal number. Returns 0, -ENOENT, or -EINVAL: it is no number. */
int service_variables_number(const char *name, uint64_t *out);

/* Take a process id. OUT: it is that of this process, or there is none.
 * Returns 0, or -EINVAL: it is no number. */
int service_variables_are_ours(const char *name, bool *out);

#endif
