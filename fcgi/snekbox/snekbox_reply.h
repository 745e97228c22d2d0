/*
 * snekbox_reply - the answers of the snekbox door.
 */
#ifndef TERRARIUM_SNEKBOX_REPLY_H
#define TERRARIUM_SNEKBOX_REPLY_H

#include "fcgi/api/door.h"

#define SNEKBOX_REPLY_FILES_MAX 100
#define SNEKBOX_REPLY_NOT_RUN 200 /* status of a refusal that is an answer: the
				   * message is the output, without an exit
				   * code */

/* See door.h. */
void snekbox_reply_render(const struct door_answer *answer,
			  struct reply *reply);
void snekbox_reply_refuse(const struct refusal *why, const char *id,
			  struct reply *reply);

#endif
