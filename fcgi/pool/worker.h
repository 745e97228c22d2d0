/*
 * worker - the process that serves one request. See worker.c.
 */
#ifndef TERRARIUM_WORKER_H
#define TERRARIUM_WORKER_H

#include "conf/conf.h"
#include "sandbox/guest/box.h"
#include "queue.h"
#include "accept_queue.h"

/* What a pool process gives to a worker. */
struct worker_place {
	const struct conf *conf;
	const struct box *box;
	unsigned slot; /* 0 .. conf->workers - 1, of this generation */
	unsigned group; /* of box->groups, and of the uid */
	struct cgroup_slot cgroup; /* open in its descriptor set */
	int born; /* an error: its descriptors are not its own */
	struct accept_queue accept_queue;
	int report;    /* non-blocking */
	int registry;  /* of sessions; -1: there are none */
	struct client_share *shares; /* NULL: nothing is counted */
	unsigned entry; /* ours in it */
	int archive; /* the archive process; -1: there is none */
};

/* Be a worker. Called in the freshly forked process. */
void worker_main(const struct worker_place *place) NORETURN;

/* What a worker does from the arming of its guest to its last step, for
 * nobody: an act of prefault_learn(); its context is a struct worker_place. */
int worker_rehearse(void *context);

/* Be the one that answers 503 and REASON while no guest can be armed. */
void worker_refuse_main(const struct worker_place *place,
			const char *reason) NORETURN;

#endif
