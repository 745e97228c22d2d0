/* status_pages - see status_pages.h. */
#include "status_pages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/base/io.h"
#include "fcgi/shared/client_share.h"
#include "metrics.h"
#include "fcgi/openapi/openapi.h"
#include "fcgi/openapi/operations.h"
#include "fcgi/route/route.h"

static const struct client_share *status_pages_shares;

int status_pages_open(int shares)
{
	status_pages_shares = client_share_map(shares);
	return status_pages_shares ? 0 : -errno;
}

static unsigned status_pages_waiting(void)
{
	return atomic_load(&status_pages_shares->waiting);
}

static void status_pages_pool(const struct scoreboard *board,
			      struct reply *reply)
{
	reply_format(reply, "\"pool\":{\"workers_max\":%u", board->workers);
	for (int state = SLOT_ARMING; state < SLOT_STATES; state++)
		reply_format(reply, ",\"%s\":%u", slot_state_names[state],
			     scoreboard_count(board, (enum slot_state)state));
	reply_format(reply, ",\"waiting\":%u", status_pages_waiting());
	reply_text(reply, "},\"workers\":[");
	const char *comma = "";

	for (size_t i = 0; i < SCOREBOARD_SLOTS_MAX; i++) {
		uint32_t state = atomic_load(&board->slots[i].state);

		if (state == SLOT_FREE || state >= SLOT_STATES)
			continue;
		reply_format(reply,
			     "%s{\"pid\":%d,\"state\":\"%s\",\"guest\":%d}",
			     comma, atomic_load(&board->slots[i].pid),
			     slot_state_names[state],
			     atomic_load(&board->slots[i].guest));
		comma = ",";
	}
	reply_text(reply, "]");
}

static void status_pages_sessions(const struct scoreboard *board,
				  struct reply *reply)
{
	reply_format(reply,
		     "\"sessions\":{\"max\":%u,\"open\":%u,\"busy\":%u,"
		     "\"waiting\":%u,\"ending\":%u", board->session_options.max,
		     atomic_load(&board->sessions.open),
		     atomic_load(&board->sessions.busy),
		     atomic_load(&board->sessions.waiting),
		     atomic_load(&board->sessions.ending));
}

/* A client's number in this answer: the index of its first session. Its name is
 * not printed, because any local user can ask on loopback. */
static uint32_t status_pages_client(const struct scoreboard *board, uint32_t of)
{
	const struct scoreboard_session *list = board->sessions.list;
	uint32_t i = 0;

	while (i < of && strncmp(list[i].client, list[of].client,
				 SCOREBOARD_CLIENT_MAX) != 0)
		i++;
	return i + 1;
}

static void status_pages_session(const struct scoreboard *board, uint32_t index,
				 struct reply *reply)
{
	const struct scoreboard_session *session =
		&board->sessions.list[index];
	const int64_t now = io_now_ms();

	reply_format(reply, "{\"client\":%u",
		     status_pages_client(board, index));
	reply_format(reply,
		     ",\"keeper\":%d,\"pending\":%u,\"calls\":%ju,"
		     "\"cpu_ms\":%ju,\"memory_peak_kb\":%ju,"
		     "\"age_s\":%lld,\"idle_s\":%lld}", session->keeper,
		     session->pending, (uintmax_t)session->calls,
		     (uintmax_t)session->cpu_ms,
		     (uintmax_t)session->memory_peak_kb,
		     (long long)(now - session->began_ms) / 1000,
		     (long long)(now - session->used_ms) / 1000);
}

static void status_pages_session_list(const struct scoreboard *board,
				      struct reply *reply)
{
	uint32_t count = atomic_load(&board->sessions.listed);

	reply_text(reply, ",\"list\":[");
	for (uint32_t i = 0; i < count && i < SCOREBOARD_SESSIONS_MAX; i++) {
		reply_text(reply, i ? "," : "");
		status_pages_session(board, i, reply);
	}
	reply_text(reply, "]");
}

