/* route - see route.h. */
#include "route.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "discovery.h"
#include "fcgi/api/dify.h"
#include "fcgi/api/native.h"
#include "fcgi/api/ragflow.h"
#include "fcgi/api/solver_api.h"
#include "fcgi/code_interpreter/code_interpreter.h"
#include "fcgi/code_interpreter/code_interpreter_v1.h"
#include "fcgi/e2b/e2b.h"
#include "fcgi/e2b/e2b_files.h"
#include "fcgi/e2b/e2b_rpc.h"
#include "fcgi/mcp/mcp.h"
#include "fcgi/openapi/operations.h"
#include "fcgi/opensandbox/opensandbox.h"
#include "fcgi/piston/piston.h"
#include "fcgi/snekbox/snekbox.h"
#include "route_e2b.h"
#include "route_files.h"
#include "route_mcp.h"
#include "route_opensandbox.h"
#include "route_packages.h"
#include "route_piston.h"
#include "route_sessions.h"
#include "route_sse.h"

/* Clients of another server call this path to stop a run that hangs. Here a run
 * ends when its client hangs up, so nothing is left to do. */
static void route_stop(struct route_call *call)
{
	reply_text(&call->reply, "{\"status\":\"ok\"}\n");
}

static void route_discovery(struct route_call *call);

/* ---- the table ------------------------------------------------------- */

/* Doors with a time limit of their own for the calls of sessions. */
static const struct {
	const struct door *door;
	size_t offset; /* in struct conf, of an unsigned: milliseconds */
} route_times[] = {
	{&code_interpreter_door,
	 offsetof(struct conf, doors.code_interpreter_timeout_ms)},
	{&code_interpreter_v1_door,
	 offsetof(struct conf, doors.code_interpreter_timeout_ms)},
	{&e2b_port_door,
	 offsetof(struct conf, doors.code_interpreter_timeout_ms)},
	{&opensandbox_run_door,
	 offsetof(struct conf, doors.code_interpreter_timeout_ms)},
};

static void route_set_limits(struct route_call *call, const struct door *door)
{
	call->limits = call->conf->limits;
	for (size_t i = 0; i < ARRAY_LEN(route_times); i++) {
		if (route_times[i].door != door)
			continue;
		memcpy(&call->limits.timeout_ms,
		       (const char *)call->conf + route_times[i].offset,
		       sizeof(call->limits.timeout_ms));
		call->own_time = true;
	}
}

