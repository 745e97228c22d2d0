/*
 * session_fork_server - the process that session keepers are forked from. See
 * session_fork_server.c.
 */
#ifndef TERRARIUM_SESSION_FORK_SERVER_H
#define TERRARIUM_SESSION_FORK_SERVER_H

#include "pool.h"

/* Fork server: start it after the preload, and before the first guest is
 * forked. It closes its copy of ORDERS. Returns its pid or a negative errno
 * value. */
pid_t session_fork_server_start(struct pool *pool, int orders);

#endif
