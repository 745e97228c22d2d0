/*
 * crowd - how many workers each client holds, in a page that workers, zygotes
 * and the queue share, and the rule that is made of it.
 *
 * A client may have another worker as long as it holds fewer than its share of
 * those that are free (pool.client_percent: 50 is as many as are free). So one
 * client holds half of the pool at most, two a third each, n together
 * n / (n + 1) of it: a worker is left for the next client, however many came
 * before it. A client that holds none may always have one.
 *
 * Workers write here. One that was taken over can make the rule unjust, and
 * nothing else: no entry is an address, a length or a process.
 */
#ifndef TERRARIUM_CROWD_H
#define TERRARIUM_CROWD_H

#include <stdatomic.h>

#include "scoreboard.h"

#define CROWD_GRANTS 32	  /* calls on their way from the queue to a worker */
#define CROWD_WAITING 1024 /* calls that wait */

struct crowd {
	/* Keys of clients; 0 is free. Grants first, then workers' slots. */
	_Atomic uint64_t running[CROWD_GRANTS + SCOREBOARD_SLOTS_MAX];
	_Atomic uint64_t queued[CROWD_WAITING];
	_Atomic uint32_t waiting; /* of queued[], those that are not 0 */
	_Atomic uint32_t room;	  /* so many calls the queue can keep */
};

struct crowd_rule {
	unsigned workers; /* pool.workers */
	unsigned percent; /* pool.client_percent */
};

/* Returns a descriptor or a negative errno value. */
int crowd_create(void);

/* Map the one behind FD; NULL on failure, with errno set. */
struct crowd *crowd_map(int fd);

/* The key of a client's name; never 0. */
uint64_t crowd_key(const char *client);

/* May the client of KEY have the entry AT, as the others are now? */
bool crowd_admits(const struct crowd *crowd, const struct crowd_rule *rule,
		  uint64_t key, unsigned at);

/* Take the entry AT for the client of KEY, if the rule admits it. */
bool crowd_enter(struct crowd *crowd, const struct crowd_rule *rule,
		 uint64_t key, unsigned at);

/* How many calls of the client of KEY wait. */
unsigned crowd_waits(const struct crowd *crowd, uint64_t key);

#endif
