/*
 * queue - keeps the calls of clients that already hold their share of the
 * workers. See queue.c.
 */
#ifndef TERRARIUM_QUEUE_H
#define TERRARIUM_QUEUE_H

#include "fcgi/shared/client_share.h"

struct queue_plan {
	int shares; /* descriptor of the shared page */
	int workers;  /* our end of the socket */
	uid_t uid; /* the user to become, if started as root */
	pid_t master; /* the process to end with */
	int landlock_abi; /* 0: not used */
	struct client_share_rule rule;
	unsigned client_waiting; /* most calls of one client */
};

/* A call on its way to or from the queue. The connection is passed with it, and
 * a file with the bytes that were read from it. The queue does not trust any
 * field. */
struct queue_call {
	uint64_t key;   /* of the client */
	/* from the queue: the entry of the client shares that this call
	 * holds */
	uint32_t grant;
	/* From a pool process: no call, but check for a free worker. */
	uint32_t wake;
};

/* Master: make both ends of the socket. 0, or a negative errno value. */
int queue_open(int *ours, int *workers);

/* Be the queue. Called in the freshly forked process. */
void queue_main(const struct queue_plan *plan) NORETURN;

/* Worker: hand a call over. Both descriptors stay the caller's. */
int queue_send(int fd, uint64_t key, int connection, int head);

/* Worker: take a call, if one is there. Returns 1, 0 or a negative errno
 * value. */
int queue_take(int fd, struct queue_call *call, int *connection, int *head);

/* Pool process or master: wake the queue, because a worker or share is free. */
void queue_wake(int fd, const struct client_share *shares);

#endif
