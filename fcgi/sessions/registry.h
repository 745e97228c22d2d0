/*
 * registry - the master's list of sessions: whose they are, what they are
 * called, and which session keeper has them.
 *
 * Workers send orders (session_order.h); the master finds the session or has
 * the present generation's session fork server start a session keeper, and
 * hands the order on with its descriptor. Of what a client sent it sees the
 * session's name, of bounded length, and compares it; no other byte.
 *
 * A family is a session keeper and the sessions it keeps: the one that it was
 * started for, and branches of that. It has a slot of the sandbox's for its
 * life, and outlives the generation that it came from. It ends when the last of
 * its sessions does: by release, when it was idle for too long, when another
 * one needs the room, with the master.
 */
#ifndef TERRARIUM_REGISTRY_H
#define TERRARIUM_REGISTRY_H

#include <poll.h>

#include "conf/conf.h"
#include "sandbox/guest/session.h"
#include "session_order.h"
#include "fcgi/shared/scoreboard.h"

/* For a session keeper with nothing else to do to end a session. */
#define REGISTRY_RELEASE_MS 5000

/* More families than sessions, so that one may come while another goes. */
#define REGISTRY_SPARE 8
#define REGISTRY_SESSIONS_MAX SCOREBOARD_SESSIONS_MAX
#define REGISTRY_FAMILIES_MAX (REGISTRY_SESSIONS_MAX + REGISTRY_SPARE)
#define REGISTRY_FDS (REGISTRY_FAMILIES_MAX + 1)

struct registry_session {
	bool there;
	char id[SESSION_ORDER_ID_MAX];
	unsigned pending; /* tasks that its session keeper has not done yet; of
			   * one that is no longer there, too */
	int64_t used_ms;  /* when the last one ended */
	int64_t began_ms;
	uint64_t calls, cpu_ms, memory_peak_kb;
};

struct registry_family {
	int control; /* our end of the session keeper's socket; -1: there is
			none */
	pid_t keeper; /* once it has told */
	int pidfd;    /* of it */
	int64_t since_ms; /* what it was told first, of what it has not done,
			   * or the last that was heard of it */
	int64_t released_ms; /* it was told to end a session; 0: it has */
	bool killed;
	char owner[SESSION_ORDER_OWNER_MAX];
	struct registry_session members[SESSION_MEMBERS_MAX];
};

struct registry {
	const struct conf_sessions *conf;
	struct scoreboard *board;
	int ours;   /* where orders come in; -1: there are no sessions */
	int theirs; /* where workers send them */
	int orders; /* to the session fork server in charge, which starts
		       session keepers; or -1 */
	bool closing;
	int64_t call_ms; /* that a call may take, from its order to its end;
			  * 0: for ever */
	unsigned families_max;
	struct registry_family families[REGISTRY_FAMILIES_MAX];
};

/* How many slots of the sandbox CONF's sessions take. */
unsigned registry_slots(const struct conf_sessions *conf);

/* 0 or a negative errno value. CONF and BOARD are borrowed. */
int registry_init(struct registry *registry, const struct conf_sessions *conf,
		  struct scoreboard *board);

/* What to poll (at most REGISTRY_FDS), and what to call afterwards, or when
 * time has passed. ORDERS is to the session fork server in charge. */
size_t registry_poll(const struct registry *registry, struct pollfd *polled);
void registry_step(struct registry *registry, int orders);

/* No session begins any more; all end when what they run is done. */
void registry_close(struct registry *registry);

/* Kill what is left. */
void registry_kill(struct registry *registry);

/* No session keeper is left. */
bool registry_gone(const struct registry *registry);

/* In a forked child that is no master. */
void registry_close_in_child(struct registry *registry);

#endif
