/*
 * route_sessions - requests that end or copy a session, and run nothing.
 */
#ifndef TERRARIUM_ROUTE_SESSIONS_H
#define TERRARIUM_ROUTE_SESSIONS_H

#include "route_call.h"

void route_sessions_release(struct route_call *call);
void route_sessions_fork(struct route_call *call);
/* Of the paths of /api/v1. */
void route_sessions_v1_release(struct route_call *call);

#endif
