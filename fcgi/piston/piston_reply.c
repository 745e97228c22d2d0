/* piston_reply - see piston_reply.h. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sigabbrev_np */
#endif
#include "piston_reply.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "fcgi/http/query.h"
#include "sandbox/text/merged.h"
#include "sandbox/text/message.h"
#include "sandbox/text/text.h"

/* ---- how it ended ---------------------------------------------------- */

/* The members of an answer that tell how the program ended. */
struct piston_reply_end {
	const char *status;  /* two letters; NULL: none */
	const char *message; /* a format with one number; NULL: none, "": the
			      * verdict's own sentence */
	int number;
	bool exited;	     /* `code` is NUMBER; else it is null */
	int signal;	     /* 0: none */
};

/* Of the two streams the longer one made the flood. */
static bool piston_reply_floods_err(const struct outcome *outcome)
{
	const struct outcome_stream *out = &outcome->out, *err = &outcome->err;

	return err->kept.size + err->dropped > out->kept.size + out->dropped;
}

static struct piston_reply_end piston_reply_exit(int code)
{
	return (struct piston_reply_end){
		.status = code ? "RE" : NULL,
		.message = code ? "Exited with error status %d" : NULL,
		.number = code,
		.exited = true};
}

static struct piston_reply_end piston_reply_killed(const char *status,
						   const char *message, int by)
{
	return (struct piston_reply_end){status, message, by, false, by};
}

static struct piston_reply_end piston_reply_end(const struct outcome *outcome)
{
	switch (outcome->verdict) {
	case OUTCOME_OK:
	case OUTCOME_RAISED:
	case OUTCOME_EXITED:
		return piston_reply_exit(outcome->exit_code);
	case OUTCOME_TIMEOUT:
		return piston_reply_killed(
			"TO", "Time limit exceeded (wall clock)", SIGKILL);
	case OUTCOME_OUTPUT:
		return piston_reply_floods_err(outcome)
			       ? piston_reply_killed(
					 "EL", "stderr length exceeded", SIGKILL)
			       : piston_reply_killed("OL",
						     "stdout length exceeded",
						     SIGKILL);
	case OUTCOME_MEMORY:
		return piston_reply_killed("SG", "Caught fatal signal %d",
					   SIGKILL);
	case OUTCOME_KILLED:
		return piston_reply_killed("SG", "Caught fatal signal %d",
					   outcome->detail);
	default:
		return (struct piston_reply_end){.status = "XX",
						 .message = ""};
	}
}

/* ---- texts ----------------------------------------------------------- */

static void piston_reply_put_text(struct reply *reply, const char *name,
				  struct text *text)
{
	reply_format(reply, "\"%s\":", name);
	reply_json_string(reply, text->data, text->size);
	reply_text(reply, ",");
	if (text->error)
		reply->error = text->error;
	text_free(text);
}

/* The traceback belongs to standard error, on a line of its own. */
static void piston_reply_add_traceback(struct text *text,
				       const struct outcome *outcome)
{
	const char *more = outcome->error_message;

	if (outcome->verdict != OUTCOME_RAISED || !more || !*more)
		return;
	if (text->size > 0 && text->data[text->size - 1] != '\n')
		text_add(text, "\n", 1);
	text_format(text, "%s\n", more);
}

static void piston_reply_put_streams(const struct outcome *outcome,
				     struct reply *reply)
{
	struct text out = {0}, err = {0}, both = {0};

	text_add(&out, outcome->out.kept.data, outcome->out.kept.size);
	text_add(&err, outcome->err.kept.data, outcome->err.kept.size);
	piston_reply_add_traceback(&err, outcome);
	merged_add(&both, outcome);
	piston_reply_add_traceback(&both, outcome);
	piston_reply_put_text(reply, "stdout", &out);
	piston_reply_put_text(reply, "stderr", &err);
	piston_reply_put_text(reply, "output", &both);
}

static void piston_reply_add_cut(struct text *text, const char *name,
				 const struct outcome_stream *stream)
{
	if (stream->dropped == 0)
		return;
	if (text->size > 0)
		text_add(text, "; ", 2);
	text_format(text, "%s was cut: %ju bytes are missing", name,
		    (uintmax_t)stream->dropped);
}

/* The sentence about the end, and what is missing of the output. */
static void piston_reply_put_message(const struct door_answer *answer,
				     const struct piston_reply_end *end,
				     struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	struct text text = {0};

	if (end->message && !*end->message)
		message_add(&text, outcome, answer->limits);
	else if (end->message && strchr(end->message, '%'))
		text_format(&text, "%.*s%d", (int)strcspn(end->message, "%"),
			    end->message, end->number);
	else if (end->message)
		text_add(&text, end->message, strlen(end->message));
	piston_reply_add_cut(&text, "stdout", &outcome->out);
	piston_reply_add_cut(&text, "stderr", &outcome->err);
	if (text.size > 0 || text.error)
		piston_reply_put_text(reply, "message", &text);
	else
		reply_text(reply, "\"message\":null,");
}

