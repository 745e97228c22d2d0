/*
 * freeze - make a preloaded interpreter cheap to fork.
 *
 * fork(2) copies the page tables of private memory that was written. So once
 * all is imported, each private writable mapping is written to one file in
 * memory and mapped back from there, private and at the same address. The
 * kernel treats its pages as those of a file until they are written, and fork
 * need not copy their page tables. Long runs of zeros stay fresh memory. Code
 * goes the same way, because the file has huge pages.
 */
#ifndef TERRARIUM_FREEZE_H
#define TERRARIUM_FREEZE_H

#include "sandbox/base/base.h"

#define FREEZE_NAME "terrarium-frozen" /* the file, in /proc/PID/maps */

#define FREEZE_ALL_EXACT SIZE_MAX /* objects, see freeze_heap() */

struct freeze;

struct freeze_report {
	size_t bytes; /* of the file */
	size_t large; /* of these, in huge pages */
	size_t mappings;
	int no_large; /* why huge pages could not be asked for, or 0 */
};

/* Open the files that freeze_heap() needs below PROC, a descriptor of /proc. 0,
 * or a negative errno value. Release with freeze_close() either way. */
int freeze_open(struct freeze **out, int proc);

/* The number of objects that the loader has mapped so far: the program and its
 * libraries. Their order stays. */
size_t freeze_count_objects(void);

/*
 * Freeze the heap. The process must have one thread. A mapping that cannot be
 * frozen stays as it is. 0, or a negative errno value.
 *
 * The first EXACT of the loader's objects keep their protection, and their code
 * is frozen, too: debuggers then do not know it by its file's name. Later
 * objects' headers and constants become writable and merge with adjacent data,
 * which leaves half as many mappings. This is for libraries that only guests
 * use. A guest could make them writable by mprotect(2) anyway, and no wall
 * depends on them.
 */
int freeze_heap(struct freeze *freeze, size_t exact,
		struct freeze_report *report);

void freeze_close(struct freeze **freeze);

#endif
