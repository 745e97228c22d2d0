/*
 * code_interpreter_v1 - the code-interpreter door's paths of 2026: the session
 * is a UUID in the query, POST /api/v1/execute {code} and /api/v1/release.
 * code_interpreter_files.h has the calls for files.
 *
 * An exception of the program is a success: its text is in result_text. Errors
 * are {"detail": ...}: 422 with a list of all faults, 404 for a session that
 * is not there, 504 for the time limit, 503 for other ends and for no room.
 */
#ifndef TERRARIUM_CODE_INTERPRETER_V1_H
#define TERRARIUM_CODE_INTERPRETER_V1_H

#include "fcgi/api/door.h"
#include "fcgi/api/findings.h"
#include "sandbox/text/json.h"

/* The query's parameter that names the session. */
#define CODE_INTERPRETER_V1_NAME "user_uuid"

/* Read the session's name from QUERY into NAME, to be freed: in lower case
 * with hyphens. Faults go to FINDINGS. 0 or -ENOMEM. */
int code_interpreter_v1_name(const char *query, struct bytes *name,
			     struct findings *findings);

/* Check that the SIZE bytes of BODY are a JSON object; else a fault goes to
 * FINDINGS. 0 or -ENOMEM. */
int code_interpreter_v1_body(const char *body, size_t size,
			     struct findings *findings);

/* See door.h: /api/v1/execute. */
extern const struct door code_interpreter_v1_door;

/* The answer to /api/v1/release. */
void code_interpreter_v1_released(bool there, struct reply *reply);

#endif
