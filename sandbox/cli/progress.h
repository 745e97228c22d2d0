/*
 * progress - shows a waiting user the progress, on standard error. On a
 * terminal one line is redrawn. Otherwise there is one line at either end.
 */
#ifndef TERRARIUM_PROGRESS_H
#define TERRARIUM_PROGRESS_H

#include "sandbox/base/base.h"

struct progress {
	const char *what; /* "solver.py" */
	unsigned limit_ms;
	int64_t start;
	unsigned frame;
	bool quiet, terminal;
	bool yielded;	/* output is on the terminal: no more redrawing */
	bool open_line; /* and its last line has not ended */
};

void progress_begin(struct progress *progress, const char *what,
		    unsigned limit_ms, bool quiet);

/* Redraw. CONTEXT is the struct progress. Call it a few times a second. */
void progress_tick(void *context);

/* Output that ends with LAST is about to be written to FD: clear the line if
 * both are on a terminal. */
void progress_yield(struct progress *progress, int fd, char last);

/* Show how it ended: "ok", "timeout", ... */
void progress_end(struct progress *progress, const char *how);

#endif
