/*
 * guest - the process that runs a stranger's program. See guest.c for its
 * life.
 */
#ifndef TERRARIUM_GUEST_H
#define TERRARIUM_GUEST_H

#include "home.h"
#include "sandbox.h"
#include "wire.h"

/* What a worker gives its guest. */
struct guest_place {
	const struct sandbox *box;
	unsigned slot;
	const struct home *home;
	int fds[WIRE_FD_COUNT]; /* the guest's ends of its pipes */
};

/* Be the guest. Called in the freshly forked process. */
void guest_main(const struct guest_place *place) NORETURN;

#endif
