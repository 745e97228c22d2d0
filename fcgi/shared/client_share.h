/*
 * client_share - how many workers each client holds, and how many it may hold.
 * The page is shared by workers, pools and the queue.
 *
 * A client may have another worker while it holds fewer than its share of the
 * free ones (pool.client_percent; with 50, fewer than are free). So one client
 * holds at most half of the pool, two hold a third each, and n together hold n
 * / (n + 1) of it. A worker is always left for the next client. A client that
 * holds none may always have one.
 *
 * Workers write here. A compromised worker can make the shares unfair, and
 * nothing else: no entry is an address, a length or a process id.
 */
#ifndef TERRARIUM_CLIENT_SHARE_H
#define TERRARIUM_CLIENT_SHARE_H

#include <stdatomic.h>

#include "scoreboard.h"

#define CLIENT_SHARE_GRANTS 32 /* calls on their way from the queue */
#define CLIENT_SHARE_WAITING 1024 /* calls that wait */

struct client_share {
	/* Keys of clients; 0 is free. The grants come first, then the workers'
	 * slots. */
	_Atomic uint64_t running[CLIENT_SHARE_GRANTS + SCOREBOARD_SLOTS_MAX];
	_Atomic uint64_t queued[CLIENT_SHARE_WAITING];
	_Atomic uint32_t waiting; /* entries of queued[] that are not 0 */
	_Atomic uint32_t room; /* calls that the queue can keep */
};

struct client_share_rule {
	unsigned workers; /* pool.workers */
	unsigned percent; /* pool.client_percent */
};

/* Make a page. Returns its descriptor or a negative errno value. */
int client_share_create(void);

/* Map the page of FD. NULL on failure, with errno set. */
struct client_share *client_share_map(int fd);

/* May the client of KEY (digest_text() of its name) have the entry AT, given all the other entries? */
bool client_share_admits(const struct client_share *shares,
			 const struct client_share_rule *rule, uint64_t key,
			 unsigned at);

/* Take the entry AT for the client of KEY, if client_share_admits() it. */
bool client_share_enter(struct client_share *shares,
			const struct client_share_rule *rule, uint64_t key,
			unsigned at);

/* How many calls of the client of KEY wait. */
unsigned client_share_waits(const struct client_share *shares, uint64_t key);

#endif
