/* cpu_share - see cpu_share.h. */
#include "cpu_share.h"

#include <time.h>

#include "sandbox/ipc/fork_order.h"
#include "sandbox/base/log.h"

/* Read GUEST's processor clock. The clock's number is that of
 * clock_getcpuclockid(3), which would make one more system call. */
static uint64_t cpu_share_clock_ms(pid_t guest)
{
	struct timespec used;
	clockid_t clock = (clockid_t)((~(unsigned)guest << 3) | 2);

	if (clock_gettime(clock, &used) < 0)
		return 0;
	return (uint64_t)used.tv_sec * 1000 + (uint64_t)used.tv_nsec / 1000000;
}

/* A priority cannot be raised again, because no process here has the privilege.
 * So only a group goes back to full weight. */
static void cpu_share_set(const struct cpu_share *share, enum cgroup_weight how)
{
	int rc = cgroup_has_weight(share->group)
			 ? cgroup_set_weight(share->group, how)
		 : how == CGROUP_WEIGHT_LOW ? fork_order_slow(share->channel)
					    : 0;

	if (rc < 0)
		log_warn("guest priority not set: error=\"%s\"", log_errno(rc));
}

void cpu_share_begin(struct cpu_share *share, const struct cgroup_slot *group,
		     pid_t guest, int channel, int64_t now)
{
	const bool can = cgroup_has_weight(group) || channel >= 0;

	*share = (struct cpu_share){.group = group,
				    .guest = guest,
				    .channel = channel,
				    .cpu_before_ms = cpu_share_clock_ms(guest),
				    .start = now,
				    .next = can ? now + CPU_SHARE_QUICK_MS : 0};
}

/* Milliseconds until the next check. A program that has slept for long is not
 * checked before it could have used up LEFT. */
static int64_t cpu_share_interval(int64_t age, int64_t left)
{
	int64_t wait = age / 2 < CPU_SHARE_CHECK_MS ? age / 2
						    : CPU_SHARE_CHECK_MS;

	return wait > left ? wait : left;
}

void cpu_share_check(struct cpu_share *share, int64_t now)
{
	const int64_t cpu = (int64_t)cpu_share_cpu_ms(share);
	if (cpu < CPU_SHARE_QUICK_MS) {
		share->next = now +
			      cpu_share_interval(now - share->start,
						 CPU_SHARE_QUICK_MS - cpu);
		return;
	}
	/* A thread that was just being started kept its old priority, so
	 * priorities are set more than once. */
	share->next = cgroup_has_weight(share->group)
			      ? 0
			      : now + CPU_SHARE_CHECK_MS;
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
