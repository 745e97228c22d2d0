/*
 * openapi - the description of the server's API, as OpenAPI 3.1.
 */
#ifndef TERRARIUM_OPENAPI_H
#define TERRARIUM_OPENAPI_H

#include "operation.h"

/* Append the description of COUNT paths: one line of JSON. The paths may be in
 * any order. 0, -ENOMEM, or -EINVAL if a table has a shape that is none. */
int openapi_add(struct text *text, const struct operation_path *paths,
		size_t count);

#endif
