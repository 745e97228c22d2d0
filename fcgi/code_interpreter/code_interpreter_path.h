/*
 * code_interpreter_path - paths and names of files in a session, as the code
 * interpreter's clients write them: a path is home or a directory below it.
 */
#ifndef TERRARIUM_CODE_INTERPRETER_PATH_H
#define TERRARIUM_CODE_INTERPRETER_PATH_H

#include "fcgi/api/findings.h"

#define CODE_INTERPRETER_PATH_HOME "/sandbox"

/* Check TEXT: a path if FIELD is "path", else a name. A fault goes to FINDINGS,
 * with the place LOC. True: there is none. */
bool code_interpreter_path_check(const struct bytes *text, const char *field,
				 const char *loc, struct findings *findings);

/* The part of a path behind home's own; NULL: it does not begin there. */
const char *code_interpreter_path_below(const struct bytes *path);

/* The directory of a checked path, relative to home and without slashes at its
 * ends, as a part of PATH. With NAME, a last component that is the same is
 * left out. */
struct bytes code_interpreter_path_dir(const struct bytes *path,
				       const char *name);

#endif
