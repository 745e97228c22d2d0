/* pace - see pace.h. */
#include "pace.h"

#include <time.h>

#include "log.h"

/* A program that sleeps is looked at ever less often: again after a quarter
 * of the time that it has been running. */
#define PACE_PATIENCE 4

/* The clock's number is that of clock_getcpuclockid(3), which would ask
 * first. */
static uint64_t pace_clock_ms(pid_t guest)
{
	struct timespec used;
	clockid_t clock = (clockid_t)((~(unsigned)guest << 3) | 2);

	if (clock_gettime(clock, &used) < 0)
		return 0;
	return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
}

void pace_begin(struct pace *pace, const struct cgroup_slot *group,
		pid_t guest, int64_t now)
{
	*pace = (struct pace){.group = group, .guest = guest, .start = now,
			      .cpu_before_ms = pace_clock_ms(guest),
			      .next = cgroup_has_pace(group)
					      ? now + PACE_QUICK_MS : 0};
}

void pace_look(struct pace *pace, int64_t now)
{
	const int64_t cpu = (int64_t)pace_cpu_ms(pace);
	const int64_t least = PACE_QUICK_MS - cpu;
	const int64_t patience = (now - pace->start) / PACE_PATIENCE;

	if (cpu < PACE_QUICK_MS) {
		pace->next = now + (least > patience ? least : patience);
		return;
	}
	int rc = cgroup_set_pace(pace->group, CGROUP_SLOW);

	if (rc < 0)
		log_warn("let others go before a long program: %s",
			 log_errno(rc));
	pace->next = 0;
}

uint64_t pace_cpu_ms(const struct pace *pace)
{
	uint64_t cpu = pace_clock_ms(pace->guest);

	return cpu > pace->cpu_before_ms ? cpu - pace->cpu_before_ms : 0;
}
