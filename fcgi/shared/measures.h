/*
 * measures - distributions of the cost of runs, by door and outcome, and counters
 * of each client; a part of the scoreboard.
 *
 * Pool processes of several generations write at the same time, without locks.
 * All has a fixed size: doors and clients that find no room are counted
 * together, as number 0.
 */
#ifndef TERRARIUM_MEASURES_H
#define TERRARIUM_MEASURES_H

#include <stdatomic.h>

#include "report.h"
#include "sandbox/base/outcome.h"

#define MEASURES_DOORS 24
#define MEASURES_CLIENTS 64
#define MEASURES_BOUNDS 15
#define MEASURES_BUCKETS (MEASURES_BOUNDS + 1) /* the last has no bound */

enum measure { MEASURE_QUEUE, MEASURE_RUN, MEASURE_TOTAL, MEASURE_MEMORY,
	       MEASURE_ARM, MEASURES };

struct measure_row {
	const char *name; /* of the metric */
	const char *help;
	const uint64_t *bounds; /* MEASURES_BOUNDS of them, inclusive */
	double scale; /* from the stored unit to the metric's */
	bool by_door; /* and by outcome */
};

extern const struct measure_row measure_rows[MEASURES];

struct measure_histogram {
	_Atomic uint64_t buckets[MEASURES_BUCKETS];
	_Atomic uint64_t sum;
};

enum measure_count { MEASURE_RUNS, MEASURE_REFUSED, MEASURE_FAILED,
		     MEASURE_RUNTIME, MEASURE_CPU, MEASURE_IN, MEASURE_OUT,
		     MEASURE_COUNTS };

struct measure_count_row {
	const char *name;
	const char *help;
	double scale;
};

extern const struct measure_count_row measure_count_rows[MEASURE_COUNTS];

/* Pool processes of two generations may write a name at once, and each may die
 * at any point. So a row is taken by the name's hash in one step, and both write
 * the same text. */
struct measure_name {
	_Atomic uint64_t hash;	/* 0: the row is free */
	_Atomic uint32_t ready; /* TEXT is complete */
	char text[REPORT_NAME_MAX];
};

struct measures {
	struct measure_name doors[MEASURES_DOORS];
	struct measure_name clients[MEASURES_CLIENTS];
	_Atomic uint64_t counts[MEASURES_CLIENTS][MEASURE_COUNTS];
	struct measure_histogram of[MEASURES][MEASURES_DOORS][OUTCOME_VERDICTS];
};

/* Count a REPORT_DONE of a request, or a REPORT_ARMED. */
void measures_done(struct measures *measures, const struct report *report);
void measures_armed(struct measures *measures, const struct report *report);

/* Is the name number I of NAMES in use? Number 0 is, for all others. */
bool measures_has(const struct measure_name *names, unsigned i);

#endif
