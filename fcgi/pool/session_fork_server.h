/*
 * nursery - the process that the keepers of sessions are forked from. See
 * nursery.c.
 */
#ifndef TERRARIUM_NURSERY_H
#define TERRARIUM_NURSERY_H

#include "children.h"

/* Mold: start it, once it is warm itself and before it has forked a guest.
 * It closes the mold's own ORDERS. Returns its pid or a negative errno
 * value. */
pid_t nursery_start(struct zygote *zygote, int orders);

#endif
