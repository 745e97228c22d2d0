/*
 * generation - the interface between a master and the pool process that it
 * starts by fork and exec. It consists of descriptors with fixed numbers.
 */
#ifndef TERRARIUM_GENERATION_H
#define TERRARIUM_GENERATION_H

#include <sys/types.h>

#include "conf/address.h"

/* The descriptors of a pool process, from 3 on, in this order. */
enum generation_fd {
	GENERATION_CONF = 3, /* a memory file: the configuration's text */
	GENERATION_LISTENER, /* connections of the web server */
	/* Hangs up: idle workers leave, and no more are forked. */
	GENERATION_LEAVE,
	GENERATION_LIFE, /* open while any process of the generation lives */
	GENERATION_EVENTS, /* bytes of enum generation_event to the master */
	GENERATION_BOARD, /* the scoreboard */
	GENERATION_REGISTRY, /* where workers ask for sessions and streams */
	/* From the master: start the session keeper of a slot. */
	GENERATION_ORDERS,
	/* To the archive process; /dev/null if there is none. */
	GENERATION_ARCHIVE,
	GENERATION_SERVE, /* a byte from the master: arm workers */
	GENERATION_QUEUE, /* to and from the queue */
	GENERATION_SHARES, /* the page of client shares */
	/* ADDRESS_LISTEN_MAX of them: connections from the internet addresses
	 * of server.listen. An unused one is /dev/null. */
	GENERATION_TCP,
	GENERATION_TCP_LAST = GENERATION_TCP + ADDRESS_LISTEN_MAX - 1,
	GENERATION_FD_END
};

/* One-byte messages of a pool process to its master. */
enum generation_event {
	GENERATION_PREPARED = 'p', /* it stands by until told to serve */
	GENERATION_READY = 'r', /* its workers are armed */
	/* Its maximum age or number of forks is reached. */
	GENERATION_OLD = 'o',
	/* It cannot arm a guest, and another generation serves. */
	GENERATION_CANNOT_ARM = 'u',
};

/* The argv[0] by which main() knows that the process is a pool. */
#define GENERATION_ARGV0 "terrariumd: pool (reads its options)"

/* Fork and exec a pool process. FDS[i] becomes descriptor 3 + i. Returns its
 * pid or a negative errno value. */
pid_t generation_spawn(const int fds[GENERATION_FD_END - GENERATION_CONF]);

/* Pool process: close the unused descriptors of GENERATION_TCP. Returns the
 * number of those that listen, which are the first ones. */
unsigned generation_keep_listeners(void);

/* Close GENERATION_LISTENER and the first COUNT of GENERATION_TCP. */
void generation_close_listeners(unsigned count);

/* Pool process: send EVENT to the master. */
void generation_report(enum generation_event event);

#endif
