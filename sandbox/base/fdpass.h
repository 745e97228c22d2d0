/*
 * fdpass - messages that take descriptors along, over sockets of AF_UNIX that
 * keep messages apart: unix(7), SCM_RIGHTS.
 */
#ifndef TERRARIUM_FDPASS_H
#define TERRARIUM_FDPASS_H

#include "base.h"

#define FDPASS_FDS_MAX 12 /* with one message */

/* Send SIZE bytes of DATA and COUNT descriptors, which stay the caller's.
 * FLAGS as of send(2). */
int fdpass_send(int fd, const void *data, size_t size, const int *fds,
		size_t count, int flags);

/*
 * Receive a message of SIZE bytes into DATA and at most *COUNT descriptors,
 * which become the caller's, closed at exec; *COUNT says how many came. FLAGS
 * as of recv(2). 1; 0 when there is none now, or one of another size or whose
 * descriptors could not all be had, of which nothing is kept; -EPIPE when there
 * is nobody at the other end.
 */
int fdpass_receive(int fd, void *data, size_t size, int *fds, size_t *count,
		   int flags);

/* Close COUNT of FDS. */
void fdpass_release(int *fds, size_t count);

#endif
