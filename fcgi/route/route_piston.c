/* route_piston - see route_piston.h. */
#include "route_piston.h"

#include "fcgi/piston/piston.h"
#include "fcgi/piston/piston_reply.h"

void route_piston_runtimes(struct route_call *call)
{
	piston_reply_runtimes(call->box->python, &call->reply);
}

void route_piston_packages(struct route_call *call)
{
	piston_reply_packages(call->box->python, &call->reply);
}

/* Read the package that the body names, which must be the one there is. */
static int route_piston_package(struct route_call *call, struct refusal *why)
{
	struct bytes body = {0};
	int rc = piston_check_type(request_param(call->request, "CONTENT_TYPE"),
				   why);

	if (rc == 0)
		rc = request_body(call->request, PISTON_BODY_MAX, &body, why);
	if (rc == 0)
		rc = piston_find_package(&body, call->box->python, why);
	free(body.data);
	return rc;
}

/* It is installed already. */
void route_piston_install(struct route_call *call)
{
	struct refusal why = {0};

	if (route_piston_package(call, &why) < 0)
		route_call_refuse(call, &piston_door, &why);
	else
		piston_reply_package(call->box->python, &call->reply);
}

void route_piston_remove(struct route_call *call)
{
	struct refusal why = {0};

	if (route_piston_package(call, &why) == 0)
		refuse(&why, 403, "invalid",
		       "The operator installs packages; this one stays");
	route_call_refuse(call, &piston_door, &why);
}

/* The original's interactive runs, by a WebSocket. */
void route_piston_connect(struct route_call *call)
{
	struct refusal why = {0};

	refuse(&why, 501, "invalid",
	       "interactive runs are not served here; POST to execute instead");
	route_call_refuse(call, &piston_door, &why);
}
