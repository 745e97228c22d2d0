/*
 * route - which path is which door.
 */
#ifndef TERRARIUM_ROUTE_H
#define TERRARIUM_ROUTE_H

#include "conf/conf.h"
#include "sandbox/guest/run.h"
#include "fcgi/http/reply.h"
#include "fcgi/shared/report.h"
#include "fcgi/http/request.h"
#include "fcgi/sessions/session_client.h"

/* What a door has to work with. */
struct route_call {
	const struct conf *conf;
	const struct box *box;
	struct run *run; /* an armed guest; NULL: none can be had */
	int registry;	 /* of sessions; -1: there are none */
	int archive; /* the archive process; -1: there is none */
	bool crowded;	 /* nothing is served, not even without a guest */
	const char *why_not; /* with run NULL: the reason, for the client */
	struct request *request;
	struct reply reply;   /* to be filled in */
	struct outcome outcome; /* lives until the reply is sent */
	struct report report; /* to be filled in */
	struct session_client_end session; /* of a job that ran in one */
};

/* Find the door of CALL's request and let it fill in the reply. */
void route_serve(struct route_call *call);

#endif
