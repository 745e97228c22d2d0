/* measures - see measures.h. */
#include "measures.h"

#include <stdio.h>
#include <string.h>

#include "sandbox/base/log.h"
#include "sandbox/base/digest.h"

static const uint64_t measures_ms[MEASURES_BOUNDS] = {
	1,   2,    5,    10,   20,    50,    100,  200,
	500, 1000, 2000, 5000, 10000, 20000, 60000};
static const uint64_t measures_us[MEASURES_BOUNDS] = {
	200,    500,    1000,    2000,    3000,    5000,   10000,  20000,
	50000, 100000, 200000, 500000, 1000000, 2000000, 5000000};
static const uint64_t measures_kb[MEASURES_BOUNDS] = {
	1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14,
	1 << 15, 1 << 16, 1 << 17, 1 << 18, 1 << 19,
	1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24};

const struct measure_row measure_rows[MEASURES] = {
	[MEASURE_QUEUE] = {"queue_wait_seconds", "Wait of a run for its worker.",
			   measures_ms, 0.001, true},
	[MEASURE_RUN] = {"run_seconds", "Wall clock of a run.", measures_ms,
			 0.001, true},
	[MEASURE_TOTAL] = {"request_seconds",
			   "From nginx's receipt of a run's request to its "
			   "answer.",
			   measures_ms, 0.001, true},
	[MEASURE_MEMORY] = {"memory_peak_bytes", "Most memory of a run.",
			    measures_kb, 1024, true},
	[MEASURE_ARM] = {"arm_seconds", "Time in which a guest was armed.",
			 measures_us, 0.000001, false},
};

const struct measure_count_row measure_count_rows[MEASURE_COUNTS] = {
	[MEASURE_RUNS] = {"client_runs", "Runs of a client.", 1},
	[MEASURE_REFUSED] = {"client_errors",
			     "Requests of a client that were answered 4xx.", 1},
	[MEASURE_FAILED] = {"client_failures",
			    "Requests of a client that were answered 5xx.", 1},
	[MEASURE_RUNTIME] = {"client_runtime_seconds",
			     "Wall clock of a client's runs.", 0.001},
	[MEASURE_CPU] = {"client_cpu_seconds",
			 "Processor time of a client's runs.", 0.001},
	[MEASURE_IN] = {"client_received_bytes",
			"Bodies of a client's requests.", 1},
	[MEASURE_OUT] = {"client_sent_bytes", "Bodies of a client's replies.",
			 1},
};

bool measures_has(const struct measure_name *names, unsigned i)
{
	return i == 0 || atomic_load(&names[i].ready);
}

/* The number of TEXT among COUNT names, which takes a free one if it is new.
 * 0: there is none. *NEW: its text was not there. */
static unsigned measures_number(struct measure_name *names, unsigned count,
				const char *text, bool *new)
{
	const uint64_t hash = digest_text(text);

	*new = false;
	for (unsigned i = 1; i < count && *text; i++) {
		uint64_t had = 0;

		if (!atomic_compare_exchange_strong(&names[i].hash, &had,
						    hash) && had != hash)
			continue;
		*new = !atomic_load(&names[i].ready);
		if (*new) {
			snprintf(names[i].text, sizeof(names[i].text), "%s",
				 text);
			atomic_store(&names[i].ready, 1);
		}
		return i;
	}
	return 0;
}

static void measures_add(struct measure_histogram *to, enum measure measure,
			 uint64_t value)
{
	const uint64_t *bounds = measure_rows[measure].bounds;
	unsigned i = 0;

	while (i < MEASURES_BOUNDS && value > bounds[i])
		i++;
	atomic_fetch_add(&to->buckets[i], 1);
	atomic_fetch_add(&to->sum, value);
}

static void measures_client(struct measures *measures,
			    const struct report *report)
{
	const uint64_t add[MEASURE_COUNTS] = {
		[MEASURE_RUNS] = report->ran,
		[MEASURE_REFUSED] = report->status >= 400 &&
				    report->status < 500,
		[MEASURE_FAILED] = report->status >= 500,
		[MEASURE_RUNTIME] = report->runtime_ms,
		[MEASURE_CPU] = report->cpu_ms,
		[MEASURE_IN] = report->bytes_in,
		[MEASURE_OUT] = report->bytes_out};
	bool new;
	unsigned client = measures_number(measures->clients, MEASURES_CLIENTS,
					  report->client, &new);

	if (new)
		log_info("client in metrics: number=%u client=%s", client,
			 report->client);
	for (unsigned i = 0; i < MEASURE_COUNTS; i++)
		if (add[i])
			atomic_fetch_add(&measures->counts[client][i], add[i]);
}

void measures_done(struct measures *measures, const struct report *report)
{
	const uint64_t values[MEASURE_ARM] = {
		[MEASURE_QUEUE] = report->queue_ms,
		[MEASURE_RUN] = report->runtime_ms,
		[MEASURE_TOTAL] = report->total_ms,
		[MEASURE_MEMORY] = report->memory_peak_kb};
	bool new;

	measures_client(measures, report);
	if (!report->ran)
		return;
	unsigned door = measures_number(measures->doors, MEASURES_DOORS,
					report->door, &new);

	for (enum measure i = 0; i < MEASURE_ARM; i++)
		measures_add(&measures->of[i][door][report->verdict], i,
			     values[i]);
}

void measures_armed(struct measures *measures, const struct report *report)
{
	measures_add(&measures->of[MEASURE_ARM][0][0], MEASURE_ARM,
		     report->arm_us);
}
