/*
 * succession_spawn - how a generation is started, and what of it is ours.
 */
#ifndef TERRARIUM_SUCCESSION_SPAWN_H
#define TERRARIUM_SUCCESSION_SPAWN_H

#include "generations.h"

/* Start a zygote with the configuration of LINE: ROW is set. 0 or a negative
 * errno value. */
int succession_spawn(struct succession *line,
		     struct succession_generation *row);

/* Close what is ours of ROW. */
void succession_close(struct succession_generation *row);

/* Prepare ROW's at a low priority; undo that for all of its processes. */
void succession_slow(struct succession_generation *row);
void succession_hurry(struct succession_generation *row);

/* May we undo it? Only with a privilege. */
bool succession_may_hurry(void);

#endif
