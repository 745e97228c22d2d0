/* upgrade_trial - see upgrade_trial.h. */
#include "upgrade_trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "conf/pools.h"
#include "sandbox/base/io.h"
#include "sandbox/walls/kernel_calls.h"

#define UPGRADE_TRIAL_MS 60000
/* It says this, because any other program may end with status 0. */
#define UPGRADE_TRIAL_YES "this program can take over"

/* ---- the master's side ----------------------------------------------- */

static void upgrade_trial_exec(const char *program, int said,
			       const char *conf_path, const char *pool) NORETURN;

static void upgrade_trial_exec(const char *program, int said,
			       const char *conf_path, const char *pool)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(said, STDOUT_FILENO) < 0 || dup2(said, STDERR_FILENO) < 0)
		_exit(1);
	execl(program, program, "--config", conf_path, "--pool", pool,
	      "--try-upgrade", NULL);
	dprintf(STDERR_FILENO, "execute %s: %s", program, log_errno(errno));
	_exit(1);
}

static int upgrade_trial_fork(struct upgrade_trial *trial, const char *program,
			      const char *conf_path, const char *pool)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	owned_fd int in = ends[0], out = ends[1];
	int rc = io_set_nonblocking(in, true);

	if (rc < 0)
		return rc;
	pid_t pid = fork();

	if (pid == 0)
		upgrade_trial_exec(program, out, conf_path, pool);
	if (pid < 0)
		return -errno;
	*trial = (struct upgrade_trial){.pid = pid,
					.said = take_fd(&in),
					.end_ms = io_now_ms() +
						  UPGRADE_TRIAL_MS};
	return 0;
}

int upgrade_trial_start(struct upgrade_trial *trial, const char *program,
			struct handover *kept, const char *conf_path,
			const char *pool)
{
	int fd = handover_write(kept);

	if (fd < 0)
		return fd;
	int rc = upgrade_trial_fork(trial, program, conf_path, pool);

	handover_undo(kept, fd);
	return rc;
}

/* The first line that it has said, in printable ASCII. */
static void upgrade_trial_read(struct upgrade_trial *trial,
			       char said[SCOREBOARD_REASON_MAX])
{
	ssize_t n = read(trial->said, said, SCOREBOARD_REASON_MAX - 1);

	base_release_fd(&trial->said);
	said[n < 0 ? 0 : n] = '\0';
	said[strcspn(said, "\n")] = '\0';
	for (char *at = said; *at; at++)
		if ((unsigned char)*at < ' ' || (unsigned char)*at > '~')
			*at = '?';
}

int upgrade_trial_ended(struct upgrade_trial *trial, int status,
			char error[SCOREBOARD_REASON_MAX])
{
	char said[SCOREBOARD_REASON_MAX];

	upgrade_trial_read(trial, said);
	trial->pid = 0;
	trial->passed = status == 0 && strcmp(said, UPGRADE_TRIAL_YES) == 0;
	if (trial->passed)
		return 0;
	if (WIFSIGNALED(status))
		snprintf(error, SCOREBOARD_REASON_MAX,
			 "upgrade: the new program was ended by signal %d",
			 WTERMSIG(status));
	else
		snprintf(error, SCOREBOARD_REASON_MAX, "upgrade: %.180s",
			 *said ? said : "the new program said nothing");
	return -EINVAL;
}

void upgrade_trial_watch(const struct upgrade_trial *trial)
{
	if (trial->pid > 0 && io_now_ms() >= trial->end_ms)
		kill(trial->pid, SIGKILL);
}

/* ---- the trial ------------------------------------------------------- */

static int upgrade_trial_refuse(const char *error)
{
	puts(error);
	return 1;
}

/* The configuration of the start, by which slots were made, and the one that is
 * on disk. */
static int upgrade_trial_read_conf(const struct handover *kept,
				   const char *conf_path, const char *pool,
				   char error[CONF_ERROR_MAX])
{
	struct conf start, now;
	struct bytes text;
	int rc = conf_parse(&start, conf_path, kept->start.data,
			    kept->start.size, error);

	if (rc == 0 && !setup_fits(&kept->setup, &start, error))
		rc = -EINVAL;
	conf_free(&start);
	if (rc < 0)
		return rc;
	rc = pools_read(conf_path, pool, &text, &now, error);
	if (rc < 0)
		return rc;
	free(text.data);
	conf_free(&now);
	return 0;
}

/* All else that a start needs is there, because the running server has it. */
int upgrade_trial_main(const char *conf_path, const char *pool)
{
	struct handover *kept;
	struct kernel_calls calls;
	char error[HANDOVER_ERROR_MAX], names[KERNEL_CALLS_WORDS_MAX];
	int rc = handover_read(&kept, error);

	if (rc <= 0)
		return upgrade_trial_refuse(
			rc < 0 ? error : "only a running server uses "
					 "--try-upgrade");
	rc = upgrade_trial_read_conf(kept, conf_path, pool, error);
	handover_free(&kept);
	if (rc < 0)
		return upgrade_trial_refuse(error);
	if (kernel_calls_try(&calls) < 0 ||
	    kernel_calls_lacking(&calls, true, names) > 0)
		return upgrade_trial_refuse("required kernel calls do not "
					    "work");
	puts(UPGRADE_TRIAL_YES);
	return 0;
}
