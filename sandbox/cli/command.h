/*
 * command - a call of the local command: its options, read by one table, and
 * the actions that they select.
 */
#ifndef TERRARIUM_COMMAND_H
#define TERRARIUM_COMMAND_H

#include "conf/conf.h"

/* The command's own exit statuses. All others are the program's. */
enum { COMMAND_TIMEOUT = 124, COMMAND_FAILED = 125 };

struct command {
	const char *config;  /* a file, or NULL: the defaults */
	unsigned timeout_s;  /* 0: not given */
	unsigned workers;    /* 0: not given */
	unsigned memory_mb;  /* 0: not given */
	bool json, force, quiet, input, here;
	const char *output;  /* directory for files, or NULL: named after the
			      * target */
	const char **files;  /* input files for the program */
	size_t files_count;
	char **env;	     /* NAME=VALUE */
	size_t env_count;
	char **args;	     /* for the program */
	size_t args_count;
	const char *target;  /* FILE.py or DIR */
};

/* Run a program. Returns the exit status. */
int command_run(const struct command *command);

/* Run a solver on a directory. */
int command_job(const struct command *command);

/* Be code_executor, with the words of its command line. */
int command_executor(int argc, char **argv);

/* Answer lines until there are no more. */
int command_daemon(const struct command *command);

/* Read the configuration file, or take the defaults, and adapt them to the
 * command: TIMEOUT_MS as the time limit (0: the configuration's), and all
 * processors. With ONCE, nothing is preloaded. Returns 0, or an exit status
 * after an error, which has been printed. */
int command_conf(const struct command *command, unsigned timeout_ms,
		 bool once, struct conf *conf);

/* Print an error on standard error. Returns COMMAND_FAILED. */
int command_failed(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
