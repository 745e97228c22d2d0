/* leave - see leave.h. */
#include "leave.h"

#include <errno.h>
#include <stddef.h>
#include <sys/signalfd.h>

int leave_open(void)
{
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, LEAVE_SIGNAL);
	if (sigprocmask(SIG_BLOCK, &mask, NULL) < 0)
		return -errno;
	int fd = signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);

	return fd < 0 ? -errno : fd;
}
