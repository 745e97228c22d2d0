/*
 * session_fork_server - the process that the session keepers of sessions are
 * forked from. See session_fork_server.c.
 */
#ifndef TERRARIUM_NURSERY_H
#define TERRARIUM_NURSERY_H

#include "children.h"

/* Fork server: start it, once it is warm itself and before it has forked a
 * guest. It closes the fork server's own ORDERS. Returns its pid or a negative
 * errno value. */
pid_t session_fork_server_start(struct pool *pool, int orders);

#endif
