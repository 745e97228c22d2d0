/*
 * generations - which generation of workers serves, and which comes next.
 *
 * A generation is a pool process and its workers. A new one is prepared beside
 *the old one, and then stands by, without a worker, until it is wanted. It arms
 * its workers when it is told to serve; when it reports that they stand armed,
 * the old one is told to leave. When a pool process dies, its workers go on
 *with what they have, and those that wait still serve, until the next
 *generation stands.
 *
 *	preparing --'p'--> standing by --serve--> arming --'r'--> serving
 *
 * One is wanted when none serves, when the one that serves is old, and when it
 * was begun before the last reload. With pool.standby the next is prepared
 * before it is wanted; then there is room for three at a time, else for two.
 * Each has slots of its own.
 */
#ifndef TERRARIUM_SUCCESSION_H
#define TERRARIUM_SUCCESSION_H

#include <poll.h>

#include "conf/conf.h"
#include "sandbox/base/job.h"
#include "sandbox/base/stall.h"
#include "fcgi/shared/scoreboard.h"

#define GENERATIONS_ROOM SCOREBOARD_GENERATIONS
#define GENERATIONS_FDS (2 * GENERATIONS_ROOM)

struct generations_generation {
	bool there;  /* some process of it may live */
	bool prepared; /* it can be told to serve */
	bool called; /* and was */
	bool ready;  /* it has stood armed */
	bool old;    /* it has said so */
	bool slow;   /* it is prepared at a low priority */
	unsigned edition; /* of its configuration */
	uint64_t number; /* how many were begun before it */
	pid_t pool; /* 0: dead */
	pid_t group; /* process group of all of it */
	int leave;   /* our end; closing it makes them leave; -1: closed */
	int life;    /* hangs up when all of it is gone */
	int news;
	int orders; /* a socket: start session keepers */
	int serve;   /* a byte makes it arm workers; -1: it was sent */
	int64_t began_ms;    /* its start */
	int64_t told_ms;     /* and when that was told last */
	struct stall stall;  /* does it advance? */
};

struct generations {
	struct scoreboard *board;
	int board_fd, listener, registry, archive, queue, shares;
	struct client_share *held; /* the latter, mapped */
	int stall_ms; /* a start may stand still */
	struct bytes text; /* the configuration for the next generation */
	unsigned edition;  /* of TEXT: grows when it changes */
	bool standby;	   /* keep one */
	bool may_hurry;	   /* we can undo a low priority */
	uint64_t begun;	   /* generations so far */
	uint64_t needed;   /* that one, or a later one, shall serve */
	unsigned number;   /* of the one that was called last */
	bool measured;	   /* the memory of one was told */
	struct generations_generation row[GENERATIONS_ROOM];
	int current;	   /* index of the one that serves; -1: none */
	int64_t not_before; /* a new one is begun, at the earliest */
	int64_t busy_since; /* one that is not wanted waits for an idle pool */
	unsigned failures; /* in a row, of those that were to be prepared */
	int64_t told_ms;   /* when the last one of these was told of */
	bool ever_ready;
	bool hopeless; /* the first pool process of all could not be prepared */
};

/* Read the file PATH and check it. On success TEXT and CONF are the
 * caller's; on failure ERROR has a sentence. */
int generations_read(const char *path, struct bytes *text, struct conf *conf,
		     char error[CONF_ERROR_MAX]);

void generations_init(struct generations *line, struct scoreboard *board,
		      int board_fd, int listener, int registry, int archive,
		      int queue, int shares);

/* The socket on which the generation in charge takes orders, or -1. */
int generations_orders(const struct generations *line);

/* A generation that is begun from now on shall serve, with TEXT, which is the
 * line's afterwards. What is being prepared is finished first, and serves
 * until then; so does, at once, what stands by with the same text. */
void generations_reload(struct generations *line, struct bytes text);

/* All that was prepared so far is of no use any more, because something that
 * it holds has changed; a new one shall serve. */
void generations_renew(struct generations *line);

/* To be called often: starts what is wanted or missing, tells of a start that
 * takes long, and gives up one that does not advance. */
void generations_keep(struct generations *line);

/* What to poll (at most GENERATIONS_FDS), and what to call afterwards. */
size_t generations_poll(const struct generations *line, struct pollfd *polled);
void generations_hear(struct generations *line);

/* A child that is not the master's own has died. */
void generations_buried(struct generations *line, pid_t pid, int status);

/* Nobody accepts any more; running requests go on. */
void generations_retire_all(struct generations *line);

/* Kill all. */
void generations_kill(struct generations *line);

/* A generation stands armed. / No process of any is left. */
bool generations_serving(const struct generations *line);
bool generations_gone(const struct generations *line);

/* In a forked child that is not of a generation. */
void generations_close_in_child(struct generations *line);

#endif
