/*
 * children - the children of a pool process: one worker for each of its slots,
 * and the refuser, which answers 503 while no guest can be armed.
 */
#ifndef TERRARIUM_CHILDREN_H
#define TERRARIUM_CHILDREN_H

#include "pool.h"

/* Is GROUP, an index of box.groups, that of a worker of ours? */
bool children_has_group(const struct pool *pool, unsigned group);

/* Forget the control groups of all others: sessions' are the session fork
 * server's. */
void children_keep_groups(struct pool *pool);

/* Workers that live. */
unsigned children_alive(const struct pool *pool);

/* Find out by one rehearsed request which pages each worker will need. */
void children_learn_pages(struct pool *pool);

/* Does any worker still share the pool process's descriptors? */
bool children_share_fds(const struct pool *pool);

/* Fork workers until pool.armed of them are armed or arming. */
void children_fill(struct pool *pool);

/* Stop the refuser, if it runs. */
void children_stop_refuser(struct pool *pool);

/* Receive the reports of workers. */
void children_receive(struct pool *pool);

/* Reap the children that have died, after receiving their reports, and note
 * those that were stopped or continued. */
void children_reap(struct pool *pool);

/* Kill workers that have been stopped for longer than a run may take. */
void children_kill_stopped(struct pool *pool);

#endif
