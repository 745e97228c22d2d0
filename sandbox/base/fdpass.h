/*
 * fdpass - messages with descriptors, over AF_UNIX sockets that keep message
 * boundaries: unix(7), SCM_RIGHTS.
 */
#ifndef TERRARIUM_FDPASS_H
#define TERRARIUM_FDPASS_H

#include "base.h"

#define FDPASS_FDS_MAX 12 /* in one message */

/* Send SIZE bytes of DATA and COUNT descriptors, which stay the caller's. FLAGS
 * are those of send(2). 0 or a negative errno value. */
int fdpass_send(int fd, const void *data, size_t size, const int *fds,
		size_t count, int flags);

/*
 * Receive a message of SIZE bytes into DATA, and at most *COUNT descriptors
 * into FDS. They become the caller's, closed at exec, and *COUNT is their
 * number. FLAGS are those of recv(2). Returns 1; 0 if there is no message now,
 * or it is dropped because it has another size or more descriptors; -EPIPE if
 * the other end is closed; or another negative errno value.
 */
int fdpass_receive(int fd, void *data, size_t size, int *fds, size_t *count,
		   int flags);

/* The same for a message of LEAST to SIZE bytes. The rest of DATA becomes
 * zero. */
int fdpass_receive_most(int fd, void *data, size_t least, size_t size,
			int *fds, size_t *count, int flags);

/* Close the first COUNT of FDS. */
void fdpass_release(int *fds, size_t count);

#endif
