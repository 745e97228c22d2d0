/*
 * layout - the door of sandbox/layout: blocks that guests write lie side by
 * side.
 *
 * A page that a guest writes must be copied, even if only a reference count
 * changes. A trace tells which blocks programs write (write_tracer.h), and the
 * fork server allocates those together (block_layout.h). A trace is kept
 * between two starts (trace_file.h), because making one takes as long as a
 * start.
 *
 * That room is optional: a build may leave it out (make LAYOUT=no). So its door
 * stands here, and both functions are weak: they are NULL then.
 */
#ifndef TERRARIUM_LAYOUT_H
#define TERRARIUM_LAYOUT_H

#include "sandbox/base/limits.h"

/* Borrowed until layout_begin() returns. */
struct layout_plan {
	/* Start Python and import, as the caller will; in a child. */
	int (*boot)(void *context);
	void *context;
	const struct limits *limits; /* a guest's */
	/* Texts on which the imports depend. */
	const char *const *options;
	size_t option_count;
	const char *keep_dir; /* where a trace may be kept; NULL: nowhere */
};

struct layout;

/*
 * The interpreter starts and imports between these two, in a process of one
 * thread, which runs no Python of its own afterwards. They log a failure,
 * because guests are only slower then. layout_begin() returns NULL in that
 * case, which layout_end() takes; the latter releases the former's result.
 */
struct layout *layout_begin(const struct layout_plan *plan)
	__attribute__((weak));
void layout_end(struct layout **layout) __attribute__((weak));

#endif
