/*
 * privileges - how a guest gives up what its worker had, for good.
 */
#ifndef TERRARIUM_PRIVILEGES_H
#define TERRARIUM_PRIVILEGES_H

#include <sys/types.h>

#include "sandbox/base/base.h"

/* Become UID and GID UID (real, effective, saved, file system). */
int privileges_become(uid_t uid);

/* Pool process: nobody below will ever gain a capability by exec. */
int privileges_empty_bounding_set(void);

/* Empty the effective, permitted, inheritable and ambient sets. */
int privileges_drop_capabilities(void);

/* Worker: keep, if it is there, what it takes to write a guest's files as that
 * guest, to read them whatever their modes, to kill it and to lower its
 * limits. */
int privileges_keep_worker_capabilities(void);

/* Worker: no new privileges, not dumpable. */
int privileges_lock_worker(void);

/* No new privileges, not dumpable, and, where the kernel has it (6.3), no
 * memory that was writable ever executable. */
int privileges_lock(void);

/* Die with PARENT, which has forked us. -ESRCH: it is dead already, and will
 * not be heard of. That cannot be told of 0, a parent outside our pid
 * namespace. A change of credentials would undo it. */
int privileges_die_with(pid_t parent);

/* A helper of the server's, forked by PARENT: no groups and UID if it is root,
 * no capability, die with PARENT, and privileges_lock(). 0 or a negative errno
 * value. */
int privileges_give_up(uid_t uid, pid_t parent);

#endif
