/*
 * accept_queue - whose turn it is: which of the workers that stand armed takes
 * the next connection.
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

#include "sandbox/base/base.h"

struct accept_queue {
	int poller;
	int wakeup;
	int listener; /* non-blocking; the caller's */
	int queue;    /* of calls that had to wait; the same; -1: none */
};

/* What was taken. */
struct accepted {
	int connection; /* the caller's */
	int head;	/* what was read of it, the caller's; -1: nothing */
	uint64_t key;	/* with a head: of its client */
	uint32_t grant; /* with a head: what it has of the client shares
			   (queue.h) */
	bool waited;	/* it was not there already when we came */
};

/* Pool process: make TURN for LISTENER and QUEUE; whoever waits is told when
 * LEAVE hangs up. 0, or a negative errno value. */
int accept_queue_open(struct accept_queue *accept_queue, int listener,
		      int queue, int leave);

/* Pool process: nobody is forked any more who would wait. */
void accept_queue_close(struct accept_queue *accept_queue);

/*
 * Worker: wait for a connection, to which writing blocks for no longer than
 * TIMEOUT_MS at a time, and take it. 0, or a negative errno value. GUEST is a
 * pidfd, or -1. -ECANCELED:
 * leave; -ECHILD: the guest has died, as who waits sees within a second and
 * before it accepts.
 */
int accept_queue_take(const struct accept_queue *accept_queue, int guest,
		      unsigned timeout_ms, struct accepted *call);

#endif
