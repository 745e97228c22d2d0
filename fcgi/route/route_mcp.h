/*
 * route_mcp - the door of the Model Context Protocol, as a row of route.c serves
 * it: most of its messages need no run.
 */
#ifndef TERRARIUM_ROUTE_MCP_H
#define TERRARIUM_ROUTE_MCP_H

#include "route_call.h"

void route_mcp(struct route_call *call);

#endif