static void status_pages_walls(const struct scoreboard *board,
			       struct reply *reply)
{
	static const char *const kinds[] = {
		[CGROUP_NONE] = "none", [CGROUP_V1] = "v1",
		[CGROUP_V2] = "v2"};

	reply_format(reply,
		     "\"walls\":{\"user\":\"%s\",\"cgroups\":\"%s\","
		     "\"landlock_abi\":%d}",
		     board->root ? "one for each guest" : "one for all",
		     kinds[board->cgroups.kind], board->landlock_abi);
}

static const char *status_pages_state(const struct scoreboard *board)
{
	uint32_t state = atomic_load(&board->state);

	if (atomic_load(&board->draining))
		return "draining";
	return scoreboard_state_names[state < SCOREBOARD_STATES ? state : 0];
}

/* Figures under the names that php-fpm's status page has for them, and a few
 * that it lacks. */
static uint64_t status_pages_accepted(const struct scoreboard *board)
{
	const struct scoreboard_counters *counters = &board->counters;
	uint64_t sum = atomic_load(&counters->refused) +
		       atomic_load(&counters->failed) +
		       atomic_load(&counters->served);

	for (size_t i = 0; i < OUTCOME_VERDICTS; i++)
		sum += atomic_load(&counters->outcomes[i]);
	return sum;
}

static uint64_t status_pages_uptime(const struct scoreboard *board)
{
	return (uint64_t)(io_now_ms() - board->started_ms) / 1000;
}

static uint64_t status_pages_queue(const struct scoreboard *board)
{
	return atomic_load(&board->listen_queue);
}

static uint64_t status_pages_queue_max(const struct scoreboard *board)
{
	return atomic_load(&board->listen_queue_max);
}

static uint64_t status_pages_backlog(const struct scoreboard *board)
{
	return board->backlog;
}

static uint64_t status_pages_idle(const struct scoreboard *board)
{
	return scoreboard_count(board, SLOT_IDLE);
}

static uint64_t status_pages_active(const struct scoreboard *board)
{
	return scoreboard_count(board, SLOT_BUSY);
}

static uint64_t status_pages_total(const struct scoreboard *board)
{
	return status_pages_idle(board) + status_pages_active(board) +
	       scoreboard_count(board, SLOT_ARMING);
}

static uint64_t status_pages_active_max(const struct scoreboard *board)
{
	return atomic_load(&board->busy_max);
}

static uint64_t status_pages_reached(const struct scoreboard *board)
{
	return atomic_load(&board->counters.workers_max_reached);
}

static uint64_t status_pages_slow(const struct scoreboard *board)
{
	return atomic_load(&board->counters.slow);
}

static uint64_t status_pages_client_queue(const struct scoreboard *board)
{
	(void)board;
	return status_pages_waiting();
}

static uint64_t status_pages_sessions_open(const struct scoreboard *board)
{
	return atomic_load(&board->sessions.open);
}

static uint64_t status_pages_streams_open(const struct scoreboard *board)
{
	return atomic_load(&board->streams_open);
}

static uint64_t status_pages_dropped(const struct scoreboard *board)
{
	return atomic_load(&board->counters.log_dropped);
}

static const struct {
	const char *name;
	uint64_t (*get)(const struct scoreboard *board);
} status_pages_figures[] = {
	{"start since", status_pages_uptime},
	{"accepted conn", status_pages_accepted},
	{"listen queue", status_pages_queue},
	{"max listen queue", status_pages_queue_max},
	{"listen queue len", status_pages_backlog},
	{"idle processes", status_pages_idle},
	{"active processes", status_pages_active},
	{"total processes", status_pages_total},
	{"max active processes", status_pages_active_max},
	{"max children reached", status_pages_reached},
	{"slow requests", status_pages_slow},
	{"waiting for their client", status_pages_client_queue},
	{"sessions", status_pages_sessions_open},
	{"streams open", status_pages_streams_open},
	{"log lines dropped", status_pages_dropped},
};

