/*
 * prefault - the pages that every guest, or worker, needs, taken at once.
 *
 * What fork does not copy of a frozen heap (freeze.h), and of libraries, a
 * child asks for by page faults, hundreds of them, most of them the same in
 * each child. They are learned from one, and each later one takes them with
 * a few calls before anybody waits for it.
 */
#ifndef TERRARIUM_WARM_H
#define TERRARIUM_WARM_H

#include <sys/uio.h>

#include "sandbox/base/job.h"

/* What nearly every program does. The more is in it, the fewer page faults
 * has a program that does it, and the more pages has one that does not. */
#define PREFAULT_PROGRAM "x = 1\nprint(x + 1)\nx + 2\n"

#define PREFAULT_RANGES_MAX 1024 /* at most IOV_MAX */

struct prefault_ranges {
	size_t count, pages;
	struct iovec ranges[PREFAULT_RANGES_MAX];
};

struct prefault {
	struct prefault_ranges written, read;
};

/* Let a child ACT as its later brothers will, and note what it touches. PROC
 * is a descriptor of /proc. In their parent, when its heap is frozen. 0, or a
 * negative errno value (ACT's, or ours) and an empty list. */
int prefault_learn(int proc, int (*act)(void *context), void *context,
		   struct prefault *prefault);

/* An ACT of a guest that runs a trivial job; its context is a struct limits
 * (limits.h). */
int prefault_guest(void *context);

/* Wait for a child's end. 0, its exit status as a negative number, or -ECHILD:
 * it was killed. */
int prefault_wait(pid_t child);

/* Pipes as a guest has them, PACKED (or NULL: nothing) in the first. Their
 * other ends stay open, so that whatever is written has where to go. */
int prefault_pipes(const struct bytes *packed);

/* In a child. What cannot be taken (before Linux 5.14) is left to faults. */
void prefault_take(const struct prefault *prefault);

#endif
