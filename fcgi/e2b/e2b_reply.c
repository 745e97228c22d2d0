/* e2b_reply - see e2b_reply.h. */
#include "e2b_reply.h"

#include <string.h>
#include <time.h>

#include "e2b.h"
#include "fcgi/code_interpreter/code_interpreter.h"
#include "sandbox/text/json.h"
#include "sandbox/text/message.h"
#include "sandbox/text/text.h"

#define E2B_REPLY_VERSION "0.5.0" /* of the files' API that SDKs use */

/* ---- sandboxes --------------------------------------------------------- */

void e2b_reply_noted(struct reply *reply, const char *note, const char *name,
		     const char *otherwise)
{
	struct json_span span;

	if (json_check_value(note, strlen(note)) == 0 &&
	    json_kind(json_whole(note, strlen(note))) == JSON_OBJECT &&
	    json_member(json_whole(note, strlen(note)), name, &span)) {
		const struct bytes found = {(char *)(uintptr_t)span.data,
					    span.size};

		reply_json(reply, &found);
	} else {
		reply_text(reply, otherwise);
	}
}

/* The same as a member of that name. */
static void e2b_reply_note(struct reply *reply, const char *note,
			   const char *name, const char *otherwise)
{
	reply_format(reply, "\"%s\":", name);
	e2b_reply_noted(reply, note, name, otherwise);
}

static void e2b_reply_common(struct reply *reply,
			     const struct e2b_sandbox *sandbox)
{
	reply_text(reply, "{\"sandboxID\":");
	reply_string(reply, sandbox->id);
	reply_text(reply, ",");
	e2b_reply_note(reply, sandbox->note, "templateID", "\"base\"");
	reply_text(reply, ",\"clientID\":\"t\",\"envdVersion\":\""
			  E2B_REPLY_VERSION "\"");
}

static void e2b_reply_token(struct reply *reply, const char *name,
			    const struct e2b_sandbox *sandbox)
{
	reply_format(reply, ",\"%s\":\"" E2B_REPLY_TOKEN "%s\"", name,
		     sandbox->request);
}

/* Without a domain a client would go to E2B's own, with its code. */
static void e2b_reply_domain(struct reply *reply,
			     const struct e2b_sandbox *sandbox)
{
	reply_text(reply, ",\"domain\":");
	reply_string(reply, *sandbox->domain ? sandbox->domain : "localhost");
}

void e2b_reply_created(struct reply *reply, const struct e2b_sandbox *sandbox)
{
	e2b_reply_common(reply, sandbox);
	e2b_reply_token(reply, "envdAccessToken", sandbox);
	e2b_reply_token(reply, "trafficAccessToken", sandbox);
	e2b_reply_domain(reply, sandbox);
	reply_text(reply, "}\n");
}

void e2b_reply_time(struct reply *reply, const char *name, int64_t seconds)
{
	const time_t when = seconds;
	char text[32] = "1970-01-01T00:00:00Z";
	struct tm parts;

	if (gmtime_r(&when, &parts))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	reply_format(reply, ",\"%s\":\"%s\"", name, text);
}

void e2b_reply_detail(struct reply *reply, const struct e2b_sandbox *sandbox,
		      bool token)
{
	e2b_reply_common(reply, sandbox);
	if (token) {
		e2b_reply_token(reply, "envdAccessToken", sandbox);
		e2b_reply_domain(reply, sandbox);
	}
	e2b_reply_time(reply, "startedAt", sandbox->began);
	e2b_reply_time(reply, "endAt", sandbox->ends);
	reply_format(reply,
		     ",\"state\":\"running\",\"cpuCount\":%u,\"memoryMB\":%u,"
		     "\"diskSizeMB\":%u,",
		     sandbox->cores ? sandbox->cores : 1,
		     sandbox->limits->memory_mb, sandbox->limits->home_mb);
	e2b_reply_note(reply, sandbox->note, "metadata", "{}");
	reply_text(reply, "}");
}

void e2b_reply_context(struct reply *reply, const char *id, const char *cwd)
{
	const struct bytes text = {(char *)(uintptr_t)cwd, strlen(cwd)};

	reply_text(reply, "{\"id\":");
	reply_string(reply, id);
	reply_text(reply, ",\"language\":\"python\",\"cwd\":");
	if (json_check_value(text.data, text.size) == 0 &&
	    json_kind(json_whole(text.data, text.size)) == JSON_STRING)
		reply_json(reply, &text);
	else
		reply_text(reply, "\"" E2B_CWD "\"");
	reply_text(reply, "}");
}

