/*
 * footprint - how much memory a group of processes takes.
 */
#ifndef TERRARIUM_FOOTPRINT_H
#define TERRARIUM_FOOTPRINT_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Megabytes that all processes of GROUP hold: of what they share with others
 * their part, and files in memory that they map as a whole, once. 0 when that
 * cannot be read. It looks at every process of the host: not for a request.
 */
uint64_t footprint_mb(pid_t group);

#endif
