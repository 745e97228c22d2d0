/*
 * registry_orders - the orders of workers (session_order.h): find the session
 * or begin one, make room for it, and hand the order on.
 */
#ifndef TERRARIUM_REGISTRY_ORDERS_H
#define TERRARIUM_REGISTRY_ORDERS_H

#include "registry.h"

/* Serve orders that have come, at most REGISTRY_AT_ONCE. Each one is answered,
 * by a refusal if it cannot be served, or goes to a process that answers it.
 * An order without sense, or without a worker that waits, is dropped. */
void registry_orders_serve(struct registry *registry);

#endif
