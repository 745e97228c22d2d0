/*
 * mcp_resource - output files as resources of the Model Context Protocol: their
 * addresses, and the answer to a host that reads one of a session.
 *
 *	file:///home/user/PATH			a file of one call
 *	file:///home/user/PATH?session=NAME	one that can be read later
 */
#ifndef TERRARIUM_MCP_RESOURCE_H
#define TERRARIUM_MCP_RESOURCE_H

#include "mcp.h"

/* Append "uri" and "mimeType" of the file NAME, as members of an object.
 * SESSION is a session's name; NULL or without data: none. */
void mcp_resource_put_place(struct reply *reply, const char *name,
			    const struct bytes *session);

/* The same, "uri" only. */
void mcp_resource_put_uri(struct reply *reply, const char *name,
			  const struct bytes *session);

/* Append the list of templates of addresses: an array. */
void mcp_resource_put_templates(struct reply *reply);

/* Read the address URI, a JSON string, into the session and the only file of
 * JOB. 0, or a negative errno value with *WHY filled in: 404 for an address
 * that no file can have. */
int mcp_resource_read(struct json_span uri, struct job *job,
		      struct refusal *why);

/* Append "contents" of FILE, which was asked for by URI, JSON text. */
void mcp_resource_put(struct reply *reply, const struct bytes *uri,
		      const struct outcome_file *file);

/* For the protocol's conformance suite, as mcp_fixture(): replace the address
 * *URI of a resource that it knows by name. */
void mcp_fixture_resource(struct json_span *uri) __attribute__((weak));

#endif
