/* mcp_progress - see mcp_progress.h. */
#include "mcp_progress.h"

#include "sandbox/text/fields.h"
#include "fcgi/api/events.h"

int mcp_progress_read(struct mcp *mcp, struct mcp_message *message)
{
	struct json_span token;

	if (!message->meta.data ||
	    !json_member(message->meta, "progressToken", &token) ||
	    json_kind(token) == JSON_NULL)
		return 0;
	if (json_kind(token) != JSON_STRING && json_kind(token) != JSON_NUMBER)
		mcp_message_fault(message, MCP_PARAMS, 0,
				  "params._meta.progressToken must be a string "
				  "or an integer");
	else if (token.size > MCP_ID_MAX)
		mcp_message_fault(message, MCP_PARAMS, 0,
				  "params._meta.progressToken is longer than "
				  "%u bytes", MCP_ID_MAX);
	if (message->is_bad)
		return 0;
	free(mcp->token.data);
	mcp->token = (struct bytes){0};
	return fields_copy(token, &mcp->token);
}

/* Begin a notification. Its number is the progress, which must grow. */
static void mcp_progress_begin(const struct events *events, struct text *line)
{
	const struct mcp *mcp = events->context;

	text_format(line, "{\"jsonrpc\":\"2.0\",\"method\":"
		    "\"notifications/progress\",\"params\":{"
		    "\"progressToken\":");
	text_add_line(line, mcp->token.data, mcp->token.size);
	text_format(line, ",\"progress\":%ju", (uintmax_t)events->sent + 1);
}

static void mcp_progress_text(const struct events *events, struct text *line,
			      enum sink_stream stream, const char *data,
			      size_t size)
{
	(void)stream; /* a terminal shows both, too */
	mcp_progress_begin(events, line);
	text_format(line, ",\"message\":");
	text_add_json(line, data, size);
	text_format(line, "}}\n");
}

static void mcp_progress_silence(const struct events *events,
				 struct text *line)
{
	mcp_progress_begin(events, line);
	text_format(line, "}}\n");
}

static const struct events_lines mcp_progress_lines = {
	.text = mcp_progress_text,
	.silence = mcp_progress_silence,
	.keep = true,
};

/* A call that is not run after all is answered by mcp_refuse_run(), also behind
 * lines. */
const struct door_stream mcp_progress_stream = {&mcp_progress_lines,
						mcp_render, NULL};
