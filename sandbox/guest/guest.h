/*
 * guest - the process that runs a stranger's program. See guest.c for its
 * life.
 */
#ifndef TERRARIUM_GUEST_H
#define TERRARIUM_GUEST_H

#include "sandbox/filesystem/home.h"
#include "box.h"
#include "sandbox/ipc/wire.h"

#define GUEST_FD_ABOVE 16 /* where pipe ends are parked, past the final ones */

/* What whoever forks a guest gives it. */
struct guest_place {
	const struct box *box;
	unsigned slot;
	const struct home *home;
	const struct cgroup_slot *group; /* with what it takes to enter */
	int fds[WIRE_FD_COUNT]; /* the guest's ends of its pipes */
	int gate; /* of a session: a socket for its gate's listener; else -1 */
	bool cast; /* its parent is the fork server, and not who it ends with */
};

/* Where a session's guest has it, behind the pipes. */
#define GUEST_FD_GATE WIRE_FD_COUNT

/* Be the guest. Called in the freshly forked process. */
void guest_main(const struct guest_place *place) NORETURN;

/* Run the job that comes down the job pipe. Negative errno value: there was
 * none, its worker has gone. */
int guest_serve(const struct limits *limits);

/* The frame that ends a run, with what it has used. */
void guest_say_end(unsigned exit_code);

#endif
