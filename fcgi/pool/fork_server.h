/*
 * fork_server - the process with the preloaded Python, which guests and session
 * keepers are forked from. See fork_server.c.
 */
#ifndef TERRARIUM_FORK_SERVER_H
#define TERRARIUM_FORK_SERVER_H

#include "pool.h"

/* Pool process: start it with the sandbox of PLAN, which box_enter() has
 * entered, and wait until its preload is done. On success sets
 * pool->fork_server, box.fork_server and the results of box_start_python(), and
 * returns 0. On failure returns a negative errno value with a sentence in
 * ERROR. */
int fork_server_start(struct pool *pool, const struct box_plan *plan,
		      char error[BOX_ERROR_MAX]);

#endif
