/*
 * guest - the process that runs one client's program. See guest.c for its life.
 */
#ifndef TERRARIUM_GUEST_H
#define TERRARIUM_GUEST_H

#include "sandbox/filesystem/home.h"
#include "box.h"
#include "sandbox/ipc/wire.h"

#define GUEST_FD_ABOVE 16 /* pipe ends are moved to here and above first */

/* A new guest's surroundings, from the process that forks it. */
struct guest_args {
	const struct box *box;
	unsigned slot;
	const struct home *home;
	const struct cgroup_slot *group; /* with the descriptors that enter
					  * it */
	int fds[WIRE_FD_COUNT]; /* the guest's ends of its pipes */
	int gate; /* a session's: socket that passes its gate's listener; else
		   * -1 */
	bool by_fork_server; /* its parent; but it ends with its worker */
};

/* A session's gate has this number in the guest, behind the pipes. */
#define GUEST_FD_GATE WIRE_FD_COUNT

/* Become the guest. Called in the new process. */
void guest_main(const struct guest_args *args) NORETURN;

/* Read a job from the job pipe and run it. Negative errno value: there was
 * none, because the worker has gone. */
int guest_serve(const struct limits *limits);

/* Send the frame that ends a run, with the resources that it used. */
void guest_send_end(unsigned exit_code);

#endif
