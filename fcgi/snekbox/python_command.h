/*
 * python_command - the command line of python3, behind its first word: options,
 * then code, a module, a file or nothing, then the program's arguments.
 */
#ifndef TERRARIUM_PYTHON_COMMAND_H
#define TERRARIUM_PYTHON_COMMAND_H

#include "sandbox/base/job.h"
#include "sandbox/text/text.h"

enum python_command_kind {
	PYTHON_COMMAND_NOTHING, /* standard input, which is at its end */
	PYTHON_COMMAND_CODE,	/* -c */
	PYTHON_COMMAND_MODULE,	/* -m */
	PYTHON_COMMAND_FILE,
	PYTHON_COMMAND_VERSION,
	PYTHON_COMMAND_WRONG	/* `fault` says why; the exit code is 2 */
};

struct python_command {
	enum python_command_kind kind;
	const char *operand; /* code, or the name of a module or file; borrowed
			      * from the arguments */
	size_t rest; /* index of the first argument of the program */
	bool optimize;	      /* -O */
	struct text warnings; /* values of -W with commas between */
	struct text fault;    /* for standard error */
};

/* Read COUNT arguments, each NUL terminated. Always makes a command, to be
 * freed. Memory that ran out is in the texts' errors. */
void python_command_read(char *const *args, size_t count,
			 struct python_command *command);
void python_command_free(struct python_command *command);

#endif
