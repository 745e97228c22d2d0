/*
 * route_files - the code-interpreter door's calls for files of a session, as
 * rows of route.c serve them.
 */
#ifndef TERRARIUM_ROUTE_FILES_H
#define TERRARIUM_ROUTE_FILES_H

#include "route_call.h"

void route_files_upload(struct route_call *call);
void route_files_export(struct route_call *call);
void route_files_remove(struct route_call *call);
void route_files_list(struct route_call *call);
void route_files_fetch(struct route_call *call);
void route_files_replace(struct route_call *call);

#endif
