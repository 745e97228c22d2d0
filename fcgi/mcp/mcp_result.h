/*
 * mcp_result - the result of a call of the tool run_python: content for a model
 * (text, images, files) and the same facts for programs.
 */
#ifndef TERRARIUM_MCP_RESULT_H
#define TERRARIUM_MCP_RESULT_H

#include "mcp.h"

/* Append the members of the result of a run that the server did not fail. */
void mcp_result_put(const struct mcp *mcp, const struct door_answer *answer,
		    struct reply *reply);

/* The same for a call whose arguments were refused: a model can mend them. */
void mcp_result_refuse(const struct mcp *mcp, const struct refusal *why,
		       struct reply *reply);

#endif
