/*
 * route_call - one request on its way: its parts, and the steps that the routes
 * share: parse by a door, run, answer or refuse.
 */
#ifndef TERRARIUM_ROUTE_CALL_H
#define TERRARIUM_ROUTE_CALL_H

#include "conf/conf.h"
#include "sandbox/guest/run.h"
#include "fcgi/api/door.h"
#include "fcgi/http/reply.h"
#include "fcgi/shared/report.h"
#include "fcgi/http/request.h"
#include "fcgi/sessions/session_client.h"
#include "fcgi/api/events.h"

#define ROUTE_CALL_ALLOW_MAX 32 /* "GET, HEAD, POST, PUT, DELETE" */

/* The parts that a door works with. */
struct route_call {
	const struct conf *conf;
	const struct box *box;
	struct run *run; /* an armed guest; NULL: there is none */
	int registry; /* of sessions; -1: there are none */
	int archive; /* socket to the archive process; -1: there is none */
	int orders; /* socket for orders about streams */
	bool refuse_all; /* answer 503, also to requests that need no guest */
	const char *why_not; /* with run NULL: the reason, for the client */
	struct request *request;
	struct reply reply; /* the door fills it in */
	struct outcome outcome; /* lives until the reply is sent */
	struct report report; /* the door fills it in */
	const struct door *door; /* of the path; NULL: it has none */
	struct refusal why; /* with status 0: it was not refused */
	char allow[ROUTE_CALL_ALLOW_MAX]; /* methods of the path, for 405 */
	struct session_client_end session; /* of a job that ran in a session */
	const struct door_stream *streams; /* the answer is to be a stream, of
					    * this door; or NULL */
	struct stream stream;
	struct events events;
	struct limits limits; /* of a call by the request's door */
	bool own_time; /* LIMITS has that door's own time */
	struct session_files files; /* of a session; lives as OUTCOME does */
	bool answered; /* before the run: reply_send_early() */
	int reader; /* once ANSWERED: the run ends when this socket is closed */
};

/* Serve a request that is one job by DOOR. */
void route_call_serve(struct route_call *call, const struct door *door);

/* The answer is there: complete the report. */
void route_call_report(struct route_call *call);

/* Answer with an error in the shape of DOOR (NULL:
 * the native door's); and the client as an owner of sessions. */
void route_call_refuse(struct route_call *call, const struct door *door,
		       const struct refusal *why);
struct session_client route_call_sessions(const struct route_call *call);

/* Make the answer to the next job a stream of FORM. CONTEXT is for its lines
 * (events.h). */
void route_call_stream(struct route_call *call,
		       const struct door_stream *streams, enum accept_form form,
		       const void *context);

/* For a door whose requests are not all jobs: the most that a job may ask for;
 * run JOB, with its door's name for the session (0, or a negative errno value
 * with *WHY filled in); and render its answer. */
struct door_limits route_call_door_limits(const struct route_call *call);
int route_call_run_job(struct route_call *call, const struct door *door,
		       const struct job *job, struct refusal *why);
void route_call_answer(struct route_call *call, const struct door *door,
		       const struct job *job);

#endif
