/*
 * namespaces - the namespaces that a pool process enters once for all its
 * guests, and the uids inside them.
 *
 * As root, workers have the uid UID_BASE outside, and the guest of each slot
 * has a uid of its own after it. So no guest shares a uid with another process.
 * Without root, workers and guests all have the server's uid.
 */
#ifndef TERRARIUM_NAMESPACES_H
#define TERRARIUM_NAMESPACES_H

#include <sys/types.h>

#include "sandbox/base/base.h"

/* uids inside the user namespace; the gids are the same numbers. */
struct identities {
	uid_t worker;
	uid_t guest_first; /* of slot 0; slot i has guest_first + i */
	bool separate;	   /* false: every guest has guest_first */
};

#define IDENTITY_GUEST 1000u /* the uid of a system's first user */

/* The uid of SLOT's guest inside the user namespace. */
uid_t namespaces_guest_uid(const struct identities *who, unsigned slot);

/*
 * Enter user, mount, network, ipc, uts and cgroup namespaces. The process has
 * every capability in them and none outside. As root, uids UID_BASE to UID_BASE
 * + SLOTS are mapped; outside, the process still is root's, so it can open
 * files that only root can. Returns 0, or a negative errno value with the step
 * that failed in ERROR, of SIZE bytes.
 */
int namespaces_enter(uid_t uid_base, unsigned slots, struct identities *who,
		     char *error, size_t size);

/* Change to the worker's uid. 0 or a negative errno value. */
int namespaces_become(const struct identities *who);

/* Guest: enter a mount namespace of its own; its mounts do not propagate. 0 or
 * a negative errno value. */
int namespaces_own_mounts(void);

#endif
