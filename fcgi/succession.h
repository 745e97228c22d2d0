/*
 * succession - which generation of workers serves, and which comes next.
 *
 * A generation is a zygote and its workers. A new one is started beside the
 * old one; when it reports that its workers stand armed, the old one is told
 * to leave. When a zygote dies, its workers go on with what they have, and
 * those that wait still serve, until the next generation stands. There is
 * room for two at a time; each has half of the scoreboard's slots.
 */
#ifndef TERRARIUM_SUCCESSION_H
#define TERRARIUM_SUCCESSION_H

#include <poll.h>

#include "../conf/conf.h"
#include "../sandbox/job.h"
#include "../sandbox/stall.h"
#include "scoreboard.h"

#define SUCCESSION_ROOM 2
#define SUCCESSION_FDS (2 * SUCCESSION_ROOM)

struct succession_generation {
	bool there;  /* some process of it may live */
	bool ready;  /* it has stood armed */
	pid_t zygote; /* 0: dead */
	pid_t group; /* process group of all of it */
	int leave;   /* our end; closing it makes them leave; -1: closed */
	int life;    /* hangs up when all of it is gone */
	int news;
	int orders;  /* a socket: start keepers */
	int64_t began_ms;    /* its start */
	int64_t told_ms;     /* and when that was told last */
	struct stall stall;  /* does it advance? */
};

struct succession {
	struct scoreboard *board;
	int board_fd, listener, registry, archive;
	int stall_ms; /* a start may stand still */
	struct bytes text; /* the configuration for the next generation */
	struct succession_generation row[SUCCESSION_ROOM];
	int current;	   /* index of the one that serves; -1: none */
	bool wanted;	   /* a new one shall be started */
	int64_t not_before; /* when, at the earliest */
	unsigned failures; /* zygotes in a row that never were ready */
	bool ever_ready;
	bool hopeless; /* the first zygote of all could not be prepared */
};

/* Read the file PATH and check it. On success TEXT and CONF are the
 * caller's; on failure ERROR has a sentence. */
int succession_read(const char *path, struct bytes *text, struct conf *conf,
		    char error[CONF_ERROR_MAX]);

void succession_init(struct succession *line, struct scoreboard *board,
		     int board_fd, int listener, int registry, int archive);

/* The socket on which the generation in charge takes orders, or -1. */
int succession_orders(const struct succession *line);

/* Start a new generation as soon as there is room. */
void succession_want_new(struct succession *line);

/* The same for a new text: one that is just being prepared is given up. */
void succession_renew(struct succession *line);

/* To be called often: starts what is wanted or missing, tells of a start that
 * takes long, and gives up one that does not advance. */
void succession_keep(struct succession *line);

/* What to poll (at most SUCCESSION_FDS), and what to call afterwards. */
size_t succession_poll(const struct succession *line, struct pollfd *polled);
void succession_hear(struct succession *line);

/* A child that is not the master's own has died. */
void succession_buried(struct succession *line, pid_t pid, int status);

/* Nobody accepts any more; running requests go on. */
void succession_retire_all(struct succession *line);

/* Kill all. */
void succession_kill(struct succession *line);

/* A generation stands armed. / No process of any is left. */
bool succession_serving(const struct succession *line);
bool succession_gone(const struct succession *line);

/* In a forked child that is not of a generation. */
void succession_close_in_child(struct succession *line);

#endif
