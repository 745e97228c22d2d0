/*
 * pace - a program that has run for long stands behind those that have just
 * begun: what is short is answered soon, whatever else runs.
 *
 * A zygote watches the processor time of the guests that are busy, and raises
 * the nice value of those that have used much, once. They get what nobody
 * else wants, which is all there is on a machine with nothing to do.
 */
#ifndef TERRARIUM_PACE_H
#define TERRARIUM_PACE_H

#include <sys/types.h>

#include "../sandbox/base.h"

/* Of one slot; zero: nobody is busy there, or is nice already. */
struct pace {
	pid_t guest;  /* and its process group */
	int64_t look; /* when to look at it, by io_now_ms() */
};

/* GUEST begins a job at NOW, in milliseconds. */
void pace_begin(struct pace *pace, pid_t guest, int64_t now);

/* Its job is over, or it is dead. */
void pace_end(struct pace *pace);

/* Look at those of the COUNT whose time has come. When to look again, or
 * INT64_MAX. */
int64_t pace_step(struct pace *paces, unsigned count, int64_t now);

#endif
