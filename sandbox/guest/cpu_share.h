/*
 * cpu_share - a program's processor time, and its share of the processors.
 *
 * Guests share the processors evenly, because all control groups weigh the
 * same. Without more, long programs would delay quick ones. So a program that
 * has used CPU_SHARE_QUICK_MS keeps an eighth of its group's weight: it yields
 * to new programs, and uses all time that they leave. Without the kernel's cpu
 * controller the fork server lowers its priority instead, for good. Session
 * guests are not the fork server's children, so nothing renices them.
 */
#ifndef TERRARIUM_CPU_SHARE_H
#define TERRARIUM_CPU_SHARE_H

#include "sandbox/walls/cgroup.h"

#define CPU_SHARE_QUICK_MS 100 /* a program that used more is long */
#define CPU_SHARE_CHECK_MS 250 /* between two checks of a program, at most */

struct cpu_share {
	const struct cgroup_slot *group;
	pid_t guest;
	int channel;
	uint64_t cpu_before_ms;
	int64_t start;
	int64_t next; /* time of the next check; 0: never */
	bool slow;
};

/* Start the account of a program in GUEST. Nothing else runs in GROUP, which is
 * at full weight. CHANNEL is the one to the fork server (fork_order.h), or
 * -1. GROUP and CHANNEL must outlive SHARE. */
void cpu_share_begin(struct cpu_share *share, const struct cgroup_slot *group,
		     pid_t guest, int channel, int64_t now);

/* Check a program at share->next, by the clock of io_now_ms(). */
void cpu_share_check(struct cpu_share *share, int64_t now);

/* End the lower weight, if a group set it, because the rest is urgent: the
 * traceback at the deadline, the kill, the copy. */
void cpu_share_end(struct cpu_share *share);

/* Milliseconds of processor time since it began, as the kernel counts them. */
uint64_t cpu_share_cpu_ms(const struct cpu_share *share);

#endif
