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

static int open_dir(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Nobody may ever write to a pipe of that name: it would stop us for good,
 * and a daemon with us. */
int solve_input(const char *dir, const struct conf *conf, struct bytes *input)
{
	owned_fd int fd = open_dir(dir);
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

/* A result of before would be taken for this run's. */
static int forget_result(const char *dir)
{
	owned_fd int fd = open_dir(dir);

	if (fd < 0)
		return fd;
	return unlinkat(fd, SOLVER_JOB_RESULT, 0) < 0 && errno != ENOENT
		       ? -errno
		       : 0;
}

static int save_result(const struct solve *solve,
		       const struct solver_result *verdict)
{
	owned_fd int fd = -1;

	if (!solve->dir || !verdict->result.data)
		return 0;
	fd = open_dir(solve->dir);
	return fd < 0 ? fd
		      : save_bytes(fd, SOLVER_JOB_RESULT, &verdict->result,
				   true);
}

static struct limits had_limits(const struct conf *conf,
				const struct job *job)
{
	struct limits limits = conf->limits;

	limits.timeout_ms = job->timeout_ms;
	return limits;
}

/* With the path, or without where nothing was to be written. */
static int add_verdict(struct solve *solve, const struct job *job,
		       const struct outcome *outcome, struct text *result,
		       struct refusal *why)
{
	const struct limits had = had_limits(solve->conf, job);
	const struct limits *limits = &had;
	owned_free char *path = NULL;
	struct solver_result verdict;
	int rc = solver_result_make(&verdict, outcome, limits);

	if (rc == 0)
		rc = save_result(solve, &verdict);
	if (rc == 0 && solve->dir &&
	    asprintf(&path, "%s/" SOLVER_JOB_RESULT, solve->dir) < 0)
		rc = -ENOMEM;
	if (rc == 0)
		solver_result_add(result, &verdict, outcome, limits, path);
	else
		refuse(why, 500, "internal_error", SOLVER_JOB_RESULT ": %s",
		       log_errno(rc));
	solve->ok = verdict.ok;
	solve->how = solver_result_status_names[verdict.status];
	solver_result_free(&verdict);
	return rc;
}

static int add_answer(struct solve *solve, const struct job *job,
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
		return add_verdict(solve, job, outcome, result, why);
	solve->ok = outcome->verdict == OUTCOME_OK;
	solve->how = outcome_rows[outcome->verdict].name;
	return solver_result_add_check(result, outcome, &solve->conf->limits,
				       &job->probe.note);
}

static int run_order(struct solve *solve, const struct job *job,
		     struct text *result, struct refusal *why)
{
	struct outcome outcome;
	int rc = solve->dir ? forget_result(solve->dir) : 0;

	if (rc < 0)
		return refuse(why, 500, "internal_error", "%s: %s",
			      solve->dir, log_errno(rc));
	rc = local_pool_run(solve->pool, solve->conf, job, solve->tick,
			    solve->context, &outcome);
	if (rc == 0)
		rc = add_answer(solve, job, &outcome, result, why);
	else
		refuse(why, 500, "internal_error", "the sandbox has ended");
	outcome_free(&outcome);
	return rc;
}

int solve_order(struct solve *solve, struct solver_job *order,
		struct text *result, struct refusal *why)
{
	const struct limits *limits = &solve->conf->limits;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	const struct solver_limits most = {limits->timeout_ms, limits->threads,
					   cores > 0 ? (unsigned)cores : 1,
					   (uint64_t)limits->home_mb << 20};
	struct job job = {0};
	int rc = solver_job_make(order, &most, &job, why);

	solve->ok = false;
	solve->how = "not run";
	if (rc == 0)
		rc = run_order(solve, &job, result, why);
	else if (rc != -EINVAL)
		refuse(why, 500, "internal_error", "out of memory");
	job_free(&job);
	return rc;
}
