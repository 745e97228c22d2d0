/* spawn - see spawn.h. */
#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#include "log.h"

#define SPAWN_STREAM_MAX 48 /* of the log's reader, with a NUL */
#define SPAWN_ABOVE 64 /* descriptors are parked from here on */

/* The content of os.environ in programs, listed in docs/api.md. The thread
 * counts keep numeric libraries from starting threads in the fork server. */
static char *const spawn_environment[] = {
	"HOME=/home/user",
	"USER=user",
	"LOGNAME=user",
	"PATH=/usr/bin:/bin",
	"LANG=C.UTF-8",
	"LC_ALL=C.UTF-8",
	"TZ=UTC",
	"TMPDIR=/tmp",
	"MPLBACKEND=Agg",
	"MPLCONFIGDIR=/tmp/.matplotlib",
	"XDG_CACHE_HOME=/tmp/.cache",
	"OMP_NUM_THREADS=1",
	"OPENBLAS_NUM_THREADS=1",
	"MKL_NUM_THREADS=1",
	"NUMEXPR_NUM_THREADS=1",
	"JOBLIB_MULTIPROCESSING=0", /* it would warn that it cannot */
	(SPAWN_LOADER "=1"),
};
#define SPAWN_VARIABLES ARRAY_LEN(spawn_environment)

static void spawn_exec(char *argv0, const int *fds, size_t count) NORETURN;

static void spawn_exec(char *argv0, const int *fds, size_t count)
{
	char *const argv[] = {argv0, NULL};
	const char *stream = getenv(LOG_STREAM);
	char log[sizeof(LOG_STREAM) + SPAWN_STREAM_MAX];
	char *environment[SPAWN_VARIABLES + 2] = {NULL};
	int parked[SPAWN_FDS_MAX];
	sigset_t none;

	memcpy(environment, spawn_environment, sizeof(spawn_environment));
	if (stream && strlen(stream) < SPAWN_STREAM_MAX) {
		snprintf(log, sizeof(log), LOG_STREAM "=%s", stream);
		environment[SPAWN_VARIABLES] = log;
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	for (size_t i = 0; i < count; i++) {
		parked[i] = fcntl(fds[i], F_DUPFD, SPAWN_ABOVE);
		if (parked[i] < 0)
			_exit(1);
	}
	/* dup2(2) also clears close-on-exec. */
	for (size_t i = 0; i < count; i++)
		if (dup2(parked[i], SPAWN_FIRST + (int)i) < 0)
			_exit(1);
	if (syscall(SYS_close_range, SPAWN_FIRST + (unsigned)count, ~0U,
		    0) < 0) {
		log_error("close inherited descriptors: %s",
			  log_errno(errno));
		_exit(1);
	}
	execve("/proc/self/exe", argv, environment);
	_exit(1);
}

pid_t spawn_pool(char *argv0, const int *fds, size_t count)
{
	if (count > SPAWN_FDS_MAX)
		return -EINVAL;
	pid_t pid = fork();

	if (pid == 0)
		spawn_exec(argv0, fds, count);
	return pid < 0 ? -errno : pid;
}
