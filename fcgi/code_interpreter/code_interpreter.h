/*
 * code_interpreter - the door of clients that keep a session by their user's
 * id: POST /execute {user_uuid, code}, /release {user_uuid}, /fork {user_uuid,
 * new_uuid}.
 *
 * An error is {"detail": ...}: 400 for an exception of the program, 504 for
 * its time limit, 503 for its process's end, 422 with a list for a field. The
 * sentence tells the session's state.
 */
#ifndef TERRARIUM_CODE_INTERPRETER_H
#define TERRARIUM_CODE_INTERPRETER_H

#include "fcgi/api/door.h"
#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"

/* The fields that name a session and its branch. */
#define CODE_INTERPRETER_NAME "user_uuid"
#define CODE_INTERPRETER_OTHER "new_uuid"

#define CODE_INTERPRETER_NAMES_MAX 65536 /* bytes of a body of names */

/* See door.h: /execute. */
int code_interpreter_parse(const struct door_limits *limits, struct job *job,
			   struct refusal *why);
void code_interpreter_render(const struct door_answer *answer,
			     struct reply *reply);
void code_interpreter_refuse(const struct refusal *why, const char *id,
			     struct reply *reply);

/* Read the names in a body of /release, or, with OTHER, of /fork. The caller
 * releases their data, also after an error. Errors as of parse() in door.h. */
int code_interpreter_names(const char *body, size_t size, struct bytes *name,
			   struct bytes *other, struct refusal *why);

/* The answers to those. */
void code_interpreter_released(bool there, struct reply *reply);
void code_interpreter_forked(struct reply *reply);

/*
 * Shared with the paths of 2026 (code_interpreter_v1.c): the answer to a
 * success; the text of an exception, with COLON also behind a name without a
 * message; the text of another failure, with the session's state; and a
 * {"detail": text}.
 */
void code_interpreter_result(struct reply *reply,
			     const struct outcome *outcome);
void code_interpreter_exception(const struct outcome *outcome, bool colon,
				struct text *text);
void code_interpreter_failure(const struct door_answer *answer,
			      struct text *text);
void code_interpreter_detail(struct reply *reply, const struct text *text);

extern const struct door code_interpreter_door;

/* For the description of the API. */
extern const struct fields code_interpreter_execute_fields;
extern const struct fields code_interpreter_release_fields;
extern const struct fields code_interpreter_fork_fields;

#endif
