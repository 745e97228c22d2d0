/*
 * init - the first process of a guest's pid namespace.
 *
 * Who:    started by a worker or a session keeper before it reads anything.
 * Holds:  no descriptor and no capability; it shares the memory of the
 *         process that started it, so that it costs next to nothing.
 * May:    wait, and end.
 * Talks:  to no process.
 * Ends:   when it is killed, or its parent dies; all in the namespace end
 *         with it.
 *
 * It is there so that the guest is not the first process: an init ignores the
 * signals that it sends itself, and a program should die of them.
 *
 * A process that was taken over can steer what shares its memory. Therefore
 * the init has less than its parent: no call passes its filter but those that
 * wait or end, and its parent reads nothing before that stands.
 */
#ifndef TERRARIUM_INIT_H
#define TERRARIUM_INIT_H

#include <sys/types.h>

#include "syscalls.h"

/*
 * Start it in a new pid namespace, in which later children of the caller are
 * born, under FILTER (SYSCALLS_INIT); once in a process's life. ENTERED: a
 * process that is not its descendant will enter the namespace. INIT is its
 * process id, PIDFD a descriptor of it, the caller's. 0 or a negative errno
 * value.
 */
int init_start(const struct syscalls_filter *filter, bool entered,
	       pid_t *init, int *pidfd);

/* Wait until it is locked, at most MS milliseconds. 0, what it failed by, or
 * -ETIMEDOUT. */
int init_await(int ms);

#endif
