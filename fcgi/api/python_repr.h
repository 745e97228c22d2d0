/*
 * python_repr - a JSON value as Python's repr() shows the object of it.
 */
#ifndef TERRARIUM_PYTHON_REPR_H
#define TERRARIUM_PYTHON_REPR_H

#include "sandbox/text/json.h"
#include "sandbox/text/text.h"

/* Append SPAN, of a checked text that may hold NUL. Items of lists and objects
 * are left out when TEXT has MOST bytes. A string is appended as a whole. Memory
 * that ran out is in TEXT's error. */
void python_repr_add(struct text *text, struct json_span span, size_t most);

#endif