/* To add an endpoint, add a row, and a line to nginx.conf.example. */
static const struct route_row {
	const char *method;
	const char *path;
	/* Shape of its errors; NULL: the native door's. */
	const struct door *door;
	void (*serve)(struct route_call *call); /* NULL: the door runs a job */
	const struct operation *operation; /* for /openapi.json */
} route_rows[] = {
	{"POST", "/", &native_door, NULL, &native_run_operation},
	{"GET", "/", NULL, route_discovery, &native_discovery_operation},
	{"POST", "/run", &ragflow_door, NULL, &ragflow_run_operation},
	{"POST", "/api/ai/python-execute", &solver_api_execute_door, NULL,
	 &solver_execute_operation},
	{"POST", "/api/ai/python-syntax-check", &solver_api_syntax_door, NULL,
	 &solver_syntax_operation},
	{"POST", "/api/ai/python-ast-check", &solver_api_ast_door, NULL,
	 &solver_ast_operation},
	{"POST", "/execute", &code_interpreter_door, NULL,
	 &session_execute_operation},
	{"POST", "/release", &code_interpreter_door, route_sessions_release,
	 &session_release_operation},
	{"POST", "/fork", &code_interpreter_door, route_sessions_fork,
	 &session_fork_operation},
	{"POST", "/api/v1/execute", &code_interpreter_v1_door, NULL,
	 &session_v1_execute_operation},
	{"POST", "/api/v1/release", &code_interpreter_v1_door,
	 route_sessions_v1_release, &session_v1_release_operation},
	{"GET", "/api/v1/files", &code_interpreter_v1_door, route_files_list,
	 &session_v1_list_operation},
	{"POST", "/api/v1/files", &code_interpreter_v1_door, route_files_upload,
	 &session_v1_upload_operation},
	{"DELETE", "/api/v1/files", &code_interpreter_v1_door,
	 route_files_remove, &session_v1_remove_operation},
	{"POST", "/api/v1/files/export", &code_interpreter_v1_door,
	 route_files_export, &session_v1_export_operation},
	{"GET", "/api/v1/files/content", &code_interpreter_v1_door,
	 route_files_fetch, &session_v1_fetch_operation},
	{"PUT", "/api/v1/files/content", &code_interpreter_v1_door,
	 route_files_replace, &session_v1_replace_operation},
	{"POST", "/eval", &snekbox_door, NULL, &snekbox_eval_operation},
	{"POST", "/api/v2/execute", &piston_door, NULL,
	 &piston_execute_operation},
	{"GET", "/api/v2/runtimes", &piston_door, route_piston_runtimes,
	 &piston_runtimes_operation},
	{"GET", "/api/v2/packages", &piston_door, route_piston_packages,
	 &piston_packages_operation},
	{"POST", "/api/v2/packages", &piston_door, route_piston_install,
	 &piston_install_operation},
	{"DELETE", "/api/v2/packages", &piston_door, route_piston_remove,
	 &piston_remove_operation},
	{"GET", "/api/v2/connect", &piston_door, route_piston_connect,
	 &piston_connect_operation},
	{"POST", "/api/v2/piston/execute", &piston_door, NULL,
	 &piston_public_execute_operation},
	{"GET", "/api/v2/piston/runtimes", &piston_door, route_piston_runtimes,
	 &piston_public_runtimes_operation},
	{"GET", "/api/v2/piston/packages", &piston_door, route_piston_packages,
	 &piston_public_packages_operation},
	{"POST", "/api/v2/piston/packages", &piston_door, route_piston_install,
	 &piston_public_install_operation},
	{"DELETE", "/api/v2/piston/packages", &piston_door, route_piston_remove,
	 &piston_public_remove_operation},
	{"GET", "/api/v2/piston/connect", &piston_door, route_piston_connect,
	 &piston_public_connect_operation},
	{"POST", "/v1/sandbox/run", &dify_door, NULL, &dify_run_operation},
	{"GET", "/v1/sandbox/dependencies", &dify_door, route_packages_dify,
	 &dify_packages_operation},
	{"GET", "/v1/sandbox/dependencies/refresh", &dify_door,
	 route_packages_dify, &dify_refresh_operation},
	{"POST", "/v1/sandbox/dependencies/update", &dify_door,
	 route_packages_dify_update, &dify_update_operation},
	{"POST", "/mcp", &mcp_door, route_mcp, &mcp_operation},
	{"POST", "/messages", &mcp_door, route_sse, &mcp_messages_operation},
	{"GET", "/sse", &mcp_door, route_sse_elsewhere, &mcp_sse_operation},
	{"POST", "/e2b/sandboxes", &e2b_door, route_e2b_create,
	 &e2b_create_operation},
	{"POST", "/e2b/v2/sandboxes", &e2b_door, route_e2b_create,
	 &e2b_create_v2_operation},
	{"GET", "/e2b/sandboxes", &e2b_door, route_e2b_list,
	 &e2b_list_operation},
	{"GET", "/e2b/v2/sandboxes", &e2b_door, route_e2b_list,
	 &e2b_list_v2_operation},
	{"GET", "/e2b/sandboxes/{sandboxID}", &e2b_door, route_e2b_detail,
	 &e2b_detail_operation},
	{"DELETE", "/e2b/sandboxes/{sandboxID}", &e2b_door, route_e2b_kill,
	 &e2b_kill_operation},
	{"POST", "/e2b/sandboxes/{sandboxID}/connect", &e2b_door,
	 route_e2b_connect, &e2b_connect_operation},
	{"POST", "/e2b/v2/sandboxes/{sandboxID}/connect", &e2b_door,
	 route_e2b_connect, &e2b_connect_v2_operation},
	{"POST", "/e2b/sandboxes/{sandboxID}/timeout", &e2b_door,
	 route_e2b_timeout, &e2b_timeout_operation},
	{"POST", "/e2b/sandboxes/{sandboxID}/resume", &e2b_door,
	 route_e2b_resume, &e2b_resume_operation},
	{"GET", "/e2b/sandboxes/{sandboxID}/metrics", &e2b_door,
	 route_e2b_metrics, &e2b_metrics_operation},
	{"GET", "/e2b/health", &e2b_port_door, route_e2b_health,
	 &e2b_health_operation},
	{"POST", "/e2b/execute", &e2b_port_door, route_e2b_execute,
	 &e2b_execute_operation},
	{"GET", "/e2b/contexts", &e2b_port_door, route_e2b_contexts,
	 &e2b_contexts_operation},
	{"POST", "/e2b/contexts", &e2b_port_door, route_e2b_context_create,
	 &e2b_context_create_operation},
	{"POST", "/e2b/contexts/{contextID}/restart", &e2b_port_door,
	 route_e2b_context_restart, &e2b_context_restart_operation},
	{"DELETE", "/e2b/contexts/{contextID}", &e2b_port_door,
	 route_e2b_context_remove, &e2b_context_remove_operation},
	{"POST", "/e2b/process.Process/Start", &e2b_rpc_door,
	 route_e2b_no_stream, &e2b_process_start_operation},
	{"POST", "/e2b/process.Process/Connect", &e2b_rpc_door,
	 route_e2b_no_stream, &e2b_process_connect_operation},
	{"POST", "/e2b/filesystem.Filesystem/WatchDir", &e2b_rpc_door,
	 route_e2b_no_stream, &e2b_watch_operation},
	{"POST", "/e2b/process.Process/List", &e2b_rpc_door,
	 route_e2b_no_processes, &e2b_process_list_operation},
	{"POST", "/e2b/process.Process/SendSignal", &e2b_rpc_door,
	 route_e2b_no_process, &e2b_process_signal_operation},
	{"POST", "/e2b/process.Process/{method}", &e2b_rpc_door,
	 route_e2b_no_rpc, &e2b_process_other_operation},
	{"GET", "/e2b/files", &e2b_files_door, route_e2b_files_read,
	 &e2b_files_read_operation},
	{"POST", "/e2b/files", &e2b_files_door, route_e2b_files_write,
	 &e2b_files_write_operation},
	{"POST", "/e2b/filesystem.Filesystem/ListDir", &e2b_rpc_door,
	 route_e2b_files_list, &e2b_files_list_operation},
	{"POST", "/e2b/filesystem.Filesystem/Stat", &e2b_rpc_door,
	 route_e2b_files_stat, &e2b_files_stat_operation},
	{"POST", "/e2b/filesystem.Filesystem/MakeDir", &e2b_rpc_door,
	 route_e2b_files_make, &e2b_files_make_operation},
	{"POST", "/e2b/filesystem.Filesystem/Move", &e2b_rpc_door,
	 route_e2b_files_move, &e2b_files_move_operation},
	{"POST", "/e2b/filesystem.Filesystem/Remove", &e2b_rpc_door,
	 route_e2b_files_remove, &e2b_files_remove_operation},
	{"POST", "/opensandbox/v1/sandboxes", &opensandbox_door,
	 route_opensandbox_create, &opensandbox_create_operation},
	{"GET", "/opensandbox/v1/sandboxes", &opensandbox_door,
	 route_opensandbox_list, &opensandbox_list_operation},
	{"GET", "/opensandbox/v1/sandboxes/{sandboxID}", &opensandbox_door,
	 route_opensandbox_detail, &opensandbox_detail_operation},
	{"DELETE", "/opensandbox/v1/sandboxes/{sandboxID}", &opensandbox_door,
	 route_opensandbox_delete, &opensandbox_delete_operation},
	{"POST", "/opensandbox/v1/sandboxes/{sandboxID}/renew-expiration",
	 &opensandbox_door, route_opensandbox_renew,
	 &opensandbox_renew_operation},
	{"GET", "/opensandbox/v1/sandboxes/{sandboxID}/endpoints/{port}",
	 &opensandbox_door, route_opensandbox_endpoint,
	 &opensandbox_endpoint_operation},
	{"GET", "/opensandbox/{sandboxID}/ping", &opensandbox_run_door,
	 route_opensandbox_ping, &opensandbox_ping_operation},
	{"POST", "/opensandbox/{sandboxID}/code", &opensandbox_run_door,
	 route_opensandbox_code, &opensandbox_code_operation},
	{"DELETE", "/opensandbox/{sandboxID}/code", &opensandbox_run_door,
	 route_opensandbox_no_interrupt, &opensandbox_interrupt_operation},
	{"POST", "/opensandbox/{sandboxID}/code/context",
	 &opensandbox_run_door, route_opensandbox_context_create,
	 &opensandbox_context_create_operation},
	{"GET", "/opensandbox/{sandboxID}/code/contexts",
	 &opensandbox_run_door, route_opensandbox_contexts,
	 &opensandbox_contexts_operation},
	{"DELETE", "/opensandbox/{sandboxID}/code/contexts",
	 &opensandbox_run_door, route_opensandbox_contexts_remove,
	 &opensandbox_contexts_remove_operation},
	{"GET", "/opensandbox/{sandboxID}/code/contexts/{contextID}",
	 &opensandbox_run_door, route_opensandbox_context_detail,
	 &opensandbox_context_operation},
	{"DELETE", "/opensandbox/{sandboxID}/code/contexts/{contextID}",
	 &opensandbox_run_door, route_opensandbox_context_remove,
	 &opensandbox_context_remove_operation},
	{"GET", "/opensandbox/{sandboxID}/files/download",
	 &opensandbox_run_door, route_opensandbox_download,
	 &opensandbox_download_operation},
	{"POST", "/opensandbox/{sandboxID}/files/upload",
	 &opensandbox_run_door, route_opensandbox_upload,
	 &opensandbox_upload_operation},
	{"GET", "/opensandbox/{sandboxID}/files/info", &opensandbox_run_door,
	 route_opensandbox_info, &opensandbox_info_operation},
	{"DELETE", "/opensandbox/{sandboxID}/files", &opensandbox_run_door,
	 route_opensandbox_remove_files, &opensandbox_remove_files_operation},
	{"POST", "/opensandbox/{sandboxID}/files/mv", &opensandbox_run_door,
	 route_opensandbox_move, &opensandbox_move_operation},
	{"GET", "/opensandbox/{sandboxID}/directories/list",
	 &opensandbox_run_door, route_opensandbox_directory,
	 &opensandbox_directory_operation},
	{"POST", "/opensandbox/{sandboxID}/directories",
	 &opensandbox_run_door, route_opensandbox_make,
	 &opensandbox_make_operation},
	{"DELETE", "/opensandbox/{sandboxID}/directories",
	 &opensandbox_run_door, route_opensandbox_remove_directories,
	 &opensandbox_remove_directories_operation},
	{"POST", "/opensandbox/{sandboxID}/command", &opensandbox_run_door,
	 route_opensandbox_no_shell, &opensandbox_command_operation},
	{"POST", "/opensandbox/{sandboxID}/session", &opensandbox_run_door,
	 route_opensandbox_no_shell, &opensandbox_session_operation},
	{"GET", "/packages", NULL, route_packages, &native_packages_operation},
	{"GET", "/available-packages", NULL, route_packages_names,
	 &native_names_operation},
	{"POST", "/forbidden-packages", NULL, route_packages_forbidden,
	 &native_forbidden_operation},
	{"GET", "/stop", NULL, route_stop, &native_stop_operation},
};

