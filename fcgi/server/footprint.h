/*
 * footprint - measures the memory of a process group.
 */
#ifndef TERRARIUM_FOOTPRINT_H
#define TERRARIUM_FOOTPRINT_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Megabytes that all processes of GROUP use. A shared page counts in
 * proportion. A file in memory that they map counts once and as a whole. 0 when
 * that cannot be read. This reads every process of the host, so it is too slow
 * for a request.
 */
uint64_t footprint_mb(pid_t group);

#endif
