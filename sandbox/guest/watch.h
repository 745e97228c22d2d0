/*
 * watch - from the hand-over of a job to its last frame: feed the guest, read
 * what it says, mind the clock and the client.
 */
#ifndef TERRARIUM_WATCH_H
#define TERRARIUM_WATCH_H

#include "run.h"

/*
 * Feed FEED, which is JOB, to RUN's guest, which must be armed, until it ends,
 * breaks a limit, or CLIENT (-1: nobody) hangs up. Fills in everything of
 * OUTCOME but files. The guest may live still. Returns 0, or a negative errno
 * value when we failed.
 */
int watch_guest(struct run *run, const struct job *job,
		const struct wire_feed *feed, int client,
		struct outcome *outcome);

#endif
