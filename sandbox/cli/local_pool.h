/*
 * local_pool - the command's own pool process: a sandbox without a server. See
 * local_pool.c for its life.
 */
#ifndef TERRARIUM_STABLE_H
#define TERRARIUM_STABLE_H

#include "conf/conf.h"
#include "sandbox/base/outcome.h"

/* The name by which a process finds out that it is one. */
#define LOCAL_POOL_ARGV0 "terrarium: sandbox"

/* Be the zygote. Called by main() in a process that local_pool_start() began.
 */
void local_pool_main(void) NORETURN;

/* Command: a pool process that lives, and the way to it. All -1 is none. */
struct local_pool {
	pid_t pid;
	int link;
};

/* Start one by CONF. Its sandbox is being prepared when this returns. 0 or a
 * negative errno value. */
int local_pool_start(struct local_pool *pool, const struct conf *conf);

/*
 * Run JOB, calling TICK every LOCAL_POOL_TICK_MS until the outcome is there.
 * The outcome is always filled in and is released by outcome_free(); what it
 * calls JSON is JSON. Returns 0, or a negative errno value when the sandbox
 * has ended, which has said why on standard error; STABLE is stopped then.
 */
#define LOCAL_POOL_TICK_MS 100
int local_pool_run(struct local_pool *pool, const struct conf *conf,
		   const struct job *job, void (*tick)(void *context),
		   void *context, struct outcome *outcome);

/* Let it end, and wait for that. */
void local_pool_stop(struct local_pool *pool);

#endif
