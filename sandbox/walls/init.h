/*
 * init - the first process of a guest's pid namespace.
 *
 * Who:    started by a worker or a session keeper, before that reads any
 *         input.
 * Holds:  no descriptor and no capability. It shares its parent's memory, so
 *         that it costs next to nothing.
 * May:    wait, and exit.
 * Talks:  to no process.
 * Ends:   when it is killed or its parent dies. The kernel then kills all
 *         processes of the namespace.
 *
 * It exists so that the guest is not the first process. The kernel ignores
 * signals that an init sends itself, and a program should die of them.
 *
 * An exploited parent controls a process that shares its memory. Therefore the
 * init has fewer rights than its parent: its filter allows only waiting and
 * exiting. Its parent reads no input before that filter is loaded.
 */
#ifndef TERRARIUM_INIT_H
#define TERRARIUM_INIT_H

#include <sys/types.h>

#include "syscalls.h"

/*
 * Start the init of a new pid namespace, under FILTER (SYSCALLS_INIT). Later
 * children of the caller are born in that namespace. A process can do this once
 * in its life. ENTERED: a process that is not a descendant will enter the
 * namespace. *INIT is the init's process id, *PIDFD its descriptor, which is
 * the caller's. 0 or a negative errno value.
 */
int init_start(const struct syscalls_filter *filter, bool entered,
	       pid_t *init, int *pidfd);

/* Wait at most MS milliseconds until the init is locked. 0, the negative errno
 * value of the step that failed, or -ETIMEDOUT. */
int init_await(int ms);

#endif
