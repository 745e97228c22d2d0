/*
 * check_pools - whether the pools of one file leave each other alone.
 */
#ifndef TERRARIUM_CHECK_POOLS_H
#define TERRARIUM_CHECK_POOLS_H

#include "conf/pools.h"

/* Compare the sockets, directories, cgroup names and user ids of POOLS in the
 * file PATH, all of which can be read. Returns the number of clashes; TEXT (of
 * SIZE bytes) names them. *PERCENT is the sum of walls.memory_percent. */
unsigned check_pools(const char *path, const struct pools *pools, char *text,
		     size_t size, unsigned *percent);

#endif
