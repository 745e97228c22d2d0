/* pace - see pace.h. */
#include "cpu_share.h"

#include <time.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/base/log.h"

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

/* To take a lower priority back takes a privilege that nobody here has. */
static void pace_set(const struct pace *pace, enum cgroup_pace how)
{
	int rc = cgroup_has_pace(pace->group)
			 ? cgroup_set_pace(pace->group, how)
		 : how == CGROUP_SLOW ? cast_slow(pace->cast) : 0;

	if (rc < 0)
		log_warn("let others go before a guest: %s", log_errno(rc));
}

void pace_begin(struct pace *pace, const struct cgroup_slot *group,
		pid_t guest, int cast, int64_t now)
{
	const bool can = cgroup_has_pace(group) || cast >= 0;

	*pace = (struct pace){.group = group, .guest = guest, .cast = cast,
			      .cpu_before_ms = pace_clock_ms(guest),
			      .start = now,
			      .next = can ? now + PACE_QUICK_MS : 0};
}

/* Who has slept for long need not be looked at as soon as it could have spent
 * what is LEFT. */
static int64_t pace_patience(int64_t age, int64_t left)
{
	int64_t wait = age / 2 < PACE_LOOK_MS ? age / 2 : PACE_LOOK_MS;

	return wait > left ? wait : left;
}

void pace_look(struct pace *pace, int64_t now)
{
	const int64_t cpu = (int64_t)pace_cpu_ms(pace);
	if (cpu < PACE_QUICK_MS) {
		pace->next = now + pace_patience(now - pace->start,
						 PACE_QUICK_MS - cpu);
		return;
	}
	/* Of priorities a thread that was just being started had the old. */
	pace->next = cgroup_has_pace(pace->group) ? 0 : now + PACE_LOOK_MS;
	pace->slow = true;
	pace_set(pace, CGROUP_SLOW);
}

void pace_end(struct pace *pace)
{
	pace->next = 0;
	if (pace->slow)
		pace_set(pace, CGROUP_FULL);
	pace->slow = false;
}

uint64_t pace_cpu_ms(const struct pace *pace)
{
	uint64_t cpu = pace_clock_ms(pace->guest);

	return cpu > pace->cpu_before_ms ? cpu - pace->cpu_before_ms : 0;
}