/* ---- runs -------------------------------------------------------------- */

const char *e2b_reply_error_name(const struct outcome *outcome)
{
	if (outcome->verdict == OUTCOME_RAISED)
		return outcome->error_type ? outcome->error_type : "Exception";
	return outcome->verdict == OUTCOME_TIMEOUT
		       ? "TimeoutError" : "UnexpectedEndOfExecution";
}

void e2b_reply_error_value(struct reply *reply,
			   const struct door_answer *answer)
{
	const struct outcome *outcome = answer->outcome;
	struct text text = {0};

	if (outcome->verdict == OUTCOME_RAISED && outcome->value.size > 0 &&
	    json_kind(json_whole(outcome->value.data, outcome->value.size)) ==
		    JSON_STRING) {
		reply_json(reply, &outcome->value);
		return;
	}
	code_interpreter_failure(answer, &text);
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

static void e2b_reply_error(struct reply *reply,
			    const struct door_answer *answer)
{
	struct text message = {0};

	message_add(&message, answer->outcome, answer->limits);
	reply_text(reply, "{\"type\":\"error\",\"name\":");
	reply_string(reply, e2b_reply_error_name(answer->outcome));
	reply_text(reply, ",\"value\":");
	e2b_reply_error_value(reply, answer);
	reply_text(reply, ",\"traceback\":");
	reply_json_string(reply, message.data, message.size);
	reply_text(reply, "}\n");
	if (message.error)
		reply->error = message.error;
	text_free(&message);
}

static void e2b_reply_end(struct reply *reply)
{
	reply->content_type = "application/x-ndjson";
	reply_text(reply, "{\"type\":\"end_of_execution\"}\n");
}

void e2b_reply_lines(const struct door_answer *answer, struct reply *reply)
{
	reply->status = 200;
	reply->id = answer->id;
	if (answer->outcome->verdict != OUTCOME_OK)
		e2b_reply_error(reply, answer);
	e2b_reply_end(reply);
}

static void e2b_reply_fault(struct reply *reply, const char *name,
			    const char *value)
{
	reply_text(reply, "{\"type\":\"error\",\"name\":");
	reply_string(reply, name);
	reply_text(reply, ",\"value\":");
	reply_string(reply, value);
	reply_text(reply, ",\"traceback\":");
	reply_string(reply, value);
	reply_text(reply, "}\n");
}

void e2b_reply_language(struct reply *reply, const char *language)
{
	char shown[TEXT_SHOW_SIZE];
	struct text value = {0};

	text_show(shown, language, strlen(language));
	text_format(&value, "this server runs Python programs, not %s", shown);
	text_add(&value, "", 1);
	if (value.error)
		reply->error = value.error;
	else
		e2b_reply_fault(reply, "UnsupportedLanguage", value.data);
	text_free(&value);
	e2b_reply_end(reply);
}

/* ---- refusals ---------------------------------------------------------- */

int e2b_reply_status(const struct refusal *why, int gone)
{
	return why->own_share	 ? 429
	       : why->status == 410 ? gone
				    : why->status;
}

void e2b_reply_refusal(const struct refusal *why, const char *id,
		       struct reply *reply)
{
	reply->status = e2b_reply_status(why, 404);
	if (reply->status == 429)
		reply->retry_after_s = 0;
	reply->id = id;
	reply_format(reply, "{\"code\":%d,\"message\":", reply->status);
	reply_string(reply, why->message);
	reply_text(reply, "}\n");
}

/* The SDKs put the body into their exception as it is. */
void e2b_reply_port_refusal(const struct refusal *why, const char *id,
			    struct reply *reply)
{
	reply->status = e2b_reply_status(why, 502);
	if (reply->status == 429)
		reply->retry_after_s = 0;
	reply->id = id;
	reply->content_type = "text/plain; charset=utf-8";
	reply_text(reply, why->message);
	reply_text(reply, "\n");
}

void e2b_reply_stream_refusal(const struct refusal *why, const char *id,
			      struct reply *reply)
{
	reply->status = 200;
	reply->id = id;
	e2b_reply_fault(reply, "UnexpectedEndOfExecution", why->message);
	e2b_reply_end(reply);
}
