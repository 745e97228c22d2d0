/*
 * e2b - the door of E2B's SDKs: from a request to a job or a call about a
 * sandbox. Its answers are in e2b_reply.c, the calls in route_e2b.c.
 *
 * A sandbox is a session with a note (session_order.h), which holds what its
 * client said when it was made. Its name is its id.
 */
#ifndef TERRARIUM_E2B_H
#define TERRARIUM_E2B_H

#include "fcgi/api/door.h"
#include "sandbox/text/fields.h"
#include "sandbox/text/text.h"

#define E2B_ID 40 /* characters of a sandbox's id */
#define E2B_TAG 16 /* hexadecimal digits at its beginning: its client's tag */
#define E2B_BODY_MAX (1u << 20) /* bytes of a body about a sandbox */
#define E2B_METADATA_MAX 4096 /* bytes, as they are in the body */
#define E2B_TEMPLATE_MAX 256 /* the same of the template's name */
#define E2B_NOTE_MAX 4608 /* bytes of a note, its NUL included */

/* A sandbox to be made, or to be used for longer. Begins empty, but for
 * job.body, which it owns. */
struct e2b_request {
	struct job job; /* with the variables, and no program */
	struct json_span template, metadata; /* in the body, or no data */
	bool secure; /* an id alone is not enough to run programs and use files */
	unsigned timeout_s; /* 0: not told, or the end of the sandbox */
	bool timed; /* it was told */
	struct refusal *why;
};

void e2b_free(struct e2b_request *request);

/* Read JOB.body of a POST to /sandboxes, /sandboxes/{id}/connect and
 * /sandboxes/{id}/timeout. 0, or a negative errno value with *WHY: 400. */
int e2b_read_create(struct e2b_request *request, struct refusal *why);
int e2b_read_connect(struct e2b_request *request, struct refusal *why);
int e2b_read_timeout(struct e2b_request *request, struct refusal *why);

/* Members that the bodies of another API of sandboxes have, too: variables of
 * the object SPAN for JOB, and a template's name, which FIELD names. The takes
 * are for tables of fields: CONTEXT is a struct e2b_request for metadata and
 * seconds, and a struct e2b_run for a program, its context and its language.
 * 0, or a negative errno value with a refusal. */
int e2b_variables(struct job *job, struct json_span span, const char *field,
		  struct refusal *why);
int e2b_template(struct e2b_request *request, struct json_span span,
		 const char *field);
int e2b_take_metadata(void *context, struct json_span span);
int e2b_take_first_timeout(void *context, struct json_span span);
int e2b_take_code(void *context, struct json_span span);
int e2b_take_context(void *context, struct json_span span);
int e2b_take_language(void *context, struct json_span span);

/* The note of a sandbox to be made, and whether it is one of a secure sandbox.
 * One that cannot be read is. */
void e2b_note(const struct e2b_request *request, struct text *note);
bool e2b_note_is_secure(const char *note);

/* Copy the id in TEXT to OUT, without what old SDKs hang on behind a '-'. False:
 * it is none. */
bool e2b_id(const char *text, size_t size, char out[E2B_ID + 1]);

/* Write the id of a new sandbox: TAG, and 24 characters that cannot be guessed.
 * The tag is random too if TAG is none. The web server gives it, and finds the
 * client of an id by it. 0 or a negative errno value. */
int e2b_new_id(const char *tag, char out[E2B_ID + 1]);

/* A program to run. */
struct e2b_run {
	struct job *job;
	struct bytes context; /* its id, in the body; no data: the default */
	struct bytes language; /* the same; no data: Python */
	struct refusal *why;
};

/* Read JOB->body of a POST to /execute. As above. */
int e2b_read_run(struct e2b_run *run, struct refusal *why);

/* Is its language Python? */
bool e2b_is_python(const struct e2b_run *run);

#define E2B_CONTEXT 32 /* characters of the id of a context that was made */

/* A context to be made. */
struct e2b_context {
	struct job job; /* goes to the directory; owns its body */
	struct bytes language, cwd; /* of the body, or no data */
	struct refusal *why;
};

/* Write the id of a new context. 0 or a negative errno value. */
int e2b_new_context_id(char out[E2B_CONTEXT + 1]);

#define E2B_CWD "/home/user"
#define E2B_CWD_MAX 700 /* bytes */
#define E2B_BEGINNING "0" /* the context that never runs */

/* Read CONTEXT->job.body of a POST to /contexts. As above. */
int e2b_read_context(struct e2b_context *context, struct refusal *why);

/* Fill in JOB: it goes to the directory CWD. 0 or -ENOMEM. */
int e2b_go(struct job *job, const char *cwd);

/* Is TEXT the id of a context of the sandbox ID, its default one included? */
bool e2b_is_context(const char *text, const char *id);

/* The forms of refusals: to calls about sandboxes, and on a sandbox's own
 * ports. The second streams. */
extern const struct door e2b_door;
extern const struct door e2b_port_door;
extern const struct door_stream e2b_stream;

/* For the description of the API. */
extern const struct fields e2b_create_fields;
extern const struct fields e2b_connect_fields;
extern const struct fields e2b_timeout_fields;
extern const struct fields e2b_run_fields;
extern const struct fields e2b_context_fields;

#endif
