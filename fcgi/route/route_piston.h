/*
 * route_piston - the paths of the Piston door that run nothing.
 */
#ifndef TERRARIUM_ROUTE_PISTON_H
#define TERRARIUM_ROUTE_PISTON_H

#include "route_call.h"

void route_piston_runtimes(struct route_call *call);
void route_piston_packages(struct route_call *call);
void route_piston_install(struct route_call *call);
void route_piston_remove(struct route_call *call);
void route_piston_connect(struct route_call *call);

#endif
