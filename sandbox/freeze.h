/*
 * freeze - make a preloaded interpreter cheap to fork.
 *
 * fork(2) copies the page tables of private memory that was written. Every
 * private writable mapping is therefore written to one file in memory, once
 * all is imported, and mapped back from there at the same address: private as
 * before, but for the kernel a file's pages that nobody has written, whose
 * page tables fork need not copy. What is zero for long stays fresh memory.
 */
#ifndef TERRARIUM_FREEZE_H
#define TERRARIUM_FREEZE_H

#include "base.h"

#define FREEZE_NAME "terrarium-frozen" /* the file's, in /proc/PID/maps */

struct freeze;

enum freeze_how {
	FREEZE_EXACT, /* all may be used as before */
	/* Headers and constants of libraries may be written, too, and are one
	 * mapping with the data next to them, so that a library has two
	 * mappings instead of four. For whoever runs programs that may do that
	 * anyway, by mprotect(2): no wall stands on it. */
	FREEZE_FEW,
};

struct freeze_report {
	size_t bytes;
	size_t mappings;
	int no_large; /* why there are no large pages, or 0 */
};

/* Open what is needed of PROC, a descriptor of /proc. */
int freeze_open(struct freeze **out, int proc);

/* Freeze. The process must have one thread. What cannot be handled is left
 * as it is. */
int freeze_heap(struct freeze *freeze, enum freeze_how how,
		struct freeze_report *report);

void freeze_close(struct freeze **freeze);

#endif
