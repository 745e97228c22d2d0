/*
 * watch_state - all that watch.c knows of the job that it watches, and the
 * parts of it that watch_frames.c needs.
 */
#ifndef TERRARIUM_WATCH_STATE_H
#define TERRARIUM_WATCH_STATE_H

#include <poll.h>

#include "cpu_share.h"
#include "output.h"
#include "run.h"

/* Descriptors that are polled. watch_handlers[] has the handler of each. */
enum watch_slot { WATCH_JOB, WATCH_OUT, WATCH_ERR, WATCH_RESULT,
		  WATCH_GATE, WATCH_EXIT, WATCH_CLIENT, WATCH_SINK,
		  WATCH_SLOTS };

struct watch {
	struct run *run;
	struct outcome *outcome;
	struct sink *sink; /* the run's, or NULL */
	struct output output;
	struct pollfd polled[WATCH_SLOTS];
	struct wire_feed feed; /* the rest of the job, to be written */
	int64_t deadline;
	struct cpu_share share;
	uint64_t peak_kb; /* highest memory use so far */
	unsigned knocks; /* at a session's gate; a refused one counts for
			  * several */
	int64_t ask_at; /* when to ask where the program is; INT64_MAX: never */
	unsigned asks; /* so far */
	bool told;     /* it has answered */
	bool warned;   /* SIGXCPU was sent at the deadline */
	bool ended;    /* the end frame was received */
	bool finished; /* outcome->verdict is final */
	int failed;    /* negative errno value: the worker itself failed */
};

/* Conclude with VERDICT and its DETAIL (outcome.h), unless the verdict is final
 * already. */
void watch_finish(struct watch *watch, enum outcome_verdict verdict,
		  int detail);

/* Conclude because the worker itself failed: RC is a negative errno value. */
void watch_fail(struct watch *watch, int rc);

/* Read output that has been printed, in at most TURNS turns. */
void watch_drain(struct watch *watch, int turns);

#endif
