/* cpu_share - see cpu_share.h. */
#include "cpu_share.h"

#include <time.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/base/log.h"

/* The clock's number is that of clock_getcpuclockid(3), which would ask
 * first. */
static uint64_t cpu_share_clock_ms(pid_t guest)
{
	struct timespec used;
	clockid_t clock = (clockid_t)((~(unsigned)guest << 3) | 2);

	if (clock_gettime(clock, &used) < 0)
		return 0;
	return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
}

/* To take a lower priority back takes a privilege that nobody here has. */
static void cpu_share_set(const struct cpu_share *share, enum cgroup_weight how)
{
	int rc = cgroup_has_weight(share->group)
			 ? cgroup_set_weight(share->group, how)
		 : how == CGROUP_WEIGHT_LOW ? fork_order_slow(share->cast)
					    : 0;

	if (rc < 0)
		log_warn("let others go before a guest: %s", log_errno(rc));
}

void cpu_share_begin(struct cpu_share *share, const struct cgroup_slot *group,
		     pid_t guest, int cast, int64_t now)
{
	const bool can = cgroup_has_weight(group) || cast >= 0;

	*share = (struct cpu_share){.group = group,
				    .guest = guest,
				    .cast = cast,
				    .cpu_before_ms = cpu_share_clock_ms(guest),
				    .start = now,
				    .next = can ? now + CPU_SHARE_QUICK_MS : 0};
}

/* Who has slept for long need not be looked at as soon as it could have spent
 * what is LEFT. */
static int64_t cpu_share_patience(int64_t age, int64_t left)
{
	int64_t wait = age / 2 < CPU_SHARE_LOOK_MS ? age / 2
						   : CPU_SHARE_LOOK_MS;

	return wait > left ? wait : left;
}

void cpu_share_look(struct cpu_share *share, int64_t now)
{
	const int64_t cpu = (int64_t)cpu_share_cpu_ms(share);
	if (cpu < CPU_SHARE_QUICK_MS) {
		share->next = now +
			      cpu_share_patience(now - share->start,
						 CPU_SHARE_QUICK_MS - cpu);
		return;
	}
	/* Of priorities a thread that was just being started had the old. */
	share->next = cgroup_has_weight(share->group) ? 0
						      : now + CPU_SHARE_LOOK_MS;
	share->slow = true;
	cpu_share_set(share, CGROUP_WEIGHT_LOW);
}

void cpu_share_end(struct cpu_share *share)
{
	share->next = 0;
	if (share->slow)
		cpu_share_set(share, CGROUP_WEIGHT_FULL);
	share->slow = false;
}

uint64_t cpu_share_cpu_ms(const struct cpu_share *share)
{
	uint64_t cpu = cpu_share_clock_ms(share->guest);

	return cpu > share->cpu_before_ms ? cpu - share->cpu_before_ms : 0;
}
