/*
 * native_reply - the answers of Terrarium's own API: one line of JSON, or the
 * end of a stream.
 */
#ifndef TERRARIUM_NATIVE_REPLY_H
#define TERRARIUM_NATIVE_REPLY_H

#include "door.h"

/* Write the answer to a run (door.h). */
void native_reply_render(const struct door_answer *answer, struct reply *reply);

/* Write the answer to a request that was not run. */
void native_reply_refuse(const struct refusal *why, const char *id,
			 struct reply *reply);

/* Append the members of an answer to a run that started, without braces, files,
 * rich values and id; for a door whose answers have them, too. */
void native_reply_facts(const struct door_answer *answer, struct reply *reply);

extern const struct door_stream native_reply_stream;

#endif
