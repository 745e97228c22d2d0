/*
 * mcp_tool - the tool that clients of the Model Context Protocol see: its
 * description, its schemas and its arguments.
 */
#ifndef TERRARIUM_MCP_TOOL_H
#define TERRARIUM_MCP_TOOL_H

#include "sandbox/text/text.h"
#include "mcp.h"

/* Append a sentence with the packages of PACKAGES that a model may know.
 * PACKAGES is the pool's own text, which needs no check. */
void mcp_tool_add_packages(const struct bytes *packages, struct text *text);

/* Append one paragraph for a model: what is installed, the limits, the place of
 * files, what is refused. As a JSON string. */
void mcp_tool_describe(const struct mcp_facts *facts, struct reply *reply);

/* Append the tool as an object of tools/list. */
void mcp_tool_put(const struct mcp_facts *facts, struct reply *reply);

/* Read the object ARGUMENTS, of the text JOB->body, into the rest of *JOB. 0,
 * or a negative errno value with *WHY filled in. */
int mcp_tool_read(const struct door_limits *limits,
		  struct json_span arguments, struct job *job,
		  struct refusal *why);

/* For the protocol's conformance suite: the arguments of run_python that a call
 * of the tool NAME stands for; whether there is one. Weak: only a build for
 * tests (tests/mcp/fixtures.c) has it, and it is NULL in the product. */
bool mcp_fixture(struct json_span name, struct json_span *arguments)
	__attribute__((weak));

#endif
