/*
 * cpu_share - what processor time a program has had, and who goes first.
 *
 * Guests share the processors evenly, each control group as much as any. So
 * programs that compute for long would make quick ones wait. A program that
 * is no longer quick keeps an eighth of its group's weight: it has all of what
 * nobody else wants, and lets who has just come go first. Where the host has
 * no cpu controller the fork server gives it a lower priority, for good; to
 * whom the fork server is no parent, a session's program, nobody does.
 */
#ifndef TERRARIUM_PACE_H
#define TERRARIUM_PACE_H

#include "sandbox/walls/cgroup.h"

#define CPU_SHARE_QUICK_MS \
	100 /* of processor time: more, and it is not quick */
#define CPU_SHARE_LOOK_MS 250 /* at least so often who sleeps is looked at */

struct cpu_share {
	const struct cgroup_slot *group;
	pid_t guest;
	int cast;
	uint64_t cpu_before_ms;
	int64_t start;
	int64_t next; /* when to look at it again; 0: never */
	bool slow;
};

/* GUEST begins a program; nobody else in GROUP, which is at full weight, runs.
 * CAST is its channel to the fork server (fork_order.h), or -1. GROUP and CAST
 * must live as long as PACE. */
void cpu_share_begin(struct cpu_share *share, const struct cgroup_slot *group,
		     pid_t guest, int cast, int64_t now);

/* To be called at pace->next, by the clock of io_now_ms(). */
void cpu_share_look(struct cpu_share *share, int64_t now);

/* From here on it has its full weight, if a group gives it any: to say where
 * it was when its time was over, to be taken down, to be copied. */
void cpu_share_end(struct cpu_share *share);

/* Milliseconds of processor time since it began, as the kernel counts them. */
uint64_t cpu_share_cpu_ms(const struct cpu_share *share);

#endif
