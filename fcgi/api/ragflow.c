/*
 * ragflow - the door of RAGFlow's sandbox: from a body to a job, and from an
 * outcome or a refusal to a body.
 *
 * An answer always has every key. On each failure standard output is empty
 * and standard error is not, because clients look at nothing else to see that
 * a run failed.
 */
#include "ragflow.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "sandbox/text/fields.h"
#include "sandbox/text/message.h"
#include "sandbox/text/text.h"

#define RAGFLOW_REFUSED 422

/* ---- from a body to a job -------------------------------------------- */

struct ragflow_request {
	struct job *job;
	struct refusal *why;
};

/* Any kind of value comes here, because null must be refused, too. */
static int ragflow_take_language(void *context, struct json_span span)
{
	struct ragflow_request *request = context;

	if (json_kind(span) != JSON_STRING)
		return refuse(request->why, RAGFLOW_REFUSED, "bad_type",
			      "language must be a string");
	if (json_is(span, "python"))
		return 0;
	if (json_is(span, "nodejs"))
		return refuse(request->why, RAGFLOW_REFUSED, "no_language",
			      "language: this server runs Python only, not "
			      "nodejs");
	return refuse(request->why, RAGFLOW_REFUSED, "no_language",
		      "language must be \"python\"");
}

static int ragflow_take_arguments(void *context, struct json_span span)
{
	struct ragflow_request *request = context;

	return fields_source(request->job, span, &request->job->arguments);
}

static int ragflow_take_code(void *context, struct json_span span)
{
	struct ragflow_request *request = context;
	struct bytes *code = &request->job->code;

	if (!span.data)
		return refuse(request->why, RAGFLOW_REFUSED, "missing",
			      "code_b64 is missing");
	int rc = fields_string(request->job, span, code);

	if (rc)
		return rc;
	if (text_base64_decode(code->data, code->size, &code->size) < 0)
		return refuse(request->why, RAGFLOW_REFUSED, "bad_base64",
			      "code_b64 is not standard base64");
	code->data[code->size] = '\0';
	if (text_utf8_bad(code->data, code->size) < code->size)
		return refuse(request->why, RAGFLOW_REFUSED, "bad_utf8",
			      "code_b64 does not hold UTF-8");
	return 0;
}

static const struct field ragflow_field_rows[] = {
	{"language", FIELD_ANY, false, ragflow_take_language,
	 "'python' = \"python\"",
	 "The language, which is Python. Any other is refused."},
	{"arguments", JSON_OBJECT, false, ragflow_take_arguments, "object = {}",
	 "Keyword arguments of the function main."},
	{"code_b64", JSON_STRING, true, ragflow_take_code, "base64",
	 "The program in base64 of UTF-8. It defines main, whose value "
	 "must be JSON."},
};

const struct fields ragflow_fields = {ragflow_field_rows,
					     ARRAY_LEN(ragflow_field_rows),
					     .bad_type = RAGFLOW_REFUSED};

/* The directory for artifacts exists before the program starts. */
static int ragflow_add_directory(struct job *job)
{
	struct job_file *file = job_add_file(job);

	if (!file)
		return -ENOMEM;
	file->name = strdup("artifacts/");
	return file->name ? 0 : -ENOMEM;
}

int ragflow_parse(const struct door_limits *limits, struct job *job,
		  struct refusal *why)
{
	struct ragflow_request request = {job, why};

	(void)limits;
	job->value = JOB_VALUE_STRICT;
	job->imported = true;
	job->call_main = true;
	int rc = fields_read(job->body.data, job->body.size, &ragflow_fields,
			     &request, why);

	if (!rc && !job->arguments.data) /* main() is called in any case */
		rc = ragflow_take_arguments(&request, json_whole("{}", 2));
	if (!rc)
		rc = ragflow_add_directory(job);
	if (rc && rc != -EINVAL)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	return rc;
}

/* ---- from an outcome to a body --------------------------------------- */

enum ragflow_case {
	RAGFLOW_CASE_OK,
	RAGFLOW_CASE_COMPILE,
	RAGFLOW_CASE_PROGRAM,
	RAGFLOW_CASE_SIGNAL,
	RAGFLOW_CASE_TIME,
	RAGFLOW_CASE_MEMORY,
	RAGFLOW_CASE_OUTPUT,
	RAGFLOW_CASE_FILE,
	RAGFLOW_CASE_CALL,
	RAGFLOW_CASE_BUSY,
	RAGFLOW_CASE_OURS,
	RAGFLOW_CASE_REFUSED,
	RAGFLOW_CASES
};

