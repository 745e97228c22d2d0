/*
 * opensandbox - the door of OpenSandbox's clients: from a request to a job or a
 * call about a sandbox. Its answers are in opensandbox_reply.c, the calls in
 * route_opensandbox.c. A sandbox is that of E2B's door (e2b.h): each lists the
 * other's.
 *
 * The API has two parts: the lifecycle below /opensandbox/v1, and that of "execd",
 * the process which runs programs inside a sandbox, below /opensandbox/ID. Facts
 * of both: specs/sandbox-lifecycle.yml and specs/execd-api.yaml of OpenSandbox.
 */
#ifndef TERRARIUM_OPENSANDBOX_H
#define TERRARIUM_OPENSANDBOX_H

#include "fcgi/e2b/e2b.h"

#define OPENSANDBOX_PORT 44772 /* of execd */
#define OPENSANDBOX_EGRESS_PORT 18080 /* of rules for a sandbox's network */

/* Read job.body of a POST to /sandboxes. As e2b_read_create(). */
int opensandbox_read_create(struct e2b_request *request, struct refusal *why);

/* The same of /sandboxes/{id}/renew-expiration. It is NOW, in seconds since
 * 1970. */
int opensandbox_read_renew(struct e2b_request *request, int64_t now,
			   struct refusal *why);

/* Read a time of RFC 3339, such as 2026-01-31T12:00:00.5+01:00, in whole seconds
 * since 1970. 0 or -EINVAL. */
int opensandbox_time(const char *text, int64_t *out);

/* Read JOB->body of a POST to /code. As e2b_read_run(). */
int opensandbox_read_run(struct e2b_run *run, struct refusal *why);

/* Read job.body of a POST to /code/context. As e2b_read_context(). */
int opensandbox_read_context(struct e2b_context *context,
			     struct refusal *why);

/* The forms of refusals: of the lifecycle, and of a sandbox. They are the same,
 * but a sandbox's calls have the time of a session's. */
extern const struct door opensandbox_door;
extern const struct door opensandbox_run_door;
extern const struct door_stream opensandbox_stream;

/* For the description of the API. */
extern const struct fields opensandbox_create_fields;
extern const struct fields opensandbox_renew_fields;
extern const struct fields opensandbox_run_fields;
extern const struct fields opensandbox_context_fields;

#endif
