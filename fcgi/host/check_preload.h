/*
 * check_preload - whether the modules of guest.preload are installed, because a
 * start ends at the first one that is not.
 */
#ifndef TERRARIUM_CHECK_PRELOAD_H
#define TERRARIUM_CHECK_PRELOAD_H

#include "conf/conf.h"

/* TEXT, of SIZE bytes, gets a sentence. Returns 0; or a negative errno value:
 * the sentence names the modules that are missing. */
int check_preload(const struct conf *conf, char *text, size_t size);

#endif
