/*
 * master_state - all that the master knows, and the parts of master.c that
 * upgrade.c needs to put it together again.
 */
#ifndef TERRARIUM_MASTER_STATE_H
#define TERRARIUM_MASTER_STATE_H

#include "fcgi/sessions/registry.h"
#include "generations.h"
#include "setup.h"
#include "upgrade_trial.h"

struct master {
	struct setup setup;
	pid_t status;
	int64_t status_next; /* earliest time of the next start */
	pid_t queue;
	int64_t queue_next;
	pid_t streams;
	int64_t streams_next;
	pid_t archive;
	int64_t archive_next;
	pid_t log;
	int64_t log_next;
	struct generations generations;
	struct registry registry;
	char program[PATH_MAX]; /* its path on disk */
	struct upgrade_trial trial;
	/* The program before the last upgrade, while this one may return to it,
	 * and the configuration of its generation; else -1 and no data. */
	int former;
	struct bytes former_text;
	bool announced;
	bool reloading; /* the service manager waits for its end */
	uint32_t told_generation; /* the last one that it knows */
	char told_error[SCOREBOARD_REASON_MAX];
	bool stopping;
	bool failed;
	int64_t groups_next; /* earliest time of the next check */
	int diag; /* asks for the listening queue's length; or negative */
	int64_t watch_next;
	uint64_t dropped_told; /* log lines that the log says it lacks */
	int64_t stop_by; /* then running requests are killed */
};

/* Make the registry, and then the generations, as SETUP says. */
void master_make_registry(struct master *master);
void master_make_generations(struct master *master);

/* Session keepers of earlier generations may live, so the longer of two limits
 * counts. */
void master_allow_calls(struct master *master, const struct conf *conf);

/* Reap all children that have died. */
void master_reap(struct master *master);

#endif
