/*
 * mcp_message - one message of a client: its members, the era that it belongs
 * to, and the fault that it has.
 */
#ifndef TERRARIUM_MCP_MESSAGE_H
#define TERRARIUM_MCP_MESSAGE_H

#include "mcp.h"

#define MCP_MODERN "2026-07-28"
#define MCP_LATEST_LEGACY "2025-11-25" /* for a client of another version */
#define MCP_BATCHES "2025-03-26" /* the only version with batches, and the only
				  * one without links to resources */

/* Members of params._meta of the second era. */
#define MCP_META_VERSION "io.modelcontextprotocol/protocolVersion"
#define MCP_META_CAPABILITIES "io.modelcontextprotocol/clientCapabilities"
#define MCP_META_SERVER "io.modelcontextprotocol/serverInfo"

enum mcp_error {
	MCP_PARSE = -32700,
	MCP_INVALID = -32600,
	MCP_METHOD = -32601,
	MCP_PARAMS = -32602,
	MCP_INTERNAL = -32603,
	MCP_SERVER = -32000,
	MCP_MISSING = -32002, /* a resource, in the first era */
	MCP_HEADER = -32020,
	MCP_VERSION = -32022,
};

/* The versions that are served; the first is of the second era, the last of the
 * old transport. */
#define MCP_VERSIONS 5
extern const char *const mcp_versions[MCP_VERSIONS];

/* One message. The spans lie in the body. */
struct mcp_message {
	struct json_span id, method, params, meta;
	bool is_response;
	bool is_bad; /* WHY tells why */
	enum mcp_error error;
	int status; /* of an error that is an HTTP error, too; 0: none */
	char why[240];
	struct json_span requested; /* of MCP_VERSION, a string; no data: the
				     * header's */
};

/* Note a fault. STATUS is that of a fault that is an HTTP error, too, or 0. */
void mcp_message_fault(struct mcp_message *message, enum mcp_error error,
		       int status, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Read OBJECT, which is any JSON value. */
void mcp_message_read(struct mcp_message *message, struct json_span object);

/* Is the version with this index served on MCP's path? */
bool mcp_message_serves(const struct mcp *mcp, size_t index);

/* Is SPAN a version that begins with "initialize", served on MCP's path? */
bool mcp_message_legacy(const struct mcp *mcp, struct json_span span);

/* Check the version that stands in the header and in the message, and set
 * MCP->modern. The specification has the order of the faults. */
void mcp_message_find_era(struct mcp *mcp, struct mcp_message *message);

/* Does the client know links to resources? One that sends no version is of
 * MCP_BATCHES. */
bool mcp_message_knows_links(const struct mcp *mcp);

/* Check the members that each request of the second era must carry. */
void mcp_message_check_modern(struct mcp *mcp, struct mcp_message *message);

#endif