size_t route_paths(struct operation_path *paths, size_t room)
{
	size_t count = ARRAY_LEN(route_rows);

	for (size_t i = 0; i < count && i < room; i++) {
		const struct route_row *row = &route_rows[i];

		paths[i] = (struct operation_path){
			row->method, row->path,
			(row->door ? row->door : &native_door)->name,
			row->operation};
	}
	return count;
}

/* What a client can find out: the doors are those of the table. */
static void route_discovery(struct route_call *call)
{
	struct discovery_path paths[ARRAY_LEN(route_rows)];

	for (size_t i = 0; i < ARRAY_LEN(route_rows); i++) {
		const struct route_row *row = &route_rows[i];

		paths[i] = (struct discovery_path){
			(row->door ? row->door : &native_door)->name,
			row->method, row->path};
	}
	const struct discovery facts = {.conf = call->conf,
					.python = call->box->python,
					.sessions = call->registry >= 0,
					.streaming = true,
					.paths = paths,
					.paths_count = ARRAY_LEN(paths)};

	discovery_answer(&facts, &call->reply);
}

static bool route_has(const char *path, const char *method)
{
	for (size_t i = 0; i < ARRAY_LEN(route_rows); i++)
		if (strcmp(route_rows[i].path, path) == 0 &&
		    strcmp(route_rows[i].method, method) == 0)
			return true;
	return false;
}

