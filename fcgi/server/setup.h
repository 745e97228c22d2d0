/*
 * setup - all that the master makes before it starts any process, and keeps as
 * long as it lives: sockets, control groups, the scoreboard, its files.
 */
#ifndef TERRARIUM_SETUP_H
#define TERRARIUM_SETUP_H

#include "conf/address.h"
#include "conf/conf.h"
#include "fcgi/route/archive.h"
#include "fcgi/pool/queue.h"
#include "fcgi/shared/scoreboard.h"
#include "fcgi/streams/streams.h"
#include "log_writer.h"

#define SETUP_ERROR_MAX CONF_ERROR_MAX

struct setup {
	const char *conf_path;
	const char *pool; /* its section of the file; "": it has none */
	/* Of the start; a reload changes only the pool's copy. */
	struct conf conf;
	struct scoreboard *board;
	int board_fd;
	int listener, status_listener, streams_listener;
	int tcp[ADDRESS_LISTEN_MAX]; /* of server.listen, then /dev/null */
	/* A service manager has made that socket, and removes it. */
	bool listener_passed, status_passed;
	int claim; /* lock on a cgroup's name and uids: claim.h */
	int signals; /* signalfd; all signals that it reads are blocked */
	int queue_in, queue_out; /* both ends of the queue's socket */
	int streams_in, streams_out; /* the same for the streams process */
	int shares; /* the page of client shares */
	/* both ends of the archive's socket; without an archive -1 and
	 * /dev/null */
	int archive_in, archive_out;
	struct log_writer log;
	struct bytes text; /* of the configuration CONF was read from */
	const struct setup_kept *kept; /* while it is taken over; else NULL */
};

/* What a program leaves to the one that takes over from it. */
struct setup_kept {
	int listener, status_listener, streams_listener;
	int tcp[ADDRESS_LISTEN_MAX];
	int claim, queue_in, queue_out, shares, archive_in, archive_out;
	int streams_in, streams_out;
	int log_in, log_started_with;
	bool listener_passed, status_passed;
	struct cgroup_host cgroups;
	uint64_t all_mb;
	unsigned ceiling_mb;
	/* By these numbers slots, groups and user ids were made. */
	unsigned workers, generations, session_slots, uid_base;
};

/* Make everything, as the file of SETUP's conf_path says, or die with a
 * sentence. */
void setup_make(struct setup *setup);

/* Fill in KEPT. The descriptors stay SETUP's. */
void setup_hand_over(const struct setup *setup, struct setup_kept *kept);

/* Does CONF need the slots that KEPT has? Otherwise ERROR has a sentence. */
bool setup_fits(const struct setup_kept *kept, const struct conf *conf,
		char error[SETUP_ERROR_MAX]);

/* Take over what KEPT has. Its server was started with the configuration TEXT,
 * which becomes SETUP's. 0, or a negative errno value with a sentence in
 * ERROR. */
int setup_take_over(struct setup *setup, const struct setup_kept *kept,
		    struct bytes text, char error[SETUP_ERROR_MAX]);

/* Close the listening sockets in a child. */
void setup_close_listeners(const struct setup *setup);

/* A stop begins: new clients get an error at once. Where a service manager
 * keeps the socket, they wait for the next start instead. */
void setup_stop_listening(const struct setup *setup);

/* Remove control groups, the sockets of the status and of streams, and the pid
 * file. */
void setup_remove(const struct setup *setup);

/* Make lost control groups anew. Returns 1: some were made; 0: none was lost;
 * negative errno value: they could not be made, and the log has the reason. */
int setup_mend(struct setup *setup);
/* The plan of the queue. */
struct queue_plan setup_queue_plan(const struct setup *setup);

/* The plan of the streams process. */
struct streams_plan setup_streams_plan(const struct setup *setup);

/* The plan of the archive process. Its strings are SETUP's. */
struct archive_plan setup_archive_plan(const struct setup *setup);

#endif
