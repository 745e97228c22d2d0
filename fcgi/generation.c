/* generation - see generation.h. */
#include "generation.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#define GENERATION_COUNT (GENERATION_FD_END - GENERATION_CONF)
#define GENERATION_ABOVE 64 /* where descriptors are parked */

/* Documented in README.md: what os.environ holds. The thread counts keep
 * numeric libraries from starting threads in the zygote. */
char *const generation_environment[] = {
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
	"JOBLIB_MULTIPROCESSING=0", /* or it warns that it cannot */
	NULL,
};

static void generation_exec_program(void)
{
	char *const argv[] = {GENERATION_ARGV0, NULL};
	char *env[ARRAY_LEN(generation_environment) + 1] = {
		GENERATION_LOADER "=1"};

	memcpy(env + 1, generation_environment,
	       sizeof(generation_environment));
	execve("/proc/self/exe", argv, env);
}

static void generation_exec(const int fds[GENERATION_COUNT]) NORETURN;

static void generation_exec(const int fds[GENERATION_COUNT])
{
	int parked[GENERATION_COUNT];
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setsid();
	for (int i = 0; i < GENERATION_COUNT; i++) {
		parked[i] = fcntl(fds[i], F_DUPFD, GENERATION_ABOVE);
		if (parked[i] < 0)
			_exit(1);
	}
	/* dup2 also clears close-on-exec. */
	for (int i = 0; i < GENERATION_COUNT; i++)
		if (dup2(parked[i], GENERATION_CONF + i) < 0)
			_exit(1);
	syscall(SYS_close_range, GENERATION_FD_END, ~0U, 0);
	generation_exec_program();
	_exit(1);
}

pid_t generation_spawn(const int fds[GENERATION_COUNT])
{
	pid_t pid = fork();

	if (pid == 0)
		generation_exec(fds);
	return pid < 0 ? -errno : pid;
}
