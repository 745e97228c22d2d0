/*
 * freeze - make a preloaded interpreter cheap to fork.
 *
 * fork(2) copies the page tables of private memory that was written. Every
 * private writable mapping is therefore written to one memory file, once all
 * is imported, and mapped back from there at the same address: private as
 * before, but for the kernel a file's pages that nobody has written, whose
 * page tables fork need not copy.
 *
 * What fork no longer copies, a child copies when it writes, one page fault
 * for each page. Most of these pages are the same in each child: they are
 * learned once, and a child takes them all before anybody waits for it.
 */
#ifndef TERRARIUM_FREEZE_H
#define TERRARIUM_FREEZE_H

#include "base.h"

struct freeze;

struct freeze_report {
	size_t bytes;
	size_t mappings;
};

#define FREEZE_HOT_MAX 1024

/* Pages that a child is about to write. */
struct freeze_hot {
	size_t count, pages;
	struct freeze_range {
		uintptr_t start;
		size_t size;
	} ranges[FREEZE_HOT_MAX];
};

/* Open what is needed of /proc; to be called while it is to be seen. */
int freeze_open(struct freeze **out);

/* Freeze. The process must have one thread. What cannot be handled is left
 * as it is. */
int freeze_heap(struct freeze *freeze, struct freeze_report *report);

/* Learn what was written since freeze_heap(), and freeze that again. What
 * finds no room in HOT is not learned. 0, or a negative errno value: -ENOTSUP
 * where this kernel does not say what was written. */
int freeze_learn(struct freeze *freeze, struct freeze_hot *hot);

/* In a child: make the pages its own at once. */
void freeze_take(const struct freeze_hot *hot);

void freeze_close(struct freeze **freeze);

#endif
