/*
 * mcp_python - the tool "python", the only one on the old transport (GET /sse).
 *
 * Its clients find the tool by this name, rewrite schemas, and show a model the
 * server's instructions in place of a description. So the schema has one
 * argument and nothing else, and a result is one block of text that is never an
 * error: older clients read nothing but the first block.
 */
#ifndef TERRARIUM_MCP_PYTHON_H
#define TERRARIUM_MCP_PYTHON_H

#include "sandbox/text/text.h"
#include "mcp.h"

#define MCP_PYTHON "python" /* the tool, and the server's name */
#define MCP_PYTHON_TEXT_MAX 20000 /* characters of a result */

/* Append one paragraph for a model, as a JSON string. */
void mcp_python_describe(const struct mcp_facts *facts, struct reply *reply);

/* Append the tool as an object of tools/list. */
void mcp_python_put(const struct mcp_facts *facts, struct reply *reply);

/* Read the object ARGUMENTS, of the text JOB->body, into the rest of *JOB;
 * unknown members are ignored. 0, or a negative errno value with *WHY filled
 * in. */
int mcp_python_read(const struct door_limits *limits,
		    struct json_span arguments, struct job *job,
		    struct refusal *why);

/* Append the members of the result of a run that the server did not fail; and
 * of a call that was refused. */
void mcp_python_result(const struct mcp *mcp,
		       const struct door_answer *answer, struct reply *reply);
void mcp_python_refuse(const struct mcp *mcp, const struct refusal *why,
		       struct reply *reply);

/* Append TEXT to OUT as valid UTF-8. Of a text of more than MOST characters the
 * middle is left out, and a line tells how many; then OUT has at most MOST
 * characters more. MOST is at least 100. */
void mcp_python_cut(const struct text *from, size_t most, struct text *out);

#endif
