/*
 * watch - one job, from its hand-over to its last frame: feed the guest, read
 * its output and frames, and watch its clock and its client.
 */
#ifndef TERRARIUM_WATCH_H
#define TERRARIUM_WATCH_H

#include "run.h"

/*
 * Write FEED, which encodes JOB, to RUN's armed guest. Watch the guest until it
 * ends, breaks a limit, or CLIENT hangs up (-1: there is no client). Fills in
 * all of OUTCOME but its files. The guest may still be alive afterwards.
 * Returns 0, or a negative errno value when the worker itself failed.
 */
int watch_guest(struct run *run, const struct job *job,
		const struct wire_feed *feed, int client,
		struct outcome *outcome);

#endif
