/*
 * family - the master's record of one session keeper and of its sessions: the
 * one that it was started for, and branches of that (members).
 *
 * A family has a slot of the sandbox for its whole life, and outlives the
 * generation that it came from. It ends when its last session does, or when
 * its session keeper dies.
 */
#ifndef TERRARIUM_FAMILY_H
#define TERRARIUM_FAMILY_H

#include "sandbox/guest/session.h"
#include "session_order.h"

/* A session keeper that has only releases to do must end them within. */
#define FAMILY_RELEASE_MS 5000

struct family_member {
	bool there;
	bool lost; /* it has ended by itself; the registry clears this */
	char id[SESSION_ORDER_ID_MAX];
	bool beginning; /* of a sandbox: other members branch from it, and it
			 * counts as no session */
	char *note;	/* of a branch of a sandbox, owned; or NULL */
	unsigned pending; /* tasks that the session keeper has not done yet;
			   * also of a session that was released */
	int64_t used_ms;  /* end of the last task */
	int64_t began_ms;
	uint64_t calls, cpu_ms, memory_peak_kb;
};

struct family {
	int control;  /* our end of the session keeper's socket; -1: the family
		       * is free */
	pid_t keeper; /* known from its first report on */
	int pidfd;    /* of it; -1: it has not reported yet */
	int64_t since_ms; /* the oldest task that is not done was sent, or the
			   * last report came, whichever is later */
	int64_t released_ms; /* a release was sent; 0: all are done */
	bool killed;
	char owner[SESSION_ORDER_OWNER_MAX];
	char *note; /* of a sandbox, owned; NULL: it is none */
	unsigned idle_s; /* a sandbox ends when it was idle for so long */
	struct family_member members[SESSION_MEMBERS_MAX];
};

/* Free FAMILY for another use; close its descriptors. */
void family_clear(struct family *family);

/* A session begins in MEMBER. */
void family_name(struct family_member *member, const char *id);

/* Does FAMILY keep a sandbox whose own session, which has no slash in its name,
 * has ended? */
bool family_is_headless(const struct family *family);

/* The end of the last task of all its members. */
int64_t family_used_ms(const struct family *family);

/* End all sessions of FAMILY, as family_release() does. */
void family_release_all(struct family *family);

/* All sessions of FAMILY have ended by themselves. */
void family_lose_all(struct family *family);

/* Tasks that the session keeper has not done yet. */
unsigned family_pending(const struct family *family);

/* The number of sessions without a name that may still live. It is 1 if only
 * the session keeper itself lives. */
unsigned family_ending(const struct family *family);

/* A member below MOST without a session and without tasks; -1: none. */
int family_free_member(const struct family *family, unsigned most);

/* Send a task to the session keeper, with CHANNEL unless it is -1. 0 or a
 * negative errno value. */
int family_send(struct family *family, enum session_order_kind kind,
		unsigned member, unsigned other, int channel);

/* End the session in MEMBER. Its name is free at once; calls that were sent
 * before are served. */
void family_release(struct family *family, unsigned member);

/* Kill the session keeper. family_clear() is for later, when it is dead. */
void family_kill(struct family *family);

/* The next report of the session keeper, which is already noted in FAMILY. 1;
 * 0: there is none, or a bad one; -EPIPE or another error: it has closed its
 * socket, and family_hung_up() follows. */
int family_receive(struct family *family, struct session_order_news *news);
void family_hung_up(struct family *family);

/* The reason for which one more call has to wait. */
enum session_order_wait family_wait(const struct family *family);

/*
 * Has the session keeper not reported for too long? It may take CALL_MS from
 * the last report to the next, or FAMILY_RELEASE_MS if only releases are
 * pending. 0 CALL_MS: no limit.
 */
bool family_is_stuck(const struct family *family, int64_t call_ms,
		     int64_t now);

#endif
