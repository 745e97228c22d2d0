/*
 * interpreter - the embedded interpreter. Only this file, interpreter_arena.c,
 * unseen.c and alloc_hook.c of sandbox/layout include Python.h. The directories
 * beside it have the half that is written in Python.
 *
 * The fork server calls interpreter_start() to interpreter_before_forks(),
 * once, in this order. A guest then calls the others. Besides these, a child of
 * `terrariumd -t` calls interpreter_absent().
 */
#ifndef TERRARIUM_INTERPRETER_H
#define TERRARIUM_INTERPRETER_H

#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"

#define INTERPRETER_ERROR_MAX 800

/*
 * Before interpreter_start(): call WATCHER before the interpreter allocates its
 * first block, when PyMem_SetAllocator() is allowed, and whenever a later
 * phase of the start begins. It must not call Python. It returns whether the
 * phases matter to it: then the preload takes care that a second start does the
 * same. NULL: no watcher.
 */
void interpreter_watch_phases(bool (*watcher)(void));

/* Start it, isolated from the environment and user directories. With
 * RANDOM_HASHES each start draws another seed for the hashes of texts; without,
 * it is 0, and os.environ should have PYTHONHASHSEED=0. */
int interpreter_start(bool random_hashes, char error[INTERPRETER_ERROR_MAX]);

/* Import WORDS (module names between blanks). PATH's directories
 * (colon-separated) come after the system's. Then fill the caches that a first
 * call would fill. */
int interpreter_preload(const char *words, const char *path,
			char error[INTERPRETER_ERROR_MAX]);

/* After interpreter_start(), in a process that ends then: which of the modules
 * WORDS interpreter_preload() would not find. PATH has directories of the host.
 * No module is imported. OUT has their names with blanks between; release
 * OUT->data. */
int interpreter_absent(const char *words, const char *path, struct bytes *out,
		       char error[INTERPRETER_ERROR_MAX]);

/* Whether MODULE has been imported. */
bool interpreter_has(const char *module);

/* Python's version, as "3.11.2". It needs no interpreter that runs. */
const char *interpreter_version(void);

/* List the packages, as JSON text. VERSIONS is the list of debian.h, for those
 * that tell no version themselves. Release OUT->data. */
int interpreter_packages(const struct bytes *versions, struct bytes *out,
			 char error[INTERPRETER_ERROR_MAX]);

/* List the files that the imports have read: NUL-terminated paths of modules,
 * of their compiled forms whether they exist or not, and of the directories
 * that are searched. Release OUT->data. It runs Python, so it is not for a process
 * that forks guests. */
int interpreter_sources(struct bytes *out);

/* Do the work that each child would repeat. The fork server runs no Python
 * afterwards. */
int interpreter_get_ready(char error[INTERPRETER_ERROR_MAX]);

/* The last call before forking: use up the free blocks of Python's small-object
 * allocator, so that guests allocate from fresh pages. */
void interpreter_before_forks(void);

/* Guest: finish the fork for the interpreter, and reseed random numbers. */
int interpreter_after_fork(void);

/* Guest: send the error frame of a job that does not fit into memory. */
void interpreter_send_no_memory(void);

/* Guest: run one job; frames go to the result pipe. ENV holds NUL-terminated
 * assignments. Returns the program's exit code, 0 to 255, when it has ended. */
unsigned interpreter_run(const struct job *job, const struct bytes *env,
			 const struct limits *limits);

/*
 * Guest of a session: fork, with the interpreter in order on both sides. The
 * child first calls WAIT. Returns 1 in the child, 0 in the parent, or a
 * negative errno value.
 */
int interpreter_fork(int (*wait)(void));

/* Guest of a session: interpreter_run() for one call's job. sys.stdin holds the
 * job's input. The program's objects stay for the next call. */
unsigned interpreter_session_run(const struct job *job, const struct bytes *env,
				 const struct limits *limits);

#endif