/* Write the methods of PATH to ALLOW, for the header of that name. */
static void route_allow(const char *path, char allow[ROUTE_CALL_ALLOW_MAX])
{
	static const char *const methods[][2] = {
		{"GET", "GET, HEAD"}, {"POST", "POST"}, {"PUT", "PUT"},
		{"DELETE", "DELETE"}};
	size_t used = 0;

	for (size_t i = 0; i < ARRAY_LEN(methods); i++)
		if (route_has(path, methods[i][0]))
			used += (size_t)snprintf(
				allow + used, ROUTE_CALL_ALLOW_MAX - used,
				"%s%s", used ? ", " : "", methods[i][1]);
}

static bool route_method(const struct route_row *row, const char *method)
{
	return strcmp(row->method, method) == 0 ||
	       (strcmp(row->method, "GET") == 0 && strcmp(method, "HEAD") == 0);
}

/* Is PATH of the form PATTERN, in which {word} stands for any component? */
static bool route_matches(const char *pattern, const char *path)
{
	while (*pattern && *path) {
		if (*pattern == '{') {
			size_t size = strcspn(path, "/");

			if (size == 0)
				return false;
			path += size;
			pattern += strcspn(pattern, "}") + 1;
		} else if (*pattern++ != *path++) {
			return false;
		}
	}
	return *pattern == *path;
}

