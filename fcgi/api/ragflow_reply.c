/*
 * ragflow_reply - from an outcome, or a refusal, to a body. Every key is
 * always there. On each failure standard output is empty and standard error
 * is not: clients look at nothing else to see that a run failed.
 */
#include "ragflow.h"

#include <errno.h>
#include <string.h>
#include <strings.h>

#include "sandbox/text/message.h"

enum ragflow_case { CASE_OK, CASE_COMPILE, CASE_PROGRAM, CASE_SIGNAL,
		    CASE_TIME, CASE_MEMORY, CASE_OUTPUT, CASE_FILE, CASE_CALL,
		    CASE_BUSY, CASE_OURS, CASES };

/* NULL: null. An exit code of 0 is the real one. */
static const struct ragflow_row {
	const char *status;
	int exit_code;
	const char *stderr_text; /* instead of the run's */
	const char *detail;
	const char *resource, *unauthorized, *runtime;
} ragflow_rows[CASES] = {
	[CASE_OK] = { .status = "success" },
	[CASE_COMPILE] = { .status = "program_runner_error",
			   .exit_code = -999 },
	[CASE_PROGRAM] = { .status = "program_error",
			   .runtime = "nonzero_exit" },
	[CASE_SIGNAL] = { .status = "program_error", .runtime = "signaled" },
	[CASE_TIME] = { .status = "resource_limit_exceeded",
			.exit_code = -124, .resource = "time",
			.stderr_text = "Execution timeout" },
	[CASE_MEMORY] = { .status = "resource_limit_exceeded",
			  .exit_code = -137, .resource = "memory" },
	[CASE_OUTPUT] = { .status = "resource_limit_exceeded",
			  .exit_code = -137, .resource = "output" },
	[CASE_FILE] = { .status = "unauthorized_access",
			.unauthorized = "file_access" },
	[CASE_CALL] = { .status = "unauthorized_access",
			.unauthorized = "disallowed_syscall" },
	[CASE_BUSY] = { .status = "program_runner_error", .exit_code = -10,
			.stderr_text = "Container pool is busy",
			.detail = "no_available_container" },
	[CASE_OURS] = { .status = "program_runner_error", .exit_code = -3,
			.detail = "internal_error" },
};

static enum ragflow_case raised_case(const struct outcome *outcome)
{
	if (outcome->error_type &&
	    strcmp(outcome->error_type, "MemoryError") == 0)
		return CASE_MEMORY;
	if (outcome->refused)
		return outcome->probe.refused_file ? CASE_FILE : CASE_CALL;
	return outcome->probe.phase == OUTCOME_COMPILE ? CASE_COMPILE
						       : CASE_PROGRAM;
}

static enum ragflow_case case_of(const struct outcome *outcome)
{
	static const enum ragflow_case cases[OUTCOME_VERDICTS] = {
		[OUTCOME_OK] = CASE_OK,
		[OUTCOME_PARSING] = CASE_OURS,
		[OUTCOME_TIMEOUT] = CASE_TIME,
		[OUTCOME_MEMORY] = CASE_MEMORY,
		[OUTCOME_OUTPUT] = CASE_OUTPUT,
		[OUTCOME_EXITED] = CASE_PROGRAM,
		[OUTCOME_KILLED] = CASE_SIGNAL,
		[OUTCOME_PROTOCOL] = CASE_SIGNAL,
		[OUTCOME_CANCELLED] = CASE_OURS,
		[OUTCOME_INTERNAL] = CASE_OURS,
	};

	return outcome->verdict == OUTCOME_RAISED ? raised_case(outcome)
						  : cases[outcome->verdict];
}

static void put_key(struct reply *reply, const char *name)
{
	reply_format(reply, ",\"%s\":", name);
}

static void put_word(struct reply *reply, const char *name, const char *word)
{
	put_key(reply, name);
	if (word)
		reply_string(reply, word);
	else
		reply_text(reply, "null");
}

/* What it wrote there, and how it ended; never nothing when it failed. */
static void put_stderr(struct reply *reply, const struct door_answer *answer)
{
	static const char no_words[] = "the program failed";
	const struct outcome *outcome = answer->outcome;
	const struct bytes *written = &outcome->err.kept;
	struct text text = { 0 };

	text_add(&text, written->data, written->size);
	if (outcome->verdict != OUTCOME_OK) {
		if (text.size > 0 && text.data[text.size - 1] != '\n')
			text_add(&text, "\n", 1);
		message_add(&text, outcome, answer->limits);
		if (text.size == 0) /* what failed can have said so itself */
			text_add(&text, no_words, sizeof(no_words) - 1);
	}
	put_key(reply, "stderr");
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
	{ ".png", "image/png" },     { ".jpg", "image/jpeg" },
	{ ".jpeg", "image/jpeg" },   { ".svg", "image/svg+xml" },
	{ ".pdf", "application/pdf" }, { ".csv", "text/csv" },
	{ ".json", "application/json" }, { ".html", "text/html" },
};

static const char *media_of(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < ARRAY_LEN(ragflow_media); i++)
		if (strcasecmp(ragflow_media[i].suffix, dot) == 0)
			return ragflow_media[i].media;
	return NULL;
}

/* The name of a file that lies in artifacts/ itself and that a client can
 * take for the name of a file; else NULL. */
static const char *artifact_name(const struct outcome_file *file)
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

