/* route_sessions - see route_sessions.h. */
#include "route_sessions.h"

#include <errno.h>

#include "fcgi/code_interpreter/code_interpreter.h"
#include "fcgi/code_interpreter/code_interpreter_v1.h"

/* Read the session names from the body of a request. OTHER may be NULL. */
static int route_sessions_names(struct route_call *call, struct bytes *name,
				struct bytes *other, struct refusal *why)
{
	const struct session_client client = route_call_sessions(call);
	struct bytes body;
	int rc = request_body(call->request, CODE_INTERPRETER_NAMES_MAX, &body,
			      why);

	if (rc == 0)
		rc = session_client_are_on(&client, why);
	if (rc == 0)
		rc = code_interpreter_names(body.data, body.size, name, other,
					    why);
	if (rc == 0)
		rc = session_client_check(&client, CODE_INTERPRETER_NAME,
					  name->data, why);
	if (rc == 0 && other)
		rc = session_client_check(&client, CODE_INTERPRETER_OTHER,
					  other->data, why);
	free(body.data);
	return rc;
}

void route_sessions_release(struct route_call *call)
{
	const struct session_client client = route_call_sessions(call);
	struct bytes name = {0};
	struct refusal why = {0};
	bool there = false;
	int rc = route_sessions_names(call, &name, NULL, &why);

	if (rc == 0)
		rc = session_client_release(&client, name.data, false, &there,
					    &why);
	if (rc < 0)
		route_call_refuse(call, &code_interpreter_door, &why);
	else
		code_interpreter_released(there, &call->reply);
	free(name.data);
}

void route_sessions_fork(struct route_call *call)
{
	const struct session_client client = route_call_sessions(call);
	struct bytes name = {0}, other = {0};
	struct refusal why = {0};
	int rc = route_sessions_names(call, &name, &other, &why);

	if (rc == 0)
		rc = session_client_fork(&client, name.data, other.data, &why);
	if (rc < 0)
		route_call_refuse(call, &code_interpreter_door, &why);
	else
		code_interpreter_forked(&call->reply);
	free(name.data);
	free(other.data);
}

/* The name of the session comes in the query, and there is no body. */
static int route_sessions_v1_name(struct route_call *call,
				  const struct session_client *client,
				  struct bytes *name, struct refusal *why)
{
	struct findings findings = {0};
	int rc = session_client_are_on(client, why);

	if (rc == 0)
		rc = code_interpreter_v1_name(
			request_param(call->request, "QUERY_STRING"), name,
			&findings);
	if (rc == -ENOMEM)
		refuse(why, 500, "internal_error",
		       "the server ran out of memory");
	if (rc == 0)
		rc = findings_refuse(&findings, why);
	return rc == 0 ? session_client_check(client, CODE_INTERPRETER_V1_NAME,
					      name->data, why)
		       : rc;
}

void route_sessions_v1_release(struct route_call *call)
{
	const struct session_client client = route_call_sessions(call);
	struct bytes name = {0};
	struct refusal why = {0};
	bool there = false;
	int rc = route_sessions_v1_name(call, &client, &name, &why);

	if (rc == 0)
		rc = session_client_release(&client, name.data, false, &there,
					    &why);
	if (rc < 0)
		route_call_refuse(call, &code_interpreter_v1_door, &why);
	else
		code_interpreter_v1_released(there, &call->reply);
	free(why.list);
	free(name.data);
}
