/*
 * stable - the command's own zygote: a sandbox without a server. See
 * stable.c for its life.
 */
#ifndef TERRARIUM_STABLE_H
#define TERRARIUM_STABLE_H

#include "conf/conf.h"
#include "sandbox/base/outcome.h"

/* The name by which a process finds out that it is one. */
#define STABLE_ARGV0 "terrarium: sandbox"

/* Be the zygote. Called by main() in a process that stable_start() began. */
void stable_main(void) NORETURN;

/* Command: a zygote that lives, and the way to it. All -1 is none. */
struct stable {
	pid_t pid;
	int link;
};

/* Start one by CONF. Its sandbox is being prepared when this returns. 0 or a
 * negative errno value. */
int stable_start(struct stable *stable, const struct conf *conf);

/*
 * Run JOB, calling TICK every STABLE_TICK_MS until the outcome is there. The
 * outcome is always filled in and is released by outcome_free(); what it
 * calls JSON is JSON. Returns 0, or a negative errno value when the sandbox
 * has ended, which has said why on standard error; STABLE is stopped then.
 */
#define STABLE_TICK_MS 100
int stable_run(struct stable *stable, const struct conf *conf,
	       const struct job *job, void (*tick)(void *context),
	       void *context, struct outcome *outcome);

/* Let it end, and wait for that. */
void stable_stop(struct stable *stable);

#endif
