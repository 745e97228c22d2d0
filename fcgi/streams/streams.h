/*
 * streams - the process that holds streams of events, for clients of MCP's old
 * transport. See streams.c.
 */
#ifndef TERRARIUM_STREAMS_H
#define TERRARIUM_STREAMS_H

#include <sys/types.h>

#include "sandbox/base/base.h"

#define STREAMS_MAX 64 /* in all */
#define STREAMS_CLIENT_MAX 8 /* of one client */

struct streams_plan {
	int listener; /* of server.streams_socket */
	int orders; /* our end of the socket from the master */
	int board; /* descriptor of the scoreboard */
	uid_t uid; /* the user to become, if started as root */
	pid_t master; /* the process to end with */
};

/* Master: make both ends of the socket on which orders are passed on
 * (struct session_order_stream). 0, or a negative errno value. */
int streams_open(int *ours, int *master);

/* Be the streams process. Called in the freshly forked process. */
void streams_main(const struct streams_plan *plan) NORETURN;

#endif
