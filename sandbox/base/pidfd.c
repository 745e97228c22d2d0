/* pidfd - see pidfd.h, pidfd_open(2). */
#include "pidfd.h"

#include <errno.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

/* struct pidfd_info of <linux/pidfd.h>, its first version. */
struct pidfd_info_first {
	uint64_t mask, cgroup;
	uint32_t ids[11];
	int32_t status; /* as wait(2) has it */
};
_Static_assert(sizeof(struct pidfd_info_first) == 64,
	       "PIDFD_INFO has this size in it");

#define PIDFD_INFO_STATUS (1u << 3) /* PIDFD_INFO_EXIT */

int pidfd_of(pid_t pid)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	return fd < 0 ? -errno : fd;
}

int pidfd_signal(int fd, int signal)
{
	return syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) < 0 ? -errno
								       : 0;
}

bool pidfd_wait(int fd, int timeout_ms)
{
	struct pollfd polled = {.fd = fd, .events = POLLIN};

	return poll(&polled, 1, timeout_ms) > 0;
}

int pidfd_status(int fd)
{
	struct pidfd_info_first info = {.mask = PIDFD_INFO_STATUS};

	if (ioctl(fd, PIDFD_INFO, &info) < 0)
		return errno == ESRCH ? -EAGAIN : -errno;
	return info.mask & PIDFD_INFO_STATUS ? info.status : -EAGAIN;
}
