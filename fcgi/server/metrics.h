/*
 * metrics - the counters of the scoreboard with their names, as JSON and for
 * Prometheus.
 */
#ifndef TERRARIUM_METRICS_H
#define TERRARIUM_METRICS_H

#include "fcgi/http/reply.h"
#include "fcgi/shared/scoreboard.h"

/* Print all counters as one JSON object. */
void metrics_json(const struct scoreboard *board, struct reply *reply);

/* Print all as OpenMetrics 1.0.0 (OPEN), or in Prometheus' text format, version
 * 0.0.4. */
void metrics_prometheus(const struct scoreboard *board, unsigned waiting,
			bool open, struct reply *reply);

#endif
