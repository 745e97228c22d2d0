/*
 * pool - the process that workers are forked from. See pool.c.
 */
#ifndef TERRARIUM_POOL_H
#define TERRARIUM_POOL_H

#include "conf/loan.h"
#include "sandbox/guest/box.h"
#include "fcgi/shared/client_share.h"
#include "fcgi/shared/scoreboard.h"
#include "accept_queue.h"
#include "worker_fds.h"

/* The worker that was forked last with one set of lent descriptors. */
struct pool_lent {
	unsigned slot;
	pid_t pid; /* 0: none was forked yet */
};

/* The whole state of a pool process. */
struct pool {
	struct conf conf;
	struct loan *loan; /* of CONF's texts, until the fork server runs */
	struct box box;
	struct scoreboard *board;
	struct stage *stage; /* of our start, until workers are forked */
	unsigned index; /* of our generation, below board->generations */
	unsigned session_slots; /* the last ones of box.groups */
	unsigned first; /* of our slots, in board->slots */
	int report_in, report_out;
	unsigned tcp; /* sockets of GENERATION_TCP that listen */
	struct address_networks allowed; /* their peers */
	struct accept_queue accept_queue; /* of our workers */
	struct client_share *shares;
	int signals;
	pid_t pids[SCOREBOARD_WORKERS_MAX]; /* of the worker in each slot */
	/* Since when it has been stopped (SIGSTOP), io_now_ms(); 0: it runs. */
	int64_t stopped[SCOREBOARD_WORKERS_MAX];
	struct pool_lent lent[WORKER_FDS_SETS];
	pid_t fork_server;
	pid_t refuser; /* answers 503 while no guest arms; 0: not running */
	unsigned forks;
	unsigned armed_total; /* workers that were armed so far */
	unsigned early_deaths; /* in a row */
	unsigned arm_failures; /* in a row */
	int64_t next_fork, born;
	int64_t refill_at; /* until then, refills wait for requests */
	bool ready, leaving, closed, reported_old;
};

/* Be the pool process: called by main() of the program that a master executed,
 * with the descriptors of generation.h. */
void pool_main(void) NORETURN;

#endif
