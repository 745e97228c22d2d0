/*
 * turn - whose turn it is: which of the workers that stand armed takes the
 * next connection.
 *
 * All of one generation wait at one epoll instance, and the kernel wakes who
 * has come last (fs/eventpoll.c, ep_poll: waiters are put first in line). Of
 * that one most is left in the processors' caches; where each had an instance
 * of its own, the one would be woken that has waited for longest.
 *
 * Connections are told of as edges, so that one of each generation wakes, not
 * all. Two at once may be told of as one: who has taken a connection looks
 * whether there is another, and passes the turn on. Should who was woken die
 * before that, the others find out when they look, each second.
 */
#ifndef TERRARIUM_TURN_H
#define TERRARIUM_TURN_H

#include "../sandbox/base.h"

struct turn {
	int poller;
	int baton;
	int listener; /* non-blocking; the caller's */
};

/* Zygote: make TURN for LISTENER; whoever waits is told when LEAVE hangs up.
 * 0, or a negative errno value. */
int turn_open(struct turn *turn, int listener, int leave);

/* Zygote: nobody is forked any more who would wait. */
void turn_close(struct turn *turn);

/*
 * Worker: wait for a connection, to which writing blocks for no longer than
 * TIMEOUT_MS at a time, and return its descriptor, the caller's. GUEST is a
 * pidfd, or -1. *WAITED: it was not there already when we came. -ECANCELED:
 * leave; -ECHILD: the guest has died, as who waits sees within a second and
 * before it accepts.
 */
int turn_take(const struct turn *turn, int guest, unsigned timeout_ms,
	      bool *waited);

#endif
