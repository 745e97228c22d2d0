/*
 * session_keeper - the process that keeps a session. See session_keeper.c.
 */
#ifndef TERRARIUM_SESSION_KEEPER_H
#define TERRARIUM_SESSION_KEEPER_H

#include "conf/conf.h"
#include "sandbox/guest/box.h"

/* The arguments of a session keeper. Borrowed. */
struct session_keeper_args {
	const struct conf *conf;
	const struct box *box;
	unsigned group; /* of box->groups, and of the uid */
	int control;	/* socket to the master */
};

/* Run as a session keeper; called in the new process. */
void session_keeper_main(const struct session_keeper_args *args) NORETURN;

#endif
