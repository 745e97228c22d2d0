/*
 * keeper - the process that keeps a session. See keeper.c.
 */
#ifndef TERRARIUM_KEEPER_H
#define TERRARIUM_KEEPER_H

#include "conf/conf.h"
#include "sandbox/guest/box.h"

/* What a nursery gives to a keeper. */
struct keeper_place {
	const struct conf *conf;
	const struct sandbox *box;
	unsigned group; /* of box->groups, and of the uid */
	int control;	/* to the master */
};

/* Be a keeper. Called in the freshly forked process. */
void keeper_main(const struct keeper_place *place) NORETURN;

#endif
