/*
 * route_sse - POST /messages: one message of a client of MCP's old transport.
 * Its answer goes to the client's stream, which the streams process holds
 * (fcgi/streams), so the request is answered before a program runs.
 */
#ifndef TERRARIUM_ROUTE_SSE_H
#define TERRARIUM_ROUTE_SSE_H

#include "route_call.h"

void route_sse(struct route_call *call);

/* GET /sse, which the web server should have passed to the streams process. */
void route_sse_elsewhere(struct route_call *call);

#endif
