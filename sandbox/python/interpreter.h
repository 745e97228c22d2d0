/*
 * interpreter - the embedded interpreter. With alloc_hook.c the only file that
 * includes Python.h; the half of it that is written in Python is in runner/.
 *
 * A fork server calls interpreter_start() to interpreter_before_forks(), once,
 * in this order; a guest then calls the others. Nobody else touches the
 * interpreter.
 */
#ifndef TERRARIUM_PYTHON_H
#define TERRARIUM_PYTHON_H

#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"

#define INTERPRETER_ERROR_MAX 800

/* Start it, isolated from environment and user directories. */
int interpreter_start(char error[INTERPRETER_ERROR_MAX]);

/* Import WORDS (module names between blanks) with the directories of PATH
 * (colon-separated) behind the system's, and warm what a first call would
 * fill. */
int interpreter_preload(const char *words, const char *path,
			char error[INTERPRETER_ERROR_MAX]);

/* Whether MODULE has been imported. */
bool interpreter_has(const char *module);

/* JSON text that lists the packages. Release OUT->data. */
int interpreter_packages(struct bytes *out, char error[INTERPRETER_ERROR_MAX]);

/* Do what each child would do again. The fork server runs no Python after that.
 */
int interpreter_get_ready(char error[INTERPRETER_ERROR_MAX]);

/* From here on the fork server only forks. What Python has of free memory is
 * taken for good (alloc_hook_settle()). */
void interpreter_before_forks(void);

/* Guest: make the interpreter this process's own; new random numbers. */
int interpreter_after_fork(void);

/* Guest: send the error frame of a job that does not fit into memory. */
void interpreter_say_no_room(void);

/* Guest: do one job; frames go to the result pipe. ENV holds NUL-terminated
 * assignments. Returns when the program has ended: its exit code, 0 to 255. */
unsigned interpreter_run(const struct job *job, const struct bytes *env,
			 const struct limits *limits);

/*
 * Guest with a session: fork, with the interpreter in order on both sides.
 * The child calls WAIT before it does anything else. Returns 1 in the child,
 * 0 in the parent, or a negative errno value.
 */
int interpreter_fork(int (*wait)(void));

/* Guest with a session: interpreter_run() for one call's job, whose input is
 * what sys.stdin holds; what the program has made stays. */
unsigned interpreter_session_run(const struct job *job, const struct bytes *env,
				 const struct limits *limits);

#endif
