/*
 * piston_reply - the answers of the Piston door.
 */
#ifndef TERRARIUM_PISTON_REPLY_H
#define TERRARIUM_PISTON_REPLY_H

#include "fcgi/api/door.h"

#define PISTON_REPLY_LANGUAGE "python"

/* See door.h. */
void piston_reply_render(const struct door_answer *answer,
			 struct reply *reply);
void piston_reply_refuse(const struct refusal *why, const char *id,
			 struct reply *reply);

/* The answers about the one runtime, PYTHON's version. */
void piston_reply_runtimes(const char *python, struct reply *reply);
void piston_reply_packages(const char *python, struct reply *reply);
void piston_reply_package(const char *python, struct reply *reply);

#endif
