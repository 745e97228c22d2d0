/*
 * privileges - uids, capabilities and flags that processes give up for ever:
 * privileges_drop_capabilities() drops capabilities.
 */
#ifndef TERRARIUM_PRIVILEGES_H
#define TERRARIUM_PRIVILEGES_H

#include <sys/types.h>

#include "sandbox/base/base.h"

/* Set the real, effective, saved and file system uid and gid to UID. */
int privileges_become(uid_t uid);

/* Pool process: empty the bounding set, so that no descendant gains a
 * capability by exec. */
int privileges_empty_bounding_set(void);

/* Drop all capabilities: empty the effective, permitted, inheritable and
 * ambient sets. */
int privileges_drop_capabilities(void);

/* Worker: drop all capabilities but those that a worker needs, of those that it
 * has. It writes a guest's files as that guest, reads them whatever their
 * modes, kills the guest and lowers its limits. */
int privileges_keep_worker_capabilities(void);

/* Worker: set no_new_privs and clear the dumpable flag. */
int privileges_lock_worker(void);

/* The same, and if the kernel can (since Linux 6.3), forbid that writable
 * memory becomes executable. */
int privileges_lock(void);

/* Have the kernel kill the calling process when its parent PARENT dies. PARENT
 * is 0 for a parent outside the pid namespace. -ESRCH: PARENT is dead already;
 * with 0 that is not noticed. A later change of credentials undoes this
 * (prctl(2)). */
int privileges_die_with(pid_t parent);

/* A helper process that PARENT has forked: as root, leave all supplementary
 * groups and become UID. Then drop all capabilities, die with PARENT, and
 * privileges_lock(). 0 or a negative errno value. */
int privileges_give_up(uid_t uid, pid_t parent);

#endif
