/*
 * local_pool - the command's own pool process: a sandbox without a server. See
 * local_pool.c for its life.
 */
#ifndef TERRARIUM_LOCAL_POOL_H
#define TERRARIUM_LOCAL_POOL_H

#include "conf/conf.h"
#include "sandbox/base/outcome.h"

/* argv[0] of the pool process, by which main() recognises it. */
#define LOCAL_POOL_ARGV0 "terrarium: sandbox"

/* Become the pool process. main() calls it in a process that local_pool_start()
 * started. */
void local_pool_main(void) NORETURN;

/* Command: a running pool process and its socket. -1: none. */
struct local_pool {
	pid_t pid;
	int link;
	int live; /* the program's output as it comes, in packets */
};

struct local_pool_watcher {
	void (*tick)(void *context);
	void (*out)(void *context, const char *data, size_t size);
	void (*err)(void *context, const char *data, size_t size);
	void *context;
};

/* Start one with the settings CONF. It still prepares its sandbox when this
 * returns. 0 or a negative errno value. */
int local_pool_start(struct local_pool *pool, const struct conf *conf);

/*
 * Run JOB. WATCHER's tick() is called every LOCAL_POOL_TICK_MS until the
 * outcome arrives. Its out() and err() get output as it comes, perhaps not to the end:
 * the outcome has all of it. Both may be NULL.
 * OUTCOME is always filled in; release it by outcome_free(). Its JSON texts are
 * valid JSON. Returns 0, or a negative errno value when the sandbox has ended.
 * Then the sandbox has printed an error on standard error, and POOL is stopped.
 */
#define LOCAL_POOL_TICK_MS 100
int local_pool_run(struct local_pool *pool, const struct conf *conf,
		   const struct job *job,
		   const struct local_pool_watcher *watcher,
		   struct outcome *outcome);

/* Close its socket, so that it ends, and wait for that. */
void local_pool_stop(struct local_pool *pool);

#endif
