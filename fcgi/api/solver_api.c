/* solver_api - see solver_api.h. */
#include "solver_api.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/solver/solver_job.h"
#include "sandbox/solver/solver_result.h"
#include "sandbox/text/fields.h"
#include "sandbox/text/message.h"

/* ---- from a body to a job -------------------------------------------- */

struct solver_api_request {
	struct solver_job solver_job;
	struct job *job;
	struct refusal *why;
};

static int solver_api_take_code(void *context, struct json_span span)
{
	struct solver_api_request *request = context;

	return span.data ? fields_string(request->job, span,
					 &request->job->code) : 0;
}

static int solver_api_take_input(void *context, struct json_span span)
{
	struct solver_api_request *request = context;

	request->solver_job.input = span;
	return 0;
}

static int solver_api_take_timeout(void *context, struct json_span span)
{
	struct solver_api_request *request = context;

	request->solver_job.seconds = solver_job_seconds(span, 1000);
	return 0;
}

static int solver_api_take_workers(void *context, struct json_span span)
{
	struct solver_api_request *request = context;

	request->solver_job.workers = solver_job_workers(span);
	return 0;
}

static int solver_api_take_allow(void *context, struct json_span span)
{
	struct solver_api_request *request = context;

	return solver_job_names(span, "allow", &request->solver_job.allow,
				request->why);
}

static const struct field solver_api_execute_rows[] = {
	{"code", JSON_STRING, true, solver_api_take_code, "string 1..",
	 "The program. It reads input.json and writes result.json with "
	 "status and schedule."},
	{"input", FIELD_ANY, false, solver_api_take_input, "any = {}",
	 "Any JSON value, which is written to input.json."},
	{"timeoutMs", FIELD_NUMBER, false, solver_api_take_timeout,
	 "number = 360000",
	 "Milliseconds that the program may run, rounded up to whole "
	 "seconds, and at most the server's limit."},
	{"solverWorkers", FIELD_NUMBER, false, solver_api_take_workers,
	 "number",
	 "Threads of the solver, 1 to 8; by default the processors of the "
	 "host less one."},
};

static const struct field solver_api_syntax_rows[] = {
	{"code", JSON_STRING, true, solver_api_take_code, "string 1..",
	 "The program. It is compiled, and not run."},
};

static const struct field solver_api_ast_rows[] = {
	{"code", JSON_STRING, true, solver_api_take_code, "string 1..",
	 "The snippet. It is parsed, and not run."},
	{"allow", JSON_ARRAY, false, solver_api_take_allow, "[string] = []",
	 "Modules that the snippet may import."},
};

const struct fields solver_api_door_fields[JOB_TASKS] = {
	[JOB_RUN] = {solver_api_execute_rows,
		     ARRAY_LEN(solver_api_execute_rows), .bad_type = 400},
	[JOB_COMPILE] = {solver_api_syntax_rows,
			 ARRAY_LEN(solver_api_syntax_rows), .bad_type = 400},
	[JOB_PARSE] = {solver_api_ast_rows, ARRAY_LEN(solver_api_ast_rows),
		       .bad_type = 400},
};

static int solver_api_parse(enum job_task task,
			    const struct door_limits *limits, struct job *job,
			    struct refusal *why)
{
	const struct solver_limits most = {limits->timeout_ms, limits->threads,
					   limits->cores, limits->home_bytes};
	struct solver_api_request request = {
		.solver_job.task = task, .job = job, .why = why};
	int rc = fields_read(job->body.data, job->body.size,
			     &solver_api_door_fields[task], &request, why);

	request.solver_job.code = job->code;
	if (!rc)
		rc = solver_job_make(&request.solver_job, &most, job, why);
	if (rc && rc != -EINVAL)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	return rc;
}

static int solver_api_parse_execute(const struct door_limits *limits,
				    struct job *job, struct refusal *why)
{
	return solver_api_parse(JOB_RUN, limits, job, why);
}

static int solver_api_parse_syntax(const struct door_limits *limits,
				   struct job *job, struct refusal *why)
{
	return solver_api_parse(JOB_COMPILE, limits, job, why);
}

static int solver_api_parse_ast(const struct door_limits *limits,
				struct job *job, struct refusal *why)
{
	return solver_api_parse(JOB_PARSE, limits, job, why);
}

/* ---- from an outcome to a body --------------------------------------- */

static void solver_api_put_failure(struct reply *reply, int status,
				   const char *words)
{
	reply->status = status;
	reply_text(reply, "{\"ok\":false,\"error\":");
	reply_string(reply, words);
	reply_text(reply, "}\n");
}

static void solver_api_refuse(const struct refusal *why, const char *id,
			      struct reply *reply)
{
	reply->id = id;
	solver_api_put_failure(reply, why->status, why->message);
}

/* Answer for a program that did not start. False if it did. */
static bool solver_api_render_failure(const struct door_answer *answer,
				      struct reply *reply)
{
	const struct outcome *outcome = answer->outcome;
	char sentence[OUTCOME_SENTENCE_MAX];

	reply->id = answer->id;
	if (outcome_rows[outcome->verdict].started)
		return false;
	outcome_sentence(outcome, sentence);
	solver_api_put_failure(reply, 500,
			       outcome->error_message ? outcome->error_message
						      : sentence);
	return true;
}

static void solver_api_put_text(struct reply *reply, struct text *text)
{
	reply_bytes(reply, text->data, text->size);
	if (text->error)
		reply->error = text->error;
	text_free(text);
}

static void solver_api_render_execute(const struct door_answer *answer,
				      struct reply *reply)
{
	owned_free char *path = NULL;
	struct solver_result verdict;
	struct text text = { 0 };

	if (solver_api_render_failure(answer, reply))
		return;
	if (answer->kept &&
	    asprintf(&path, "%s/" SOLVER_JOB_RESULT, answer->kept) < 0)
		path = NULL;
	int rc = solver_result_make(&verdict, answer->job, answer->outcome,
				    answer->limits);

	if (rc == 0) {
		solver_result_add(&text, &verdict, answer->outcome,
				  answer->limits, path);
		reply_text(reply, "{\"ok\":true,\"result\":");
		solver_api_put_text(reply, &text);
		reply_text(reply, "}\n");
	} else {
		solver_api_put_failure(reply, 500,
				       "result.json could not be read");
	}
	solver_result_free(&verdict);
}

static void solver_api_render_check(const struct door_answer *answer,
				    struct reply *reply)
{
	struct text text = { 0 };

	if (solver_api_render_failure(answer, reply))
		return;
	int rc = solver_result_add_check(&text, answer->job, answer->outcome,
					 answer->limits);

	reply_text(reply, "{\"ok\":true,\"result\":");
	solver_api_put_text(reply, &text);
	reply_text(reply, "}\n");
	if (rc < 0)
		reply->error = rc;
}

const struct door solver_api_execute_door = {solver_api_parse_execute,
					     solver_api_render_execute,
					     solver_api_refuse, NULL, "job"};
const struct door solver_api_syntax_door = {solver_api_parse_syntax,
					    solver_api_render_check,
					    solver_api_refuse, NULL, "job"};
const struct door solver_api_ast_door = {
	solver_api_parse_ast, solver_api_render_check, solver_api_refuse, NULL,
	"job"};
