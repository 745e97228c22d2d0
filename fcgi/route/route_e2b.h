/*
 * route_e2b - the calls of E2B's SDKs: about sandboxes, and of one sandbox.
 */
#ifndef TERRARIUM_ROUTE_E2B_H
#define TERRARIUM_ROUTE_E2B_H

#include "fcgi/e2b/e2b.h"
#include "fcgi/e2b/e2b_files.h"
#include "fcgi/e2b/e2b_list.h"
#include "fcgi/e2b/e2b_reply.h"
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

/*
 * For another API of sandboxes. All return 0, or a negative errno value with
 * *WHY, of which 410 means that there is no such sandbox.
 */

/* Begin a sandbox as the request says that READ reads; FOUND describes it, unless
 * the client left. */
int route_e2b_new(struct route_call *call,
		  int (*read)(struct e2b_request *, struct refusal *),
		  struct session_order_sandbox *found, struct refusal *why);

/* The id that the path has behind "sandboxes/"; and its sandbox. */
int route_e2b_path_id(const struct route_call *call, char out[E2B_ID + 1],
		      struct refusal *why);
int route_e2b_look(struct route_call *call,
		   struct session_order_sandbox *found, struct refusal *why);

/* The body of a call about a sandbox, to be freed. */
int route_e2b_body(struct route_call *call, struct bytes *body,
		   struct refusal *why);

/* End the sandbox ID. Add those of all the client's that LIST asks for. */
int route_e2b_end(struct route_call *call, const char *id,
		  struct refusal *why);
int route_e2b_collect(struct route_call *call, struct e2b_list *list,
		      struct refusal *why);

/* FOUND for an answer, which borrows it. */
struct e2b_sandbox
route_e2b_describe(const struct route_call *call,
		   const struct session_order_sandbox *found);

/* Name the session of RUN in its job: that of the sandbox ID, or of one of its
 * contexts. */
int route_e2b_name(struct route_call *call, const struct e2b_run *run,
		   const char *id, struct refusal *why);

/* Have the session keeper do REQUEST, which has been read, in the sandbox ID. The
 * result is in CALL->files. */
int route_e2b_files_do(struct route_call *call, struct e2b_files *request,
		       const char *id, struct refusal *why);

/* ENTRY of a result, which it borrows. */
struct e2b_files_entry
route_e2b_files_entry(const struct home_files_entry *entry);

/* Contexts of the sandbox ID: write the list; make one, and write it; end the one
 * of the session NAME. */
int route_e2b_contexts_put(struct route_call *call, const char *id,
			   struct refusal *why);
int route_e2b_context_make(struct route_call *call,
			   const struct e2b_context *request, const char *id,
			   struct refusal *why);
int route_e2b_context_end(struct route_call *call, const char *name,
			  struct refusal *why);

#endif
