/*
 * message - what became of a run, in words for a person.
 */
#ifndef TERRARIUM_MESSAGE_H
#define TERRARIUM_MESSAGE_H

#include "sandbox/base/limits.h"
#include "sandbox/base/outcome.h"
#include "text.h"

/* Append the sentence of OUTCOME's verdict, with the limit of LIMITS that it
 * speaks of, and the traceback when there is one. An exception needs no
 * sentence: its traceback says it all. */
void message_add(struct text *text, const struct outcome *outcome,
		 const struct limits *limits);

#endif
