/*
 * session_guest - the life of a guest that serves one call after another, where
 * it differs from other guests. See session_guest.c.
 */
#ifndef TERRARIUM_SESSION_GUEST_H
#define TERRARIUM_SESSION_GUEST_H

#include "guest.h"

/* The last step of arming: install the gate, then load the filter. */
int session_guest_lock(const struct guest_args *args);

/* Serve calls until killed. Follows arming. */
void session_guest_main(const struct guest_args *args) NORETURN;

#endif
