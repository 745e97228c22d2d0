/*
 * e2b_reply - the answers of the door of E2B's SDKs (e2b.h).
 */
#ifndef TERRARIUM_E2B_REPLY_H
#define TERRARIUM_E2B_REPLY_H

#include "fcgi/api/door.h"

/*
 * In answers stands, in place of the client's token, this word and the
 * request's id. The web server, which alone knows the token, puts that there.
 * No client can write the word into what another answer holds, because the web
 * server draws the id when the request has come.
 */
#define E2B_REPLY_TOKEN "e2b-token-"

/* A sandbox, for an answer. Times are in seconds since 1970. */
struct e2b_sandbox {
	const char *id;
	const char *note; /* see e2b_note(); of a worker, so it is checked */
	const char *domain; /* "": not known */
	const char *request; /* its id */
	int64_t began, ends;
	const struct limits *limits;
	unsigned cores;
};

/* The answer to create and connect; and the members of a detail, with TOKEN
 * those that only one sandbox's answer has. */
void e2b_reply_created(struct reply *reply, const struct e2b_sandbox *sandbox);
void e2b_reply_detail(struct reply *reply, const struct e2b_sandbox *sandbox,
		      bool token);

/* For another API of sandboxes: the member NAME of a sandbox's NOTE, or the JSON
 * text OTHERWISE if it is not there; and a comma and a member, a time. */
void e2b_reply_noted(struct reply *reply, const char *note, const char *name,
		     const char *otherwise);
void e2b_reply_time(struct reply *reply, const char *name, int64_t seconds);

/* The name of the error of a run that failed, which a program's own exception
 * has of its own; and its value, a string: the exception's own text, which the
 * guest sends as the value. */
const char *e2b_reply_error_name(const struct outcome *outcome);
void e2b_reply_error_value(struct reply *reply,
			   const struct door_answer *answer);

/* The last lines of a run's stream. */
void e2b_reply_lines(const struct door_answer *answer, struct reply *reply);

/* The whole stream of a program that was not run, because it is in another
 * LANGUAGE. */
void e2b_reply_language(struct reply *reply, const char *language);

/* A context: the members of its object. CWD is JSON text of its directory; of a
 * worker, so it is checked. */
void e2b_reply_context(struct reply *reply, const char *id, const char *cwd);

/* The status of a refusal; of a missing session it is GONE. */
int e2b_reply_status(const struct refusal *why, int gone);

/* Refusals, in the forms of the control plane, of a sandbox's ports, and in a
 * stream that has begun. */
void e2b_reply_refusal(const struct refusal *why, const char *id,
		       struct reply *reply);
void e2b_reply_port_refusal(const struct refusal *why, const char *id,
			    struct reply *reply);
void e2b_reply_stream_refusal(const struct refusal *why, const char *id,
			      struct reply *reply);

#endif