/* The answer to each case. NULL stands for null; an exit code of 0 stands for
 * the program's own. */
static const struct ragflow_row {
	const char *status;
	int exit_code;
	const char *stderr_text; /* instead of the program's standard error */
	const char *detail;
	const char *resource, *unauthorized, *runtime;
} ragflow_cases[RAGFLOW_CASES] = {
	[RAGFLOW_CASE_OK] = {.status = "success"},
	[RAGFLOW_CASE_COMPILE] = {.status = "program_runner_error",
				  .exit_code = -999},
	[RAGFLOW_CASE_PROGRAM] = {.status = "program_error",
				  .runtime = "nonzero_exit"},
	[RAGFLOW_CASE_SIGNAL] = {.status = "program_error",
				 .runtime = "signaled"},
	[RAGFLOW_CASE_TIME] = {.status = "resource_limit_exceeded",
			       .exit_code = -124,
			       .resource = "time",
			       .stderr_text = "Execution timeout"},
	[RAGFLOW_CASE_MEMORY] = {.status = "resource_limit_exceeded",
				 .exit_code = -137,
				 .resource = "memory"},
	[RAGFLOW_CASE_OUTPUT] = {.status = "resource_limit_exceeded",
				 .exit_code = -137,
				 .resource = "output"},
	[RAGFLOW_CASE_FILE] = {.status = "unauthorized_access",
			       .unauthorized = "file_access"},
	[RAGFLOW_CASE_CALL] = {.status = "unauthorized_access",
			       .unauthorized = "disallowed_syscall"},
	[RAGFLOW_CASE_BUSY] = {.status = "program_runner_error",
			       .exit_code = -10,
			       .stderr_text = "Container pool is busy",
			       .detail = "no_available_container"},
	[RAGFLOW_CASE_OURS] = {.status = "program_runner_error",
			       .exit_code = -3,
			       .detail = "internal_error"},
	/* The exit code and the detail are those of the refusal. */
	[RAGFLOW_CASE_REFUSED] = {.status = "program_runner_error"},
};

static enum ragflow_case ragflow_raised_case(const struct outcome *outcome)
{
	if (outcome->error_type &&
	    strcmp(outcome->error_type, "MemoryError") == 0)
		return RAGFLOW_CASE_MEMORY;
	if (outcome->refused)
		return outcome->probe.refused_file ? RAGFLOW_CASE_FILE
						   : RAGFLOW_CASE_CALL;
	return outcome->probe.phase == OUTCOME_COMPILE ? RAGFLOW_CASE_COMPILE
						       : RAGFLOW_CASE_PROGRAM;
}

static enum ragflow_case ragflow_case_of(const struct outcome *outcome)
{
	static const enum ragflow_case cases[OUTCOME_VERDICTS] = {
		[OUTCOME_OK] = RAGFLOW_CASE_OK,
		[OUTCOME_PARSING] = RAGFLOW_CASE_OURS,
		[OUTCOME_TIMEOUT] = RAGFLOW_CASE_TIME,
		[OUTCOME_MEMORY] = RAGFLOW_CASE_MEMORY,
		[OUTCOME_OUTPUT] = RAGFLOW_CASE_OUTPUT,
		[OUTCOME_EXITED] = RAGFLOW_CASE_PROGRAM,
		[OUTCOME_KILLED] = RAGFLOW_CASE_SIGNAL,
		[OUTCOME_PROTOCOL] = RAGFLOW_CASE_SIGNAL,
		[OUTCOME_CANCELLED] = RAGFLOW_CASE_OURS,
		[OUTCOME_INTERNAL] = RAGFLOW_CASE_OURS,
	};

	return outcome->verdict == OUTCOME_RAISED ? ragflow_raised_case(outcome)
						  : cases[outcome->verdict];
}

static void ragflow_put_key(struct reply *reply, const char *name)
{
	reply_format(reply, ",\"%s\":", name);
}

static void ragflow_put_word(struct reply *reply, const char *name,
			     const char *word)
{
	ragflow_put_key(reply, name);
	if (word)
		reply_string(reply, word);
	else
		reply_text(reply, "null");
}

/* The program's standard error, then the reason for its end. Never empty when
 * the run failed. */
