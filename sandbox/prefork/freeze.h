/*
 * freeze - make a preloaded interpreter cheap to fork.
 *
 * fork(2) copies the page tables of private memory that was written. Every
 * private writable mapping is therefore written to one file in memory, once
 * all is imported, and mapped back from there at the same address: private as
 * before, but for the kernel a file's pages that nobody has written, whose
 * page tables fork need not copy. What is zero for long stays fresh memory.
 * Code goes the same way, for the file's large pages.
 */
#ifndef TERRARIUM_FREEZE_H
#define TERRARIUM_FREEZE_H

#include "sandbox/base/base.h"

#define FREEZE_NAME "terrarium-frozen" /* the file's, in /proc/PID/maps */

#define FREEZE_ALL_EXACT SIZE_MAX /* of objects, see freeze_heap() */

struct freeze;

struct freeze_report {
	size_t bytes;
	size_t large; /* of the file, in large pages */
	size_t mappings;
	int no_large; /* why large pages could not be asked for, or 0 */
};

/* Open what is needed of PROC, a descriptor of /proc. */
int freeze_open(struct freeze **out, int proc);

/* How many objects the loader has mapped so far: the program, and the
 * libraries, which stay in that order. */
size_t freeze_count_objects(void);

/*
 * Freeze. The process must have one thread. What cannot be handled is left
 * as it is.
 *
 * Of the loader's objects the first EXACT may be used as before, and their code
 * is frozen, too; debuggers do not know it by name then. Headers and
 * constants of the others may be written, too, and so are one mapping with the
 * data next to them: up to half as many in all. That is for libraries that
 * only guests use, whose programs may do that anyway, by mprotect(2): no wall
 * stands on it.
 */
int freeze_heap(struct freeze *freeze, size_t exact,
		struct freeze_report *report);

void freeze_close(struct freeze **freeze);

#endif
