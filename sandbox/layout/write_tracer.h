/*
 * write_tracer - find out which blocks programs write.
 *
 * Who:    a child of the process that is about to start Python, in a server
 *         of the fork server.
 * Holds:  the descriptors of its parent.
 * May:    all that its parent may. It starts Python and imports as its parent
 * will, then its children run short programs of ours. Talks:  to its parent, by
 * the trace, which they share. Ends:   after a few seconds, before its parent
 * goes on; or with its parent.
 */
#ifndef TERRARIUM_WRITE_TRACER_H
#define TERRARIUM_WRITE_TRACER_H

#include "sandbox/base/limits.h"
#include "trace.h"

/*
 * Let a child start Python by BOOT, and fill TRACE, which is empty. LIMITS are
 * a guest's. 0, or a negative errno value: BOOT's, one of ours, -ENOTSUP where
 * pages are not of 4 kB, or -ECHILD when the child was killed. The trace is of
 * no use then.
 */
int write_tracer_learn(int (*boot)(void *context), void *context,
		       const struct limits *limits, struct trace *trace);

#endif
