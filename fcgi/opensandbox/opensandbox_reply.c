/* opensandbox_reply - see opensandbox_reply.h. */
#include "opensandbox_reply.h"

#include <inttypes.h>
#include <string.h>

#include "opensandbox_events.h"
#include "sandbox/text/message.h"
#include "sandbox/text/text.h"

const char opensandbox_no_shell[] =
	"this server runs Python programs: use the code interpreter "
	"(POST /code). There is no shell, and nothing can be installed";

/* ---- sandboxes --------------------------------------------------------- */

static void opensandbox_reply_begin(struct reply *reply,
				    const struct e2b_sandbox *sandbox)
{
	reply_text(reply, "{\"id\":");
	reply_string(reply, sandbox->id);
	reply_text(reply, ",\"status\":{\"state\":\"Running\"},\"metadata\":");
	e2b_reply_noted(reply, sandbox->note, "metadata", "{}");
	reply_text(reply, ",\"entrypoint\":[\"python3\"]");
	e2b_reply_time(reply, "createdAt", sandbox->began);
	e2b_reply_time(reply, "expiresAt", sandbox->ends);
}

void opensandbox_reply_created(struct reply *reply,
			       const struct e2b_sandbox *sandbox)
{
	opensandbox_reply_begin(reply, sandbox);
	reply_text(reply, "}\n");
}

void opensandbox_reply_detail(struct reply *reply,
			      const struct e2b_sandbox *sandbox)
{
	opensandbox_reply_begin(reply, sandbox);
	reply_text(reply, ",\"image\":{\"uri\":");
	e2b_reply_noted(reply, sandbox->note, "templateID", "\"base\"");
	reply_text(reply, "}}");
}

void opensandbox_reply_renewed(struct reply *reply,
			       const struct e2b_sandbox *sandbox)
{
	reply_text(reply, "{\"id\":");
	reply_string(reply, sandbox->id);
	e2b_reply_time(reply, "expiresAt", sandbox->ends);
	reply_text(reply, "}\n");
}

/* Clients put their own scheme before an address that has none. */
void opensandbox_reply_endpoint(struct reply *reply,
				const struct e2b_sandbox *sandbox)
{
	struct text address = {0};

	text_format(&address, "%s/opensandbox/%s",
		    *sandbox->domain ? sandbox->domain : "localhost",
		    sandbox->id);
	reply_text(reply, "{\"endpoint\":");
	reply_json_string(reply, address.data, address.size);
	reply_format(reply,
		     ",\"headers\":{\"X-EXECD-ACCESS-TOKEN\":\""
		     E2B_REPLY_TOKEN "%s\"}}\n", sandbox->request);
	if (address.error)
		reply->error = address.error;
	text_free(&address);
}

/* ---- runs -------------------------------------------------------------- */

/* The lines of TEXT, as an array of strings. */
static void opensandbox_reply_traceback(struct reply *reply,
					const struct text *text)
{
	reply_text(reply, "[");
	for (size_t at = 0, size; at < text->size; at += size + 1) {
		const char *line = text->data + at;
		const char *stop = memchr(line, '\n', text->size - at);

		size = stop ? (size_t)(stop - line) : text->size - at;
		reply_text(reply, at ? "," : "");
		reply_json_string(reply, line, size);
	}
	reply_text(reply, "]");
}

static void opensandbox_reply_stamp(struct reply *reply)
{
	reply_format(reply, ",\"timestamp\":%" PRId64 "}\n",
		     opensandbox_events_now());
}

static void opensandbox_reply_error(struct reply *reply,
				    const struct door_answer *answer)
{
	struct text message = {0};

	message_add(&message, answer->outcome, answer->limits);
	reply_text(reply, "{\"type\":\"error\",\"error\":{\"ename\":");
	reply_string(reply, e2b_reply_error_name(answer->outcome));
	reply_text(reply, ",\"evalue\":");
	e2b_reply_error_value(reply, answer);
	reply_text(reply, ",\"traceback\":");
	opensandbox_reply_traceback(reply, &message);
	reply_text(reply, "}");
	opensandbox_reply_stamp(reply);
	if (message.error)
		reply->error = message.error;
	text_free(&message);
}

static void opensandbox_reply_complete(struct reply *reply, uint64_t ms)
{
	reply->content_type = "text/event-stream";
	reply_format(reply,
		     "{\"type\":\"execution_complete\",\"execution_time\":%ju",
		     (uintmax_t)ms);
	opensandbox_reply_stamp(reply);
}

void opensandbox_reply_lines(const struct door_answer *answer,
			     struct reply *reply)
{
	reply->status = 200;
	reply->id = answer->id;
	if (answer->outcome->verdict != OUTCOME_OK)
		opensandbox_reply_error(reply, answer);
	opensandbox_reply_complete(reply, answer->outcome->runtime_ms);
}

static void opensandbox_reply_fault(struct reply *reply, const char *name,
				    const char *value)
{
	reply_text(reply, "{\"type\":\"error\",\"error\":{\"ename\":");
	reply_string(reply, name);
	reply_text(reply, ",\"evalue\":");
	reply_string(reply, value);
	reply_text(reply, ",\"traceback\":[]}");
	opensandbox_reply_stamp(reply);
}

/* No stream has begun, so the marks of events are written here. */
void opensandbox_reply_language(struct reply *reply, const char *language)
{
	char shown[TEXT_SHOW_SIZE];
	struct text value = {0};

	text_show(shown, language, strlen(language));
	text_format(&value, "this server runs Python programs, not %s", shown);
	text_add(&value, "", 1);
	reply_text(reply, "data: ");
	if (value.error)
		reply->error = value.error;
	else
		opensandbox_reply_fault(reply, "UnsupportedLanguage",
					value.data);
	text_free(&value);
	reply_text(reply, "\ndata: ");
	opensandbox_reply_complete(reply, 0);
	reply_text(reply, "\n");
}

/* ---- refusals ---------------------------------------------------------- */

void opensandbox_reply_refusal(const struct refusal *why, const char *id,
			       struct reply *reply)
{
	reply->status = e2b_reply_status(why, 404);
	if (reply->status == 429)
		reply->retry_after_s = 0;
	reply->id = id;
	reply_text(reply, "{\"code\":");
	reply_string(reply, why->code);
	reply_text(reply, ",\"message\":");
	reply_string(reply, why->message);
	reply_text(reply, "}\n");
}

void opensandbox_reply_stream_refusal(const struct refusal *why,
				      const char *id, struct reply *reply)
{
	reply->status = 200;
	reply->id = id;
	opensandbox_reply_fault(reply, "UnexpectedEndOfExecution",
				why->message);
	opensandbox_reply_complete(reply, 0);
}
