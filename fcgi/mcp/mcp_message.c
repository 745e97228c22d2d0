/* mcp_message - see mcp_message.h. */
#include "mcp_message.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/text/text.h"

const char *const mcp_versions[MCP_VERSIONS] = {MCP_MODERN, MCP_LATEST_LEGACY,
						"2025-06-18", MCP_BATCHES,
						"2024-11-05"};

void mcp_message_fault(struct mcp_message *message, enum mcp_error error,
		       int status, const char *fmt, ...)
{
	va_list args;

	message->is_bad = true;
	message->error = error;
	message->status = status;
	va_start(args, fmt);
	vsnprintf(message->why, sizeof(message->why), fmt, args);
	va_end(args);
}

bool mcp_message_serves(const struct mcp *mcp, size_t index)
{
	return mcp->kind->old ? index > 0 : index + 1 < MCP_VERSIONS;
}

bool mcp_message_legacy(const struct mcp *mcp, struct json_span span)
{
	for (size_t i = 1; i < ARRAY_LEN(mcp_versions); i++)
		if (mcp_message_serves(mcp, i) &&
		    json_is(span, mcp_versions[i]))
			return true;
	return false;
}

static void mcp_message_id(struct mcp_message *message, struct json_span object)
{
	struct json_span id;

	if (!json_member(object, "id", &id))
		return;
	if (json_kind(id) != JSON_STRING && json_kind(id) != JSON_NUMBER)
		mcp_message_fault(message, MCP_INVALID, 400,
				  "id must be a string or a number");
	else if (id.size > MCP_ID_MAX)
		mcp_message_fault(message, MCP_INVALID, 400,
				  "id is longer than %u bytes", MCP_ID_MAX);
	else
		message->id = id;
}

static void mcp_message_params(struct mcp_message *message)
{
	if (json_kind(message->params) != JSON_OBJECT) {
		mcp_message_fault(message, MCP_PARAMS, 0,
				  "params must be an object");
		return;
	}
	if (json_member(message->params, "_meta", &message->meta) &&
	    json_kind(message->meta) != JSON_OBJECT)
		mcp_message_fault(message, MCP_PARAMS, 400,
				  "params._meta must be an object");
}

void mcp_message_read(struct mcp_message *message, struct json_span object)
{
	struct json_span version, other;

	*message = (struct mcp_message){0};
	if (json_kind(object) != JSON_OBJECT) {
		mcp_message_fault(message, MCP_INVALID, 400,
				  "a message must be an object");
		return;
	}
	mcp_message_id(message, object);
	if (message->is_bad)
		return;
	if (!json_member(object, "jsonrpc", &version) ||
	    json_kind(version) != JSON_STRING || !json_is(version, "2.0"))
		mcp_message_fault(message, MCP_INVALID, 400,
				  "jsonrpc must be \"2.0\"");
	else if (!json_member(object, "method", &message->method))
		message->is_response = message->id.data &&
				       (json_member(object, "result", &other) ||
					json_member(object, "error", &other));
	if (message->is_bad || message->is_response)
		return;
	if (!message->method.data || json_kind(message->method) != JSON_STRING)
		mcp_message_fault(message, MCP_INVALID, 400,
				  "method must be a string");
	else if (json_member(object, "params", &message->params))
		mcp_message_params(message);
}

/* ---- eras ------------------------------------------------------------ */

static bool mcp_message_header_known(const struct mcp *mcp, bool *modern)
{
	for (size_t i = 0; i < ARRAY_LEN(mcp_versions); i++)
		if (mcp_message_serves(mcp, i) &&
		    strcmp(mcp->headers->version, mcp_versions[i]) == 0) {
			*modern = i == 0;
			return true;
		}
	return false;
}

/* The version that the message itself names, if it is of the second era. */
static bool mcp_message_meta_version(const struct mcp *mcp,
				     const struct mcp_message *message,
				     struct json_span *version)
{
	return !mcp->kind->old && message->meta.data &&
	       json_member(message->meta, MCP_META_VERSION, version);
}

