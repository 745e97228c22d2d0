/*
 * mcp_progress - the lines of a call's stream: a notification for each piece of
 * output, and after a silence one without output, so that a host that waits for
 * progress goes on to wait. The response is the last line.
 *
 *	{"jsonrpc":"2.0","method":"notifications/progress","params":
 *	 {"progressToken":…,"progress":1,"message":"…"}}
 */
#ifndef TERRARIUM_MCP_PROGRESS_H
#define TERRARIUM_MCP_PROGRESS_H

#include "mcp_message.h"

/* Keep the token of MESSAGE's request for progress, if it has one, in
 * MCP->token. It notes a fault, or returns -ENOMEM; else 0. */
int mcp_progress_read(struct mcp *mcp, struct mcp_message *message);

/* The context of its lines is a struct mcp. */
extern const struct door_stream mcp_progress_stream;

#endif
