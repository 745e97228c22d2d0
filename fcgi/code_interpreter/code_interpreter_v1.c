/* code_interpreter_v1 - see code_interpreter_v1.h. */
#include "code_interpreter_v1.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "code_interpreter.h"
#include "fcgi/http/query.h"
#include "sandbox/text/fields.h"

#define CODE_INTERPRETER_V1_UUID 36 /* characters, with hyphens */
#define CODE_INTERPRETER_V1_GONE "No active session found for user"

/* ---- the session's name ---------------------------------------------- */

static bool code_interpreter_v1_hyphen(size_t at)
{
	return at == 8 || at == 13 || at == 18 || at == 23;
}

/* Remove "urn:uuid:" or braces from a UUID of SIZE bytes at *TEXT. */
static size_t code_interpreter_v1_strip(const char **text, size_t size)
{
	static const char urn[] = "urn:uuid:";
	const size_t drop = sizeof(urn) - 1;

	if (size > drop && strncasecmp(*text, urn, drop) == 0) {
		*text += drop;
		return size - drop;
	}
	if (size > 2 && (*text)[0] == '{' && (*text)[size - 1] == '}') {
		*text += 1;
		return size - 2;
	}
	return size;
}

/* Write the UUID of SIZE bytes at TEXT to OUT in its usual form. False: it is
 * none. */
static bool code_interpreter_v1_uuid(const char *text, size_t size,
				     char out[CODE_INTERPRETER_V1_UUID + 1])
{
	size = code_interpreter_v1_strip(&text, size);
	const bool plain = size == CODE_INTERPRETER_V1_UUID - 4;

	if (!plain && size != CODE_INTERPRETER_V1_UUID)
		return false;
	for (size_t i = 0; i < CODE_INTERPRETER_V1_UUID; i++) {
		const bool hyphen = code_interpreter_v1_hyphen(i);
		char c = '-';

		if (!hyphen || !plain)
			c = *text++;
		if (c >= 'A' && c <= 'F')
			c = (char)(c - 'A' + 'a');
		if (hyphen ? c != '-'
			   : c == '\0' || !strchr("0123456789abcdef", c))
			return false;
		out[i] = c;
	}
	out[CODE_INTERPRETER_V1_UUID] = '\0';
	return true;
}

int code_interpreter_v1_name(const char *query, struct bytes *name,
			     struct findings *findings)
{
	static const char loc[] = "\"query\",\"" CODE_INTERPRETER_V1_NAME "\"";
	char uuid[CODE_INTERPRETER_V1_UUID + 1];
	struct bytes given;
	int count = query_find(query, CODE_INTERPRETER_V1_NAME, &given);
	bool good = count == 1 &&
		    code_interpreter_v1_uuid(given.data, given.size, uuid);

	free(given.data);
	if (count < 0)
		return count;
	if (good) {
		name->data = strdup(uuid);
		name->size = CODE_INTERPRETER_V1_UUID;
		return name->data ? 0 : -ENOMEM;
	}
	if (count == 0)
		findings_add(findings, "missing", loc,
			     "user_uuid is required in the query");
	else
		findings_add(findings, "uuid_parsing", loc, "%s",
			     count > 1 ? "user_uuid was sent twice"
				       : "user_uuid must be a UUID");
	return 0;
}

/* ---- from a body to a job -------------------------------------------- */

int code_interpreter_v1_body(const char *body, size_t size,
			     struct findings *findings)
{
	struct refusal why = {0};
	char loc[40] = "\"body\"";

	if (size == 0) {
		findings_add(findings, "missing", loc, "the body is empty");
		return 0;
	}
	int rc = json_check(body, size, &json_limits_request, &why);

	if (rc == -ENOMEM)
		return rc;
	if (rc < 0 && why.has_offset)
		snprintf(loc, sizeof(loc), "\"body\",%zu", why.offset);
	if (rc < 0)
		findings_add(findings, "json_invalid", loc, "%s", why.message);
	else if (json_kind(json_whole(body, size)) != JSON_OBJECT)
		findings_add(findings, "model_attributes_type", loc,
			     "the body must be a JSON object");
	return 0;
}

