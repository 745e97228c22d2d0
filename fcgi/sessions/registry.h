/*
 * registry - the master's list of sessions: their owners, their names and
 * their session keepers (family.h).
 *
 * Workers send orders (session_order.h). The master finds the session, or
 * orders a session keeper from the present generation's session fork server,
 * and hands the order on with its descriptor. Of a client's bytes it sees the
 * session's name only, of bounded length, and compares it.
 *
 * Orders about streams take the same way, also without sessions: the master
 * hands them on to the process that holds streams (fcgi/streams).
 *
 * A session ends by a release, when it was idle for too long, when another one
 * needs its room, and with the master.
 */
#ifndef TERRARIUM_REGISTRY_H
#define TERRARIUM_REGISTRY_H

#include <poll.h>

#include "conf/conf.h"
#include "fcgi/shared/scoreboard.h"
#include "former.h"
#include "session_table.h"

#define REGISTRY_FDS (SESSION_TABLE_MAX + 1)
#define REGISTRY_AT_ONCE 64 /* messages of one sender that a step reads */

struct registry {
	const struct conf_sessions *conf;
	struct scoreboard *board;
	int ours;   /* the master receives orders here; -1: closed */
	int theirs; /* workers send them here */
	int orders; /* to the present session fork server, which starts
		     * session keepers; or -1 */
	int streams; /* to the process that holds streams; borrowed; or -1 */
	bool closing;
	int64_t call_ms; /* limit of a call, from its order to its end; 0:
			  * none */
	struct former former;
	char *former_path; /* for the next server's list; NULL: none */
	unsigned unlogged; /* refusals since the last log line of one */
	int64_t refusal_logged_ms;
	struct session_table table;
};

/* What a program leaves to the one that takes over from it. */
struct registry_kept {
	int ours, theirs;
	int64_t call_ms;
	size_t notes_size;
	/* Texts of TABLE, each with its NUL, in TABLE's order: pointers mean
	 * nothing to another program. Owned. */
	struct bytes notes;
	struct session_table table;
};

/* The most bytes of NOTES. */
#define REGISTRY_NOTES_MAX                                                   \
	((size_t)SESSION_TABLE_MAX * (1 + SESSION_MEMBERS_MAX) *             \
	 SESSION_ORDER_NOTE_MAX)

/* The number of slots of the sandbox that sessions need by CONF. */
unsigned registry_slots(const struct conf_sessions *conf);

/* CONF and BOARD are borrowed. CACHE_DIR has the list of sessions that a
 * former server had (former.h); "": there is none. 0 or a negative errno
 * value. */
int registry_init(struct registry *registry, const struct conf_sessions *conf,
		  const char *cache_dir, struct scoreboard *board);

/* Fill in KEPT, and leave the list of former sessions as for a next server. The
 * descriptors stay REGISTRY's, and the sessions live on. 0 or -ENOMEM. */
int registry_hand_over(const struct registry *registry,
		       struct registry_kept *kept);

/* After registry_init(): take over the sessions of KEPT. 0 or a negative errno
 * value: -EPROTO if a note is missing. */
int registry_take_over(struct registry *registry,
		       const struct registry_kept *kept);

/* Fill in POLLED (at most REGISTRY_FDS); returns the count. Call the step
 * after poll(2), and from time to time. ORDERS is the socket to the present
 * session fork server, or -1. */
size_t registry_poll(const struct registry *registry, struct pollfd *polled);
void registry_step(struct registry *registry, int orders);

/* Begin no more sessions; end the present ones after their calls. */
void registry_close(struct registry *registry);

/* Kill all session keepers that are left. */
void registry_kill(struct registry *registry);

/* Is no session keeper left? */
bool registry_gone(const struct registry *registry);

/* For registry_orders.c: read the reports that FAMILY's session keeper has
 * sent. If the session keeper has gone, FAMILY's sessions have ended. */
void registry_receive(struct registry *registry, struct family *family);

/* For registry_orders.c: end the session REF, because another one needs its
 * room. Of a sandbox all branches end. */
void registry_evict(struct registry *registry, struct session_ref ref);

/* In a forked child of the master: close all of its descriptors. */
void registry_close_in_child(struct registry *registry);

#endif
