/*
 * generations_spawn - how a generation is started, and what of it is ours.
 */
#ifndef TERRARIUM_SUCCESSION_SPAWN_H
#define TERRARIUM_SUCCESSION_SPAWN_H

#include "generations.h"

/* Start a pool process with the configuration of LINE: ROW is set. 0 or a
 * negative errno value. */
int generations_spawn(struct generations *line,
		      struct generations_generation *row);

/* Close what is ours of ROW. */
void generations_close(struct generations_generation *row);

/* Prepare ROW's at a low priority; undo that for all of its processes. */
void generations_slow(struct generations_generation *row);
void generations_hurry(struct generations_generation *row);

/* May we undo it? Only with a privilege. */
bool generations_may_hurry(void);

#endif
