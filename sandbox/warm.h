/*
 * warm - the pages that every guest, or worker, needs, taken at once.
 *
 * What fork does not copy of a frozen heap (freeze.h), and of libraries, a
 * child asks for by page faults, hundreds of them, most of them the same in
 * each child. They are learned from one, and each later one takes them with
 * a few calls before anybody waits for it.
 */
#ifndef TERRARIUM_WARM_H
#define TERRARIUM_WARM_H

#include "limits.h"

#define WARM_RANGES_MAX 2048

struct warm_range {
	uintptr_t start;
	size_t size; /* bytes, whole pages */
	int advice;  /* for madvise(2): to be read, or to be written */
};

struct warm {
	size_t count;
	size_t written, read; /* pages */
	struct warm_range ranges[WARM_RANGES_MAX];
};

/* Open /proc, while it is to be seen. A descriptor, or negative errno. */
int warm_open(void);

/* Let a child ACT as its later brothers will, and note what it touches. PROC
 * is from warm_open(). In the zygote, when the heap is frozen. 0, or a
 * negative errno value (ACT's, or ours) and an empty list. */
int warm_learn(int proc, int (*act)(void *context), void *context,
	       struct warm *warm);

/* An ACT of a guest that runs a trivial job; its context is a struct limits. */
int warm_guest(void *context);

/* In a child. What cannot be taken (before Linux 5.14) is left to faults. */
void warm_take(const struct warm *warm);

#endif
