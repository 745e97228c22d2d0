/* solve - see solve.h. */
#include "solve.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "sandbox/base/io.h"
#include "sandbox/solver/solver_result.h"
#include "save.h"

static int solve_open_dir(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Only a regular file is read, because a pipe without a writer would block this
 * process for ever, and a daemon with it. */
int solve_input(const char *dir, const struct conf *conf, struct bytes *input)
{
	owned_fd int fd = solve_open_dir(dir);
	struct stat st;

	if (fd < 0)
		return fd;
	if (fstatat(fd, SOLVER_JOB_INPUT, &st, 0) < 0)
		return errno == ENOENT ? 0 : -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return io_read_file(fd, SOLVER_JOB_INPUT,
			    (size_t)conf->limits.home_mb << 20, input);
}

/* Remove an earlier result, which would be taken for this run's. */
static int solve_remove_result(const char *dir)
{
	owned_fd int fd = solve_open_dir(dir);

	if (fd < 0)
		return fd;
	return unlinkat(fd, SOLVER_JOB_RESULT, 0) < 0 && errno != ENOENT
		       ? -errno
		       : 0;
}

static int solve_save_result(const struct solve *solve,
			     const struct solver_result *result)
{
	owned_fd int fd = -1;

	if (!solve->dir || !result->json.data)
		return 0;
	fd = solve_open_dir(solve->dir);
	return fd < 0 ? fd
		      : save_bytes(fd, SOLVER_JOB_RESULT, &result->json, true);
}

static struct limits solve_limits(const struct conf *conf,
				  const struct job *job)
{
	struct limits limits = conf->limits;

	limits.timeout_ms = job->timeout_ms;
	return limits;
}

/* Save result.json if there is a directory, and append the result with its
 * path. */
static int solve_add_result(struct solve *solve, const struct job *job,
			    const struct outcome *outcome, struct text *result,
			    struct refusal *why)
{
	const struct limits had = solve_limits(solve->conf, job);
	const struct limits *limits = &had;
	owned_free char *path = NULL;
	struct solver_result found;
	int rc = solver_result_make(&found, job, outcome, limits);

	if (rc == 0)
		rc = solve_save_result(solve, &found);
	if (rc == 0 && solve->dir &&
	    asprintf(&path, "%s/" SOLVER_JOB_RESULT, solve->dir) < 0)
		rc = -ENOMEM;
	if (rc == 0)
		solver_result_add(result, &found, outcome, limits, path);
	else
		refuse(why, 500, "internal_error", SOLVER_JOB_RESULT ": %s",
		       log_errno(rc));
	solve->ok = found.ok;
	solve->how = solver_result_status_names[found.status];
	solver_result_free(&found);
	return rc;
}

static int solve_add_answer(struct solve *solve, const struct job *job,
			    const struct outcome *outcome, struct text *result,
			    struct refusal *why)
{
	char sentence[OUTCOME_SENTENCE_MAX];

	if (!outcome_rows[outcome->verdict].started) {
		outcome_sentence(outcome, sentence);
		return refuse(why, 500, "internal_error", "%s",
			      outcome->error_message ? outcome->error_message
						     : sentence);
	}
	if (job->task == JOB_RUN)
		return solve_add_result(solve, job, outcome, result, why);
	solve->ok = solver_result_check_ok(job, outcome);
	solve->how = outcome_rows[outcome->verdict].name;
	return solver_result_add_check(result, job, outcome,
				       &solve->conf->limits);
}

static int solve_run_job(struct solve *solve, const struct job *job,
			 struct text *result, struct refusal *why)
{
	struct outcome outcome;
	int rc = solve->dir ? solve_remove_result(solve->dir) : 0;

	if (rc < 0)
		return refuse(why, 500, "internal_error", "%s: %s",
			      solve->dir, log_errno(rc));
	rc = local_pool_run(solve->pool, solve->conf, job,
			    &(struct local_pool_watcher){
				    .tick = solve->tick,
				    .context = solve->context},
			    &outcome);
	if (rc == 0)
		rc = solve_add_answer(solve, job, &outcome, result, why);
	else
		refuse(why, 500, "internal_error", "the sandbox has ended");
	outcome_free(&outcome);
	return rc;
}

int solve_run(struct solve *solve, struct solver_job *spec, struct text *result,
	      struct refusal *why)
{
	const struct limits *limits = &solve->conf->limits;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	const struct solver_limits most = {limits->timeout_ms, limits->threads,
					   cores > 0 ? (unsigned)cores : 1,
					   (uint64_t)limits->home_mb << 20};
	struct job job = {0};
	int rc = solver_job_make(spec, &most, &job, why);

	solve->ok = false;
	solve->how = "not run";
	if (rc == 0)
		rc = solve_run_job(solve, &job, result, why);
	else if (rc != -EINVAL)
		refuse(why, 500, "internal_error", "out of memory");
	job_free(&job);
	return rc;
}
