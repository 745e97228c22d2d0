/* stall - see stall.h, clock_getcpuclockid(3). */
#include "stall.h"

#include <time.h>

#include "io.h"

#define STALL_LOOK_MS 250    /* between two looks */
#define STALL_PASSED_MS 1000 /* counts at most, between two looks */

uint64_t stall_cpu_ns(pid_t pid)
{
	struct timespec used;
	clockid_t clock;

	if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 ||
	    clock_gettime(clock, &used) < 0)
		return 0;
	return (uint64_t)used.tv_sec * 1000000000u + (uint64_t)used.tv_nsec;
}

bool stall_stands(struct stall *stall, uint64_t moved, int64_t now_ms,
		  int limit_ms)
{
	int64_t passed = now_ms - stall->looked_ms;

	if (stall->looked_ms == 0 || moved != stall->seen)
		stall->still_ms = 0;
	else
		stall->still_ms += passed < STALL_PASSED_MS ? passed
							    : STALL_PASSED_MS;
	stall->seen = moved;
	stall->looked_ms = now_ms;
	return stall->still_ms >= limit_ms;
}

int stall_wait(int fd, pid_t pid, int limit_ms)
{
	const int look = limit_ms < STALL_LOOK_MS ? limit_ms : STALL_LOOK_MS;
	struct stall stall = {.looked_ms = io_now_ms()};
	uint64_t first = 0;

	for (;;) {
		int rc = io_wait_readable(fd, look);

		if (rc != 0)
			return rc;
		uint64_t used = stall_cpu_ns(pid);

		first = first ? first : used;
		if (stall_stands(&stall, used, io_now_ms(), limit_ms) ||
		    used > first + STALL_CPU_S * 1000000000ull)
			return 0;
	}
}
