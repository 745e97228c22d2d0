/*
 * piston - the door of Piston's clients: files, arguments and standard input
 * in; the output of both streams, an exit code and a status out. Its answers
 * are in piston_reply.c.
 */
#ifndef TERRARIUM_PISTON_H
#define TERRARIUM_PISTON_H

#include "fcgi/api/door.h"

#define PISTON_BODY_MAX 10000 /* bytes of a request about packages */

extern const struct door piston_door;

/* Is the body of CONTENT_TYPE? 0, or -EINVAL with *WHY filled in. */
int piston_check_type(const char *content_type, struct refusal *why);

/* Does BODY name the one package, PYTHON's version? 0, or a negative errno
 * value with *WHY filled in. */
int piston_find_package(const struct bytes *body, const char *python,
			struct refusal *why);

#endif
