/*
 * route_e2b - the calls of E2B's SDKs: about sandboxes, and of one sandbox.
 */
#ifndef TERRARIUM_ROUTE_E2B_H
#define TERRARIUM_ROUTE_E2B_H

#include "fcgi/e2b/e2b.h"
#include "route_call.h"

void route_e2b_create(struct route_call *call);
void route_e2b_list(struct route_call *call);
void route_e2b_detail(struct route_call *call);
void route_e2b_connect(struct route_call *call);
void route_e2b_timeout(struct route_call *call);
void route_e2b_resume(struct route_call *call);
void route_e2b_metrics(struct route_call *call);
void route_e2b_kill(struct route_call *call);
void route_e2b_health(struct route_call *call);
void route_e2b_execute(struct route_call *call);
void route_e2b_contexts(struct route_call *call);
void route_e2b_context_create(struct route_call *call);
void route_e2b_context_restart(struct route_call *call);
void route_e2b_context_remove(struct route_call *call);

void route_e2b_files_read(struct route_call *call);
void route_e2b_files_write(struct route_call *call);
void route_e2b_files_list(struct route_call *call);
void route_e2b_files_stat(struct route_call *call);
void route_e2b_files_make(struct route_call *call);
void route_e2b_files_move(struct route_call *call);
void route_e2b_files_remove(struct route_call *call);
void route_e2b_no_stream(struct route_call *call);
void route_e2b_no_processes(struct route_call *call);
void route_e2b_no_process(struct route_call *call);
void route_e2b_no_rpc(struct route_call *call);

/* The name of the session of a context, CONTEXT, of the sandbox ID. 0, or
 * -EINVAL with *WHY: 404 if there is none, or 410 without the sandbox. */
int route_e2b_context_name(struct route_call *call, const char *id,
			   const char *context, char name[SESSION_ORDER_ID_MAX],
			   struct refusal *why);

/* For files beside route_e2b.c: the id of the sandbox of a call to one of its
 * ports; and ask the master by KIND about the sandbox ID. ASK has what else that
 * needs. 0, or -EINVAL with *WHY: 410 if there is none. */
int route_e2b_port_id(const struct route_call *call, char out[E2B_ID + 1],
		      struct refusal *why);
/* The same; 401 if the request has no credential and the sandbox is secure. */
int route_e2b_open_id(struct route_call *call, char out[E2B_ID + 1],
		      struct refusal *why);

int route_e2b_ask(struct route_call *call, enum session_order_kind kind,
		  const char *id, struct session_order *ask,
		  struct session_order_sandbox *found, struct refusal *why);

#endif
