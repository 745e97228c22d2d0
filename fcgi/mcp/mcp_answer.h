/*
 * mcp_answer - the parts of answers that methods share. Between the begin and
 * the end of an answer stands a member "result" or "error".
 */
#ifndef TERRARIUM_MCP_ANSWER_H
#define TERRARIUM_MCP_ANSWER_H

#include "mcp_message.h"

#define MCP_ANSWER_KEEP_MS 60000 /* the packages change with a reload */

struct bytes mcp_answer_bytes(struct json_span span);

/* Begin an answer to the message with the id ID, JSON text (NULL or no data: it
 * has none that could be read), in a batch behind those before it; and end
 * it. */
void mcp_answer_begin(struct mcp *mcp, const struct bytes *id,
		      struct reply *reply);
void mcp_answer_end(struct mcp *mcp, struct reply *reply);

/* Append an error, but for its last brace. */
void mcp_answer_error(struct reply *reply, enum mcp_error error,
		      const char *why);

/* Write the whole answer to a message with a fault, or to a body that is no
 * message. */
void mcp_answer_fault(struct mcp *mcp, const struct mcp_message *message,
		      struct reply *reply);
void mcp_answer_refusal(struct mcp *mcp, enum mcp_error error,
			const struct refusal *why, struct reply *reply);

/* Begin and end an answer with a result. */
void mcp_answer_result(struct mcp *mcp, const struct bytes *id,
		       struct reply *reply);
void mcp_answer_end_result(struct mcp *mcp, struct reply *reply);

/* Append members, each with a comma behind it: how long a client of the second
 * era may keep the answer (nothing in the first), and capabilities. Files are
 * resources only because sessions keep them. */
void mcp_answer_cache(const struct mcp *mcp, unsigned keep_ms,
		      struct reply *reply);
void mcp_answer_capabilities(const struct mcp *mcp, struct reply *reply);

/* Append the list of versions, and the object with the server's name. */
void mcp_answer_versions(const struct mcp *mcp, struct reply *reply);
void mcp_answer_server(const struct mcp *mcp, struct reply *reply);

#endif