/* "sessions" has an object of its own in JSON. */
static void status_pages_figures_json(const struct scoreboard *board,
				      struct reply *reply)
{
	for (size_t i = 0; i < ARRAY_LEN(status_pages_figures); i++)
		if (status_pages_figures[i].get != status_pages_sessions_open)
			reply_format(reply, ",\"%s\":%ju",
				     status_pages_figures[i].name,
				     (uintmax_t)status_pages_figures[i].get(
					     board));
}

static void status_pages_text_workers(const struct scoreboard *board,
				      struct reply *reply)
{
	for (size_t i = 0; i < SCOREBOARD_SLOTS_MAX; i++) {
		const struct scoreboard_slot *slot = &board->slots[i];
		uint32_t state = atomic_load(&slot->state);

		if (state == SLOT_FREE || state >= SLOT_STATES)
			continue;
		reply_format(reply,
			     "\n************************\n"
			     "%-25s%d\n%-25s%s\n%-25s%d\n",
			     "pid:", atomic_load(&slot->pid),
			     "state:", slot_state_names[state],
			     "guest:", atomic_load(&slot->guest));
	}
}

/* The page as php-fpm prints it. */
static void status_pages_text(const struct scoreboard *board, bool workers,
			      struct reply *reply)
{
	char reason[SCOREBOARD_REASON_MAX];

	reply->content_type = "text/plain; charset=utf-8";
	memcpy(reason, *board->reason ? board->reason : board->next_error,
	       sizeof(reason));
	reply_format(reply, "%-25s%s\n%-25s%.*s\n", "state:",
		     status_pages_state(board), "reason:",
		     (int)strnlen(reason, sizeof(reason)), reason);
	for (size_t i = 0; i < ARRAY_LEN(status_pages_figures); i++) {
		char name[32];

		snprintf(name, sizeof(name), "%s:",
			 status_pages_figures[i].name);
		reply_format(reply, "%-25s %ju\n", name,
			     (uintmax_t)status_pages_figures[i].get(board));
	}
	if (workers)
		status_pages_text_workers(board, reply);
}

static void status_pages_json(const struct scoreboard *board,
			      struct reply *reply)
{
	char reason[SCOREBOARD_REASON_MAX], standby[12] = "null";

	if (board->generations > 2) /* otherwise pool.standby is off */
		snprintf(standby, sizeof(standby), "%d",
			 atomic_load(&board->standby));
	memcpy(reason, *board->reason ? board->reason : board->next_error,
	       sizeof(reason));
	reply_format(reply,
		     "{\"state\":\"%s\",\"master\":%d,\"pool_pid\":%d,"
		     "\"fork_server\":%d,\"status\":%d,\"streams\":%d,"
		     "\"standby\":%s,"
		     "\"generation\":%u,\"uptime_s\":%lld,\"reason\":",
		     status_pages_state(board), atomic_load(&board->master),
		     atomic_load(&board->pool),
		     atomic_load(&board->fork_server),
		     atomic_load(&board->status),
		     atomic_load(&board->streams), standby,
		     atomic_load(&board->generation),
		     (long long)(io_now_ms() - board->started_ms) / 1000);
	reply_json_string(reply, reason, strnlen(reason, sizeof(reason)));
	status_pages_figures_json(board, reply);
	reply_format(reply,
		     ",\"upgrades\":%u"
		     ",\"reload\":{\"asked\":%u,\"done\":%u,\"failed\":%u},",
		     atomic_load(&board->upgrades),
		     atomic_load(&board->reload_asked),
		     atomic_load(&board->reload_done),
		     atomic_load(&board->reload_failed));
	status_pages_pool(board, reply);
	reply_text(reply, ",");
	status_pages_sessions(board, reply);
	status_pages_session_list(board, reply);
	reply_text(reply, "},");
	status_pages_walls(board, reply);
	reply_text(reply, ",\"counters\":");
	metrics_json(board, reply);
	reply_text(reply, "}\n");
}

