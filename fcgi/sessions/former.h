/*
 * former - the master's memory of sessions that have ended, so that a client
 * that names one again is told that its variables and files are gone, and why.
 *
 * It keeps a digest of each name, and the reason: the last FORMER_MAX, for
 * FORMER_AGE_MS. A server that stops can leave the list to the next one.
 */
#ifndef TERRARIUM_FORMER_H
#define TERRARIUM_FORMER_H

#include "sandbox/base/digest.h"
#include "session_order.h"

#define FORMER_MAX 10000
#define FORMER_AGE_MS 3600000

struct former {
	struct digest seed;
	struct former_entry {
		uint64_t name;
		int64_t ended_ms; /* CLOCK_REALTIME, because it may outlive us */
		enum session_origin reason;
	} *entries; /* a ring; NULL: none is kept */
	size_t next; /* where the next one goes */
	size_t count;
};

/* Begin a list. One that an earlier server left in the file PATH, which may be
 * NULL, is taken over, and the file is removed. 0; or a negative errno value:
 * then the list is empty. */
int former_open(struct former *former, const char *path);

/* The session ID of OWNER has ended for REASON. */
void former_add(struct former *former, const char *owner, const char *id,
		enum session_origin reason);

/* The origin of a new session ID of OWNER: the reason for which the last one
 * of this name ended, or SESSION_NEW. */
enum session_origin former_find(const struct former *former, const char *owner,
				const char *id);

/* Write the list to PATH, for the next server. 0 or a negative errno value. */
int former_save(const struct former *former, const char *path);

void former_free(struct former *former);

#endif
