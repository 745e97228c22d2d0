/*
 * session_guest - what is different in the life of a guest that serves one
 * call after another. See session_guest.c.
 */
#ifndef TERRARIUM_SESSION_GUEST_H
#define TERRARIUM_SESSION_GUEST_H

#include "guest.h"

/* The last step of arming: put the gate up, then load the filter. */
int session_guest_lock(const struct guest_place *place);

/* What follows it: calls, until it is killed. */
void session_guest_main(const struct guest_place *place) NORETURN;

#endif
