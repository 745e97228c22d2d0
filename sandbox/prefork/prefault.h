/*
 * prefault - the pages that every guest, or worker, needs, taken at once.
 *
 * fork does not copy page tables of a frozen heap (freeze.h) or of libraries,
 * so a child takes hundreds of page faults, nearly the same in each child. The
 * pages are learned from one child. Each later one takes them with a few calls,
 * before a request waits for it.
 */
#ifndef TERRARIUM_PREFAULT_H
#define TERRARIUM_PREFAULT_H

#include <sys/uio.h>

#include "sandbox/base/job.h"

/* The program from which pages are learned, as nearly every program begins.
 * More statements spare page faults to programs that use them, and cost the
 * others pages that they do not use. */
#define PREFAULT_PROGRAM "x = 1\nprint(x + 1)\nx + 2\n"

#define PREFAULT_RANGES_MAX 1024 /* at most IOV_MAX */

struct prefault_ranges {
	size_t count, pages;
	struct iovec ranges[PREFAULT_RANGES_MAX];
};

struct prefault {
	struct prefault_ranges written, read;
};

/* Let a child ACT as the later children will, and list the pages that it
 * touches. PROC is a descriptor of /proc. To be called in their parent, once
 * its heap is frozen. 0, or a negative errno value (ACT's, or one of ours) and
 * empty lists. */
int prefault_learn(int proc, int (*act)(void *context), void *context,
		   struct prefault *prefault);

/* Wait for the end of a child. 0, its exit status as a negative number, or
 * -ECHILD: a signal killed it. */
int prefault_wait(pid_t child);

/* Make pipes as a guest has them, with PACKED in the job pipe (NULL: nothing).
 * Their other ends stay open, so that the child can write its frames. */
int prefault_pipes(const struct bytes *packed);

/* In a child: take the pages. Before Linux 5.14 they are left to faults. */
void prefault_take(const struct prefault *prefault);

#endif
