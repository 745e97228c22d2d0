/*
 * queue - where calls wait whose client holds its share of the workers. See
 * queue.c.
 */
#ifndef TERRARIUM_QUEUE_H
#define TERRARIUM_QUEUE_H

#include "fcgi/shared/client_share.h"

struct queue_plan {
	int shares; /* descriptor of the shared page */
	int workers;  /* our end of the socket */
	uid_t uid;    /* to become, as root */
	pid_t master; /* to end with */
	int landlock_abi; /* 0: not used */
	struct client_share_rule rule;
	unsigned client_waiting; /* calls of one client */
};

/* What passes with a call, both ways. With it come the connection and a file
 * with what was read from it. The queue believes none of it. */
struct queue_call {
	uint64_t key;   /* of the client */
	uint32_t grant; /* from the queue: the entry of the client shares it has
			 */
	uint32_t wake; /* from a pool process: no call, but look again */
};

/* Master: make both ends of the socket. 0, or a negative errno value. */
int queue_open(int *ours, int *workers);

/* Be the queue. Called in the freshly forked process. */
void queue_main(const struct queue_plan *plan) NORETURN;

/* Worker: hand a call over; both descriptors stay the caller's. */
int queue_send(int fd, uint64_t key, int connection, int head);

/* Worker: take one, if there is: 1, 0 or a negative errno value. */
int queue_take(int fd, struct queue_call *call, int *connection, int *head);

/* Pool process: a worker is free. */
void queue_wake(int fd, const struct client_share *shares);

#endif
