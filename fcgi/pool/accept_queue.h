/*
 * accept_queue - how the idle workers of one generation share its connections:
 * one of them takes each connection.
 *
 * All of them wait at one epoll instance. The kernel wakes the worker that
 * began to wait last (fs/eventpoll.c, ep_poll: it puts new waiters first in
 * line). That worker has the most pages left in the processors' caches. With
 * one instance for each worker, the kernel would wake the one that has waited
 * longest.
 *
 * Events are edge-triggered, so that a connection wakes one worker of each
 * generation and not all of them. The kernel may report two connections as one
 * event. So a worker that has taken a connection checks for another one, and
 * wakes the next worker. If the woken worker dies first, the others notice
 * within a second.
 */
#ifndef TERRARIUM_ACCEPT_QUEUE_H
#define TERRARIUM_ACCEPT_QUEUE_H

#include "conf/address.h"

struct accept_queue {
	int poller;
	int wakeup;
	/* Sockets that listen, non-blocking, owned by the caller: one of a
	 * unix socket, and COUNT - 1 of internet addresses. */
	int listeners[1 + ADDRESS_LISTEN_MAX];
	unsigned count;
	/* Peers that may connect from the internet; owned by the caller. */
	const struct address_networks *allowed;
	int queue; /* of calls that had to wait; as LISTENERS; -1: none */
};

/* The descriptors of an accept queue. TCP_FIRST is the first of TCP sockets
 * with consecutive numbers; QUEUE may be -1. When LEAVE hangs up, each waiting
 * worker is told to leave. */
struct accept_queue_plan {
	int listener, tcp_first;
	unsigned tcp;
	const struct address_networks *allowed; /* unused if TCP is 0 */
	int queue, leave;
};

/* A connection that a worker has accepted. */
struct accepted {
	int connection; /* owned by the caller */
	int head; /* data already read from it, owned by the caller; -1: none */
	uint64_t key;	/* with a head: of its client */
	/* With a head: its entry of the client shares (queue.h). */
	uint32_t grant;
	bool waited; /* the worker was idle before the connection came */
};

/* Pool process: open ACCEPT_QUEUE as PLAN says. 0, or a negative errno
 * value. */
int accept_queue_open(struct accept_queue *accept_queue,
		      const struct accept_queue_plan *plan);

/* Pool process: close it, once no further worker will be forked. */
void accept_queue_close(struct accept_queue *accept_queue);

/* Worker: close it and its listeners before anything but the head of a request
 * is read. A worker that is taken over later can neither take connections of
 * other clients nor reach the sockets that all workers share. */
void accept_queue_leave(struct accept_queue *accept_queue);

/*
 * Worker: wait for a connection and take it. Writes to it block for TIMEOUT_MS
 * at most. GUEST is a pidfd, or -1. Returns 0 or a negative errno value.
 * -ECANCELED: the worker must leave. -ECHILD: the guest has died; the worker
 * notices within a second, and before it accepts. -EACCES: the peer of a
 * connection is not allowed; it was closed, and the worker may try again.
 */
int accept_queue_take(const struct accept_queue *accept_queue, int guest,
		      unsigned timeout_ms, struct accepted *accepted);

#endif
