/* metrics - see metrics.h. */
#include "metrics.h"

#include <stdio.h>
#include <string.h>

#include "sandbox/base/io.h"

#ifndef TERRARIUM_VERSION
#define TERRARIUM_VERSION "0"
#endif

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
	{"peers_refused_total",
	 "Connections from addresses not in server.allowed_clients.",
	 ROW(peers_refused), 1},
	{"forks_total", "Workers forked.", ROW(forks), 1},
	{"arm_failures_total", "Guests that could not be armed.",
	 ROW(arm_failures), 1},
	{"worker_deaths_total", "Workers that died before they answered.",
	 ROW(worker_deaths), 1},
	{"workers_stopped_total",
	 "Workers that were stopped (SIGSTOP), and killed for it.",
	 ROW(workers_stopped), 1},
	{"generations_total", "Generations that came to serve.",
	 ROW(generations), 1},
	{"generation_failures_total", "Generations that failed to start.",
	 ROW(generation_failures), 1},
	{"reload_failures_total", "Reloads for which none could serve.",
	 ROW(reload_failures), 1},
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
	{"slow_runs_total", "Runs of log.slow_after_ms or longer.", ROW(slow),
	 1},
	{"workers_max_reached_total",
	 "Requests after which all workers of their generation were busy.",
	 ROW(workers_max_reached), 1},
	{"log_dropped_total", "Log lines that were dropped for want of room.",
	 ROW(log_dropped), 1},
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

/* ---- the page -------------------------------------------------------- */

/* OPEN: OpenMetrics, where a counter's family lacks the suffix "_total". Else
 * the Prometheus text format, where it has it. */
struct metrics_page {
	const struct scoreboard *board;
	struct reply *reply;
	bool open;
};

static void metrics_head(const struct metrics_page *page, const char *name,
			 const char *type, const char *help)
{
	const bool counter = strcmp(type, "counter") == 0;
	const char *end = counter && !page->open ? "_total" : "";

	reply_format(page->reply,
		     "# HELP terrarium_%s%s %s\n# TYPE terrarium_%s%s %s\n",
		     name, end, help, name, end, type);
}

/* Make NAME a label's value. A worker that was taken over can choose it. */
static void metrics_shown(char shown[REPORT_NAME_MAX], const char *name)
{
	size_t size = strnlen(name, REPORT_NAME_MAX - 1);

	for (size_t i = 0; i < size; i++) {
		const char c = name[i];

		shown[i] = c;
		if (c <= ' ' || c >= 0x7f || c == '"' || c == '\\')
			shown[i] = '_';
	}
	shown[size] = '\0';
}

static void metrics_outcomes(const struct metrics_page *page)
{
	metrics_head(page, "runs", "counter", "Runs by their outcome.");
	for (size_t i = 0; i < OUTCOME_VERDICTS; i++)
		reply_format(page->reply,
			     "terrarium_runs_total{outcome=\"%s\"} %llu\n",
			     outcome_rows[i].name,
			     (unsigned long long)metrics_outcome(page->board,
								 i));
}

static void metrics_counters(const struct metrics_page *page)
{
	for (size_t i = 0; i < ARRAY_LEN(metrics_rows); i++) {
		const struct metrics_row *row = &metrics_rows[i];
		char family[64];

		snprintf(family, sizeof(family), "%.*s",
			 (int)(strlen(row->name) - strlen("_total")),
			 row->name);
		metrics_head(page, family, "counter", row->help);
		reply_format(page->reply, "terrarium_%s %.15g\n", row->name,
			     metrics_value(page->board, row));
	}
}

/* ---- histograms ------------------------------------------------------ */

struct metrics_series {
	const struct measure_row *row;
	const struct measure_histogram *histogram;
	char labels[2 * REPORT_NAME_MAX + 32]; /* empty, or end in a comma */
};

/* One line of a histogram. BOUND NULL: it has none. */
static void metrics_line(struct reply *reply,
			 const struct metrics_series *series,
			 const char *suffix, const char *bound, double value)
{
	const size_t size = strlen(series->labels);

	reply_format(reply, "terrarium_%s_%s", series->row->name, suffix);
	if (bound)
		reply_format(reply, "{%sle=\"%s\"}", series->labels, bound);
	else if (size > 0)
		reply_format(reply, "{%.*s}", (int)size - 1, series->labels);
	reply_format(reply, " %.15g\n", value);
}

static void metrics_histogram(struct reply *reply,
			      const struct metrics_series *series)
{
	const struct measure_row *row = series->row;
	uint64_t count = 0;
	char bound[32];

	for (unsigned i = 0; i < MEASURES_BUCKETS; i++) {
		count += atomic_load(&series->histogram->buckets[i]);
		if (i < MEASURES_BOUNDS)
			snprintf(bound, sizeof(bound), "%.12g",
				 (double)row->bounds[i] * row->scale);
		metrics_line(reply, series, "bucket",
			     i < MEASURES_BOUNDS ? bound : "+Inf",
			     (double)count);
	}
	metrics_line(reply, series, "sum", NULL,
		     (double)atomic_load(&series->histogram->sum) * row->scale);
	metrics_line(reply, series, "count", NULL, (double)count);
}

