/* route_packages - see route_packages.h. */
#include "route_packages.h"

#include "fcgi/api/dify.h"
#include "fcgi/api/packages.h"

void route_packages(struct route_call *call)
{
	reply_bytes(&call->reply, call->box->packages.data,
		    call->box->packages.size);
	reply_text(&call->reply, "\n");
}

void route_packages_names(struct route_call *call)
{
	packages_names(&call->box->packages, &call->reply);
}

void route_packages_forbidden(struct route_call *call)
{
	struct bytes body;
	struct refusal why = {0};
	int rc = request_body(call->request, PACKAGES_BODY_MAX, &body, &why);

	if (rc == 0)
		rc = packages_forbid(&body, &call->reply, &why);
	free(body.data);
	if (rc < 0)
		route_call_refuse(call, NULL, &why);
}

void route_packages_dify(struct route_call *call)
{
	struct refusal why = {0};
	int rc = dify_language_of_query(
		request_param(call->request, "QUERY_STRING"), &why);

	if (rc < 0)
		route_call_refuse(call, &dify_door, &why);
	else
		dify_put_packages(&call->box->packages, &call->reply);
}

/* The operator installs packages, so this changes nothing. */
void route_packages_dify_update(struct route_call *call)
{
	struct bytes body;
	struct refusal why = {0};
	int rc = request_body(call->request, DIFY_BODY_MAX, &body, &why);

	if (rc == 0)
		rc = dify_language_of_body(&body, &why);
	free(body.data);
	if (rc < 0)
		route_call_refuse(call, &dify_door, &why);
	else
		dify_put_nothing(&call->reply);
}
