/*
 * daemon - `terrarium --daemon`: reads one JSON object a line on standard
 * input, and writes one answer a line on standard output, in order: the result
 * itself, without an envelope. One sandbox serves all lines and stays warm.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conf/options.h"
#include "sandbox/base/io.h"
#include "sandbox/solver/solver_result.h"
#include "sandbox/text/fields.h"
#include "command.h"
#include "shown.h"
#include "solve.h"

struct line {
	struct solver_job spec;
	struct bytes dir;   /* jobDir, or no data */
	struct bytes input; /* content of jobDir's input.json */
	struct refusal *why;
};

/* ---- one line -------------------------------------------------------- */

static int daemon_take_type(void *context, struct json_span span)
{
	static const char *const types[JOB_TASKS] = {
		[JOB_RUN] = "execute", [JOB_COMPILE] = "syntax-check",
		[JOB_PARSE] = "ast-check"};
	struct line *line = context;

	for (int i = 0; span.data && i < JOB_TASKS; i++)
		if (json_is(span, types[i])) {
			line->spec.task = (enum job_task)i;
			return 0;
		}
	return refuse(line->why, 400, "bad_type",
		      "type must be execute, syntax-check or ast-check");
}

static int daemon_take_code(void *context, struct json_span span)
{
	struct line *line = context;

	return span.data ? json_string(span, &line->spec.code) : 0;
}

static int daemon_take_timeout(void *context, struct json_span span)
{
	struct line *line = context;

	line->spec.seconds = solver_job_seconds(span, 1);
	return 0;
}

static int daemon_take_workers(void *context, struct json_span span)
{
	struct line *line = context;

	line->spec.workers = solver_job_workers(span);
	return 0;
}

static int daemon_take_dir(void *context, struct json_span span)
{
	struct line *line = context;

	return json_string(span, &line->dir);
}

static int daemon_take_input(void *context, struct json_span span)
{
	struct line *line = context;

	line->spec.input = span;
	return 0;
}

static int daemon_take_allow(void *context, struct json_span span)
{
	struct line *line = context;

	return solver_job_names(span, "allow", &line->spec.allow, line->why);
}

static const struct field line_rows[] = {
	{"type", JSON_STRING, true, daemon_take_type, NULL, NULL},
	{"code", JSON_STRING, true, daemon_take_code, NULL, NULL},
	{"timeoutSeconds", FIELD_NUMBER, false, daemon_take_timeout, NULL, NULL},
	{"solverWorkers", FIELD_NUMBER, false, daemon_take_workers, NULL, NULL},
	{"jobDir", JSON_STRING, false, daemon_take_dir, NULL, NULL},
	{"input", FIELD_ANY, false, daemon_take_input, NULL, NULL},
	{"allow", JSON_ARRAY, false, daemon_take_allow, NULL, NULL},
};

static const struct fields line_fields = {
	line_rows, ARRAY_LEN(line_rows), .bad_type = 400
};

/* The line's own input takes precedence over that of its directory. */
static int daemon_read_input(struct line *line, const struct conf *conf)
{
	if (!line->dir.data || line->spec.input.data ||
	    line->spec.task != JOB_RUN)
		return 0;
	int rc = solve_input(line->dir.data, conf, &line->input);

	if (rc < 0)
		return refuse(line->why, 400, "bad_dir", "jobDir: %s",
			      log_errno(rc));
	line->spec.input = (struct json_span){line->input.data,
					      line->input.size};
	return 0;
}

static int daemon_answer(struct solve *solve, struct line *line,
			 const char *text, size_t size, struct text *result)
{
	int rc = fields_read(text, size, &line_fields, line, line->why);

	if (rc == 0)
		rc = daemon_read_input(line, solve->conf);
	solve->dir = line->spec.task == JOB_RUN ? line->dir.data : NULL;
	if (rc == 0 && solve->pool->pid < 0)
		rc = local_pool_start(solve->pool, solve->conf);
	if (rc == 0)
		return solve_run(solve, &line->spec, result, line->why);
	if (rc != -EINVAL)
		refuse(line->why, 500, "internal_error", "%s", log_errno(rc));
	return rc;
}

