/*
 * master_place - what a master makes before it starts anybody, and has for as
 * long as it lives: sockets, control groups, the scoreboard, its files.
 */
#ifndef TERRARIUM_MASTER_PLACE_H
#define TERRARIUM_MASTER_PLACE_H

#include "conf/conf.h"
#include "fcgi/pool/archive.h"
#include "fcgi/pool/queue.h"
#include "fcgi/shared/scoreboard.h"

struct master_place {
	const char *conf_path;
	struct conf conf; /* of the start; a reload changes the pool's only */
	struct scoreboard *board;
	int board_fd;
	int listener, status_listener;
	int claim;   /* of a cgroup's name and uids: claim.h */
	int signals; /* that a master hears; all are blocked */
	int queue_in, queue_out; /* the queue's socket */
	int shares; /* which client holds which worker */
	int archive_in, archive_out; /* the archive process's socket; without
				      * one -1 and /dev/null */
};

/* Make it all, as the file CONF_PATH says, or die with a sentence. TEXT is
 * what is in that file, to be released. */
void master_place_make(struct master_place *place, const char *conf_path,
		       struct bytes *text);

/* Remove what others can see of it, but for the workers' socket, which goes
 * when a stop begins. */
void master_place_remove(const struct master_place *place);

/* Make control groups that have vanished anew. 1: some were made; 0: none has
 * vanished; negative errno value: they could not be made, the log says why. */
int master_place_mend(struct master_place *place);
/* What the queue is to do. */
struct queue_plan master_place_queue(const struct master_place *place);

/* What an archive process is to do. Its strings are PLACE's. */
struct archive_plan master_place_archive(const struct master_place *place);

#endif
