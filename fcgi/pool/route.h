/*
 * route - finds the door for a request's path.
 */
#ifndef TERRARIUM_ROUTE_H
#define TERRARIUM_ROUTE_H

#include "conf/conf.h"
#include "sandbox/guest/run.h"
#include "fcgi/http/reply.h"
#include "fcgi/shared/report.h"
#include "fcgi/http/request.h"
#include "fcgi/sessions/session_client.h"

/* The parts that a door works with. */
struct route_call {
	const struct conf *conf;
	const struct box *box;
	struct run *run; /* an armed guest; NULL: there is none */
	int registry;	 /* of sessions; -1: there are none */
	int archive; /* socket to the archive process; -1: there is none */
	bool refuse_all; /* answer 503, also to requests that need no guest */
	const char *why_not; /* with run NULL: the reason, for the client */
	struct request *request;
	struct reply reply; /* the door fills it in */
	struct outcome outcome; /* lives until the reply is sent */
	struct report report; /* the door fills it in */
	struct session_client_end session; /* of a job that ran in a session */
};

/* Find the door of CALL's request, and let it fill in the reply. */
void route_serve(struct route_call *call);

#endif
