/*
 * listen_queue - how many connections wait in a listening unix socket.
 */
#ifndef TERRARIUM_LISTEN_QUEUE_H
#define TERRARIUM_LISTEN_QUEUE_H

#include "sandbox/base/base.h"

/* Open a socket that can ask the kernel (sock_diag(7)). A descriptor, or a
 * negative errno value. */
int listen_queue_open(void);

/* The number of connections in the queue of LISTENER, asked by DIAG; or a
 * negative errno value, which a kernel without unix_diag gives. */
int listen_queue_length(int diag, int listener);

/* The same for the internet socket LISTENER, which no DIAG is needed for. 0 if
 * it is none that listens. */
int listen_queue_length_tcp(int listener);

#endif
