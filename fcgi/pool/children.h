/*
 * children - the children of a pool process: workers, one for each of its
 * slots, and who answers 503 while no guest can be armed.
 */
#ifndef TERRARIUM_BROOD_H
#define TERRARIUM_BROOD_H

#include "conf/loan.h"
#include "sandbox/guest/box.h"
#include "worker_fds.h"
#include "fcgi/shared/client_share.h"
#include "fcgi/shared/scoreboard.h"
#include "accept_queue.h"

#define CHILDREN_ARM_FAILURES 3 /* in a row, before service stops */

/* Who was born in a cradle. */
struct children_birth {
	unsigned slot;
	pid_t pid; /* 0: nobody yet */
};

/* What a pool process knows. */
struct pool {
	struct conf conf;
	struct conf_loan *loan; /* of its texts, until there is a fork server */
	struct box box;
	struct scoreboard *board;
	struct stage *stage; /* of our start, until workers are forked */
	unsigned index; /* of our generation, among those that may live */
	unsigned session_slots; /* the last ones of all */
	unsigned first; /* of our slots, among all of the scoreboard's */
	int report_in, report_out;
	struct accept_queue accept_queue; /* of our workers */
	struct client_share *shares; /* which clients they serve */
	int signals;
	pid_t pids[SCOREBOARD_WORKERS_MAX]; /* of the worker in each slot */
	struct children_birth
		births[WORKER_FDS_SETS]; /* the last of each descriptor set */
	pid_t fork_server; /* who has the warm Python */
	pid_t refuser; /* who answers 503 meanwhile; 0: nobody */
	unsigned forks;
	unsigned stood; /* workers that were armed so far */
	unsigned bad; /* early deaths in a row */
	unsigned arm_failures;
	int64_t next_fork, born;
	int64_t settle; /* until then, refills wait for requests */
	bool ready, leaving, left, told_old;
};

/* Our slot number SLOT, on the scoreboard. */
struct scoreboard_slot *children_slot(struct pool *pool, unsigned slot);

/* Slots of ours in STATE. */
unsigned children_count(struct pool *pool, enum slot_state state);

/* Workers that live. */
unsigned children_alive(const struct pool *pool);

/* Does a worker of another generation live? */
bool children_has_rival(const struct pool *pool);

/* Is GROUP, of box.groups, that of a worker of ours? */
bool children_has_group(const struct pool *pool, unsigned group);

/* Forget the control groups of all others: sessions' are the session fork
 * server's. */
void children_keep_groups(struct pool *pool);

/* SLOT is PID's, in STATE: here and on the scoreboard. */
void children_set(struct pool *pool, unsigned slot, pid_t pid,
		  enum slot_state state);

/* Learn from one worker which pages all will need. */
void children_learn(struct pool *pool);

/* Does any worker still share our descriptors? */
bool children_shares(const struct pool *pool);

/* Bring the pool to its size. */
void children_fill(struct pool *pool);

/* A worker died early: wait before the next is forked, longer each time. */
void children_back_off(struct pool *pool);

void children_start_refuser(struct pool *pool);
void children_stop_refuser(struct pool *pool);

/* Hear what workers report (children_news.c). */
void children_hear(struct pool *pool);

/* Bury who has died, after hearing what they had to say. */
void children_reap(struct pool *pool);

#endif
