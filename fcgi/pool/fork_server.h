/*
 * fork_server - the process with the warm Python, that guests and session
 * keepers are forked from. See fork_server.c.
 */
#ifndef TERRARIUM_MOLD_H
#define TERRARIUM_MOLD_H

#include "children.h"

/* Pool process: start it with the sandbox that PLAN describes and box_enter()
 * has entered, and wait until it is warm. 0 and pool process->fork server,
 * box.fork server and what box_start_python() finds out are set; or a negative
 * errno value with a sentence in ERROR. */
int fork_server_start(struct pool *pool, const struct box_plan *plan,
		      char error[BOX_ERROR_MAX]);

#endif