static void ragflow_put_stderr(struct reply *reply,
			       const struct door_answer *answer)
{
	static const char no_words[] = "the program failed";
	const struct outcome *outcome = answer->outcome;
	const struct bytes *written = &outcome->err.kept;
	struct text text = {0};

	text_add(&text, written->data, written->size);
	if (outcome->verdict != OUTCOME_OK) {
		if (text.size > 0 && text.data[text.size - 1] != '\n')
			text_add(&text, "\n", 1);
		message_add(&text, outcome, answer->limits);
		if (text.size == 0) /* no output, and a reason without words */
			text_add(&text, no_words, sizeof(no_words) - 1);
	}
	ragflow_put_key(reply, "stderr");
	reply_json_string(reply, text.data, text.size);
	if (text.error)
		reply->error = text.error;
	text_free(&text);
}

/* ---- artifacts ------------------------------------------------------- */

static const struct {
	const char *suffix;
	const char *media;
} ragflow_media[] = {
	{".png", "image/png"},         {".jpg", "image/jpeg"},
	{".jpeg", "image/jpeg"},       {".svg", "image/svg+xml"},
	{".pdf", "application/pdf"},   {".csv", "text/csv"},
	{".json", "application/json"}, {".html", "text/html"},
};

static const char *ragflow_media_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < ARRAY_LEN(ragflow_media); i++)
		if (strcasecmp(ragflow_media[i].suffix, dot) == 0)
			return ragflow_media[i].media;
	return NULL;
}

/* The name of FILE below artifacts/. NULL if it does not lie in that directory
 * itself, is hidden, or has a name that a client could misread. */
static const char *ragflow_artifact_name(const struct outcome_file *file)
{
	static const char directory[] = "artifacts/";
	size_t skip = sizeof(directory) - 1;
	const char *name = file->name + skip;

	if (strncmp(file->name, directory, skip) != 0 || *name == '.' ||
	    strpbrk(name, "/\\"))
		return NULL;
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == '\x7f')
			return NULL;
	return text_utf8_bad(name, strlen(name)) < strlen(name) ? NULL : name;
}

static void ragflow_put_artifact(struct reply *reply,
				 const struct outcome_file *file,
				 const char *name, const char *comma)
{
	reply_format(reply, "%s{\"name\":", comma);
	reply_string(reply, name);
	reply_format(reply,
		     ",\"mime_type\":\"%s\",\"size\":%ju,"
		     "\"content_b64\":",
		     ragflow_media_of(name), (uintmax_t)file->size);
	reply_base64_file(reply, file->fd, file->size);
	reply_text(reply, "}");
}

static void ragflow_put_artifacts(struct reply *reply,
				  const struct outcome *outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < outcome->files_count; i++) {
		const struct outcome_file *file = &outcome->files[i];
		const char *name = ragflow_artifact_name(file);

		if (!name || !ragflow_media_of(name) || file->size == 0 ||
		    file->size > RAGFLOW_ARTIFACT_MAX ||
		    count == RAGFLOW_ARTIFACTS_MAX)
			continue;
		ragflow_put_artifact(reply, file, name, count++ ? "," : "");
	}
}

/* ---- whole bodies ---------------------------------------------------- */

static void ragflow_put_types(struct reply *reply,
			      const struct ragflow_row *row, bool exited_well)
{
	ragflow_put_word(reply, "resource_limit_type", row->resource);
	ragflow_put_word(reply, "unauthorized_access_type", row->unauthorized);
	ragflow_put_word(reply, "runtime_error_type",
			 exited_well ? NULL : row->runtime);
}

static void ragflow_put_failure(struct reply *reply,
				const struct ragflow_row *row,
				const char *words)
{
	reply->status = 200;
	reply_format(reply, "{\"status\":\"%s\",\"stdout\":\"\"", row->status);
	ragflow_put_word(reply, "stderr",
			 row->stderr_text ? row->stderr_text : words);
	reply_format(reply, ",\"exit_code\":%d", row->exit_code);
	ragflow_put_word(reply, "detail", row->detail);
	reply_text(reply, ",\"time_used_ms\":null,\"memory_used_kb\":null");
	ragflow_put_types(reply, row, false);
	reply_text(reply, ",\"artifacts\":[],\"result\":null}\n");
}

static void ragflow_put_streams(struct reply *reply,
				const struct door_answer *answer,
				const struct ragflow_row *row, bool success)
{
	const struct bytes *out = &answer->outcome->out.kept;

	ragflow_put_key(reply, "stdout");
	reply_json_string(reply, out->data, success ? out->size : 0);
	if (row->stderr_text)
		ragflow_put_word(reply, "stderr", row->stderr_text);
	else
		ragflow_put_stderr(reply, answer);
}

