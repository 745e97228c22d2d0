/*
 * pool - the process that workers are forked from. See pool.c.
 */
#ifndef TERRARIUM_ZYGOTE_H
#define TERRARIUM_ZYGOTE_H

#include "sandbox/base/base.h"

/* Be the pool process: called by main() of the program that a master executed,
 * with the descriptors of generation.h. */
void pool_main(void) NORETURN;

#endif
