/*
 * dify - the door of Dify's code sandbox: code and template nodes.
 */
#ifndef TERRARIUM_DIFY_H
#define TERRARIUM_DIFY_H

#include "door.h"
#include "sandbox/text/fields.h"

#define DIFY_BODY_MAX (64 * 1024) /* of requests about packages, bytes */

/* The client gives up after 60 s, the wait for a worker included. */
#define DIFY_TIME_MS 57000

extern const struct door dify_door;

/* For requests about packages: read the language from the query of an address,
 * or from a body of JSON. 0, or -EINVAL with *WHY. */
int dify_language_of_query(const char *query, struct refusal *why);
int dify_language_of_body(const struct bytes *body, struct refusal *why);

/* Write the answers: the names and versions of LIST, which is the pool's JSON
 * list of packages; or nothing. */
void dify_put_packages(const struct bytes *list, struct reply *reply);
void dify_put_nothing(struct reply *reply);

/* For the description of the API. */
extern const struct fields dify_run_fields;
extern const struct fields dify_update_fields;

#endif