static void put_artifact(struct reply *reply, const struct outcome_file *file,
			 const char *name, const char *comma)
{
	reply_format(reply, "%s{\"name\":", comma);
	reply_string(reply, name);
	reply_format(reply, ",\"mime_type\":\"%s\",\"size\":%ju,"
		     "\"content_b64\":", media_of(name),
		     (uintmax_t)file->size);
	reply_base64_file(reply, file->fd, file->size);
	reply_text(reply, "}");
}

static void put_artifacts(struct reply *reply, const struct outcome *outcome)
{
	size_t count = 0;

	for (size_t i = 0; i < outcome->files_count; i++) {
		const struct outcome_file *file = &outcome->files[i];
		const char *name = artifact_name(file);

		if (!name || !media_of(name) || file->size == 0 ||
		    file->size > RAGFLOW_ARTIFACT_MAX ||
		    count == RAGFLOW_ARTIFACTS_MAX)
			continue;
		put_artifact(reply, file, name, count++ ? "," : "");
	}
}

/* ---- whole bodies ---------------------------------------------------- */

static void put_types(struct reply *reply, const struct ragflow_row *row,
		      bool exited_well)
{
	put_word(reply, "resource_limit_type", row->resource);
	put_word(reply, "unauthorized_access_type", row->unauthorized);
	put_word(reply, "runtime_error_type",
		 exited_well ? NULL : row->runtime);
}

static void put_failure(struct reply *reply, enum ragflow_case which,
			const char *words)
{
	const struct ragflow_row *row = &ragflow_rows[which];

	reply->status = 200;
	reply_format(reply, "{\"status\":\"%s\",\"stdout\":\"\"", row->status);
	put_word(reply, "stderr", row->stderr_text ? row->stderr_text : words);
	reply_format(reply, ",\"exit_code\":%d", row->exit_code);
	put_word(reply, "detail", row->detail);
	reply_text(reply, ",\"time_used_ms\":null,\"memory_used_kb\":null");
	put_types(reply, row, false);
	reply_text(reply, ",\"artifacts\":[],\"result\":null}\n");
}

static void put_streams(struct reply *reply, const struct door_answer *answer,
			const struct ragflow_row *row, bool success)
{
	const struct bytes *out = &answer->outcome->out.kept;

	put_key(reply, "stdout");
	reply_json_string(reply, out->data, success ? out->size : 0);
	if (row->stderr_text)
		put_word(reply, "stderr", row->stderr_text);
	else
		put_stderr(reply, answer);
}

static void put_detail(struct reply *reply, const struct outcome *outcome)
{
	put_key(reply, "detail");
	if (outcome->out.dropped + outcome->err.dropped == 0)
		reply_text(reply, "null");
	else
		reply_format(reply, "\"output was cut: %ju bytes of stdout, "
			     "%ju of stderr\"",
			     (uintmax_t)outcome->out.dropped,
			     (uintmax_t)outcome->err.dropped);
}

static void put_result(struct reply *reply, const struct outcome *outcome)
{
	put_key(reply, "result");
	if (!outcome->value_present) {
		reply_text(reply, "null");
		return;
	}
	reply_text(reply, "{\"present\":true,\"value\":");
	reply_json(reply, &outcome->value);
	reply_text(reply, ",\"type\":\"json\"}");
}

static void put_run(struct reply *reply, const struct door_answer *answer,
		    enum ragflow_case which)
{
	const struct ragflow_row *row = &ragflow_rows[which];
	const struct outcome *outcome = answer->outcome;
	bool success = which == CASE_OK;

	reply_format(reply, "{\"status\":\"%s\"", row->status);
	put_streams(reply, answer, row, success);
	reply_format(reply, ",\"exit_code\":%d",
		     row->exit_code ? row->exit_code : outcome->exit_code);
	put_detail(reply, outcome);
	reply_format(reply, ",\"time_used_ms\":%ju,\"memory_used_kb\":%ju",
		     (uintmax_t)outcome->runtime_ms,
		     (uintmax_t)outcome->memory_peak_kb);
	put_types(reply, row, outcome->exit_code == 0);
	reply_text(reply, ",\"artifacts\":[");
	if (success)
		put_artifacts(reply, outcome);
	reply_text(reply, "]");
	if (success)
		put_result(reply, outcome);
	else
		put_word(reply, "result", NULL);
	reply_text(reply, "}\n");
}

void ragflow_render(const struct door_answer *answer, struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	enum ragflow_case which = case_of(outcome);
	char sentence[OUTCOME_SENTENCE_MAX];
	struct text text = { 0 };

	reply->id = answer->id;
	if (which != CASE_OURS) {
		put_run(reply, answer, which);
		return;
	}
	outcome_sentence(outcome, sentence);
	text_format(&text, "%s%s%s", sentence,
		    outcome->error_message ? ": " : "",
		    outcome->error_message ? outcome->error_message : "");
	put_failure(reply, which, text.error ? sentence : text.data);
	text_free(&text);
}

void ragflow_refuse(const struct refusal *why, const char *id,
		    struct reply *reply)
{
	reply->id = id;
	if (why->status == 503 || why->status == 500) {
		put_failure(reply, why->status == 503 ? CASE_BUSY : CASE_OURS,
			    why->message);
		return;
	}
	reply->status = why->status;
	reply_text(reply, "{\"detail\":");
	reply_string(reply, why->message);
	reply_text(reply, "}\n");
}

const struct door ragflow_door = {
	ragflow_parse, ragflow_render, ragflow_refuse, NULL
};
