/*
 * ragflow - the door of RAGFlow's self-managed sandbox: POST /run with
 * {code_b64, language, arguments}. The code defines main(). The guest calls it;
 * its return value must be JSON.
 *
 * The clients take any status but 200 for a broken server. So the body reports
 * each fault of a run, also that the pool is busy.
 */
#ifndef TERRARIUM_RAGFLOW_H
#define TERRARIUM_RAGFLOW_H

#include "door.h"
#include "sandbox/text/fields.h"

#define RAGFLOW_ARTIFACTS_MAX 10
#define RAGFLOW_ARTIFACT_MAX (10u << 20) /* bytes of one */

/* See door.h. Refusals: 422 for a field's content, 400 and 413 for a body that
 * is no JSON object or is too large. */
int ragflow_parse(const struct door_limits *limits, struct job *job,
		  struct refusal *why);
void ragflow_render(const struct door_answer *answer, struct reply *reply);
void ragflow_refuse(const struct refusal *why, const char *id,
		    struct reply *reply);

extern const struct door ragflow_door;

/* For the description of the API. */
extern const struct fields ragflow_fields;

#endif
