/*
 * route_opensandbox - the calls of OpenSandbox's clients: about sandboxes, and
 * of one sandbox.
 */
#ifndef TERRARIUM_ROUTE_OPENSANDBOX_H
#define TERRARIUM_ROUTE_OPENSANDBOX_H

#include "fcgi/opensandbox/opensandbox.h"
#include "route_e2b.h"

void route_opensandbox_create(struct route_call *call);
void route_opensandbox_list(struct route_call *call);
void route_opensandbox_detail(struct route_call *call);
void route_opensandbox_delete(struct route_call *call);
void route_opensandbox_renew(struct route_call *call);
void route_opensandbox_endpoint(struct route_call *call);

void route_opensandbox_ping(struct route_call *call);
void route_opensandbox_code(struct route_call *call);
void route_opensandbox_contexts(struct route_call *call);
void route_opensandbox_contexts_remove(struct route_call *call);
void route_opensandbox_context_create(struct route_call *call);
void route_opensandbox_context_detail(struct route_call *call);
void route_opensandbox_context_remove(struct route_call *call);
void route_opensandbox_no_interrupt(struct route_call *call);
void route_opensandbox_no_shell(struct route_call *call);

void route_opensandbox_download(struct route_call *call);
void route_opensandbox_upload(struct route_call *call);
void route_opensandbox_info(struct route_call *call);
void route_opensandbox_remove_files(struct route_call *call);
void route_opensandbox_move(struct route_call *call);
void route_opensandbox_directory(struct route_call *call);
void route_opensandbox_make(struct route_call *call);
void route_opensandbox_remove_directories(struct route_call *call);

/* The id of the sandbox of a call to execd, from the path. 0, or -EINVAL with
 * *WHY: 410 if it is none. */
int route_opensandbox_id(const struct route_call *call, char out[E2B_ID + 1],
			 struct refusal *why);

#endif
