/* pace - see pace.h. */
#include "pace.h"

#include <errno.h>
#include <sys/resource.h>
#include <time.h>

#include "../sandbox/log.h"

#define PACE_SHORT_MS 150 /* of processor time; all the charts of this world */
#define PACE_NICE 10	  /* nice(2): a tenth of the weight */

void pace_begin(struct pace *pace, pid_t guest, int64_t now)
{
	*pace = (struct pace){.guest = guest, .look = now + PACE_SHORT_MS};
}

void pace_end(struct pace *pace)
{
	*pace = (struct pace){0};
}

/* Processor time of GUEST, or -1: it is gone. The clock is that of
 * clock_getcpuclockid(3). */
static int64_t pace_used_ms(pid_t guest)
{
	clockid_t clock = (clockid_t)((~(unsigned)guest << 3) | 2);
	struct timespec used;

	if (clock_gettime(clock, &used) < 0)
		return -1;
	return used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

/* When to look at it again; 0: never. */
static int64_t pace_look(const struct pace *pace, int64_t now)
{
	int64_t used = pace_used_ms(pace->guest);

	if (used < 0)
		return 0;
	if (used < PACE_SHORT_MS)
		return now + PACE_SHORT_MS - used;
	/* With all its threads; it may die meanwhile. */
	if (setpriority(PRIO_PGRP, (id_t)pace->guest, PACE_NICE) < 0 &&
	    errno != ESRCH)
		log_warn("make a guest nice: %s", log_errno(errno));
	return 0;
}

int64_t pace_step(struct pace *paces, unsigned count, int64_t now)
{
	int64_t next = INT64_MAX;

	for (unsigned i = 0; i < count; i++) {
		if (paces[i].look && now >= paces[i].look)
			paces[i].look = pace_look(&paces[i], now);
		if (paces[i].look && paces[i].look < next)
			next = paces[i].look;
	}
	return next;
}
