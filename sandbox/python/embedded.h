/*
 * embedded - the Python files that are a part of the server's own file.
 *
 * The runner's files are compiled when the server is built, and loaded at each
 * start. Adapters are modules for programs: each has the name of a library that
 * Debian lacks, and does its everyday work with libraries that Debian has.
 * Their code is kept marshalled, which costs a start nothing: it is loaded when
 * a program imports it, and only where the library itself is not installed
 * (sandbox/python/libraries/adapted.py). Their texts are for tracebacks.
 */
#ifndef TERRARIUM_EMBEDDED_H
#define TERRARIUM_EMBEDDED_H

#include <stddef.h>

/* The runner's modules without "_terrarium.", in the order of their loading. */
extern const char *const embedded_runner[];
extern const size_t embedded_runner_count;

/* The dictionary of all files, as tools/embed-python marshals it. */
extern const char embedded_python[];
extern const size_t embedded_python_size;

#endif