/* The part that every client may see. Names that differ from the operator's
 * page are those of the code-interpreter contract. */
static void status_pages_public(const struct scoreboard *board,
			const struct request *request, struct reply *reply)
{
	(void)request;
	reply_format(reply,
		     "{\"total_workers\":%u,\"busy_workers\":%u,"
		     "\"is_initializing\":%s,", board->workers,
		     scoreboard_count(board, SLOT_BUSY),
		     atomic_load(&board->state) == SCOREBOARD_STARTING
			     ? "true" : "false");
	status_pages_sessions(board, reply);
	reply_text(reply, "}}\n");
}

/* The same for the code interpreter's clients of 2026, which count sessions as
 * workers. */
static void status_pages_session_pool(const struct scoreboard *board,
				      const struct request *request,
				      struct reply *reply)
{
	(void)request;
	reply_format(reply,
		     "{\"total_workers\":%u,\"busy_workers\":%u,"
		     "\"is_initializing\":%s}\n", board->session_options.max,
		     atomic_load(&board->sessions.open),
		     atomic_load(&board->state) == SCOREBOARD_STARTING
			     ? "true" : "false");
}

static void status_pages_metrics(const struct scoreboard *board,
				 const struct request *request,
				 struct reply *reply)
{
	const char *accept = request_param(request, "HTTP_ACCEPT");

	metrics_prometheus(board, status_pages_waiting(),
			   strstr(accept, "application/openmetrics-text"),
			   reply);
}

/* The reason why the pool cannot serve; NULL: it can. After a burst all workers
 * may be arming, and requests wait for them for some milliseconds. Where none
 * can be armed, the state says so. */
static const char *status_pages_error(const struct scoreboard *board)
{
	/* Also while requests run: balancers shall send no more. */
	if (atomic_load(&board->draining))
		return "draining: the server stops when running requests are "
		       "done";
	if (scoreboard_count(board, SLOT_IDLE) +
		    scoreboard_count(board, SLOT_BUSY) > 0)
		return NULL;
	switch (atomic_load(&board->state)) {
	case SCOREBOARD_STOPPED:
		return board->reason;
	case SCOREBOARD_STARTING:
		return "the server is starting";
	default:
		return scoreboard_count(board, SLOT_ARMING) > 0
			       ? NULL
			       : "no worker is armed";
	}
}

/* Answer 503 if the pool cannot serve. Returns true if so. */
static bool status_pages_refuse(const struct scoreboard *board,
				struct reply *reply)
{
	const char *error = status_pages_error(board);
	struct refusal why;

	if (!error)
		return false;
	refuse(&why, 503, "unavailable", "%.*s", SCOREBOARD_REASON_MAX, error);
	reply->retry_after_s = 1;
	reply_refusal(reply, &why);
	return true;
}

/* The reason why the next generation cannot serve while the present one does.
 * Returns its size; 0: it can. */
static size_t status_pages_warning(const struct scoreboard *board,
				   char error[SCOREBOARD_REASON_MAX])
{
	size_t size = 0;

	while (size < SCOREBOARD_REASON_MAX && board->next_error[size]) {
		error[size] = board->next_error[size];
		size++;
	}
	return size;
}

static void status_pages_health(const struct scoreboard *board,
			const struct request *request, struct reply *reply)
{
	char error[SCOREBOARD_REASON_MAX];

	(void)request;
	if (status_pages_refuse(board, reply))
		return;
	reply->content_type = "text/plain; charset=utf-8";
	reply_text(reply, "hi!");
	int size = (int)status_pages_warning(board, error);

	if (size > 0)
		reply_format(reply, " The next generation cannot serve: %.*s",
			     size, error);
}

