/*
 * generation - what a master hands to the pool process that it starts by fork
 * and exec, and how: descriptors of fixed numbers, and nothing else.
 */
#ifndef TERRARIUM_GENERATION_H
#define TERRARIUM_GENERATION_H

#include <sys/types.h>

#include "sandbox/base/base.h"

/* A pool process's descriptors, from 3 on, in this order. */
enum generation_fd {
	GENERATION_CONF = 3, /* a memory file: the configuration's text */
	GENERATION_LISTENER, /* where requests come from */
	GENERATION_LEAVE, /* hangs up: idle workers leave, none follow */
	GENERATION_LIFE, /* open as long as any process of it lives */
	GENERATION_NEWS, /* bytes of enum generation_news to the master */
	GENERATION_BOARD, /* the scoreboard */
	GENERATION_REGISTRY, /* where workers ask for sessions */
	GENERATION_ORDERS, /* from the master: start the session keeper of a
			      slot */
	GENERATION_ARCHIVE, /* to the archive process; without one, nowhere */
	GENERATION_SERVE, /* a byte from the master: arm workers */
	GENERATION_QUEUE, /* of calls whose client has its share */
	GENERATION_CROWD, /* which client holds which worker */
	GENERATION_FD_END
};

/* What a pool process tells its master, one byte each. */
enum generation_news {
	GENERATION_PREPARED = 'p', /* it stands by until told to serve */
	GENERATION_READY = 'r', /* its workers stand armed */
	GENERATION_OLD = 'o',	/* its age or number of forks is reached */
	GENERATION_UNFIT = 'u', /* it cannot arm a guest; another serves */
};

/* The name by which a process finds out that it is a zygote. */
#define GENERATION_ARGV0 "terrariumd: pool (reads its options)"

/* Fork and exec a zygote. FDS[i] becomes descriptor 3 + i. Returns its pid
 * or a negative errno value. */
pid_t generation_spawn(const int fds[GENERATION_FD_END - GENERATION_CONF]);

/* Pool process: tell the master. */
void generation_tell(enum generation_news news);

#endif