static void ragflow_put_detail(struct reply *reply,
			       const struct outcome *outcome)
{
	ragflow_put_key(reply, "detail");
	if (outcome->out.dropped + outcome->err.dropped == 0)
		reply_text(reply, "null");
	else
		reply_format(reply,
			     "\"output was cut: %ju bytes of stdout, "
			     "%ju of stderr\"",
			     (uintmax_t)outcome->out.dropped,
			     (uintmax_t)outcome->err.dropped);
}

static void ragflow_put_result(struct reply *reply,
			       const struct outcome *outcome)
{
	ragflow_put_key(reply, "result");
	if (!outcome->value_present) {
		reply_text(reply, "null");
		return;
	}
	reply_text(reply, "{\"present\":true,\"value\":");
	reply_json(reply, &outcome->value);
	reply_text(reply, ",\"type\":\"json\"}");
}

static void ragflow_put_run(struct reply *reply,
			    const struct door_answer *answer,
			    enum ragflow_case which)
{
	const struct ragflow_row *row = &ragflow_cases[which];
	const struct outcome *outcome = answer->outcome;
	bool success = which == RAGFLOW_CASE_OK;

	reply_format(reply, "{\"status\":\"%s\"", row->status);
	ragflow_put_streams(reply, answer, row, success);
	reply_format(reply, ",\"exit_code\":%d",
		     row->exit_code ? row->exit_code : outcome->exit_code);
	ragflow_put_detail(reply, outcome);
	reply_format(reply, ",\"time_used_ms\":%ju,\"memory_used_kb\":%ju",
		     (uintmax_t)outcome->runtime_ms,
		     (uintmax_t)outcome->memory_peak_kb);
	ragflow_put_types(reply, row, outcome->exit_code == 0);
	reply_text(reply, ",\"artifacts\":[");
	if (success)
		ragflow_put_artifacts(reply, outcome);
	reply_text(reply, "]");
	if (success)
		ragflow_put_result(reply, outcome);
	else
		ragflow_put_word(reply, "result", NULL);
	reply_text(reply, "}\n");
}

void ragflow_render(const struct door_answer *answer, struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	enum ragflow_case which = ragflow_case_of(outcome);
	char sentence[OUTCOME_SENTENCE_MAX];
	struct text text = {0};

	reply->id = answer->id;
	if (which != RAGFLOW_CASE_OURS) {
		ragflow_put_run(reply, answer, which);
		return;
	}
	outcome_sentence(outcome, sentence);
	text_format(&text, "%s%s%s", sentence,
		    outcome->error_message ? ": " : "",
		    outcome->error_message ? outcome->error_message : "");
	ragflow_put_failure(reply, &ragflow_cases[which],
			    text.error ? sentence : text.data);
	text_free(&text);
}

/* Refusals that are HTTP errors; a malformed body counts as wrong fields. All
 * others are HTTP 200, because clients read nothing else. */
static const struct {
	int status, sent;
} ragflow_errors[] = {
	{400, RAGFLOW_REFUSED}, {RAGFLOW_REFUSED, RAGFLOW_REFUSED},
	{401, 401}, {404, 404}, {405, 405}};

static enum ragflow_case ragflow_refusal_case(int status)
{
	return status == 503   ? RAGFLOW_CASE_BUSY
	       : status == 500 ? RAGFLOW_CASE_OURS
			       : RAGFLOW_CASE_REFUSED;
}

void ragflow_refuse(const struct refusal *why, const char *id,
		    struct reply *reply)
{
	struct ragflow_row row =
		ragflow_cases[ragflow_refusal_case(why->status)];

	reply->id = id;
	reply->status = 0;
	for (size_t i = 0; i < ARRAY_LEN(ragflow_errors); i++)
		if (ragflow_errors[i].status == why->status)
			reply->status = ragflow_errors[i].sent;
	if (reply->status == 0) {
		if (row.exit_code == 0) {
			row.exit_code = -why->status;
			row.detail = why->code;
		}
		ragflow_put_failure(reply, &row, why->message);
		return;
	}
	reply_text(reply, "{\"detail\":");
	reply_string(reply, why->message);
	reply_text(reply, "}\n");
}

const struct door ragflow_door = {ragflow_parse, ragflow_render, ragflow_refuse,
				  NULL, "ragflow"};
