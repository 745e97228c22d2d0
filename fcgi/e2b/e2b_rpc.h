/*
 * e2b_rpc - the calls of E2B's SDKs in the protocol Connect: of files, and of
 * processes, which there are none of here.
 */
#ifndef TERRARIUM_E2B_RPC_H
#define TERRARIUM_E2B_RPC_H

#include "fcgi/api/door.h"

/* The form of refusals: {"code": a word, "message"}. */
extern const struct door e2b_rpc_door;

/* Refuse a call with a stream as its answer, by one frame with status 200: SDKs
 * show its sentence, but not that of another status. */
void e2b_rpc_no_stream(struct reply *reply);

/* The sentence of each refusal to start a process. */
extern const char e2b_rpc_no_shell[];

#endif
