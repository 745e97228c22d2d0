/*
 * route_mcp - the door of the Model Context Protocol, as a row of route.c serves
 * it: most of its messages need no run.
 */
#ifndef TERRARIUM_ROUTE_MCP_H
#define TERRARIUM_ROUTE_MCP_H

#include "fcgi/mcp/mcp.h"
#include "route_call.h"

/* Read the body, and the message in it, into MCP. A negative errno value: the
 * body could not be read, and the reply says so. */
int route_mcp_take(struct route_call *call, struct mcp *mcp);

void route_mcp(struct route_call *call);

#endif