/* The body has passed code_interpreter_v1_body(). */
static int code_interpreter_v1_code(struct job *job, struct findings *findings)
{
	static const char loc[] = "\"body\",\"code\"";
	struct json_span span;

	if (!json_member(json_whole(job->body.data, job->body.size), "code",
			 &span))
		findings_add(findings, "missing", loc, "code is required");
	else if (json_kind(span) != JSON_STRING)
		findings_add(findings, "string_type", loc,
			     "code must be a string");
	else if (findings->count == 0)
		return fields_string(job, span, &job->code);
	return 0;
}

static int code_interpreter_v1_parse(const struct door_limits *limits,
				     struct job *job, struct refusal *why)
{
	struct findings findings = {0};

	job->value = JOB_VALUE_REPR;
	job->merge_output = true;
	job->displays = true;
	job->habits = JOB_OWN_BACKEND | JOB_EXIT_RAISES | JOB_VALUE_ALWAYS |
		      JOB_HOME_SANDBOX;
	if (!limits->sessions)
		return refuse(why, 403, "sessions_off",
			      "sessions are switched off on this server");
	int rc = code_interpreter_v1_name(limits->query, &job->session,
					  &findings);
	const size_t before = findings.count;

	if (rc == 0)
		rc = code_interpreter_v1_body(job->body.data, job->body.size,
					      &findings);
	if (rc == 0 && findings.count == before)
		rc = code_interpreter_v1_code(job, &findings);
	if (rc < 0) {
		text_free(&findings.text);
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
		return rc;
	}
	return findings_refuse(&findings, why);
}

/* ---- from an outcome to a body --------------------------------------- */

static void code_interpreter_v1_exception(const struct outcome *outcome,
					  struct reply *reply)
{
	struct text text = {0};

	code_interpreter_exception(outcome, true, &text);
	reply_text(reply, "{\"result_text\":");
	reply_json_string(reply, text.data, text.size);
	reply_text(reply, ",\"result_base64\":null}\n");
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

static int code_interpreter_v1_status(enum outcome_verdict verdict)
{
	return verdict == OUTCOME_INTERNAL ? 500
	       : verdict == OUTCOME_TIMEOUT ? 504
					    : 503;
}

static void code_interpreter_v1_render(const struct door_answer *answer,
				       struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	struct text text = {0};

	reply->id = answer->id;
	if (outcome->verdict == OUTCOME_OK) {
		code_interpreter_result(reply, outcome);
	} else if (outcome->verdict == OUTCOME_RAISED) {
		code_interpreter_v1_exception(outcome, reply);
	} else {
		reply->status = code_interpreter_v1_status(outcome->verdict);
		code_interpreter_failure(answer, &text);
		code_interpreter_detail(reply, &text);
		text_free(&text);
	}
}

/* ---- a request that was not run -------------------------------------- */

static void code_interpreter_v1_put_detail(const char *detail,
					   struct reply *reply)
{
	reply_text(reply, "{\"detail\":");
	reply_string(reply, detail);
	reply_text(reply, "}\n");
}

/* A session that must exist and does not is 404, as for its release. */
static void code_interpreter_v1_refuse(const struct refusal *why,
				       const char *id, struct reply *reply)
{
	reply->status = why->status == 410 ? 404 : why->status;
	reply->id = id;
	if (why->list) {
		reply_text(reply, "{\"detail\":");
		reply_text(reply, why->list);
		reply_text(reply, "}\n");
		return;
	}
	code_interpreter_v1_put_detail(why->status == 410
					       ? CODE_INTERPRETER_V1_GONE
					       : why->message,
				       reply);
}

void code_interpreter_v1_released(bool there, struct reply *reply)
{
	reply->status = there ? 204 : 404;
	if (!there)
		code_interpreter_v1_put_detail(CODE_INTERPRETER_V1_GONE, reply);
}

const struct door code_interpreter_v1_door = {
	code_interpreter_v1_parse, code_interpreter_v1_render,
	code_interpreter_v1_refuse, CODE_INTERPRETER_V1_NAME,
	"code-interpreter"};