/* Find the row of the path. KNOWN: it has the method, too. */
static const struct route_row *route_find(const struct request *request,
					  bool *known)
{
	const char *path = request_param(request, "DOCUMENT_URI");
	const char *method = request_param(request, "REQUEST_METHOD");
	const struct route_row *found = NULL;

	*known = false;
	for (size_t i = 0; i < ARRAY_LEN(route_rows) && !*known; i++) {
		if (!route_matches(route_rows[i].path, path))
			continue;
		found = &route_rows[i];
		*known = route_method(found, method);
	}
	return found;
}

/* May ROW serve the request? If not, returns a negative errno value with the
 * refusal in WHY. */
static int route_check(struct route_call *call, const struct route_row *row,
		       bool known, struct refusal *why)
{
	int rc = request_check(call->request, why);

	if (rc < 0)
		return rc;
	if (!row)
		return refuse(why, 404, "not_found",
			      "there is nothing at this path");
	if (!known) {
		route_allow(row->path, call->allow);
		call->reply.allow = call->allow;
		return refuse(why, 405, "method_not_allowed",
			      "this path takes %s only", call->reply.allow);
	}
	if (*request_param(call->request, "HTTP_CONTENT_ENCODING"))
		return refuse(why, 415, "encoded",
			      "a body with a Content-Encoding is not taken");
	if (call->refuse_all || (!row->serve && !call->run))
		return refuse(why, 503, "unavailable", "%s", call->why_not);
	return 0;
}

void route_serve(struct route_call *call)
{
	struct refusal why = {0};
	bool known;
	const struct route_row *row = route_find(call->request, &known);

	call->reply.id = request_id(call->request);
	route_set_limits(call, row ? row->door : NULL);
	call->door = row ? row->door : NULL;
	if (route_check(call, row, known, &why) < 0 || !row)
		route_call_refuse(call, row ? row->door : NULL, &why);
	else if (row->serve)
		row->serve(call);
	else
		route_call_serve(call, row->door);
	route_call_report(call);
}
