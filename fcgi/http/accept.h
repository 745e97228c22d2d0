/*
 * accept - the forms of an answer that a client takes.
 */
#ifndef TERRARIUM_ACCEPT_H
#define TERRARIUM_ACCEPT_H

#include "sandbox/base/base.h"

enum accept_form {
	ACCEPT_WHOLE,  /* one object, after the run */
	ACCEPT_NDJSON, /* a line for each event, as it happens */
	ACCEPT_SSE,    /* the same as server-sent events */
	ACCEPT_FORMS
};

/*
 * The form that the Accept header TEXT asks for: of application/json,
 * application/x-ndjson and text/event-stream the one with the highest quality,
 * of equals the first. No other type counts. Any bytes are valid.
 */
enum accept_form accept_form(const char *text);

/* Does the header TEXT name FORM's type, with a quality above 0? */
bool accept_takes(const char *text, enum accept_form form);

#endif
