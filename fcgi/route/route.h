/*
 * route - finds the door for a request's path.
 */
#ifndef TERRARIUM_ROUTE_H
#define TERRARIUM_ROUTE_H

#include "fcgi/openapi/operation.h"
#include "route_call.h"

/* Find the door of CALL's request, and let it fill in the reply. */
void route_serve(struct route_call *call);

/* Describe all paths of this table: the first ROOM of them in PATHS. Returns
 * their number. */
size_t route_paths(struct operation_path *paths, size_t room);

#endif
