/*
 * client_share - how many workers each client holds, in a page that workers,
 * pools and the queue share, and the rule that is made of it.
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

#define CLIENT_SHARE_GRANTS \
	32 /* calls on their way from the queue to a worker */
#define CLIENT_SHARE_WAITING 1024 /* calls that wait */

struct client_share {
	/* Keys of clients; 0 is free. Grants first, then workers' slots. */
	_Atomic uint64_t running[CLIENT_SHARE_GRANTS + SCOREBOARD_SLOTS_MAX];
	_Atomic uint64_t queued[CLIENT_SHARE_WAITING];
	_Atomic uint32_t waiting; /* of queued[], those that are not 0 */
	_Atomic uint32_t room;	  /* so many calls the queue can keep */
};

struct client_share_rule {
	unsigned workers; /* pool.workers */
	unsigned percent; /* pool.client_percent */
};

/* Returns a descriptor or a negative errno value. */
int client_share_create(void);

/* Map the one behind FD; NULL on failure, with errno set. */
struct client_share *client_share_map(int fd);

/* The key of a client's name; never 0. */
uint64_t client_share_key(const char *client);

/* May the client of KEY have the entry AT, as the others are now? */
bool client_share_admits(const struct client_share *shares,
			 const struct client_share_rule *rule, uint64_t key,
			 unsigned at);

/* Take the entry AT for the client of KEY, if the rule admits it. */
bool client_share_enter(struct client_share *shares,
			const struct client_share_rule *rule, uint64_t key,
			unsigned at);

/* How many calls of the client of KEY wait. */
unsigned client_share_waits(const struct client_share *shares, uint64_t key);

#endif
