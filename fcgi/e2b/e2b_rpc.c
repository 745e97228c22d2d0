/* e2b_rpc - see e2b_rpc.h. */
#include "e2b_rpc.h"

#include <string.h>

#include "e2b.h"
#include "e2b_reply.h"

#define E2B_RPC_END 2 /* flags of the last frame of a stream */

const char e2b_rpc_no_shell[] =
	"This server runs Python programs: use run_code. There is no shell, "
	"and nothing can be installed.";

/* Words of Connect for statuses. */
static const struct {
	int status;
	const char *word;
} e2b_rpc_words[] = {
	{400, "invalid_argument"}, {401, "unauthenticated"},
	{403, "permission_denied"}, {404, "not_found"},
	{409, "already_exists"}, {413, "resource_exhausted"},
	{429, "resource_exhausted"}, {501, "unimplemented"},
	{503, "unavailable"}, {507, "resource_exhausted"},
};

static const char *e2b_rpc_word(int status)
{
	for (size_t i = 0; i < ARRAY_LEN(e2b_rpc_words); i++)
		if (e2b_rpc_words[i].status == status)
			return e2b_rpc_words[i].word;
	return "internal";
}

/* Without a sandbox the status is 502, as on all of its ports. */
static void e2b_rpc_refuse(const struct refusal *why, const char *id,
			   struct reply *reply)
{
	reply->status = e2b_reply_status(why, 502);
	reply->id = id;
	reply_format(reply, "{\"code\":\"%s\",\"message\":",
		     reply->status == 502 ? "unavailable"
					  : e2b_rpc_word(reply->status));
	reply_string(reply, why->message);
	reply_text(reply, "}\n");
}

void e2b_rpc_no_stream(struct reply *reply)
{
	struct text text = {0};

	text_format(&text, "{\"error\":{\"code\":\"unimplemented\","
			   "\"message\":\"%s\"}}", e2b_rpc_no_shell);
	const unsigned char head[] = {
		E2B_RPC_END, 0, 0, (unsigned char)(text.size >> 8),
		(unsigned char)text.size};

	reply->content_type = "application/connect+json";
	reply_bytes(reply, (const char *)head, sizeof(head));
	reply_bytes(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

static int e2b_rpc_parse(const struct door_limits *limits, struct job *job,
			 struct refusal *why)
{
	(void)limits;
	(void)job;
	return refuse(why, 501, "not_implemented", "%s", e2b_rpc_no_shell);
}

const struct door e2b_rpc_door = {e2b_rpc_parse, e2b_reply_lines,
				  e2b_rpc_refuse, NULL, "e2b"};