static bool metrics_is_empty(const struct measure_histogram *histogram)
{
	for (unsigned i = 0; i < MEASURES_BUCKETS; i++)
		if (atomic_load(&histogram->buckets[i]))
			return false;
	return true;
}

/* All doors and outcomes that were seen. */
static void metrics_by_door(const struct metrics_page *page, enum measure of)
{
	const struct measures *measures = &page->board->measures;
	struct metrics_series series = {.row = &measure_rows[of]};
	char name[REPORT_NAME_MAX];

	for (unsigned door = 0; door < MEASURES_DOORS; door++)
		for (unsigned i = 0; i < OUTCOME_VERDICTS; i++) {
			series.histogram = &measures->of[of][door][i];
			if (!measures_has(measures->doors, door) ||
			    metrics_is_empty(series.histogram))
				continue;
			metrics_shown(name, door ? measures->doors[door].text
						 : "other");
			snprintf(series.labels, sizeof(series.labels),
				 "door=\"%s\",outcome=\"%s\",", name,
				 outcome_rows[i].name);
			metrics_histogram(page->reply, &series);
		}
}

static void metrics_histograms(const struct metrics_page *page)
{
	for (enum measure of = 0; of < MEASURES; of++) {
		const struct metrics_series all = {
			.row = &measure_rows[of],
			.histogram = &page->board->measures.of[of][0][0]};

		metrics_head(page, measure_rows[of].name, "histogram",
			     measure_rows[of].help);
		if (measure_rows[of].by_door)
			metrics_by_door(page, of);
		else
			metrics_histogram(page->reply, &all);
	}
}

/* ---- clients --------------------------------------------------------- */

static void metrics_client(const struct metrics_page *page, unsigned client,
			   enum measure_count of)
{
	const struct measures *measures = &page->board->measures;
	const struct measure_count_row *row = &measure_count_rows[of];
	char name[REPORT_NAME_MAX] = "other";

	if (client && page->board->client_names)
		metrics_shown(name, measures->clients[client].text);
	else if (client)
		snprintf(name, sizeof(name), "%u", client);
	reply_format(page->reply, "terrarium_%s_total{client=\"%s\"} %.15g\n",
		     row->name, name,
		     (double)atomic_load(&measures->counts[client][of]) *
			     row->scale);
}

static void metrics_clients(const struct metrics_page *page)
{
	for (enum measure_count of = 0; of < MEASURE_COUNTS; of++) {
		metrics_head(page, measure_count_rows[of].name, "counter",
			     measure_count_rows[of].help);
		for (unsigned i = 0; i < MEASURES_CLIENTS; i++)
			if (measures_has(page->board->measures.clients, i))
				metrics_client(page, i, of);
	}
}

/* ---- gauges ---------------------------------------------------------- */

static void metrics_workers(const struct metrics_page *page)
{
	metrics_head(page, "workers", "gauge", "Workers by their state.");
	for (int state = SLOT_ARMING; state < SLOT_STATES; state++)
		reply_format(page->reply,
			     "terrarium_workers{state=\"%s\"} %u\n",
			     slot_state_names[state],
			     scoreboard_count(page->board,
					      (enum slot_state)state));
}

static void metrics_gauges(const struct metrics_page *page, unsigned waiting)
{
	const struct scoreboard *board = page->board;
	const struct {
		const char *name, *help;
		double value;
	} rows[] = {
		{"reload_failing", "The next generation cannot be prepared.",
		 *board->next_error != '\0'},
		{"standby", "A generation stands by.",
		 atomic_load(&board->standby) != 0},
		{"waiting",
		 "Requests that wait, because their client holds its share.",
		 waiting},
		{"sessions_open", "Sessions that live.",
		 atomic_load(&board->sessions.open)},
		{"workers_max", "Workers that one generation may have.",
		 board->workers},
		{"workers_busy_max",
		 "Most workers that were busy at a time.",
		 atomic_load(&board->busy_max)},
		{"uptime_seconds", "Since the start.",
		 (double)(io_now_ms() - board->started_ms) / 1000},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		metrics_head(page, rows[i].name, "gauge", rows[i].help);
		reply_format(page->reply, "terrarium_%s %.15g\n", rows[i].name,
			     rows[i].value);
	}
	metrics_head(page, "build_info", "gauge", "The version that runs.");
	reply_text(page->reply,
		   "terrarium_build_info{version=\"" TERRARIUM_VERSION
		   "\"} 1\n");
}

void metrics_prometheus(const struct scoreboard *board, unsigned waiting,
			bool open, struct reply *reply)
{
	const struct metrics_page page = {board, reply, open};

	reply->content_type = open ? "application/openmetrics-text; "
				     "version=1.0.0; charset=utf-8"
				   : "text/plain; version=0.0.4; "
				     "charset=utf-8";
	metrics_outcomes(&page);
	metrics_counters(&page);
	metrics_histograms(&page);
	metrics_clients(&page);
	metrics_workers(&page);
	metrics_gauges(&page, waiting);
	if (open)
		reply_text(reply, "# EOF\n");
}
