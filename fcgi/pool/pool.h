/*
 * zygote - the process that workers are forked from. See zygote.c.
 */
#ifndef TERRARIUM_ZYGOTE_H
#define TERRARIUM_ZYGOTE_H

#include "sandbox/base/base.h"

/* Be the zygote: called by main() of the program that a master executed,
 * with the descriptors of generation.h. */
void zygote_main(void) NORETURN;

#endif
