/*
 * stall - waits that are bounded by progress, not by the clock.
 *
 * On a slow machine, an emulated one for instance, the same work takes fifty
 * times as long, and nothing is wrong. Something is wrong when a process that
 * has work to do uses no processor time: then it stands still.
 */
#ifndef TERRARIUM_STALL_H
#define TERRARIUM_STALL_H

#include <sys/types.h>

#include "base.h"

/* Processor time after which a process counts as one that goes round in
 * circles; fifty times as much as anything here needs. */
#define STALL_CPU_S 900

/* Processor time that PID's threads have used, in nanoseconds; 0 for none that
 * lives. */
uint64_t stall_cpu_ns(pid_t pid);

/* A number that changes as long as something moves. Begins as zeros. */
struct stall {
	uint64_t seen;
	int64_t looked_ms; /* when it was looked at last; 0: never */
	int64_t still_ms;  /* how long it has been the same */
};

/* Has MOVED been the same for LIMIT_MS, at NOW_MS? To be asked at least once a
 * second: of a longer time in between one second counts, because then it was
 * the caller that stood still, or the whole machine. */
bool stall_stands(struct stall *stall, uint64_t moved, int64_t now_ms,
		  int limit_ms);

/*
 * Wait until FD can be read. 1; 0 when PID (0: there is none) has used no
 * processor time for LIMIT_MS, or too much; or a negative errno value.
 */
int stall_wait(int fd, pid_t pid, int limit_ms);

#endif
