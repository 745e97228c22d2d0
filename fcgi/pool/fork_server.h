/*
 * mold - the process with the warm Python, that guests and keepers are forked
 * from. See mold.c.
 */
#ifndef TERRARIUM_MOLD_H
#define TERRARIUM_MOLD_H

#include "children.h"

/* Zygote: start it with the sandbox that PLAN describes and sandbox_enter()
 * has entered, and wait until it is warm. 0 and zygote->mold, box.mold and
 * what sandbox_warm_up() finds out are set; or a negative errno value with a
 * sentence in ERROR. */
int mold_start(struct zygote *zygote, const struct sandbox_plan *plan,
	       char error[SANDBOX_ERROR_MAX]);

#endif
