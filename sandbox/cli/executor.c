/*
 * executor - the command under the name code_executor: a program on standard
 * input, and the answer as one line on standard output. It can stand where
 * another program of that name stood, so its calls are those of that program.
 *
 *	code_executor SECONDS	run it on ./input.json, write ./result.json
 *	code_executor --syntax-check | --ast-check
 *	code_executor --daemon	see daemon.c; main.c calls that
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "conf/options.h"
#include "sandbox/base/io.h"
#include "sandbox/solver/solver_result.h"
#include "command.h"
#include "shown.h"
#include "solve.h"

static const char *const executor_checks[JOB_TASKS] = {
	[JOB_COMPILE] = "--syntax-check", [JOB_PARSE] = "--ast-check"};

static void executor_no_tick(void *context)
{
	(void)context;
}

/* Is TEXT a number as in JSON? */
static bool executor_number(const char *text, struct json_span *span)
{
	const size_t size = strlen(text);

	if (json_check_value(text, size) < 0)
		return false;
	*span = json_whole(text, size);
	return json_kind(*span) == JSON_NUMBER;
}

/* Read the words of the command line. Returns an exit status. */
static int executor_words(int argc, char **argv, struct solver_job *spec)
{
	struct json_span number;

	if (argc > 2)
		return command_failed("%s: not expected", argv[2]);
	if (argc < 2)
		return 0;
	for (int i = 0; i < JOB_TASKS; i++)
		if (executor_checks[i] &&
		    strcmp(argv[1], executor_checks[i]) == 0) {
			spec->task = (enum job_task)i;
			return 0;
		}
	if (!executor_number(argv[1], &number))
		return command_failed("code_executor takes SECONDS, "
				      "--syntax-check, --ast-check or "
				      "--daemon, not %s", argv[1]);
	spec->seconds = solver_job_seconds(number, 1);
	return 0;
}

/* Callers tell the number of workers by a variable. */
static void executor_workers(struct solver_job *spec)
{
	const char *told = getenv("SOLVER_WORKERS");
	struct json_span number;

	if (told && executor_number(told, &number))
		spec->workers = solver_job_workers(number);
}

/* Run SPEC. An answer means status 0, whatever it says: callers read it. */
static int executor_run(const struct conf *conf, struct solver_job *spec,
			const char *dir)
{
	struct text result = {0};
	struct refusal why = {0};
	struct local_pool pool;
	struct solve solve = {.pool = &pool,
			      .conf = conf,
			      .dir = spec->task == JOB_RUN ? dir : NULL,
			      .tick = executor_no_tick};
	int rc = local_pool_start(&pool, conf);

	if (rc < 0)
		return command_failed("start the sandbox: %s", log_errno(rc));
	rc = solve_run(&solve, spec, &result, &why);
	local_pool_stop(&pool);
	if (rc < 0) {
		result.size = 0;
		solver_result_add_refusal(&result, why.message);
	}
	int status = shown_result(&result);

	text_free(&result);
	if (status == 0 && rc < 0 && why.status >= 500)
		status = command_failed("%s", why.message);
	return status;
}

int command_executor(int argc, char **argv)
{
	const struct option_row *row = options_find("limits", "timeout_ms");
	owned_free char *dir = get_current_dir_name();
	int no_dir = dir ? 0 : -errno;
	struct solver_job spec = {.task = JOB_RUN};
	struct bytes input = {0};
	struct conf conf = {0};
	int status = executor_words(argc, argv, &spec);

	if (status == 0)
		status = command_conf(&(struct command){0}, row->max, true,
				      &conf);
	if (status != 0)
		return status;
	executor_workers(&spec);
	conf.hash_seed = CONF_HASH_SEED_0; /* two runs of a solver agree */
	int rc = dir ? io_read_fd(STDIN_FILENO, (size_t)conf.body_mb << 20,
				  &spec.code) : no_dir;

	if (rc == 0 && spec.task == JOB_RUN)
		rc = solve_input(dir, &conf, &input);
	spec.input = (struct json_span){input.data, input.size};
	status = rc < 0 ? command_failed("read the program and its input: %s",
					 log_errno(rc))
			: executor_run(&conf, &spec, dir);
	free(spec.code.data);
	free(input.data);
	conf_free(&conf);
	return status;
}
