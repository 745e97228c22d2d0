/*
 * stall - waits that are limited by progress instead of time.
 *
 * On a slow machine, such as an emulated one, the same work takes fifty times
 * as long without an error. A process that has work but uses no processor time
 * is stalled.
 */
#ifndef TERRARIUM_STALL_H
#define TERRARIUM_STALL_H

#include <sys/types.h>

#include "base.h"

/* Seconds of processor time after which a process counts as stuck in a loop:
 * fifty times as much as any work here needs. */
#define STALL_CPU_S 900

/* Nanoseconds of processor time that PID's threads have used; 0 if there is no
 * such process. */
uint64_t stall_cpu_ns(pid_t pid);

/* The observation of a number that changes with progress. All zero is the
 * start. */
struct stall {
	uint64_t seen;
	int64_t looked_ms; /* time of the last look; 0: none */
	int64_t still_ms;  /* time for which the number was the same */
};

/* Whether MOVED, at the time NOW_MS, has been the same for LIMIT_MS. Call this
 * at least once a second. Of a longer time between two calls one second counts,
 * because the caller or the whole machine was stopped then. */
bool stall_stands(struct stall *stall, uint64_t moved, int64_t now_ms,
		  int limit_ms);

/*
 * Wait until FD is readable. Returns 1; 0 if process PID (0: none) has used no
 * processor time for LIMIT_MS, or more than STALL_CPU_S; or a negative errno
 * value.
 */
int stall_wait(int fd, pid_t pid, int limit_ms);

#endif