/* A caller reads a result's members, also when no program was run. */
static void daemon_add_failure(struct text *out, const struct refusal *why)
{
	out->size = 0;
	solver_result_add_refusal(out, why->message);
}

static int daemon_write_answer(struct text *out)
{
	text_add(out, "\n", 1);
	return out->error ? out->error
			  : shown_write(STDOUT_FILENO, out->data, out->size);
}

static void daemon_no_tick(void *context)
{
	(void)context;
}

/* Answer one line. If the sandbox has ended, the next line starts another. */
static int daemon_serve_line(struct local_pool *pool, const struct conf *conf,
			     const char *data, size_t size)
{
	struct refusal why = {0};
	struct line line = {.why = &why};
	struct solve solve = {
		.pool = pool, .conf = conf, .tick = daemon_no_tick};
	struct text out = {0};

	int rc = daemon_answer(&solve, &line, data, size, &out);

	if (rc < 0)
		daemon_add_failure(&out, &why);
	rc = daemon_write_answer(&out);
	free(line.spec.code.data);
	free(line.dir.data);
	free(line.input.data);
	text_free(&out);
	return rc;
}

/* ---- all lines ------------------------------------------------------- */

static int daemon_refuse_line(size_t most)
{
	struct refusal why;
	struct text out = {0};

	refuse(&why, 413, "too_large", "a line has more than %zu bytes", most);
	daemon_add_failure(&out, &why);
	int rc = daemon_write_answer(&out);

	text_free(&out);
	return rc;
}

/* Split pieces into lines. A line that is too long gets one error and is
 * skipped. */
static int daemon_feed(struct text *held, bool *skip, struct local_pool *pool,
		       const struct conf *conf, const char *data, size_t size)
{
	size_t most = (size_t)conf->body_mb << 20;
	int rc = 0;

	while (size > 0 && rc == 0) {
		const char *end = memchr(data, '\n', size);
		size_t part = end ? (size_t)(end - data) : size;

		if (!*skip && held->size + part > most) {
			*skip = true;
			rc = daemon_refuse_line(most);
		}
		if (!*skip)
			text_add(held, data, part);
		if (end && !*skip && held->size > 0 && rc == 0)
			rc = daemon_serve_line(pool, conf, held->data,
					       held->size);
		if (end || *skip)
			held->size = 0;
		*skip = *skip && !end;
		part += end != NULL;
		data += part;
		size -= part;
	}
	return rc == 0 ? held->error : rc;
}

static int daemon_serve(struct local_pool *pool, const struct conf *conf)
{
	struct text held = {0};
	char chunk[65536];
	bool skip = false;
	ssize_t n;
	int rc = 0;

	while (rc == 0 &&
	       (n = read(STDIN_FILENO, chunk, sizeof(chunk))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		rc = n < 0 ? -errno
			   : daemon_feed(&held, &skip, pool, conf, chunk,
					 (size_t)n);
	}
	if (rc == 0 && held.size > 0) /* the last line may lack a newline */
		rc = daemon_serve_line(pool, conf, held.data, held.size);
	text_free(&held);
	return rc;
}

int command_daemon(const struct command *command)
{
	const struct option_row *row = options_find("limits", "timeout_ms");
	struct local_pool pool;
	struct conf conf = {0};
	int status = command_conf(command, row->max, false, &conf);

	if (status != 0)
		return status;
	conf.hash_seed = CONF_HASH_SEED_0; /* two runs of a solver agree */
	int rc = local_pool_start(&pool, &conf);

	if (rc == 0)
		rc = daemon_serve(&pool, &conf);
	local_pool_stop(&pool);
	conf_free(&conf);
	return rc < 0 ? command_failed("%s", log_errno(rc)) : 0;
}
