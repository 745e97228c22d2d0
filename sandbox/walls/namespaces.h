/*
 * namespaces - the ones that a pool process enters once for all its guests, and
 * who is who inside them.
 *
 * As root, workers and guests get uids of their own outside (UID_BASE, and
 * one for each slot behind it), so that no guest shares a uid with anything.
 * Without root there is only one uid to be had, and everybody has it.
 */
#ifndef TERRARIUM_NAMESPACES_H
#define TERRARIUM_NAMESPACES_H

#include <sys/types.h>

#include "sandbox/base/base.h"

/* uid (and gid, the same number) inside the user namespace. */
struct identities {
	uid_t worker;
	uid_t guest_first; /* of slot 0; slot i has guest_first + i */
	bool separate;	   /* false: every guest has guest_first */
};

#define IDENTITY_GUEST 1000u /* guests look like a first ordinary user */

/* The uid of the guest in SLOT, inside. */
uid_t namespaces_guest_uid(const struct identities *who, unsigned slot);

/*
 * Enter user, mount, network, ipc, uts and cgroup namespaces, with every
 * capability in them and none outside. As root, uids UID_BASE .. UID_BASE +
 * SLOTS are mapped, and the process still is root's outside: it can open what
 * only root can reach. Returns 0, or a negative errno value with the step that
 * failed in ERROR, of SIZE bytes.
 */
int namespaces_enter(uid_t uid_base, unsigned slots, struct identities *who,
		     char *error, size_t size);

/* Become the worker's uid. */
int namespaces_become(const struct identities *who);

/* Guest: a mount namespace of its own, from which nothing spreads. */
int namespaces_own_mounts(void);

#endif
