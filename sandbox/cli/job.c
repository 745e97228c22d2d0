/*
 * job - `terrarium job DIR`: runs DIR/solver.py, or the program on standard
 * input, with DIR/input.json, and writes DIR/result.json.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "sandbox/base/io.h"
#include "command.h"
#include "progress.h"
#include "shown.h"
#include "solve.h"

#define JOB_PROGRAM "solver.py"

static int command_job_program(const struct command *command,
			       const struct conf *conf, struct bytes *code)
{
	size_t most = (size_t)conf->body_mb << 20;
	owned_fd int dir = open(command->target,
				O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = dir < 0 ? -errno : io_read_file(dir, JOB_PROGRAM, most, code);

	if (rc == -ENOENT && dir >= 0)
		rc = io_read_fd(STDIN_FILENO, most, code);
	return rc < 0 ? command_failed("%s: %s", command->target,
				       log_errno(rc))
		      : 0;
}

static int command_job_run(const struct command *command,
			   const struct conf *conf, struct solver_job *spec)
{
	struct progress progress;
	struct refusal why = {0};
	struct text result = {0};
	struct local_pool pool;
	struct solve solve = {.pool = &pool,
			      .conf = conf,
			      .dir = command->target,
			      .tick = progress_tick,
			      .context = &progress};
	int rc = local_pool_start(&pool, conf);

	if (rc < 0)
		return command_failed("start the sandbox: %s", log_errno(rc));
	progress_begin(&progress, command->target, conf->limits.timeout_ms,
		       command->quiet);
	rc = solve_run(&solve, spec, &result, &why);
	progress_end(&progress, solve.how);
	int status = rc < 0 ? command_failed("%s", why.message)
			    : shown_result(&result);

	text_free(&result);
	local_pool_stop(&pool);
	return status ? status : !solve.ok;
}

int command_job(const struct command *command)
{
	struct solver_job spec = {.workers = command->workers};
	struct bytes input = {0};
	struct conf conf = {0};
	int status = command_conf(command, SOLVER_JOB_SECONDS * 1000, true,
				  &conf);

	if (status == 0)
		status = command_job_program(command, &conf, &spec.code);
	int rc = status ? 0 : solve_input(command->target, &conf, &input);

	if (rc < 0)
		status = command_failed("%s/" SOLVER_JOB_INPUT ": %s",
					command->target, log_errno(rc));
	spec.input = (struct json_span){input.data, input.size};
	spec.seconds = conf.limits.timeout_ms / 1000;
	conf.hash_seed = CONF_HASH_SEED_0; /* two runs of a solver agree */
	if (status == 0)
		status = command_job_run(command, &conf, &spec);
	free(spec.code.data);
	free(input.data);
	conf_free(&conf);
	return status;
}