void mcp_message_find_era(struct mcp *mcp, struct mcp_message *message)
{
	const char *header = mcp->headers->version;
	struct json_span version = {0};
	bool named = mcp_message_meta_version(mcp, message, &version),
	     modern = named;
	bool known = mcp_message_header_known(mcp, &modern);

	mcp->modern = modern || named;
	if (named && json_kind(version) != JSON_STRING)
		mcp_message_fault(message, MCP_PARAMS, 400,
				  "params._meta: " MCP_META_VERSION
				  " must be a string");
	else if (named && !json_is(version, header))
		mcp_message_fault(
			message, MCP_HEADER, 400,
			"the header MCP-Protocol-Version must be there and "
			"be the same as in params._meta");
	else if (named && !json_is(version, MCP_MODERN)) {
		mcp_message_fault(
			message, MCP_VERSION, 400,
			"this version of the protocol is not supported in "
			"this form");
		message->requested = version;
	} else if (!named && *header && !known) {
		mcp_message_fault(message, MCP_VERSION, 400,
				  "MCP-Protocol-Version: this version is not "
				  "supported");
	}
}

bool mcp_message_knows_links(const struct mcp *mcp)
{
	return *mcp->headers->version &&
	       strcmp(mcp->headers->version, MCP_BATCHES) != 0;
}

/* The text in a header of the form "=?base64?TEXT?=", which clients use for
 * text that is not plain ASCII. NULL: HEADER has another form. */
static char *mcp_message_header_text(const char *header, size_t *size)
{
	static const char begin[] = "=?base64?", end[] = "?=";
	const size_t first = sizeof(begin) - 1, last = sizeof(end) - 1;
	size_t length = strlen(header);

	if (length < first + last || strncmp(header, begin, first) != 0 ||
	    strcmp(header + length - last, end) != 0)
		return NULL;
	char *text = strndup(header + first, length - first - last);

	if (text && text_base64_decode(text, length - first - last, size) < 0)
		base_release_ptr(&text);
	return text;
}

/* Is HEADER the string NAME of the message, as it is or in base64? */
static bool mcp_message_header_is(const char *header, struct json_span name)
{
	size_t size = 0;
	owned_free char *text = mcp_message_header_text(header, &size);
	struct bytes wanted = {0};

	if (!text)
		return json_is(name, header);
	bool same = json_string(name, &wanted) == 0 && wanted.size == size &&
		    memcmp(wanted.data, text, size) == 0;

	free(wanted.data);
	return same;
}

/* Methods with a member of params that requests repeat in Mcp-Name. */
static const struct mcp_message_name {
	const char *method, *member;
} mcp_message_names[] = {
	{"tools/call", "name"},
	{"resources/read", "uri"},
};

static const struct mcp_message_name *
mcp_message_find_name(const struct mcp_message *message)
{
	for (size_t i = 0; i < ARRAY_LEN(mcp_message_names); i++)
		if (json_is(message->method, mcp_message_names[i].method))
			return &mcp_message_names[i];
	return NULL;
}

void mcp_message_check_modern(struct mcp *mcp, struct mcp_message *message)
{
	const struct mcp_message_name *row = mcp_message_find_name(message);
	struct json_span found, name;

	if (!mcp_message_meta_version(mcp, message, &found))
		mcp_message_fault(message, MCP_PARAMS, 400,
				  "params._meta must have " MCP_META_VERSION);
	else if (!json_member(message->meta, MCP_META_CAPABILITIES, &found) ||
		 json_kind(found) != JSON_OBJECT)
		mcp_message_fault(
			message, MCP_PARAMS, 400,
			"params._meta must have " MCP_META_CAPABILITIES
			", an object");
	else if (!json_is(message->method, mcp->headers->method))
		mcp_message_fault(
			message, MCP_HEADER, 400,
			"the header Mcp-Method must be there and be the "
			"message's method");
	else if (row && json_member(message->params, row->member, &name) &&
		 json_kind(name) == JSON_STRING &&
		 !mcp_message_header_is(mcp->headers->name, name))
		mcp_message_fault(message, MCP_HEADER, 400,
				  "the header Mcp-Name must be there and be "
				  "params.%s", row->member);
}
