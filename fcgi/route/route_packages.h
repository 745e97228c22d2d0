/*
 * route_packages - requests about installed packages, as rows of route.c serve
 * them.
 */
#ifndef TERRARIUM_ROUTE_PACKAGES_H
#define TERRARIUM_ROUTE_PACKAGES_H

#include "route_call.h"

void route_packages(struct route_call *call);
void route_packages_names(struct route_call *call);
void route_packages_forbidden(struct route_call *call);
void route_packages_dify(struct route_call *call);
void route_packages_dify_update(struct route_call *call);

#endif
