/*
 * worker - the process that serves one request. See worker.c.
 */
#ifndef TERRARIUM_WORKER_H
#define TERRARIUM_WORKER_H

#include "conf/conf.h"
#include "sandbox/guest/box.h"
#include "queue.h"
#include "accept_queue.h"

/* The arguments of a worker, from its pool process. */
struct worker_args {
	const struct conf *conf;
	const struct box *box;
	unsigned slot; /* 0 .. conf->workers - 1, of this generation */
	unsigned group; /* index in box->groups; also selects the uid */
	struct cgroup_slot cgroup; /* open in the worker's set of descriptors */
	/* Error of worker_fds_keep(): the table is still shared. */
	int unshared;
	struct accept_queue accept_queue;
	int report;    /* non-blocking */
	int registry;  /* of sessions; -1: there are none */
	struct client_share *shares; /* NULL: clients are not counted */
	unsigned entry; /* index of this worker's entry in SHARES */
	int archive; /* socket to the archive process; -1: there is none */
	int orders; /* socket for orders about streams */
};

/* Be a worker. Called in the freshly forked process. */
void worker_main(const struct worker_args *args) NORETURN;

/* Rehearse one request, from arming a guest to the last step. This is an act of
 * prefault_learn(). Its context is a struct worker_args. */
int worker_rehearse(void *context);

/* Be the refuser, which answers 503 and REASON while no guest can be armed. */
void worker_refuse_main(const struct worker_args *args,
			const char *reason) NORETURN;

#endif
