/*
 * check_paths - whether the files and the group that the configuration names
 * are there, as a start needs them.
 */
#ifndef TERRARIUM_CHECK_PATHS_H
#define TERRARIUM_CHECK_PATHS_H

#include "conf/conf.h"

/* Returns 0, or a negative errno value with a sentence in TEXT (of SIZE bytes)
 * that names the option and its value. */
int check_paths(const struct conf *conf, char *text, size_t size);

/* The same for server.socket_group. TEXT gets a sentence in either case. */
int check_paths_group(const struct conf *conf, char *text, size_t size);

#endif
