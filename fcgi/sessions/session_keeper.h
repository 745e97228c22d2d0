/*
 * session_keeper - the process that keeps a session. See session_keeper.c.
 */
#ifndef TERRARIUM_KEEPER_H
#define TERRARIUM_KEEPER_H

#include "conf/conf.h"
#include "sandbox/guest/box.h"

/* What a session fork server gives to a keeper. */
struct session_keeper_place {
	const struct conf *conf;
	const struct box *box;
	unsigned group; /* of box->groups, and of the uid */
	int control;	/* to the master */
};

/* Be a keeper. Called in the freshly forked process. */
void session_keeper_main(const struct session_keeper_place *place) NORETURN;

#endif
