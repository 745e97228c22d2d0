/* metrics - see metrics.h. */
#include "metrics.h"

#include "sandbox/base/io.h"

/* To add one, add a field to struct scoreboard_counters and a row here. */
static const struct metrics_row {
	const char *name;
	const char *help;
	size_t offset;
	double scale; /* from the stored unit to the unit that is shown */
} metrics_rows[] = {
#define ROW(field) offsetof(struct scoreboard_counters, field)
	{"refused_total", "Requests answered 4xx, nothing ran.", ROW(refused),
	 1},
	{"failed_total", "Requests answered 5xx.", ROW(failed), 1},
	{"served_total", "Other requests answered.", ROW(served), 1},
	{"queued_total",
	 "Requests that waited, because their client held its share.",
	 ROW(queued), 1},
	{"client_refused_total",
	 "Requests refused, because too many of their client waited.",
	 ROW(client_refused), 1},
	{"forks_total", "Workers forked.", ROW(forks), 1},
	{"arm_failures_total", "Guests that could not be armed.",
	 ROW(arm_failures), 1},
	{"worker_deaths_total", "Workers that died before they answered.",
	 ROW(worker_deaths), 1},
	{"generations_total", "Generations that came to serve.",
	 ROW(generations), 1},
	{"generation_failures_total", "Generations that failed to start.",
	 ROW(generation_failures), 1},
	{"runtime_seconds_total", "Wall clock of all runs.", ROW(runtime_ms),
	 0.001},
	{"queue_seconds_total", "Time that requests waited for a worker.",
	 ROW(queue_ms), 0.001},
	{"cpu_seconds_total", "Processor time of all runs.", ROW(cpu_ms),
	 0.001},
	{"received_bytes_total", "Bodies of requests.", ROW(bytes_in), 1},
	{"sent_bytes_total", "Bodies of replies.", ROW(bytes_out), 1},
	{"sessions_total", "Sessions that were started.", ROW(sessions), 1},
	{"sessions_evicted_total", "Sessions that were ended to make room.",
	 ROW(sessions_evicted), 1},
	{"sessions_expired_total", "Sessions that were idle for too long.",
	 ROW(sessions_expired), 1},
	{"sessions_refused_total", "Sessions that had no room.",
	 ROW(sessions_refused), 1},
	{"rollbacks_total", "Calls that were rolled back.", ROW(rollbacks), 1},
#undef ROW
};

static double metrics_value(const struct scoreboard *board,
			    const struct metrics_row *row)
{
	const char *counters = (const char *)&board->counters;
	const _Atomic uint64_t *at =
		(const _Atomic uint64_t *)(const void *)(counters +
							 row->offset);

	return (double)atomic_load(at) * row->scale;
}

static uint64_t metrics_outcome(const struct scoreboard *board, size_t i)
{
	return atomic_load(&board->counters.outcomes[i]);
}

void metrics_json(const struct scoreboard *board, struct reply *reply)
{
	reply_text(reply, "{\"runs\":{");
	for (size_t i = 0; i < OUTCOME_VERDICTS; i++)
		reply_format(reply, "%s\"%s\":%llu", i ? "," : "",
			     outcome_rows[i].name,
			     (unsigned long long)metrics_outcome(board, i));
	reply_text(reply, "}");
	for (size_t i = 0; i < ARRAY_LEN(metrics_rows); i++)
		reply_format(reply, ",\"%s\":%.15g", metrics_rows[i].name,
			     metrics_value(board, &metrics_rows[i]));
	reply_text(reply, "}");
}

static void metrics_head(struct reply *reply, const char *name,
			 const char *type, const char *help)
{
	reply_format(reply, "# HELP terrarium_%s %s\n# TYPE terrarium_%s %s\n",
		     name, help, name, type);
}

void metrics_prometheus(const struct scoreboard *board, unsigned waiting,
			struct reply *reply)
{
	metrics_head(reply, "runs_total", "counter", "Runs by their outcome.");
	for (size_t i = 0; i < OUTCOME_VERDICTS; i++)
		reply_format(reply,
			     "terrarium_runs_total{outcome=\"%s\"} %llu\n",
			     outcome_rows[i].name,
			     (unsigned long long)metrics_outcome(board, i));
	for (size_t i = 0; i < ARRAY_LEN(metrics_rows); i++) {
		metrics_head(reply, metrics_rows[i].name, "counter",
			     metrics_rows[i].help);
		reply_format(reply, "terrarium_%s %.15g\n",
			     metrics_rows[i].name,
			     metrics_value(board, &metrics_rows[i]));
	}
	metrics_head(reply, "workers", "gauge", "Workers by their state.");
	for (int state = SLOT_ARMING; state < SLOT_STATES; state++)
		reply_format(reply, "terrarium_workers{state=\"%s\"} %u\n",
			     slot_state_names[state],
			     scoreboard_count(board, (enum slot_state)state));
	metrics_head(reply, "reload_failing", "gauge",
		     "The next generation cannot be prepared.");
	reply_format(reply, "terrarium_reload_failing %d\n",
		     *board->next_error != '\0');
	metrics_head(reply, "standby", "gauge", "A generation stands by.");
	reply_format(reply, "terrarium_standby %d\n",
		     atomic_load(&board->standby) != 0);
	metrics_head(reply, "waiting", "gauge",
		     "Requests that wait, because their client holds its "
		     "share.");
	reply_format(reply, "terrarium_waiting %u\n", waiting);
	metrics_head(reply, "sessions", "gauge", "Sessions that live.");
	reply_format(reply, "terrarium_sessions %u\n",
		     atomic_load(&board->sessions.open));
	metrics_head(reply, "uptime_seconds", "gauge", "Since the start.");
	reply_format(reply, "terrarium_uptime_seconds %.3f\n",
		     (double)(io_now_ms() - board->started_ms) / 1000);
}
