/*
 * progress - what a person who waits is shown, on standard error: a line that
 * moves, on a terminal; a line at either end, in a pipe.
 */
#ifndef TERRARIUM_PROGRESS_H
#define TERRARIUM_PROGRESS_H

#include "sandbox/base/base.h"

struct progress {
	const char *what; /* "solver.py" */
	unsigned limit_ms;
	int64_t start;
	unsigned accept_queue;
	bool quiet, terminal;
};

void progress_begin(struct progress *progress, const char *what,
		    unsigned limit_ms, bool quiet);

/* CONTEXT is the struct progress. To be called a few times a second. */
void progress_tick(void *context);

/* Say how it ended: "ok", "timeout", ... */
void progress_end(struct progress *progress, const char *how);

#endif
