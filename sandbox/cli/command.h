/*
 * command - what the local command was asked for: its options, by one table,
 * and the acts that they choose.
 */
#ifndef TERRARIUM_COMMAND_H
#define TERRARIUM_COMMAND_H

#include "conf/conf.h"

/* Exit statuses of the command's own; else they are the program's. */
enum { COMMAND_TIMEOUT = 124, COMMAND_FAILED = 125 };

struct command {
	const char *config;  /* a file, or NULL: the defaults */
	unsigned timeout_s;  /* 0: not said */
	unsigned workers;    /* 0: not said */
	bool json, force, quiet, input, here;
	const char *output;  /* where files go, or NULL: by the target's name */
	const char **files;  /* to go with the program */
	size_t files_count;
	const char *target;  /* FILE.py or DIR */
};

/* Run a program. Returns the exit status. */
int command_run(const struct command *command);

/* Run a solver on a directory. */
int command_job(const struct command *command);

/* Answer lines until there are no more. */
int command_daemon(const struct command *command);

/* Read the configuration, or take the defaults, as a command wants them: a
 * run of TIMEOUT_MS, as many processors as there are. ONCE: nothing is
 * imported before it is asked for. 0, or an exit status when that failed,
 * which has been said. */
int command_conf(const struct command *command, unsigned timeout_ms,
		 bool once, struct conf *conf);

/* Say on standard error what could not be done, for COMMAND_FAILED. */
int command_failed(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