static void piston_reply_put_end(const struct piston_reply_end *end,
				 struct reply *reply)
{
	const char *name = end->signal ? sigabbrev_np(end->signal) : NULL;

	if (end->exited)
		reply_format(reply, "\"code\":%d,", end->number);
	else
		reply_text(reply, "\"code\":null,");
	if (name)
		reply_format(reply, "\"signal\":\"SIG%s\",", name);
	else if (end->signal)
		reply_format(reply, "\"signal\":\"SIG%d\",", end->signal);
	else
		reply_text(reply, "\"signal\":null,");
}

static void piston_reply_put_run(const struct door_answer *answer,
				 struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	const struct piston_reply_end end = piston_reply_end(outcome);

	piston_reply_put_streams(outcome, reply);
	piston_reply_put_end(&end, reply);
	piston_reply_put_message(answer, &end, reply);
	reply_text(reply, "\"status\":");
	if (end.status)
		reply_string(reply, end.status);
	else
		reply_text(reply, "null");
	reply_format(reply,
		     ",\"cpu_time\":%ju,\"wall_time\":%ju,\"memory\":%ju}",
		     (uintmax_t)outcome->cpu_ms, (uintmax_t)outcome->runtime_ms,
		     (uintmax_t)outcome->memory_peak_kb << 10);
}

/* ---- files ----------------------------------------------------------- */

static bool piston_reply_wants_files(const char *query)
{
	struct bytes found = {0};
	bool wants = query && query_find(query, "files", &found) > 0 &&
		     strcmp(found.data, "1") == 0;

	free(found.data);
	return wants;
}

static void piston_reply_put_files(const struct outcome *outcome,
				   struct reply *reply)
{
	reply_text(reply, ",\"files\":[");
	for (size_t i = 0; i < outcome->files_count; i++) {
		const struct outcome_file *file = &outcome->files[i];

		reply_text(reply, i ? ",{\"name\":" : "{\"name\":");
		reply_string(reply, file->name);
		reply_text(reply, ",\"content\":");
		reply_base64_file(reply, file->fd, file->size);
		reply_text(reply, ",\"encoding\":\"base64\"}");
	}
	reply_text(reply, "]");
}

/* ---- answers --------------------------------------------------------- */

void piston_reply_render(const struct door_answer *answer,
			 struct reply *reply)
{
	reply->id = answer->id;
	reply_text(reply, "{\"run\":{");
	piston_reply_put_run(answer, reply);
	reply_text(reply, ",\"language\":\"" PISTON_REPLY_LANGUAGE
			  "\",\"version\":");
	reply_string(reply, answer->python);
	if (piston_reply_wants_files(answer->query))
		piston_reply_put_files(answer->outcome, reply);
	reply_text(reply, "}\n");
}

void piston_reply_refuse(const struct refusal *why, const char *id,
			 struct reply *reply)
{
	reply->id = id;
	reply->status = why->status;
	reply_text(reply, "{\"message\":");
	reply_string(reply, why->message);
	reply_text(reply, "}\n");
}

/* The first two parts of a version: 3.11 of 3.11.2. */
static int piston_reply_short(const char *python)
{
	const char *dot = strchr(python, '.');
	const char *end = dot ? strchr(dot + 1, '.') : NULL;

	return (int)(end ? (size_t)(end - python) : strlen(python));
}

void piston_reply_runtimes(const char *python, struct reply *reply)
{
	reply_text(reply, "[{\"language\":\"" PISTON_REPLY_LANGUAGE
			  "\",\"version\":");
	reply_string(reply, python);
	reply_format(reply,
		     ",\"aliases\":[\"py\",\"py3\",\"python3\",\"python%.*s\"]}"
		     "]\n",
		     piston_reply_short(python), python);
}

void piston_reply_packages(const char *python, struct reply *reply)
{
	reply_text(reply, "[{\"language\":\"" PISTON_REPLY_LANGUAGE
			  "\",\"language_version\":");
	reply_string(reply, python);
	reply_text(reply, ",\"installed\":true}]\n");
}

void piston_reply_package(const char *python, struct reply *reply)
{
	reply_text(reply, "{\"language\":\"" PISTON_REPLY_LANGUAGE
			  "\",\"version\":");
	reply_string(reply, python);
	reply_text(reply, "}\n");
}
