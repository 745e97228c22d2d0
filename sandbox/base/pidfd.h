/*
 * pidfd - process file descriptors.
 *
 * A process id can be given to another process once its owner is reaped; a
 * pidfd stays with one process. The calls are made without glibc's functions,
 * because glibc has those only since 2.36.
 */
#ifndef TERRARIUM_PIDFD_H
#define TERRARIUM_PIDFD_H

#include <sys/types.h>

#include "base.h"

/* ioctl(2) PIDFD_GET_INFO with the first version of its structure; Linux 6.15,
 * newer than Debian 12's headers. */
#define PIDFD_INFO 0xc040ff0bul

/* A descriptor of process PID, closed at exec, the caller's; or a negative
 * errno value: -ESRCH if there is no such process. */
int pidfd_of(pid_t pid);

/* Send SIGNAL to the process of FD; 0 only checks that it could be sent.
 * Returns 0 or a negative errno value: -ESRCH if the process was reaped. */
int pidfd_signal(int fd, int signal);

/* Wait at most TIMEOUT_MS for the end of the process of FD; -1 waits without
 * limit, and 0 does not wait. Returns whether it has ended. */
bool pidfd_wait(int fd, int timeout_ms);

/* The wait(2) status of the process of FD, which need not be a child of the
 * caller's. -EAGAIN if it is not known yet, because the process has not been
 * reaped; another negative errno value if the kernel does not tell. */
int pidfd_status(int fd);

#endif
