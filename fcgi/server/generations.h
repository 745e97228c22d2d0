/*
 * generations - which generation of workers serves, and which comes next.
 *
 * A generation is a pool process and its workers. The master prepares a new one
 * beside the old one. A prepared generation stands by without workers until the
 * master tells it to serve. Then it arms its workers, and reports that they are
 * armed. Only then the master tells the old generation to leave. When a pool
 * process dies, its workers finish their requests, and its idle workers still
 * serve, until the next generation is armed.
 *
 *	preparing --'p'--> standby --serve--> arming --'r'--> serving
 *
 * A next generation is wanted in three cases: none serves, the one that serves
 * is old, or it was started before the last reload. With pool.standby the next
 * one is prepared before it is wanted. Three generations may then live at a
 * time, otherwise two. Each has slots of its own.
 */
#ifndef TERRARIUM_GENERATIONS_H
#define TERRARIUM_GENERATIONS_H

#include <poll.h>

#include "conf/conf.h"
#include "sandbox/base/job.h"
#include "fcgi/shared/scoreboard.h"
#include "generation_handle.h"

#define GENERATIONS_MAX SCOREBOARD_GENERATIONS
#define GENERATIONS_FDS (2 * GENERATIONS_MAX)

struct generations {
	struct scoreboard *board;
	struct generation_handle_fds fds;
	struct client_share *client_shares;
	int stall_ms; /* a start without progress for so long is aborted */
	struct bytes text; /* the configuration of the next generation */
	unsigned edition;  /* of TEXT: grows when it changes */
	bool standby; /* pool.standby */
	bool can_restore; /* the master may undo a low priority */
	uint64_t started; /* generations so far */
	uint64_t needed; /* lowest number that may serve */
	unsigned number; /* generations that were told to serve, so far */
	bool measured; /* the log has the memory of one */
	struct generation_handle handles[GENERATIONS_MAX];
	int current; /* index of the one that serves; -1: none */
	int former; /* index of one of the program before an upgrade; or -1 */
	int64_t not_before; /* earliest time of the next start */
	/* Since when a start that is not urgent waits for an idle pool; 0: it
	 * does not wait. */
	int64_t busy_since;
	unsigned failures; /* starts that failed in a row */
	int64_t failure_logged_ms; /* last log line about these */
	bool ever_ready;
	bool start_failed; /* the first generation could not be prepared */
	/* Why the last reload was refused; empty: it was not. It is published
	 * again when a failure of a generation has ended. */
	char refusal[SCOREBOARD_REASON_MAX];
};

/* What a program leaves to the one that takes over from it. */
struct generations_kept {
	struct generation_handle handles[GENERATIONS_MAX];
	int current;
	unsigned edition, number;
	uint64_t started, needed;
	bool ever_ready, measured;
	pid_t fork_server; /* of the one that serves */
	uint32_t reload_asked, reload_done, reload_failed;
};

/* Set ALL, except its configuration TEXT and stall_ms, which the caller has
 * set. Ends the process on failure. */
void generations_init(struct generations *all, struct scoreboard *board,
		      const struct generation_handle_fds *fds);

/* The socket on which the generation that serves takes orders, or if none does
 * yet, the one that was told to; or -1. */
int generations_orders(const struct generations *all);

/* Let a generation serve that starts from now on with TEXT, which becomes
 * ALL's. One that is being prepared is finished first, and serves until then.
 * One that stands by with the same text serves at once. */
void generations_reload(struct generations *all, struct bytes text);

/* A reload was asked for, but its configuration cannot be used. ERROR is the
 * reason. */
void generations_refuse_reload(struct generations *all, const char *error);

/* The same, for the reload that was asked for last. */
void generations_fail_reload(struct generations *all, const char *error);

/* Does a generation arm workers? It cannot be handed over then. */
bool generations_is_arming(const struct generations *all);

/* Abort all that is prepared, and fill in KEPT. The descriptors stay ALL's. */
void generations_hand_over(struct generations *all,
			   struct generations_kept *kept);

/* After generations_init(): take over the generations of KEPT. The one that
 * serves goes on. */
void generations_take_over(struct generations *all,
			   const struct generations_kept *kept);

/* The generation that serves was started with TEXT, which becomes ALL's, and
 * shall go on. */
void generations_accept(struct generations *all, struct bytes text);

/* Abort all that does not serve. */
void generations_abort_others(struct generations *all);

/* Abort all that is prepared, because a resource that it holds has changed. A
 * new generation shall serve. */
void generations_renew(struct generations *all);

/* Start a generation if one is wanted, log a start that takes long, and abort a
 * start without progress. The master calls this in each of its steps. */
void generations_keep(struct generations *all);

/* Fill POLLED (at most GENERATIONS_FDS); returns how many. After the poll, call
 * generations_receive(). */
size_t generations_poll(const struct generations *all, struct pollfd *polled);
void generations_receive(struct generations *all);

/* The child PID, which is none of the master's helpers, was reaped. */
void generations_reaped(struct generations *all, pid_t pid, int status);

/* Tell all generations to leave: running requests go on. */
void generations_retire_all(struct generations *all);

/* Kill every process of every generation. */
void generations_kill(struct generations *all);

/* Is a generation armed? / Has every process of every generation ended? */
bool generations_serving(const struct generations *all);
bool generations_gone(const struct generations *all);

/* Close the master's descriptors in a forked helper. */
void generations_close_in_child(struct generations *all);

#endif
