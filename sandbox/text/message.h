/*
 * message - the result of a run as a text for people.
 */
#ifndef TERRARIUM_MESSAGE_H
#define TERRARIUM_MESSAGE_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "text.h"

/* Append the sentence of OUTCOME's verdict, with the limit of LIMITS that was
 * reached, and the traceback if there is one. An exception has only its
 * traceback. */
void message_add(struct text *text, const struct outcome *outcome,
		 const struct limits *limits);

#endif
