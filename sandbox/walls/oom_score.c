/* oom_score - see oom_score.h, proc_pid_oom_score_adj(5). */
#include "oom_score.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

int oom_score_open(int proc)
{
	/* While a process is not dumpable, as after a change of its uid, the
	 * file belongs to root. */
	int dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);

	if (dumpable != 1)
		prctl(PR_SET_DUMPABLE, 1, 0, 0, 0);
	int fd = openat(proc, "self/oom_score_adj", O_RDWR | O_CLOEXEC);
	int rc = fd < 0 ? -errno : fd;

	if (dumpable != 1)
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
	return rc;
}

int oom_score_set(int fd, int score)
{
	char text[16];

	if (fd < 0)
		return score;
	snprintf(text, sizeof(text), "%d", score);
	if (pwrite(fd, text, strlen(text), 0) >= 0)
		return score;
	/* EACCES: the kernel does not let this process lower it so far. */
	ssize_t size = pread(fd, text, sizeof(text) - 1, 0);

	if (size <= 0)
		return score;
	text[size] = '\0';
	return (int)strtol(text, NULL, 10);
}

void oom_score_set_own(int score)
{
	owned_fd int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	owned_fd int fd = proc < 0 ? -1 : oom_score_open(proc);

	oom_score_set(fd, score);
}
