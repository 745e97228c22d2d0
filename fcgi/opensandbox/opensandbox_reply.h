/*
 * opensandbox_reply - the answers of the door of OpenSandbox's clients
 * (opensandbox.h).
 */
#ifndef TERRARIUM_OPENSANDBOX_REPLY_H
#define TERRARIUM_OPENSANDBOX_REPLY_H

#include "fcgi/e2b/e2b_reply.h"

/* There is no shell, for a client that asked for a command. */
extern const char opensandbox_no_shell[];

/* The objects of a sandbox that was made, and of one that is described or
 * listed. */
void opensandbox_reply_created(struct reply *reply,
			       const struct e2b_sandbox *sandbox);
void opensandbox_reply_detail(struct reply *reply,
			      const struct e2b_sandbox *sandbox);

/* Its end. */
void opensandbox_reply_renewed(struct reply *reply,
			       const struct e2b_sandbox *sandbox);

/* The address of its calls, and the header that they need, with the word in
 * place of the client's token (e2b_reply.h). */
void opensandbox_reply_endpoint(struct reply *reply,
				const struct e2b_sandbox *sandbox);

/* The last events of a run. */
void opensandbox_reply_lines(const struct door_answer *answer,
			     struct reply *reply);

/* The whole stream of a program that was not run, because it is in another
 * LANGUAGE. */
void opensandbox_reply_language(struct reply *reply, const char *language);

/* Refusals: {"code","message"}, with 404 for a sandbox that is not there; and in
 * a stream that has begun. */
void opensandbox_reply_refusal(const struct refusal *why, const char *id,
			       struct reply *reply);
void opensandbox_reply_stream_refusal(const struct refusal *why,
				      const char *id, struct reply *reply);

#endif
