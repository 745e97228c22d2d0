/*
 * live - prints a program's output as it comes.
 */
#ifndef TERRARIUM_LIVE_H
#define TERRARIUM_LIVE_H

#include "sandbox/base/outcome.h"
#include "progress.h"

/* One stream: the number of its bytes that were taken, and the beginning of a
 * character whose end has not come. */
struct live_stream {
	size_t taken;
	char held[4];
	size_t held_size;
};

/* All zero but PROGRESS is the start. */
struct live {
	struct progress *progress;
	struct live_stream out, err;
	int error; /* of the first write that failed, or 0 */
};

/* Print the next bytes of standard output, or of standard error. */
void live_out(struct live *live, const char *data, size_t size);
void live_err(struct live *live, const char *data, size_t size);

/* Print the rest of OUTCOME's output. */
void live_finish(struct live *live, const struct outcome *outcome);

#endif