/* The same as status_pages_health(), as JSON for the clients of another API. */
static void status_pages_healthz(const struct scoreboard *board,
			const struct request *request, struct reply *reply)
{
	char error[SCOREBOARD_REASON_MAX];

	(void)request;
	if (status_pages_refuse(board, reply))
		return;
	reply_text(reply, "{\"status\":\"ok\"");
	size_t size = status_pages_warning(board, error);

	if (size > 0) {
		reply_text(reply, ",\"warning\":");
		reply_json_string(reply, error, size);
	}
	reply_text(reply, "}\n");
}

/* The form that the query asked for; nginx's map passes on known ones only. */
static void status_pages_full(const struct scoreboard *board,
			      const struct request *request,
			      struct reply *reply)
{
	const char *form = request_param(request, "STATUS_FORM");

	if (strcmp(form, "text") == 0 || strcmp(form, "full") == 0)
		status_pages_text(board, *form == 'f', reply);
	else
		status_pages_json(board, reply);
}

static void status_pages_openapi(const struct scoreboard *board,
				 const struct request *request,
				 struct reply *reply);

/* To add a page, add a row, and a location to nginx.conf.example. */
static const struct {
	const char *path;
	void (*serve)(const struct scoreboard *board,
		      const struct request *request, struct reply *reply);
	/* For /openapi.json: the path that clients know and its API. NULL: a
	 * page of the operator. */
	const char *known, *door;
	const struct operation *operation;
} status_pages[] = {
	{"/health", status_pages_health, "/health", "native",
	 &native_health_operation},
	{"/healthz", status_pages_healthz, "/healthz", "ragflow",
	 &native_healthz_operation},
	{"/status", status_pages_full, NULL, NULL, NULL},
	/* Nginx rewrites a client's /status to it. */
	{"/.status", status_pages_public, "/status", "code-interpreter",
	 &session_status_operation},
	{"/.session_pool", status_pages_session_pool, "/api/v1/status",
	 "code-interpreter", &session_v1_status_operation},
	{"/openapi.json", status_pages_openapi, "/openapi.json", "native",
	 &native_openapi_operation},
	{"/metrics", status_pages_metrics, NULL, NULL, NULL},
};

int status_pages_describe(struct text *text)
{
	const size_t rows = route_paths(NULL, 0);
	struct operation_path *paths =
		calloc(rows + ARRAY_LEN(status_pages), sizeof(*paths));
	size_t count = rows;

	if (!paths)
		return -ENOMEM;
	route_paths(paths, rows);
	for (size_t i = 0; i < ARRAY_LEN(status_pages); i++)
		if (status_pages[i].known)
			paths[count++] = (struct operation_path){
				"GET", status_pages[i].known,
				status_pages[i].door,
				status_pages[i].operation};
	int rc = openapi_add(text, paths, count);

	free(paths);
	return rc;
}

static void status_pages_openapi(const struct scoreboard *board,
				 const struct request *request,
				 struct reply *reply)
{
	/* Made once, because strangers may ask for it. */
	static struct text text;

	(void)board;
	(void)request;
	if (text.size == 0 && status_pages_describe(&text) < 0) {
		reply->error = text.error ? text.error : -ENOMEM;
		text_free(&text);
		return;
	}
	reply_bytes(reply, text.data, text.size);
}

void status_pages_answer(const struct scoreboard *board,
			 const struct request *request, struct reply *reply)
{
	const char *path = request_param(request, "DOCUMENT_URI");
	struct refusal why;

	for (size_t i = 0; i < ARRAY_LEN(status_pages); i++)
		if (strcmp(status_pages[i].path, path) == 0) {
			status_pages[i].serve(board, request, reply);
			return;
		}
	refuse(&why, 404, "not_found", "there is nothing at this path");
	reply_refusal(reply, &why);
}
