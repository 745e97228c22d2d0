/*
 * input - files of the user's for a program: --file PATH.
 */
#ifndef TERRARIUM_INPUT_H
#define TERRARIUM_INPUT_H

#include "sandbox/base/job.h"
#include "sandbox/base/limits.h"

/*
 * Add the file PATH to JOB under its last name; of a directory, add the files
 * below it under the directory's name, or under their own names if PATH ends
 * with ".". In directories hidden files, __pycache__, links and what is no
 * file are left out. Returns 0, or an exit status after an error, which has
 * been printed.
 */
int input_add(const char *path, const struct limits *limits, struct job *job);

#endif
